package import GateJSON
package import GateModel
package import GateService

/// The record for plans, which ask for the polls as of now.
package struct CurrentPolls: PollRecord {
    private let tracker: ReachTracker
    private let now: @Sendable () -> Timestamp

    package init(_ tracker: ReachTracker, now: @escaping @Sendable () -> Timestamp) {
        self.tracker = tracker
        self.now = now
    }

    package func polledFeeds(of target: TargetKey) -> Set<FeedName> { tracker.polledFeeds(of: target, at: now()) }

    package func pollsPerMinute(of target: TargetKey) -> [FeedName: Int] { tracker.pollsPerMinute(of: target, at: now()) }

    package func polledVersions(of target: TargetKey) -> PolledVersions { tracker.polledVersions(of: target, within: .hour, at: now()) }
}
