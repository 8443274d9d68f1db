import GateCrypto
package import GateFeeds
import GateJSON
import Synchronization

/// The keys at one moment: which one signs, and what is published about them. Immutable; a rotation replaces it. Any thread.
package final class FeedSigning: Sendable {
    /// The body of `/feeds/keys.json` and its entity tag; nil while nobody can say which keys there are.
    package let list: (bytes: [UInt8], etag: String)?
    /// Whether it is known that there are keys.
    package let hasKeys: Bool
    /// Which key signs; nil when none does.
    package let keyID: String?
    private let key: SigningKey?
    private let hasFailedOnce = Atomic<Bool>(false)

    /// No key was ever made: feeds are not signed.
    package static let none = FeedSigning(FeedKeyRing())
    /// There may be keys, and they cannot be read.
    static let unknown = FeedSigning(nil)

    init(_ ring: FeedKeyRing?) {
        key = ring?.active?.key
        keyID = ring?.active?.id
        hasKeys = ring?.keys.isEmpty == false
        list = ring.map { ring in
            let bytes = ring.publicDocument.bytes
            return (bytes, SHA256Digest(of: bytes).hexadecimal(ofFirst: 16))
        }
    }

    /// The signature of a feed; nil when no key signs, and when the signature does not verify: a feed without one is better than a wrong
    /// one, and anybody who sees many wrong ones could work out the key.
    package func signature(over feed: [UInt8]) -> FeedSignature? {
        guard let key, let keyID else { return nil }
        let bytes = key.sign(feed)
        guard key.verifyingKey.verify(bytes, over: feed) else {
            hasFailedOnce.store(true, ordering: .relaxed)
            return nil
        }
        return FeedSignature(keyID: keyID, bytes: bytes)
    }

    /// Whether a signature was made that does not verify.
    package var hasFailed: Bool { hasFailedOnce.load(ordering: .relaxed) }
}
