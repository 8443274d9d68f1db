package import GateModel

/// What phones polled lately: the counters of the table that answers them, plus what the other servers of the database counted.
package protocol PollRecord: Sendable {
    /// The documents of a target that were polled within the last day, at their own addresses or at aliases. A poll of a whole app's
    /// document counts for each of its platforms. Any thread; must not call back.
    func polledFeeds(of target: TargetKey) -> Set<FeedName>

    /// How often each of a target's documents was polled within the last minute, without those that nobody polled. Any thread; must not
    /// call back.
    func pollsPerMinute(of target: TargetKey) -> [FeedName: Int]

    /// The versions that polls of a target named within the last hour. Any thread; must not call back.
    func polledVersions(of target: TargetKey) -> PolledVersions
}
