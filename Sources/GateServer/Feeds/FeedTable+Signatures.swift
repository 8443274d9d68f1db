import GateFeeds
import GateHTTP
import GateJSON
import GateModel
package import GateService
import Synchronization

extension FeedTable {
    /// Where the list of keys is.
    static let keysPath = "/feeds/keys.json"
    /// Appended to a native feed's path, this is where its signature is.
    static let signatureSuffix = ".sig"

    /// What native feeds are signed with.
    package var signing: FeedSigning { contents.withLock { $0.signing } }

    /// Has every native feed signed with these keys instead of the former ones. When this returns, no feed signed otherwise is left, and
    /// none will come.
    ///
    /// The list of keys is published before anything signed with them. Any thread, one at a time; polls and changes go on, and wait for a
    /// fraction of a millisecond at most.
    package func sign(with signing: FeedSigning) {
        bench.signing.withLock { $0 = signing }
        contents.withLock { contents in
            contents.signing = signing
            contents.responses[Self.keysPath] = nil
            list(in: &contents)
            contents.tellKeys()
        }
        var stale = staleFeeds()
        while !stale.isEmpty {
            let places = stale.suffix(Self.batch)
            let signed = Parallel.map(places) { place in
                if let choice = place.entry.choice {
                    return Entry(blocked: place.entry, choice: choice, tag: place.entry.tag, with: signing)
                }
                return Entry(
                    native: place.entry.path,
                    body: place.entry.response.body,
                    tag: place.tag,
                    with: signing,
                    polls: PollCounters(),
                    variants: place.entry.variants
                )
            }
            let batch = zip(places, signed).map { ($0, $1) }
            stale.removeLast(batch.count)
            contents.withLock { contents in
                for (place, entry) in batch { contents.replace(place, with: entry) }
                contents.tell(batch.map(\.0.app))
            }
        }
    }

    /// Publishes the list of keys, or takes it back. A server that knows nothing of the database does not know either that there is no key:
    /// the others may share keys that it has not got yet.
    func list(in contents: inout Contents) {
        let signing = contents.signing
        guard let list = signing.list, signing.hasKeys || gaps.withLock({ $0 }) != .all else {
            contents.responses[Self.keysPath] = nil
            return
        }
        guard contents.responses[Self.keysPath] == nil else { return }
        contents.responses[Self.keysPath] = PreparedResponse(body: list.bytes, etag: list.etag, headers: HeaderSet.feed)
        contents.tellKeys()
    }

    /// How many feeds are swapped at a time while polls wait.
    private static let batch = 128

    /// A native feed and where it is.
    fileprivate struct Place: Sendable {
        let app: AppKey
        let index: Int
        let entry: Entry

        /// The tag that it has without a signature.
        var tag: String { String(entry.response.etag.dropFirst().prefix(32)) }
    }

    /// The native feeds that the present key has not signed.
    private func staleFeeds() -> [Place] {
        let (feeds, keyID) = contents.withLock { ($0.feeds, $0.signing.keyID) }
        return feeds.flatMap { app, entries in
            entries.enumerated().compactMap { index, entry in
                entry.isNative && entry.keyID != keyID ? Place(app: app, index: index, entry: entry) : nil
            }
        }
    }

    /// Whether there may be a list of keys, or a signature, at an address that has none here: then there is a key, and it cannot be used.
    func mayHaveSignature(_ path: String) -> Bool {
        guard path.hasPrefix("/feeds/"), path == Self.keysPath || path.hasSuffix(Self.signatureSuffix) else { return false }
        let signing = signing
        return signing.list == nil || signing.hasFailed
    }
}

extension FeedTable.Entry {
    /// A native feed, signed if there is a key that signs. Its entity tag names the key too: a cache that is told "not modified" may keep
    /// the headers that it has (nginx does), and would otherwise go on with the signature of a key that was retired long ago, or with none.
    init(
        native path: String,
        body: [UInt8],
        tag: String,
        with signing: FeedSigning,
        polls: PollCounters,
        variants: FeedVariants?,
        headers: HTTPHeaders = HeaderSet.feed
    ) {
        let response = PreparedResponse(native: body, tag: tag, with: signing, polls: polls, variants: variants, headers: headers)
        let signature = PreparedResponse(signatureOf: response, variants: variants.map(SignatureVariants.init))
        self.init(
            path: path,
            response: response,
            variants: variants,
            signature: signature,
            isNative: true,
            keyID: signature == nil ? nil : signing.keyID
        )
    }

    /// A feed while targets that it tells about are being opened gradually: the answer is chosen for each request.
    ///
    /// Its entity tag is never sent. It tells this opening from any other, and from the kill switch before it.
    /// - Parameters:
    ///   - blocked: the feed for those who are not let in to any target.
    ///   - tag: the entity tag of its bytes.
    init(blocked: FeedTable.Entry, choice: OpeningChoice, tag: String, with signing: FeedSigning) {
        let body = blocked.response.body
        let openings = choice.gauges.map(\.gauge.door.opening).map { "-\($0.start.milliseconds)-\($0.end.milliseconds)" }.joined()
        self.init(
            path: blocked.path,
            response: PreparedResponse(
                body: body,
                etag: tag + openings + (blocked.isNative ? signing.keyID.map { "-" + $0 } ?? "" : ""),
                headers: HeaderSet.openingFeed,
                polls: choice.polls,
                choice: choice
            ),
            variants: blocked.variants,
            isNative: blocked.isNative,
            keyID: blocked.isNative ? signing.keyID : nil
        )
        self.tag = tag
        self.choice = choice
        guard blocked.isNative, signing.keyID != nil else { return }
        signature = PreparedResponse(
            body: [],
            etag: tag,
            headers: HeaderSet.signature(beside: HeaderSet.openingFeed),
            choice: OpeningSignatureChoice(choice)
        )
    }

    var signaturePath: String { path + FeedTable.signatureSuffix }
}

extension PreparedResponse {
    /// A native feed, for everybody or for one phone, signed if there is a key that signs.
    convenience init(
        native body: [UInt8],
        tag: String,
        with signing: FeedSigning,
        polls: PollCounters,
        variants: FeedVariants? = nil,
        headers: HTTPHeaders = HeaderSet.feed
    ) {
        guard let signature = signing.signature(over: body) else {
            self.init(body: body, etag: tag, headers: headers, polls: polls, variants: variants)
            return
        }
        self.init(
            body: body,
            etag: "\(tag)-\(signature.keyID)",
            headers: HeaderSet.feed(signed: signature.line, headers),
            polls: polls,
            variants: variants
        )
    }

    /// A native feed that is being opened gradually, as it is for those who are not let in to any target.
    convenience init(blocked entry: FeedTable.Entry, with signing: FeedSigning) {
        self.init(
            native: entry.response.body,
            tag: entry.tag,
            with: signing,
            polls: entry.response.polls,
            headers: HeaderSet.openingFeed
        )
    }

    /// What the address of a native feed's signature answers; nil for one that is not signed.
    convenience init?(signatureOf feed: PreparedResponse, variants: SignatureVariants? = nil) {
        guard let line = feed.headers[HeaderSet.signatureField] else { return nil }
        self.init(
            body: Array(line.utf8),
            etag: String(feed.etag.dropFirst().dropLast()),
            headers: HeaderSet.signature(beside: feed.headers),
            variants: variants
        )
    }
}

extension FeedTable.Contents {
    /// Puts a feed in the place of the same feed with another signature, unless a change was faster: then its feed is signed already.
    fileprivate mutating func replace(_ place: FeedTable.Place, with entry: FeedTable.Entry) {
        guard let present = feeds[place.app], present.indices.contains(place.index),
            present[place.index].response === place.entry.response
        else { return }
        feeds[place.app]?[place.index] = entry
        put(entry)
        for alias in aliases[place.app] ?? [] where alias.feed == entry.path { responses[alias.path] = entry.response }
    }
}
