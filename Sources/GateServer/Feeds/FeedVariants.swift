import GateFeeds
import GateHTTP
import GateModel
import GateService
import Synchronization

/// An address's answers by what a phone tells about itself, in whatever form the query is given.
protocol PhoneVariants: ResponseVariants {
    /// - Parameter isPoll: whether this is a GET on a listener that counts polls.
    /// - Returns: nil where the address answers this phone as it answers everybody.
    func response(to words: CallerWords, isPoll: Bool) -> PreparedResponse?
}

/// What one feed says to phones that tell their version or their language.
///
/// An answer is made when the first phone asks for it, kept on a shelf that all feeds share, and given to everybody who is told the same.
final class FeedVariants: PhoneVariants {
    private static let count = Atomic<UInt64>(0)

    /// Distinguishes it from every other feed since the start.
    private let number = FeedVariants.count.add(1, ordering: .relaxed).newValue
    private let name: FeedName
    /// Nil for a feed of the whole app.
    private let platform: PlatformKey?
    /// The entity tag of the feed for everybody, without the key that signs it.
    private let tag: String
    private let bench: VariantBench
    private let polls: PollCounters
    private let headers: HTTPHeaders
    private let source: Mutex<TargetedSource>

    /// - Parameters:
    ///   - polls: counts all answers of the feed together.
    ///   - headers: those of each answer.
    init(of feed: PublishedApp.Feed, from source: TargetedSource, on bench: VariantBench, polls: PollCounters, headers: HTTPHeaders) {
        name = feed.name
        platform = feed.platform
        tag = feed.etag
        self.source = Mutex(source)
        self.bench = bench
        self.polls = polls
        self.headers = headers
    }

    /// The published state of the app.
    var current: TargetedSource { source.withLock { $0 } }

    func response(to query: UnsafeRawBufferPointer, isPoll: Bool) -> PreparedResponse? {
        let source = current
        let signing = signing
        let asker = VariantShelf.Asker(feed: number, source: source.number, keyID: signing?.keyID, tally: bench.versions.generation)
        let answer = bench.shelf.answer(to: query, of: asker) { self.answer(to: CallerWords(query: query), from: source, signing) }
        if isPoll { answer.counter?.count() }
        return answer.response
    }

    func response(to words: CallerWords, isPoll: Bool) -> PreparedResponse? {
        let answer = answer(to: words, from: current, signing)
        if isPoll { answer.counter?.count() }
        return answer.response
    }

    /// What the feed is signed with; nil for one that is never signed.
    private var signing: FeedSigning? { name == .gate ? bench.signing.withLock { $0 } : nil }

    private func answer(to words: CallerWords, from source: TargetedSource, _ signing: FeedSigning?) -> VariantShelf.Answer {
        let nothing = VariantShelf.Answer(response: nil, counter: nil)
        if words.tellsNothing { return nothing }
        let feeds = source.feeds
        guard let platform = platform ?? words.platform ?? feeds.onlyPlatform else { return nothing }
        let counter = source.counter(of: words.phone, on: platform)
        guard let told = feeds.answer(name, to: words.phone, on: platform) else {
            return VariantShelf.Answer(response: nil, counter: counter)
        }
        let key = VariantShelf.Key(source: source.number, answer: told, keyID: signing?.keyID)
        let response = bench.shelf.response(for: key) {
            // A published app has been rendered before; if it cannot be for this phone, the phone gets what everybody gets.
            guard let bytes = try? feeds.bytes(of: told) else { return nil }
            let tag = PublishedApp.Feed.etag(of: bytes)
            if tag == self.tag { return nil }
            return signing.map { PreparedResponse(native: bytes, tag: tag, with: $0, polls: polls, headers: headers) }
                ?? PreparedResponse(body: bytes, etag: tag, headers: headers, polls: polls)
        }
        return VariantShelf.Answer(response: response, counter: counter)
    }

    /// Continues with another state of the app, for which this feed still says the same to everybody.
    func follow(_ newer: FeedVariants) {
        let next = newer.current
        source.withLock { $0 = next }
    }
}

/// One published state of an app, read for single phones when the first of them asks.
final class TargetedSource: Sendable {
    private static let count = Atomic<UInt64>(0)

    /// Distinguishes it from every other state of any app since the start.
    let number = TargetedSource.count.add(1, ordering: .relaxed).newValue
    private let app: App
    private let tally: VersionTally
    private let read = Mutex<TargetedFeeds?>(nil)

    init(_ app: App, counting tally: VersionTally) {
        self.app = app
        self.tally = tally
    }

    /// Where polls of the phone's version are counted; nil for a phone that names no version, or none that the platform could have.
    func counter(of phone: Phone, on platform: PlatformKey) -> VersionTally.Counter? {
        feeds.version(of: phone, on: platform).map { tally.counter(of: $0, on: TargetKey(app: app.key, platform: platform)) }
    }

    var feeds: TargetedFeeds {
        read.withLock { read in
            if let read { return read }
            let feeds = TargetedFeeds(app)
            read = feeds
            return feeds
        }
    }
}
