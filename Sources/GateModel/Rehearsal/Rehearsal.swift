public import GateJSON

/// A gate being tried on a real phone, at addresses of its own, beside the gate in force.
public struct Rehearsal: Sendable, Hashable {
    /// How long one may last, in seconds.
    public static let spans: ClosedRange<Int64> = 60...86_400
    /// How long one lasts if nothing is said, in seconds.
    public static let standardSpan: Int64 = 7_200

    /// Identifies it to those who manage it; not a part of its addresses.
    public let id: String
    public let target: TargetKey
    /// As phones get it now: without its kill switch once that has lifted itself.
    public package(set) var gate: Gate
    /// Who started it.
    public let actor: Actor
    /// When it started.
    public let at: Timestamp
    /// When its addresses stop answering.
    public package(set) var until: Timestamp
    /// The paths of its feeds on the feeds listener. Whoever knows one can read the feed, so they appear in no log and no history.
    public let feeds: [FeedName: String]
    /// The paths of those own-shape feeds that show the target, by file name: `own/status.json`.
    public package(set) var ownFeeds: [String: String]
    /// How often phones polled.
    public package(set) var pollCount: Int
    /// The latest polls, newest first.
    public package(set) var polls: [RehearsalPoll]

    public init(
        id: String,
        target: TargetKey,
        gate: Gate,
        actor: Actor,
        at: Timestamp,
        until: Timestamp,
        feeds: [FeedName: String],
        ownFeeds: [String: String] = [:],
        pollCount: Int = 0,
        polls: [RehearsalPoll] = []
    ) {
        self.id = id
        self.target = target
        self.gate = gate
        self.actor = actor
        self.at = at
        self.until = until
        self.feeds = feeds
        self.ownFeeds = ownFeeds
        self.pollCount = pollCount
        self.polls = polls
    }
}

/// One poll of a rehearsal by a phone.
public struct RehearsalPoll: Sendable, Hashable {
    public let at: Timestamp
    /// What it asked for, without the secret part of the address: `ios/bellerophon.json`.
    public let feed: String
    /// The version in its query; nil for a phone that sends none.
    public let version: String?
    /// The client's user agent, cut to 200 bytes.
    public let userAgent: String?
    /// Whether the phone already had these exact bytes and was told so (304).
    public let isUnchanged: Bool

    public init(at: Timestamp, feed: String, version: String?, userAgent: String?, isUnchanged: Bool) {
        self.at = at
        self.feed = feed
        self.version = version
        self.userAgent = userAgent
        self.isUnchanged = isUnchanged
    }
}
