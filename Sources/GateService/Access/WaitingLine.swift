import GateJSON
import GateModel
import Synchronization

/// Who was told to come back later, and from when on they may. This makes waiting as told pay off, however many others try in between.
/// Somebody who comes from another address each time never completes a wait, and so never gets in.
///
/// Thread-safe. In memory, and bounded: a restart makes everybody wait once more.
final class WaitingLine: Sendable {
    private struct Waiting {
        /// When each may come back, by who they are. When `young` is full, it becomes `old`, and the previous `old` is dropped.
        var young: [Int: Timestamp] = [:]
        var old: [Int: Timestamp] = [:]
    }

    private let state = Mutex(Waiting())
    /// How many can wait at the same time; beyond that, those who have waited longest lose their place.
    private static let most = 65_536
    /// Seconds for which a completed wait counts.
    private static let grace: Int64 = 120

    /// Whole seconds that somebody still has to wait; nil when they have waited. The first call starts the wait.
    ///
    /// A completed wait counts for ``grace`` or until ``leave(_:)``, because a sign-in may take several steps.
    func wait(_ who: String, seconds: Int64, at now: Timestamp) -> Int? {
        let key = who.hashValue
        return state.withLock { state in
            if let ready = state.young[key] ?? state.old[key] {
                if ready <= now, now < ready.advanced(bySeconds: Self.grace) { return nil }
                // A clock that was put back must not make anybody wait longer than the full wait.
                if now < ready, ready <= now.advanced(bySeconds: seconds) { return Self.seconds(from: now, to: ready) }
            }
            if state.young.count >= Self.most / 2 {
                state.old = state.young
                state.young = [:]
            }
            state.old[key] = nil
            state.young[key] = now.advanced(bySeconds: seconds)
            return Int(seconds)
        }
    }

    /// Whether somebody was told to wait, and has.
    func hasWaited(_ who: String, at now: Timestamp) -> Bool {
        let key = who.hashValue
        let ready = state.withLock { $0.young[key] ?? $0.old[key] }
        return ready.map { $0 <= now && now < $0.advanced(bySeconds: Self.grace) } ?? false
    }

    /// Uses up a wait.
    func leave(_ who: String) {
        let key = who.hashValue
        state.withLock { state in
            state.young[key] = nil
            state.old[key] = nil
        }
    }

    private static func seconds(from now: Timestamp, to then: Timestamp) -> Int {
        Int((then.milliseconds - now.milliseconds + 999) / 1_000)
    }
}
