import GRDB
import GateModel

extension Store {
    /// Appends an entry to the audit and its chain.
    package func appendAudit(_ entry: AuditEntry) throws(StoreError) {
        try write("Writing the audit") { db in try AuditRows.append(entry, to: db) }
    }

    /// The entries that `query` asks for, newest first.
    /// - Precondition: the limit is positive.
    package func audit(_ query: AuditQuery = AuditQuery()) throws(StoreError) -> [RecordedAuditEntry] {
        precondition(query.limit > 0, "A page of the audit has at least one entry.")
        var conditions = ["sequence > ?", "sequence < ?"]
        var arguments: StatementArguments = [query.after ?? 0, query.before ?? Int.max]
        func add(_ condition: String, _ value: (any DatabaseValueConvertible)?) {
            guard let value else { return }
            conditions.append(condition)
            arguments += [value]
        }
        add("actor_name = ?", query.actor)
        add("action = ?", query.action)
        add("at >= ?", query.since?.milliseconds)
        add("at < ?", query.until?.milliseconds)
        arguments += [query.limit]
        let sql = "SELECT * FROM audit WHERE \(conditions.joined(separator: " AND ")) ORDER BY sequence DESC LIMIT ?"
        return try read("Reading the audit") { db in
            try Row.fetchAll(db.cachedStatement(sql: sql), arguments: arguments).map(AuditRows.entry)
        }
    }
}
