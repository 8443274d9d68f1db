import CSodium

/// Base64 with the URL and file name safe alphabet and no padding (RFC 4648 section 5): how secrets are written in cookies, tokens and
/// links.
///
/// libsodium's functions take the same time whatever the bytes are; table look-ups would not.
package enum Base64URL {
    /// `bytes` as letters, digits, `-` and `_`: 43 characters for 32 bytes.
    package static func encode(_ bytes: [UInt8]) -> String {
        Sodium.ready
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, Self.variant))
        sodium_bin2base64(&text, text.count, bytes, bytes.count, Self.variant)
        return String(decoding: text.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The bytes; nil for any other character, for padding, and for a last character with stray bits: each value has exactly one spelling.
    package static func decode(_ text: String) -> [UInt8]? {
        Sodium.ready
        let characters = text.utf8.map(CChar.init(bitPattern:))
        var bytes = [UInt8](repeating: 0, count: characters.count / 4 * 3 + 3)
        var count = 0
        // Without an end pointer the C function itself refuses anything after the last valid character.
        guard sodium_base642bin(&bytes, bytes.count, characters, characters.count, nil, &count, nil, Self.variant) == 0 else { return nil }
        return Array(bytes.prefix(count))
    }

    private static let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
}
