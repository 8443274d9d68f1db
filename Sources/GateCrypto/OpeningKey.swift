import CSodium

/// The secret half of a pair of keys: it opens what was sealed to its ``SealingKey``.
package struct OpeningKey: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: [UInt8]
    /// The other half.
    package let sealingKey: SealingKey

    /// A new pair.
    package init(random: RandomSource) {
        let bytes = random.bytes(Int(crypto_box_SECRETKEYBYTES))
        self.init(bytes: bytes)
    }

    /// 43 characters, as ``secretText``; nil for anything else.
    package init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Int(crypto_box_SECRETKEYBYTES) else { return nil }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        Sodium.ready
        self.bytes = bytes
        var other = [UInt8](repeating: 0, count: Int(crypto_box_PUBLICKEYBYTES))
        // Cannot fail: the C function always returns 0.
        _ = crypto_scalarmult_base(&other, bytes)
        sealingKey = SealingKey(bytes: other)
    }

    /// A secret: ``Base64URL``, 43 characters.
    package var secretText: String { Base64URL.encode(bytes) }

    /// Without the secret, in case a key is logged by mistake.
    package var description: String { "OpeningKey" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
