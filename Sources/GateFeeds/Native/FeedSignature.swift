/// The signature of a native feed, over exactly the feed's bytes: `<key id>:<base64url>`, sent as the header `Gatehouse-Signature` and as
/// the text of `gate.json.sig`. Ed25519 (RFC 8032); signing and verifying is done by code that has the keys.
package struct FeedSignature: Sendable, Hashable, CustomStringConvertible {
    /// How many digits a key's name has.
    package static let keyIDLength = 16
    package static let byteCount = 64

    /// The key that signed: the first 16 digits of the SHA-256 of the public key, in lower case.
    package let keyID: String
    /// Always ``byteCount`` bytes.
    package let bytes: [UInt8]

    /// Nil unless the name is ``keyIDLength`` lower-case hexadecimal digits and there are exactly ``byteCount`` bytes.
    package init?(keyID: String, bytes: [UInt8]) {
        guard Self.isKeyID(keyID[...]), bytes.count == Self.byteCount else { return nil }
        (self.keyID, self.bytes) = (keyID, bytes)
    }

    /// The signature in a line; nil for anything else. Strict: no space, no padding, no stray bits in the last character, so that one
    /// signature has only one spelling. One line feed at the end is allowed, because caches and editors add it.
    package init?(_ line: some StringProtocol) {
        let line = line.hasSuffix("\n") ? line.dropLast() : line[...]
        guard line.utf8.count == Self.keyIDLength + 1 + Self.textLength else { return nil }
        let parts = line.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, Self.isKeyID(Substring(parts[0])), let bytes = Self.decode(Substring(parts[1])) else { return nil }
        (keyID, self.bytes) = (String(parts[0]), bytes)
    }

    /// The line, without a line feed at the end.
    package var line: String { "\(keyID):\(Self.encode(bytes))" }

    package var description: String { line }

    private static func isKeyID(_ text: Substring) -> Bool {
        text.utf8.count == keyIDLength && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }
    }

    // MARK: Base64 with the URL and file name safe alphabet (RFC 4648 section 5), only for these 64 bytes

    private static let textLength = 86
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(textLength)
        var (bits, count) = (UInt32(0), 0)
        for byte in bytes {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 6 {
                count -= 6
                text.append(alphabet[Int(bits >> UInt32(count) & 63)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        var (bits, count) = (UInt32(0), 0)
        for character in text.utf8 {
            guard let value = alphabet.firstIndex(of: character) else { return nil }
            (bits, count) = (bits << 6 | UInt32(value), count + 6)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        // Bits that belong to no byte must be zero; otherwise two texts would mean the same.
        guard bytes.count == byteCount, bits & (1 << UInt32(count) - 1) == 0 else { return nil }
        return bytes
    }
}
