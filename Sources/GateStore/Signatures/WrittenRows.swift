/// Which rows of the signed tables the open transaction has written: on PostgreSQL the tables' own triggers (migration 9) put them into a
/// temporary table, which each writing session has for itself and which every COMMIT empties.
///
/// Another program's session has no such table, and what it writes stays unsigned.
enum WrittenRows {
    struct Written {
        let table: SignedTable
        /// In the order of ``SignedTable/keyColumns``.
        let key: [SQLValue]
        /// Whether the row existed before, as far as the trigger saw: an UPDATE.
        let wasThere: Bool
    }

    /// - Throws: where the session may not create temporary tables, which PostgreSQL allows by default.
    static func makeTable(in db: SQLConnection) throws {
        try db.execute(
            sql: """
                CREATE TEMPORARY TABLE IF NOT EXISTS gatehouse_rows (
                    place text NOT NULL, number bigint, word text, bytes bytea, was_there boolean NOT NULL
                ) ON COMMIT DELETE ROWS
                """
        )
    }

    /// Whether the transaction has written any signed row that still exists, judged by the rows themselves: for when the triggers cannot be
    /// trusted. Scans all rows.
    static func areThere(in db: SQLConnection) throws -> Bool {
        guard db.kind == .postgresql else { return false }
        let tables = SignedTable.allCases.map { "EXISTS (SELECT 1 FROM \($0.rawValue) WHERE xmin = pg_current_xact_id()::xid)" }
        return try db.value(Bool.self, sql: "SELECT \(tables.joined(separator: " OR "))") ?? true
    }

    /// In the order in which they were written; a row that was written twice appears twice.
    static func all(in db: SQLConnection) throws -> [Written] {
        try db.cachedStatement(sql: "SELECT place, number, word, bytes, was_there FROM pg_temp.gatehouse_rows ORDER BY ctid").rows()
            .compactMap {
                row in
                guard let table = SignedTable(rawValue: try row.stored("place")) else { return nil }
                let values: [SQLValue] = [try row.stored("number"), try row.stored("word"), try row.stored("bytes")]
                return Written(table: table, key: values.filter { !$0.isNull }, wasThere: try row.stored("was_there"))
            }
    }
}
