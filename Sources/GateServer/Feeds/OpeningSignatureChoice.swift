import GateHTTP

/// The same choice for the signature of a native feed: whoever asks for it also polls the feed, and is counted there.
final class OpeningSignatureChoice: ResponseChoice {
    private let feed: OpeningChoice

    init(_ feed: OpeningChoice) { self.feed = feed }

    func response(to query: UnsafeRawBufferPointer, from sender: () -> [UInt8], isPoll: Bool) -> PreparedResponse? {
        feed.entry(for: query, from: sender, isPoll: false)?.signature.map { signature in
            query.isEmpty ? signature : signature.variants?.response(to: query, isPoll: false) ?? signature
        }
    }
}
