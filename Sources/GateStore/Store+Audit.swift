import GateJSON
package import GateModel

extension Store {
    /// Appends an entry to the audit and its chain.
    /// - Parameter authority: of whoever does what the entry tells.
    /// - Throws: ``StoreError/Code/ended`` when that no longer stands.
    package func appendAudit(_ entry: AuditEntry, by authority: Authority = .server) throws(StoreError) {
        try write("Writing the audit", by: authority) { db in try AuditRows.append(entry, to: db) }
    }

    /// The entries that `query` asks for, newest first.
    /// - Precondition: the limit is positive.
    package func audit(_ query: AuditQuery = AuditQuery()) throws(StoreError) -> [RecordedAuditEntry] {
        try audit(query, bytes: .max).entries
    }

    /// The entries that `query` asks for, newest first, as many as fit into `bytes`; the first one comes however large it is.
    /// - Precondition: the limit is positive.
    package func audit(_ query: AuditQuery, bytes: Int) throws(StoreError) -> (entries: [RecordedAuditEntry], isCut: Bool) {
        precondition(query.limit > 0, "A page of the audit has at least one entry.")
        var list = NewestFirst("sequence", after: query.after, before: query.before, limit: query.limit)
        list.add("action = :action", "action", query.action)
        list.add("at >= :since", "since", query.since?.milliseconds)
        list.add("at < :until", "until", query.until?.milliseconds)
        list.name("actor", query.actor)
        return try read("Reading the audit") { [list] db in
            let others = list.condition
            var room = bytes
            var entries: [RecordedAuditEntry] = []
            let sql: String
            if query.actor == nil {
                sql = "SELECT * FROM audit WHERE \(others) ORDER BY sequence DESC LIMIT :limit"
            } else {
                // Two index walks, merged: entries with that actor name, and entries made with that person's tokens.
                let walks = ["actor_name", "actor_user"].map { "SELECT sequence FROM audit WHERE \(others) AND \($0) = :actor" }
                sql = "SELECT * FROM audit WHERE sequence IN (\(NewestFirst.merged(walks, on: db.kind))) ORDER BY sequence DESC"
            }
            let rows = try db.cachedStatement(sql: sql).cursor(arguments: list.arguments)
            while let row = try rows.next() {
                // Everything in an entry except its detail is short.
                room -= 1_024 + (try row.storedIfAny("detail") as String? ?? "").utf8.count
                guard room > 0 || entries.isEmpty else { return (entries, true) }
                entries.append(try AuditRows.entry(row))
            }
            return (entries, false)
        }
    }
}
