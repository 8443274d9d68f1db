import GateCrypto
import GateJSON
import GateModel

/// Audit entries as rows, and back.
enum AuditRows {
    static func row(of entry: AuditEntry, sequence: Int) -> HistoryRow {
        HistoryRow(
            table: .audit,
            values: [
                .integer(Int64(sequence)), .integer(entry.at.milliseconds), SQLValue(entry.actor?.kind.rawValue),
                SQLValue(entry.actor?.name),
                .text(entry.action), .text(entry.outcome.rawValue), SQLValue(entry.subject), SQLValue(entry.address),
                .text(entry.requestId),
                SQLValue(entry.detail.map { JSONValue.object($0).text }), SQLValue(entry.actor?.id), SQLValue(entry.actor?.user),
            ]
        )
    }

    /// Appends within the transaction of the action itself, so both are stored or neither.
    static func append(_ entry: AuditEntry, to db: SQLConnection) throws {
        let head = try ChainStore.head(of: .audit, in: db)
        let row = row(of: entry, sequence: head.sequence &+ 1)
        let hash = ChainLink.hash(domain: .audit, sequence: head.sequence &+ 1, previous: head.hash, rows: [row.hashed])
        try row.insert(into: db, hash: hash.bytes)
        let stored = try db.cachedStatement(sql: "SELECT * FROM audit WHERE sequence = ?").row(arguments: [head.sequence &+ 1])
        try ReadBack.check("Audit entry \(head.sequence &+ 1)", row.hashed) {
            try stored.map(Self.entry).map {
                try ReadBack.checkWhole($0.fault)
                return Self.row(of: $0.entry, sequence: $0.sequence).hashed
            }
        }
    }

    /// The entry of a row, as far as it is readable; see ``RecordedAuditEntry/fault``.
    /// - Throws: for a row without a sequence.
    static func entry(_ row: SQLRow) throws -> RecordedAuditEntry {
        var salvage = Salvage()
        let entry = AuditEntry(
            at: salvage.take("at", or: .unreadable) { try row.storedTime("at") },
            actor: salvage.take("actor", or: .unreadable) { () throws -> Actor? in
                guard try row.storedIfAny("actor_kind") as String? != nil else { return nil }
                let kind = try row.word("actor_kind", Actor.Kind.init(rawValue:))
                return Actor(
                    kind: kind,
                    name: try row.stored("actor_name"),
                    id: try row.stored("actor_id"),
                    user: try row.stored("actor_user")
                )
            },
            action: salvage.take("action", or: "unreadable") { try row.stored("action") },
            outcome: salvage.take("outcome", or: .succeeded) { try row.word("outcome", AuditEntry.Outcome.init(rawValue:)) },
            subject: salvage.take("subject", or: nil) { try row.stored("subject") },
            address: salvage.take("address", or: nil) { try row.stored("address") },
            requestId: salvage.take("request_id", or: "") { try row.stored("request_id") },
            detail: salvage.take("detail", or: nil) { try detail(row) }
        )
        return RecordedAuditEntry(sequence: try row.stored("sequence"), entry: entry, fault: salvage.fault)
    }

    private static func detail(_ row: SQLRow) throws -> JSONObject? {
        guard let text = try row.storedIfAny("detail") as String? else { return nil }
        guard let object = try JSONReader.read(text, limits: .own).object else { throw StoreError(.corrupt, "detail is no object") }
        return object
    }
}
