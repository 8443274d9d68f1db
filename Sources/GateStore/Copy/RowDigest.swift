import GateCrypto

/// The SHA-256 of all rows of a table in the order of its key, over column names and values with their kinds and lengths: two tables have
/// the same digest only when they hold the same.
struct RowDigest: Equatable {
    private(set) var count = 0
    private var stream = SHA256Stream()

    init(_ columns: [SQLColumn]) {
        for column in columns { append(.text(column.name)) }
    }

    mutating func append(_ row: [SQLValue]) {
        count += 1
        for value in row { append(value) }
    }

    private mutating func append(_ value: SQLValue) {
        let (kind, bytes): (UInt8, [UInt8]) =
            switch value {
            case .null: (0, [])
            case .integer: (1, value.bytes ?? [])
            case .real: (2, value.bytes ?? [])
            case .text: (3, value.bytes ?? [])
            case .blob: (4, value.bytes ?? [])
            }
        var head: [UInt8] = [kind]
        withUnsafeBytes(of: Int64(bytes.count).bigEndian) { head += $0 }
        stream.append(head[...])
        stream.append(bytes[...])
    }

    static func == (one: RowDigest, other: RowDigest) -> Bool { one.count == other.count && one.stream.digest == other.stream.digest }
}
