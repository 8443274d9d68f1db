import CSodium

/// Comparisons whose duration reveals nothing about the bytes.
package enum ConstantTime {
    /// Whether both hold the same bytes. The time it takes reveals only their lengths, so compare secrets of fixed length.
    package static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        Sodium.ready
        return one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }

    /// Whether both texts have the same UTF-8 bytes; see ``equal(_:_:)-([UInt8],_)``.
    package static func equal(_ one: String, _ other: String) -> Bool { equal(Array(one.utf8), Array(other.utf8)) }
}
