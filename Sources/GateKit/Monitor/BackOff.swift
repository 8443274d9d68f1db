import Foundation

/// When a phone that is shut out polls again.
enum BackOff {
    /// Seconds; an interval that is longer to begin with is not shortened.
    static let most: TimeInterval = 300

    /// - Parameters:
    ///   - interval: the feed's, in seconds.
    ///   - failures: failed checks since the last successful one.
    ///   - random: from 0 to 1. After a failure up to a fifth is added, so phones that failed together do not come back together.
    static func delay(interval: Int, failures: Int, random: Double) -> TimeInterval {
        let interval = TimeInterval(interval)
        guard failures > 0 else { return interval }
        let grown = interval * pow(2, TimeInterval(min(failures, 16)))
        return max(interval, min(grown, most)) * (1 + 0.2 * min(max(random, 0), 1))
    }
}
