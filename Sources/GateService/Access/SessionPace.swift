import GateJSON
import Synchronization

/// Limits how many sessions of one person begin within a minute. Where a proxy signs in, a session begins without a password, whose check
/// would cost time, and each one is a write and an audit entry: somebody who asks over and over must not fill either.
///
/// Thread-safe. In memory, and bounded by the number of people.
final class SessionPace: Sendable {
    private struct Minute {
        let since: Timestamp
        var count = 0
    }

    /// A person with many browsers that all wake up at once stays below it.
    static let most = 30
    private static let span: Int64 = 60
    private static let mostPeople = 2_000

    private let minutes = Mutex<[Int: Minute]>([:])

    /// Whole seconds to wait before another session of the person may begin; nil when it may now, which counts it.
    func wait(_ userID: Int, at now: Timestamp) -> Int? {
        minutes.withLock { minutes in
            // Minutes long past would start again anyway.
            if minutes.count >= Self.mostPeople { minutes = [:] }
            var minute = minutes[userID] ?? Minute(since: now)
            let end = minute.since.advanced(bySeconds: Self.span)
            // A clock that was put back must not make anybody wait until it catches up.
            if now >= end || now < minute.since { minute = Minute(since: now) }
            guard minute.count < Self.most else { return max(1, Int((end.milliseconds - now.milliseconds + 999) / 1_000)) }
            minute.count += 1
            minutes[userID] = minute
            return nil
        }
    }
}
