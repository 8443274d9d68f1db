import Foundation
import GateKit
import Synchronization

/// A clock that stands still until a test moves it. Sleepers wake in the order of their time.
final class StepClock: GateClock, Sendable {
    private struct Sleeper {
        let deadline: TimeInterval
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var uptime: TimeInterval = 1_000
        var wall = Date(timeIntervalSince1970: 1_774_000_000)
        var number = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        /// The lengths that were slept for, in their order.
        var slept: [TimeInterval] = []
        var waiting: [(seconds: TimeInterval, count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    var now: Date { state.withLock { $0.wall } }
    var uptime: TimeInterval { state.withLock { $0.uptime } }

    /// Lengths of all sleeps so far.
    var slept: [TimeInterval] { state.withLock { $0.slept } }

    func sleep(seconds: TimeInterval) async throws {
        let number = state.withLock { state in
            state.number += 1
            return state.number
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let (isCancelled, woken) = state.withLock { state in
                    guard state.cancelled.remove(number) == nil else { return (true, [CheckedContinuation<Void, Never>]()) }
                    state.sleepers[number] = Sleeper(deadline: state.uptime + seconds, continuation: continuation)
                    state.slept.append(seconds)
                    return (false, Self.ready(&state))
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                for waiting in woken { waiting.resume() }
            }
        } onCancel: {
            let sleeper = state.withLock { state -> Sleeper? in
                guard let sleeper = state.sleepers.removeValue(forKey: number) else {
                    state.cancelled.insert(number)
                    return nil
                }
                return sleeper
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    private static func ready(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        let ready = state.waiting.filter { wanted in state.slept.filter { $0 == wanted.seconds }.count >= wanted.count }
        state.waiting.removeAll { wanted in state.slept.filter { $0 == wanted.seconds }.count >= wanted.count }
        return ready.map(\.continuation)
    }

    /// Waits until somebody has begun to sleep this long for the n-th time.
    func waitForSleep(of seconds: TimeInterval, count: Int = 1) async {
        // At the test's time limit nobody waits any longer.
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let ready = state.withLock { state in
                    state.waiting.append((seconds, count, continuation))
                    return Self.ready(&state)
                }
                for waiting in ready { waiting.resume() }
            }
        } onCancel: {
            let waiting = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for one in waiting { one.continuation.resume() }
        }
    }

    func advance(by seconds: TimeInterval) {
        let due = state.withLock { state in
            state.uptime += seconds
            state.wall += seconds
            let due = state.sleepers.filter { $0.value.deadline <= state.uptime }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
    }

    /// Lets time pass without waking anybody, as for an app that is suspended.
    func suspend(for seconds: TimeInterval) {
        state.withLock { state in
            state.uptime += seconds
            state.wall += seconds
        }
    }

    /// Sets the wall clock alone, as people and time servers do.
    func setWall(by seconds: TimeInterval) { state.withLock { $0.wall += seconds } }
}
