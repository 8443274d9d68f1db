import GateJSON
import GateModel

/// The record of a repair in the audit: which rows could not be read. It stays for good, because nothing that was written is rewritten, and
/// later checks for unreadable rows skip the rows it names.
enum RepairRecord {
    static let action = "database.repair"

    /// The most rows that one entry names, so an entry stays short.
    private static let capacity = 500

    /// The entries for the audit.
    static func entries(_ faults: [StoreFault], at: Timestamp, requestId: String, detail: JSONObject) -> [AuditEntry] {
        stride(from: 0, to: max(faults.count, 1), by: capacity).map { start in
            var detail = detail
            detail["rows"] = .array(faults[start..<min(start + capacity, faults.count)].map { .string($0.name) })
            return AuditEntry(at: at, actor: .repair, action: action, requestId: requestId, detail: detail)
        }
    }

    /// The faults that no entry names.
    static func unnoted(_ faults: [StoreFault], in db: SQLConnection) throws -> [StoreFault] {
        var noted: Set<String> = []
        for row in try db.rows(sql: "SELECT * FROM audit WHERE action = ?", arguments: [action]) {
            let entry = try AuditRows.entry(row)
            for name in entry.entry.detail?["rows"]?.array ?? [] { if let name = name.string { noted.insert(name) } }
        }
        return faults.filter { !noted.contains($0.name) }
    }
}

extension Actor {
    /// `gatehouse repair`
    static let repair = Actor(kind: .system, name: "repair")
}
