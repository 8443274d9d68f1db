import CSodium

/// A secret that is given to several servers from outside and is stored in no database: at least 32 random bytes, written in ``Base64URL``
/// or in hexadecimal digits. It is overwritten when the last copy is gone. Any thread.
package struct SharedSecret: Sendable, CustomStringConvertible, CustomReflectable {
    package static let leastByteCount = 32
    /// The most characters a text may have.
    package static let mostCharacters = 1_024

    /// Why a text is not such a secret. Reveals nothing of the text.
    package enum Fault: Error, Sendable, Equatable {
        /// It has characters that neither of the two spellings has, or is too long.
        case malformed
        /// Fewer than ``leastByteCount`` bytes.
        case short
        /// Bytes that no random source would make: a repeated character, a row of zeros.
        case weak
    }

    private let bytes: SecretBytes

    /// - Parameter text: the characters of the secret, possibly with spaces and line ends around them. The caller wipes its own copy with
    ///   ``wipe(_:)``.
    package init(_ text: [UInt8]) throws(Fault) {
        var characters = Array(text.trimmed)
        defer { Self.wipe(&characters) }
        guard !characters.isEmpty else { throw .short }
        guard characters.count <= Self.mostCharacters, var decoded = Self.decode(characters) else { throw .malformed }
        defer { Self.wipe(&decoded) }
        guard decoded.count >= Self.leastByteCount else { throw .short }
        // 32 random bytes have fewer than 16 different values once in 10^16 times.
        guard Set(decoded).count >= 16 else { throw .weak }
        bytes = SecretBytes(Array(decoded))
    }

    /// A new one as text: 43 characters.
    package static func make(random: RandomSource) -> String { random.secret(byteCount: leastByteCount) }

    /// A box for one purpose. Its key reveals nothing about the secret or about another purpose's key.
    package func box(for purpose: String) -> PlacedBox {
        Sodium.ready
        return bytes.withBytes { secret in
            // BLAKE2b takes keys of up to 64 bytes, so the secret is first hashed to that length.
            var key = [UInt8](repeating: 0, count: Int(crypto_generichash_KEYBYTES_MAX))
            defer { SecretBytes.wipe(&key) }
            var derived = [UInt8](repeating: 0, count: Int(crypto_generichash_BYTES))
            defer { SecretBytes.wipe(&derived) }
            // Neither fails for these lengths.
            _ = crypto_generichash(&key, key.count, secret, UInt64(secret.count), nil, 0)
            let message = Array(purpose.utf8)
            _ = crypto_generichash(&derived, derived.count, message, UInt64(message.count), key, key.count)
            return PlacedBox(key: Array(derived))
        }
    }

    /// Overwrites the characters that a secret was read from. Only works where nobody else shares the array's storage.
    package static func wipe(_ characters: inout [UInt8]) { SecretBytes.wipe(&characters) }

    /// Read as hexadecimal if there are only hexadecimal digits: a random secret in the other alphabet never looks like that by chance.
    private static func decode(_ characters: [UInt8]) -> [UInt8]? {
        Sodium.ready
        var text = characters.map(CChar.init(bitPattern:))
        defer { text.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
        var bytes = [UInt8](repeating: 0, count: text.count)
        defer { SecretBytes.wipe(&bytes) }
        var count = 0
        if sodium_hex2bin(&bytes, bytes.count, text, text.count, nil, &count, nil) == 0 { return Array(bytes.prefix(count)) }
        let variant = Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
        guard sodium_base642bin(&bytes, bytes.count, text, text.count, nil, &count, nil, variant) == 0 else { return nil }
        return Array(bytes.prefix(count))
    }

    package var description: String { "SharedSecret" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension [UInt8] {
    /// Without spaces and line ends around it.
    fileprivate var trimmed: ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else { return [] }
        return self[first...last]
    }
}
