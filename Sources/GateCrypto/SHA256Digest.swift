import CSodium

/// A SHA-256 digest (FIPS 180-4), 32 bytes.
///
/// Digests are compared in constant time, so the digest of a secret may be compared like any other value.
package struct SHA256Digest: Sendable, Hashable, CustomStringConvertible {
    package static let byteCount = 32

    /// Always ``byteCount`` bytes.
    package let bytes: [UInt8]

    /// The digest of `data`.
    package init(of data: [UInt8]) {
        Sodium.ready
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        // Cannot fail: the C function always returns 0.
        _ = crypto_hash_sha256(&digest, data, UInt64(data.count))
        bytes = digest
    }

    /// The digest of the text's UTF-8 bytes.
    package init(of text: String) { self.init(of: Array(text.utf8)) }

    /// A digest that was stored; nil unless there are exactly ``byteCount`` bytes.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// A digest written as 64 hexadecimal digits of either case; nil for anything else.
    package init?(hexadecimal text: String) {
        guard let bytes = Hexadecimal.decode(text) else { return nil }
        self.init(bytes: bytes)
    }

    /// 32 zero bytes: the predecessor of a chain's first link.
    package static let zero = SHA256Digest(bytes: [UInt8](repeating: 0, count: byteCount))!

    /// 64 lower-case hexadecimal digits.
    package var hexadecimal: String { Hexadecimal.encode(bytes) }

    /// The first of the digits: two for each of the first `count` bytes, 0 to 32.
    package func hexadecimal(ofFirst count: Int) -> String { Hexadecimal.encode(Array(bytes.prefix(count))) }

    package static func == (one: SHA256Digest, other: SHA256Digest) -> Bool { ConstantTime.equal(one.bytes, other.bytes) }

    package func hash(into hasher: inout Hasher) { hasher.combine(bytes) }

    package var description: String { hexadecimal }
}
