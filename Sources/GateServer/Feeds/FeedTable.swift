package import GateHTTP
package import GateModel
package import GateService
import Synchronization

/// The answers to every poll, ready-made, by path. A change swaps its apps' answers in one step under the lock that a lookup takes only
/// to copy a reference, so no poll sees a mix and none waits for rendering.
package final class FeedTable: FeedSink {
    /// One address and what it answers.
    struct Entry: Sendable {
        let path: String
        let response: PreparedResponse
    }

    fileprivate struct Contents: Sendable {
        var responses = PathMap<PreparedResponse>()
        /// Each app's feeds at their own paths, and its aliases' paths.
        var feeds: [AppKey: [Entry]] = [:]
        var aliases: [AppKey: [String]] = [:]
    }

    private let contents = Mutex(Contents())
    private let gaps = Mutex(FeedGaps.none)

    package init() {}

    /// The feed at a path as sent, or nil. Any thread; makes no `String`.
    package func response(at path: UnsafeRawBufferPointer) -> PreparedResponse? {
        contents.withLock { $0.responses[path] }
    }

    package func set(_ gaps: FeedGaps) { self.gaps.withLock { $0 = gaps } }

    /// Whether every feed that there is can be answered.
    var isWhole: Bool { gaps.withLock { $0 == .none } }

    /// Whether there may be a feed at an address that has none here.
    func mayHave(_ path: String) -> Bool { gaps.withLock { $0 }.mayHave(path) }

    package func publish(_ apps: [(key: AppKey, app: PublishedApp?)]) { ready(apps).publish() }

    package func ready(_ apps: [(key: AppKey, app: PublishedApp?)]) -> ReadyFeeds {
        // Everything that costs time is done before any lock is taken.
        let rendered = apps.map { key, app in (key: key, feeds: app.map(Self.entries) ?? [], aliases: app?.aliases ?? []) }
        let gone = Gone()
        return ReadyFeeds { [self] in
            let replaced = contents.withLock { contents in
                // An alias may move from one of the apps to another, so all are let go of before any is taken; nobody looks in between.
                for app in rendered { contents.removeAliases(of: app.key) }
                return rendered.map { contents.replace($0.key, feeds: $0.feeds, aliases: $0.aliases) }
            }
            gone.entries.withLock { $0 = replaced }
        }
    }

    /// What was replaced: freed with the ``ReadyFeeds``, and not under a lock that polls or writers take.
    private final class Gone: Sendable {
        let entries = Mutex<[[Entry]]>([])
    }

    /// The same for a path as text, of which a look-up now and then may be made.
    func response(at path: String) -> PreparedResponse? {
        contents.withLock { $0.responses[path] }
    }

    /// The feeds that were polled since they became what they are, at their own paths.
    func polledEntries() -> [(path: String, response: PreparedResponse)] {
        let feeds = contents.withLock { $0.feeds }
        var polled: [(path: String, response: PreparedResponse)] = []
        // Two plain loops: a lazy sequence took six hundred instructions a feed.
        for entries in feeds.values {
            for entry in entries where entry.response.polls.counts.total > 0 { polled.append((entry.path, entry.response)) }
        }
        return polled
    }

    /// Every feed at its own path, without the aliases, which share its answer.
    func canonicalEntries() -> some Sequence<Entry> {
        // The lock is held for one reference; the walk is outside.
        contents.withLock { $0.feeds }.values.lazy.joined()
    }

    private static func entries(of app: PublishedApp) -> [Entry] {
        app.feeds.map { feed in
            Entry(path: feed.path, response: PreparedResponse(body: feed.bytes, etag: feed.tag, headers: HeaderSet.feed))
        }
    }
}

extension FeedTable.Contents {
    fileprivate mutating func removeAliases(of key: AppKey) {
        for path in aliases.removeValue(forKey: key) ?? [] { responses[path] = nil }
    }

    /// Puts an app's feeds and aliases in the place of what it had.
    /// - Returns: what it had, for the caller to let go of.
    fileprivate mutating func replace(_ key: AppKey, feeds: [FeedTable.Entry], aliases: [(path: String, feed: String)]) -> [FeedTable.Entry]
    {
        let before = self.feeds[key] ?? []
        let kept: [FeedTable.Entry]
        // A feed that the change did not alter keeps its answer, and with it what was counted of its polls.
        if before.count == feeds.count, zip(before, feeds).allSatisfy({ $0.path == $1.path }) {
            // As nearly always: the same addresses, of which no other needs to be looked up.
            kept = zip(before, feeds).map { $0.response.etag == $1.response.etag ? $0 : $1 }
            for (present, entry) in zip(before, kept) where present.response !== entry.response { responses[entry.path] = entry.response }
        } else {
            kept = feeds.map { entry in
                guard let present = responses[entry.path], present.etag == entry.response.etag else { return entry }
                return FeedTable.Entry(path: entry.path, response: present)
            }
            let paths = Set(feeds.map(\.path)).union(aliases.map(\.path))
            for path in before.map(\.path) where !paths.contains(path) { responses[path] = nil }
            for entry in kept { responses[entry.path] = entry.response }
        }
        for alias in aliases { responses[alias.path] = responses[alias.feed] }
        self.feeds[key] = kept.isEmpty ? nil : kept
        self.aliases[key] = aliases.isEmpty ? nil : aliases.map(\.path)
        return before
    }
}
