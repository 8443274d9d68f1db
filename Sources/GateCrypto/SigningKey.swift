import CSodium

/// The secret half of a pair of Ed25519 keys (RFC 8032): it signs, and stays where it was made. Overwritten in memory when the last copy is
/// gone.
package struct SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    package static let seedByteCount = Int(crypto_sign_SEEDBYTES)

    /// The public half.
    package let verifyingKey: VerifyingKey
    /// The seed followed by the public half: the form that the C library signs with.
    private let secret: SecretBytes

    /// A new pair.
    package init(random: RandomSource) {
        var seed = random.bytes(Self.seedByteCount)
        defer { SecretBytes.wipe(&seed) }
        self.init(whole: seed)
    }

    /// The pair made from a seed, which is all that has to be stored; nil unless there are exactly ``seedByteCount`` bytes.
    package init?(seed: [UInt8]) {
        guard seed.count == Self.seedByteCount else { return nil }
        self.init(whole: seed)
    }

    /// The pair made from a seed in 43 characters, as ``secretText``; nil for anything else.
    package init?(_ text: String) {
        guard var seed = Base64URL.decode(text) else { return nil }
        defer { SecretBytes.wipe(&seed) }
        self.init(seed: seed)
    }

    private init(whole seed: [UInt8]) {
        Sodium.ready
        var other = [UInt8](repeating: 0, count: VerifyingKey.byteCount)
        var secret = [UInt8](repeating: 0, count: Int(crypto_sign_SECRETKEYBYTES))
        // Cannot fail: the C function always returns 0.
        _ = crypto_sign_seed_keypair(&other, &secret, seed)
        self.secret = SecretBytes(secret)
        verifyingKey = VerifyingKey(whole: other)
    }

    /// A secret: the seed as ``Base64URL``, 43 characters.
    package var secretText: String { secret.withBytes { Base64URL.encode(Array($0.prefix(Self.seedByteCount))) } }

    /// The signature of exactly these bytes, ``VerifyingKey/signatureByteCount`` of them. The same bytes have the same signature.
    package func sign(_ bytes: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: VerifyingKey.signatureByteCount)
        // Cannot fail: the C function always returns 0.
        secret.withBytes { _ = crypto_sign_detached(&signature, nil, bytes, UInt64(bytes.count), $0) }
        return signature
    }

    /// Without the secret, in case a key is logged by mistake.
    package var description: String { "SigningKey(\(verifyingKey.id))" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
