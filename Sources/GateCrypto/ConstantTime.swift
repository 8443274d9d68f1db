import CSodium

/// Comparisons whose duration tells nothing of the bytes.
package enum ConstantTime {
    /// Whether both hold the same bytes. Only their lengths can be learnt from the time it takes, so compare secrets of fixed length.
    package static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        Sodium.ready
        return one.count == other.count && sodium_memcmp(one, other, one.count) == 0
    }

    /// Whether both texts have the same UTF-8 bytes; see ``equal(_:_:)-([UInt8],_)``.
    package static func equal(_ one: String, _ other: String) -> Bool { equal(Array(one.utf8), Array(other.utf8)) }
}
