import GateCrypto

/// A row as its hash sees it.
struct HashedRow: Equatable {
    let table: HistoryTable
    /// In the order of ``HistoryTable/columns``; nil for NULL.
    let values: [[UInt8]?]
}

/// One link of a hash chain: `SHA-256(domain || sequence || previous hash || rows)`.
///
/// Every part of variable length has its length before it, as 8 bytes, most significant first. So no two different histories give the same
/// bytes. NULL columns are left out, and each other one is preceded by its name.
enum ChainLink {
    static func hash(domain: ChainDomain, sequence: Int, previous: SHA256Digest, rows: [HashedRow]) -> SHA256Digest {
        var bytes: [UInt8] = []
        append(Array(domain.rawValue.utf8), to: &bytes)
        append(sequence, to: &bytes)
        bytes += previous.bytes
        append(rows.count, to: &bytes)
        for row in rows {
            append(Array(row.table.rawValue.utf8), to: &bytes)
            append(row.values.count { $0 != nil }, to: &bytes)
            for (name, value) in zip(row.table.columns, row.values) {
                guard let value else { continue }
                append(Array(name.utf8), to: &bytes)
                append(value, to: &bytes)
            }
        }
        return SHA256Digest(of: bytes)
    }

    private static func append(_ part: [UInt8], to bytes: inout [UInt8]) {
        append(part.count, to: &bytes)
        bytes += part
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: Int64(number).bigEndian) { bytes += $0 }
    }
}

/// Keeps a link of one chain from ever being a link of another.
enum ChainDomain: String {
    case changes = "gatehouse changes 1"
    case audit = "gatehouse audit 1"

    var table: HistoryTable {
        switch self {
        case .changes: .changes
        case .audit: .audit
        }
    }
}
