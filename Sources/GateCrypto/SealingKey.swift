import CSodium

/// The public half of a pair of keys (X25519): what is sealed to it can only be opened with the other half.
package struct SealingKey: Sendable, Hashable, CustomStringConvertible {
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// 43 characters, as ``text``; nil for anything else.
    package init?(_ text: String) {
        guard let bytes = Base64URL.decode(text), bytes.count == Int(crypto_box_PUBLICKEYBYTES) else { return nil }
        self.bytes = bytes
    }

    /// ``Base64URL``, 43 characters.
    package var text: String { Base64URL.encode(bytes) }

    package var description: String { text }
}
