import GateCrypto

/// A row in the form that is hashed.
struct HashedRow: Equatable, Sendable {
    let table: HistoryTable
    /// In the order of ``HistoryTable/columns``; nil for NULL.
    let values: [[UInt8]?]
}

/// One link of a hash chain: `SHA-256(domain || sequence || previous hash || rows)`.
///
/// Encoded as ``PrefixedBytes``, so no two different histories give the same bytes. NULL columns are left out; each other column is
/// preceded by its name.
enum ChainLink {
    static func hash(domain: ChainDomain, sequence: Int, previous: SHA256Digest, rows: [HashedRow]) -> SHA256Digest {
        var bytes = PrefixedBytes(domain: domain.rawValue)
        bytes.append(sequence)
        bytes.append(fixed: previous.bytes)
        bytes.append(rows.count)
        for row in rows {
            bytes.append(Array(row.table.rawValue.utf8))
            bytes.append(row.values.count { $0 != nil })
            for (name, value) in zip(row.table.columns, row.values) {
                guard let value else { continue }
                bytes.append(Array(name.utf8))
                bytes.append(value)
            }
        }
        return SHA256Digest(of: bytes.bytes)
    }
}

/// Makes sure that a link of one chain can never be a link of the other.
enum ChainDomain: String, CaseIterable {
    case changes = "gatehouse changes 1"
    case audit = "gatehouse audit 1"

    var table: HistoryTable {
        switch self {
        case .changes: .changes
        case .audit: .audit
        }
    }
}
