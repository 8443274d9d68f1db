package import GateJSON
package import GateModel

/// How far a target's present revision has reached the phones, as far as polls alone show.
///
/// A poll says what its caller had before, never who it was or whether anybody looked: there may be many phones behind one caller, and one
/// phone polls many times. Caches in front answer polls that are never seen here. Where several servers share a database, their polls are
/// added: those of the others as of a second or two ago, or longer ago where they have much to tell.
package struct ReachBody: TabledBody {
    /// Polls of the target's feeds within the last minute.
    package var pollsPerMinute: Int
    /// The share of the last minute's polls that had the present revision already, among those that said what they had: 0 to 1 in steps of
    /// a thousandth, rounded down so that it never reads as 1 while one was stale; nil without such polls.
    package var share: Double?
    /// Whole seconds since a poll last carried an older revision; nil when none did since this revision was published.
    package var secondsSinceStale: Int?
    /// Since this revision was published: polls that had it already.
    package var confirmed: Int
    /// Polls that had an older one and were given this one.
    package var replaced: Int
    /// Polls that did not say what they had and were given this one.
    package var fetched: Int
    /// The documents that were polled within the last day; one of a whole app for any of its platforms.
    package var feeds: [FeedName]

    package init(
        pollsPerMinute: Int,
        share: Double?,
        secondsSinceStale: Int?,
        confirmed: Int,
        replaced: Int,
        fetched: Int,
        feeds: [FeedName] = []
    ) {
        self.pollsPerMinute = pollsPerMinute
        self.share = share
        self.secondsSinceStale = secondsSinceStale
        self.confirmed = confirmed
        self.replaced = replaced
        self.fetched = fetched
        self.feeds = feeds
    }

    package static let table = FieldTable<ReachBody>(
        answer: "Reach",
        "A reach",
        .needed("pollsPerMinute", .integer(0...), \.pollsPerMinute),
        .nullable("share", .share, \.share),
        .nullable("secondsSinceStale", .integer(0...), \.secondsSinceStale),
        .needed("confirmed", .integer(0...), \.confirmed),
        .needed("replaced", .integer(0...), \.replaced),
        .needed("fetched", .integer(0...), \.fetched),
        .optional("feeds", feedNames, \.feeds, standard: []),
        make: ReachBody.init
    )

    /// Skips names that only a newer server has.
    private static let feedNames = JSONCodec<[FeedName]>(.array(of: .word(FeedName.allCases.map(\.rawValue)))) {
        value,
        name throws(ModelError) in
        try JSONCodec.list(of: .string).read(value, name).compactMap(FeedName.init(rawValue:))
    } write: {
        .array($0.map { .string($0.rawValue) })
    }
}
