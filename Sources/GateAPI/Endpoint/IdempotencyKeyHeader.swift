/// The header by which a request that is sent again is known (design section 4): what it may hold, for the server that reads it and for the
/// description that tells it.
package enum IdempotencyKeyHeader {
    package static let name = "Idempotency-Key"

    /// How many characters a key may have.
    package static let lengths = 1...255

    /// Of what a key is made: printable ASCII without the blank, which proxies cut off at the ends of a header (RFC 9110 5.5).
    package static let bytes: ClosedRange<UInt8> = 0x21...0x7E

    /// ``bytes`` as JSON Schema says it.
    static let pattern = "^[!-~]+$"

    package static func isKey(_ text: String) -> Bool { lengths.contains(text.utf8.count) && text.utf8.allSatisfy(bytes.contains) }
}
