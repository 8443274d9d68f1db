package import GateHTTP
package import GateJSON
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
        /// What it answers to phones that tell something about themselves; nil where there are only bytes.
        var variants: FeedVariants?
        /// What the address of its signature answers; nil for a feed without one.
        var signature: PreparedResponse?
        /// Whether it is a native feed, and the key that signed it.
        var isNative = false
        var keyID: String?
        /// What chooses between its answers while targets are being opened gradually, and the tag of its bytes.
        var choice: OpeningChoice?
        var tag = ""
    }

    struct Contents: Sendable {
        var responses = PathMap<PreparedResponse>()
        /// Each app's feeds at their own paths, and its aliases.
        var feeds: [AppKey: [Entry]] = [:]
        var aliases: [AppKey: [(path: String, feed: String)]] = [:]
        /// The apps with targets that are being opened gradually.
        var openings: [AppKey: AppOpening] = [:]
        /// What native feeds are signed with. Feeds that were signed with anything else are signed again before they are published.
        var signing = FeedSigning.none
        /// The apps whose answers were replaced since somebody last asked, and whether the list of keys was; nil while nobody asks.
        var news: News?
    }

    /// What the keeper of a copy has to look at again.
    package struct News: Sendable {
        package fileprivate(set) var apps: Set<AppKey> = []
        package fileprivate(set) var tellsKeys = false

        package var isEmpty: Bool { apps.isEmpty && !tellsKeys }
    }

    let contents = Mutex(Contents())
    /// What is needed to make answers for single phones.
    let bench: VariantBench
    let gaps = Mutex(FeedGaps.none)
    private let now: @Sendable () -> Timestamp

    /// Nothing is published, and nothing signed, until that is asked for.
    /// - Parameters:
    ///   - mostVariants: how many answers for single phones are kept.
    ///   - now: called when feeds are published, never for a poll.
    package init(mostVariants: Int = VariantShelf.capacity, now: @escaping @Sendable () -> Timestamp = { .now }) {
        self.now = now
        bench = VariantBench(shelf: VariantShelf(capacity: mostVariants))
        sign(with: .none)
    }

    /// The feed at a path as sent, or nil. Any thread; makes no `String`.
    package func response(at path: UnsafeRawBufferPointer) -> PreparedResponse? {
        contents.withLock { $0.responses[path] }
    }

    package func set(_ gaps: FeedGaps) {
        self.gaps.withLock { $0 = gaps }
        contents.withLock { list(in: &$0) }
    }

    /// What an app's feeds were rendered from; nil for an app that does not exist, or of which only the bytes are left.
    func source(of app: AppKey) -> TargetedSource? { contents.withLock { $0.feeds[app]?.first?.variants?.current } }

    /// The app as it is for a caller who asks for a target's flags and is let in while that target is being opened gradually; nil for
    /// others.
    func openSource(of target: TargetKey, for draw: () -> OpeningDraw?) -> TargetedSource? {
        contents.withLock { $0.openings[target.app] }?.source(for: draw(), of: target)
    }

    /// Moves every gradual opening on to the share that is due now. To be called about once a second, by one thread.
    package func moveOpenings(to now: Timestamp) {
        for opening in contents.withLock({ $0.openings }).values { opening.move(to: now) }
    }

    /// The answer of a target's native feed, whose counters also count those who ask for flags.
    func native(of target: TargetKey) -> PreparedResponse? { response(at: FeedName.gate.path(for: target)) }

    /// Whether every existing feed can be answered.
    package var isWhole: Bool { gaps.withLock { $0 == .none } }

    /// Whether there may be a feed, or a signature, at an address that has none here.
    func mayHave(_ path: String) -> Bool { gaps.withLock { $0 }.mayHave(path) || mayHaveSignature(path) }

    package func publish(_ apps: [(key: AppKey, app: PublishedApp?)]) { ready(apps).publish() }

    package func ready(_ apps: [(key: AppKey, app: PublishedApp?)]) -> ReadyFeeds {
        // Everything that costs time is done before any lock is taken.
        let rendered = Rendered(apps, with: signing, on: bench, after: contents.withLock { $0.openings }, at: now())
        let gone = Gone()
        return ReadyFeeds { [self] in
            var rendered = rendered
            while true {
                let replaced = contents.withLock { contents -> [[Entry]]? in
                    guard contents.signing.keyID == rendered.signing.keyID else { return nil }
                    // An alias may move from one of the apps to another, so all are removed before any is added; nobody looks in between.
                    for app in rendered.apps { contents.removeAliases(of: app.key) }
                    for app in rendered.apps { contents.openings[app.key] = app.opening }
                    contents.tell(rendered.apps.map(\.key))
                    return rendered.apps.map { contents.replace($0.key, feeds: $0.feeds, aliases: $0.aliases) }
                }
                if let replaced { return gone.entries.withLock { $0 = replaced } }
                // The keys have changed since, which hardly ever happens at just that moment.
                rendered = Rendered(apps, with: signing, on: bench, after: contents.withLock { $0.openings }, at: now())
            }
        }
    }

    /// Apps as they are to be published, signed with the keys of one moment in time.
    private struct Rendered: Sendable {
        let apps: [(key: AppKey, feeds: [Entry], aliases: [(path: String, feed: String)], opening: AppOpening?)]
        let signing: FeedSigning

        /// - Parameter openings: those now published; some of them may go on.
        init(
            _ apps: [(key: AppKey, app: PublishedApp?)],
            with signing: FeedSigning,
            on bench: VariantBench,
            after openings: [AppKey: AppOpening],
            at now: Timestamp
        ) {
            let opened = apps.map { item in
                item.app.flatMap { AppOpening($0, with: signing, on: bench, following: openings[item.key], at: now) }
            }
            // On all cores: a signature and its check take a hundred microseconds, and a start makes thousands.
            let entries = Parallel.map(apps, inParallel: signing.keyID != nil) {
                $0.app.map { Entry.ofLibraries(of: $0, with: signing, on: bench) + Entry.ofOwnShapes(of: $0) } ?? []
            }
            self.apps = zip(zip(apps, entries), opened).map { item, opening in
                (item.0.key, opening?.chosen(item.1, with: signing) ?? item.1, item.0.app?.aliases ?? [], opening)
            }
            self.signing = signing
        }
    }

    /// What was replaced: freed with the ``ReadyFeeds``, not under a lock that polls or writers take.
    private final class Gone: Sendable {
        let entries = Mutex<[[Entry]]>([])
    }

    /// The same for a path as text, for occasional look-ups.
    func response(at path: String) -> PreparedResponse? {
        contents.withLock { $0.responses[path] }
    }

    /// How many answers for single phones are kept at the moment, and how many questions have a known answer.
    var variantCount: Int { bench.shelf.count }
    var questionCount: Int { bench.shelf.questionCount }

    /// The feeds that were polled since they last changed, at their own paths.
    func polledEntries() -> [(path: String, response: PreparedResponse)] {
        let feeds = contents.withLock { $0.feeds }
        var polled: [(path: String, response: PreparedResponse)] = []
        // Two plain loops, and no copy of an entry: a lazy sequence took six hundred instructions a feed, and copying each entry three
        // hundred.
        for entries in feeds.values {
            for index in entries.indices where entries[index].response.polls.counts.total > 0 {
                polled.append((entries[index].path, entries[index].response))
            }
        }
        return polled
    }

    /// What was replaced since the last call; the first time, everything. For one caller only.
    package func takeNews() -> News {
        contents.withLock { contents in
            defer { contents.news = News() }
            return contents.news ?? News(apps: Set(contents.feeds.keys), tellsKeys: true)
        }
    }

    /// Whether ``takeNews()`` would return anything.
    package var hasNews: Bool { contents.withLock { $0.news?.isEmpty == false } }

    /// Every address of an app with what it answers to everybody: feeds, signatures, aliases. While a target is being opened gradually,
    /// that is the answer to those who are not let in yet.
    package func responses(of app: AppKey) -> [(path: String, response: PreparedResponse)] {
        let (entries, aliases, signing) = contents.withLock { ($0.feeds[app] ?? [], $0.aliases[app] ?? [], $0.signing) }
        let byPath = Dictionary(entries.map { ($0.path, $0.response) }, uniquingKeysWith: { $1 })
        return entries.flatMap { entry in
            // While a feed is being opened, its signature is made for each caller; here there is one for all.
            let feed = entry.isNative && entry.choice != nil ? PreparedResponse(blocked: entry, with: signing) : entry.response
            let signature = entry.choice == nil ? entry.signature : PreparedResponse(signatureOf: feed)
            return [(entry.path, feed)] + (signature.map { [(entry.signaturePath, $0)] } ?? [])
        } + aliases.compactMap { alias in byPath[alias.feed].map { (alias.path, $0) } }
    }

    /// The list of keys with its address; nil while nobody can say which keys there are.
    package var keysResponse: (path: String, response: PreparedResponse)? { response(at: Self.keysPath).map { (Self.keysPath, $0) } }

    /// Every feed at its own path, without the aliases, which share its answer.
    func canonicalEntries() -> some Sequence<Entry> {
        // The lock is held for one reference; the walk is outside.
        contents.withLock { $0.feeds }.values.lazy.joined()
    }
}

extension FeedTable.Entry {
    /// Each feed of an app that a client library polls.
    /// - Parameters:
    ///   - counters: those of each feed; nil for new ones.
    ///   - headers: those of all their answers.
    static func ofLibraries(
        of app: PublishedApp,
        with signing: FeedSigning,
        on bench: VariantBench,
        polls counters: [PollCounters]? = nil,
        headers: HTTPHeaders = HeaderSet.feed
    ) -> [FeedTable.Entry] {
        let source = app.source.map { TargetedSource($0, counting: bench.versions) }
        return app.feeds.enumerated().map { place, feed in
            let polls = counters.flatMap { $0.indices.contains(place) ? $0[place] : nil } ?? PollCounters()
            let variants = source.map { FeedVariants(of: feed, from: $0, on: bench, polls: polls, headers: headers) }
            var entry: FeedTable.Entry
            if feed.name == .gate {
                entry = FeedTable.Entry(
                    native: feed.path,
                    body: feed.bytes,
                    tag: feed.etag,
                    with: signing,
                    polls: polls,
                    variants: variants,
                    headers: headers
                )
            } else {
                let response = PreparedResponse(body: feed.bytes, etag: feed.etag, headers: headers, polls: polls, variants: variants)
                entry = FeedTable.Entry(path: feed.path, response: response, variants: variants)
            }
            entry.tag = feed.etag
            return entry
        }
    }

    /// Each document of an app's own shapes, which is the same for every phone.
    static func ofOwnShapes(of app: PublishedApp) -> [FeedTable.Entry] {
        app.ownFeeds.map { feed in
            let response = PreparedResponse(body: feed.bytes, etag: feed.etag, headers: HeaderSet.feed, polls: PollCounters())
            return FeedTable.Entry(path: feed.path, response: response)
        }
    }

    /// Called where a newer answer has the same bytes for everybody: keeps this answer, which from now on tells single phones what the
    /// newer one does.
    fileprivate func following(_ newer: FeedTable.Entry) -> FeedTable.Entry {
        // While it is being opened, it does not say the same to everybody.
        if choice != nil || newer.choice != nil { return newer }
        guard let variants, let next = newer.variants else { return variants == nil && newer.variants == nil ? self : newer }
        variants.follow(next)
        return self
    }
}

extension FeedTable.Contents {
    /// Notes that the answers of apps were replaced.
    mutating func tell(_ apps: [AppKey]) { news?.apps.formUnion(apps) }

    /// Notes that the list of keys was replaced.
    mutating func tellKeys() { news?.tellsKeys = true }

    fileprivate mutating func removeAliases(of key: AppKey) {
        for alias in aliases.removeValue(forKey: key) ?? [] { responses[alias.path] = nil }
    }

    /// Replaces an app's feeds and aliases.
    /// - Returns: the former feeds, for the caller to release.
    fileprivate mutating func replace(_ key: AppKey, feeds: [FeedTable.Entry], aliases: [(path: String, feed: String)]) -> [FeedTable.Entry]
    {
        let before = self.feeds[key] ?? []
        let kept: [FeedTable.Entry]
        // A feed that the change did not alter keeps its answer, and with it the counts of its polls.
        if before.count == feeds.count, zip(before, feeds).allSatisfy({ $0.path == $1.path }) {
            // The usual case: the addresses are the same, so none needs to be looked up.
            kept = zip(before, feeds).map { $0.response.etag == $1.response.etag ? $0.following($1) : $1 }
            for (present, entry) in zip(before, kept) where present.response !== entry.response { put(entry) }
        } else {
            let present = Dictionary(before.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
            kept = feeds.map { entry in
                guard let present = present[entry.path], present.response.etag == entry.response.etag else { return entry }
                return present.following(entry)
            }
            let paths = Set(feeds.map(\.path)).union(aliases.map(\.path))
            for entry in before where !paths.contains(entry.path) {
                responses[entry.path] = nil
                if entry.signature != nil { responses[entry.signaturePath] = nil }
            }
            for entry in kept { put(entry) }
        }
        for alias in aliases { responses[alias.path] = responses[alias.feed] }
        self.feeds[key] = kept.isEmpty ? nil : kept
        self.aliases[key] = aliases.isEmpty ? nil : aliases
        return before
    }

    /// Makes a feed's own address, and that of its signature, answer with this entry.
    mutating func put(_ entry: FeedTable.Entry) {
        responses[entry.path] = entry.response
        // Nil for a feed that is not signed any more, or not yet: that removes the address.
        if entry.isNative { responses[entry.signaturePath] = entry.signature }
    }
}
