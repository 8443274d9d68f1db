import GateHTTP

/// The signatures of a native feed for single phones, at the address of the feed's signature: `gate.json.sig?version=4.1.0`.
final class SignatureVariants: PhoneVariants {
    private let feed: FeedVariants

    init(_ feed: FeedVariants) { self.feed = feed }

    func response(to query: UnsafeRawBufferPointer, isPoll: Bool) -> PreparedResponse? {
        response(to: CallerWords(query: query), isPoll: isPoll)
    }

    /// Whoever asks for a signature also polls the feed, and is counted there.
    func response(to words: CallerWords, isPoll: Bool) -> PreparedResponse? {
        feed.response(to: words, isPoll: false).flatMap { PreparedResponse(signatureOf: $0) }
    }
}
