import Dispatch
import Synchronization

/// A lock for work that a disk may hold up: it is given to callers in the order in which they came, and nobody has to wait for it longer
/// than they want to.
///
/// While whoever has it is slow, only a few wait: the others are sent away after a second, because each of them is a thread that somebody
/// else's request needs. Thread-safe; not to be taken again by whoever has it.
package final class TimedLock: Sendable {
    /// How long the holders may take before the crowd is sent away, and how many may wait all the same.
    private static let grace = Duration.seconds(1)
    private static let few = 2

    private struct Waiter {
        let number: Int
        /// Left when the lock is theirs. A group is waited for by the span, a semaphore by a clock that people set (``PausingThread``).
        let turn: DispatchGroup
        let isPatient: Bool
    }

    private struct State {
        /// Since when somebody has had it.
        var heldSince: ContinuousClock.Instant?
        var waiting: [Waiter] = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// For how long somebody has had it; zero when it is free.
    package var heldFor: Duration { state.withLock { $0.heldSince.map { ContinuousClock.now - $0 } ?? .zero } }

    /// How many wait for it at this moment.
    var waiters: Int { state.withLock { $0.waiting.count } }

    /// Waits as long as it takes.
    package func withLock<Value, Failure: Error>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
        _ = enter(nil)
        defer { leave() }
        return try body()
    }

    /// - Parameter patience: how long to wait.
    /// - Returns: nil when the wait was over, and `body` was not called.
    package func withLock<Value, Failure: Error>(patience: Duration, _ body: () throws(Failure) -> Value) throws(Failure) -> Value? {
        guard enter(patience) else { return nil }
        defer { leave() }
        return try body()
    }

    private func enter(_ patience: Duration?) -> Bool {
        let waiter = state.withLock { state -> Waiter? in
            guard state.heldSince != nil else {
                state.heldSince = .now
                return nil
            }
            state.lastNumber += 1
            let waiter = Waiter(number: state.lastNumber, turn: DispatchGroup(), isPatient: patience == nil)
            waiter.turn.enter()
            state.waiting.append(waiter)
            return waiter
        }
        guard let waiter else { return true }
        guard let patience else {
            waiter.turn.wait()
            return true
        }
        if waiter.turn.wait(timeout: .now() + min(Self.grace, patience)) == .success { return true }
        if patience > Self.grace, !isCrowded(without: waiter), waiter.turn.wait(timeout: .now() + (patience - Self.grace)) == .success {
            return true
        }
        return !giveUp(waiter)
    }

    private func isCrowded(without waiter: Waiter) -> Bool {
        state.withLock { state in state.waiting.count { !$0.isPatient && $0.number < waiter.number } >= Self.few }
    }

    /// - Returns: false when the lock was handed over meanwhile.
    private func giveUp(_ waiter: Waiter) -> Bool {
        let isWaiting = state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == waiter.number }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
        // Dispatch ends a process that gives up a group which somebody has entered.
        if isWaiting { waiter.turn.leave() }
        return isWaiting
    }

    private func leave() {
        let next = state.withLock { state -> Waiter? in
            guard !state.waiting.isEmpty else {
                state.heldSince = nil
                return nil
            }
            state.heldSince = .now
            return state.waiting.removeFirst()
        }
        next?.turn.leave()
    }
}

extension DispatchTime {
    fileprivate static func + (time: DispatchTime, span: Duration) -> DispatchTime {
        time
            + DispatchTimeInterval.nanoseconds(
                Int(span.components.seconds) * 1_000_000_000 + Int(span.components.attoseconds / 1_000_000_000)
            )
    }
}
