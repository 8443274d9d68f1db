/// Bytes of which no two different lists of parts give the same: every part of variable length has its length before it, as 8 bytes, most
/// significant first.
struct PrefixedBytes {
    private(set) var bytes: [UInt8] = []

    /// - Parameter domain: keeps what is made for one purpose from serving another.
    init(domain: String) { append(Array(domain.utf8)) }

    mutating func append(_ part: [UInt8]) {
        append(part.count)
        bytes += part
    }

    /// A part that always has the same length.
    mutating func append(fixed part: [UInt8]) { bytes += part }

    mutating func append(_ number: Int) { withUnsafeBytes(of: Int64(number).bigEndian) { bytes += $0 } }
}
