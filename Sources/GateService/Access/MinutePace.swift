import GateJSON
import GateModel
import Synchronization

/// Limits how often one of several keys may do something within a minute: people, or accounts.
///
/// Thread-safe. In memory, and bounded.
final class MinutePace<Key: Hashable & Sendable>: Sendable {
    private struct Minute {
        let since: Timestamp
        var count = 0
    }

    let most: Int
    private let minutes = Mutex<[Key: Minute]>([:])

    /// - Parameter most: how often within a minute.
    init(most: Int) { self.most = most }

    /// Whole seconds to wait before the key may do it again; nil when it may now, which counts it.
    /// - Parameter counting: false to ask without counting.
    func wait(_ key: Key, at now: Timestamp, counting: Bool = true) -> Int? {
        minutes.withLock { minutes in
            // Minutes long past would start again anyway.
            if minutes.count >= 2_000 { minutes = [:] }
            var minute = minutes[key] ?? Minute(since: now)
            let end = minute.since.advanced(bySeconds: 60)
            // A clock that was put back must not make anybody wait until it catches up.
            if now >= end || now < minute.since { minute = Minute(since: now) }
            guard minute.count < most else { return max(1, Int((end.milliseconds - now.milliseconds + 999) / 1_000)) }
            guard counting else { return nil }
            minute.count += 1
            minutes[key] = minute
            return nil
        }
    }
}

extension MinutePace<String> {
    /// Counts something that an account writes into the audit, which never shrinks.
    /// - Throws: `too_often` (429) with the seconds to wait.
    func admit(_ actor: Actor, at now: Timestamp) throws(ServiceError) {
        guard let seconds = wait(actor.account, at: now) else { return }
        throw ServiceError(
            .tooMany,
            "too_often",
            "\(actor.user ?? actor.name) did this more than \(most) times within a minute, so nothing was changed; try again in \(seconds) s.",
            retryAfter: seconds
        )
    }
}
