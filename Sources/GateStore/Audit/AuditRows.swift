import GRDB
import GateCrypto
import GateJSON
import GateModel

/// Audit entries as rows, and back.
enum AuditRows {
    static func row(of entry: AuditEntry, sequence: Int) -> HistoryRow {
        HistoryRow(
            table: .audit,
            values: [
                .integer(Int64(sequence)), .integer(entry.at.milliseconds), ColumnValue(entry.actor?.kind.rawValue),
                ColumnValue(entry.actor?.name),
                .text(entry.action), .text(entry.outcome.rawValue), ColumnValue(entry.subject), ColumnValue(entry.address),
                .text(entry.requestId),
                ColumnValue(entry.detail.map { JSONValue.object($0).text }), ColumnValue(entry.actor?.id), ColumnValue(entry.actor?.user),
            ]
        )
    }

    /// Appends within a transaction, so that what was done and that it was done are kept together.
    static func append(_ entry: AuditEntry, to db: Database) throws {
        let head = try ChainStore.head(of: .audit, in: db)
        let row = row(of: entry, sequence: head.sequence &+ 1)
        let hash = ChainLink.hash(domain: .audit, sequence: head.sequence &+ 1, previous: head.hash, rows: [row.hashed])
        try row.insert(into: db, hash: hash.bytes)
        let stored = try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM audit WHERE sequence = ?"), arguments: [head.sequence &+ 1])
        try ReadBack.check("Audit entry \(head.sequence &+ 1)", row.hashed) {
            try stored.map(Self.entry).map { Self.row(of: $0.entry, sequence: $0.sequence).hashed }
        }
    }

    static func entry(_ row: Row) throws -> RecordedAuditEntry {
        let sequence: Int = try row.stored("sequence")
        func refusal(_ column: String) -> StoreError {
            StoreError(.corrupt, "audit row \(sequence): \(column) has a value that this gatehouse does not know")
        }
        var actor: Actor?
        if let kind = try row.storedIfAny("actor_kind") as String? {
            guard let kind = Actor.Kind(rawValue: kind) else { throw refusal("actor_kind") }
            actor = Actor(kind: kind, name: try row.stored("actor_name"), id: try row.stored("actor_id"), user: try row.stored("actor_user"))
        }
        guard let outcome = AuditEntry.Outcome(rawValue: try row.stored("outcome")) else { throw refusal("outcome") }
        return RecordedAuditEntry(
            sequence: sequence,
            entry: AuditEntry(
                at: try row.storedTime("at"),
                actor: actor,
                action: try row.stored("action"),
                outcome: outcome,
                subject: try row.stored("subject"),
                address: try row.stored("address"),
                requestId: try row.stored("request_id"),
                detail: try (row.storedIfAny("detail") as String?).flatMap { try JSONReader.read($0, limits: .own).object }
            )
        )
    }
}
