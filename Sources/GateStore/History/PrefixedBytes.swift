/// An unambiguous encoding of a list of parts: every part of variable length is preceded by its length, as 8 bytes, most significant first.
struct PrefixedBytes {
    private(set) var bytes: [UInt8] = []

    /// - Parameter domain: keeps bytes made for one purpose from being valid for another.
    init(domain: String) { append(Array(domain.utf8)) }

    mutating func append(_ part: [UInt8]) {
        append(part.count)
        bytes += part
    }

    /// A part that always has the same length.
    mutating func append(fixed part: [UInt8]) { bytes += part }

    mutating func append(_ number: Int) { withUnsafeBytes(of: Int64(number).bigEndian) { bytes += $0 } }
}
