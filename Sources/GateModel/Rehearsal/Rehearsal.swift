public import GateJSON

/// A gate that is tried on a real phone, at addresses of its own, beside the gate that is in force.
public struct Rehearsal: Sendable, Hashable {
    /// For how many seconds one may last.
    public static let spans: ClosedRange<Int64> = 60...86_400
    /// For how many seconds one lasts where nobody says.
    public static let standardSpan: Int64 = 7_200

    /// Names it to those who manage it; it is no part of its addresses.
    public let id: String
    public let target: TargetKey
    public let gate: Gate
    /// Who began it.
    public let actor: Actor
    /// When it began.
    public let at: Timestamp
    /// When its addresses stop answering.
    public let until: Timestamp
    /// Where its feeds are on the feeds listener. Who knows one can read it, so they stand in no log and no history.
    public let feeds: [FeedName: String]
    /// Where those of the app's own shapes are that tell of the target, by their file names: `own/status.json`.
    public let ownFeeds: [String: String]
    /// How often phones asked.
    public let pollCount: Int
    /// The last of them, the newest first.
    public let polls: [RehearsalPoll]

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

/// A phone's question to a rehearsal.
public struct RehearsalPoll: Sendable, Hashable {
    public let at: Timestamp
    /// What it asked for, without the address that nobody may guess: `ios/bellerophon.json`.
    public let feed: String
    /// What it told of itself in its query; nil for a phone that tells none.
    public let version: String?
    /// What its client calls itself, cut to 200 bytes.
    public let userAgent: String?
    /// Whether it had these very bytes, and was told so (304).
    public let isUnchanged: Bool

    public init(at: Timestamp, feed: String, version: String?, userAgent: String?, isUnchanged: Bool) {
        self.at = at
        self.feed = feed
        self.version = version
        self.userAgent = userAgent
        self.isUnchanged = isUnchanged
    }
}
