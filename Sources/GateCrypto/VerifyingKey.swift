import CSodium

/// The public half of a pair of Ed25519 keys (RFC 8032): it verifies what the other half has signed.
package struct VerifyingKey: Sendable, Hashable, CustomStringConvertible {
    package static let byteCount = Int(crypto_sign_PUBLICKEYBYTES)
    /// Bytes of a signature.
    package static let signatureByteCount = Int(crypto_sign_BYTES)

    /// Always ``byteCount`` bytes.
    package let bytes: [UInt8]

    /// Nil unless there are exactly ``byteCount`` bytes. Whether they belong to a pair is not checked: a key of no pair verifies nothing.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// 43 characters, as ``text``; nil for anything else.
    package init?(_ text: String) {
        guard let bytes = Base64URL.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// - Precondition: there are ``byteCount`` bytes.
    init(whole bytes: [UInt8]) { self.bytes = bytes }

    /// ``Base64URL``, 43 characters.
    package var text: String { Base64URL.encode(bytes) }

    /// A short name for the key, where 43 characters are too many: the first 16 digits of the SHA-256 of its bytes, in lower case. It is a
    /// name, not a proof: whoever verifies needs the key itself.
    package var id: String { SHA256Digest(of: bytes).hexadecimal(ofFirst: 8) }

    /// Whether the other half has signed exactly these bytes. Refused are signatures that are not in their one canonical form, and keys of
    /// small order, which would verify anything (libsodium's strict rules).
    package func verify(_ signature: [UInt8], over bytes: [UInt8]) -> Bool {
        Sodium.ready
        guard signature.count == Self.signatureByteCount else { return false }
        return crypto_sign_verify_detached(signature, bytes, UInt64(bytes.count), self.bytes) == 0
    }

    package var description: String { text }
}
