/// Reports to ``Signatures`` every row of a signed table that a connection writes, whichever statement does it: no caller can forget to
/// sign.
///
/// The triggers belong to the connection (TEMP): they are in no file, and another program's connection does not have them.
enum SignatureTriggers {
    /// Only for SQLite; PostgreSQL's triggers come from its migrations, and record what they see for ``WrittenRows``.
    static func install(on db: SQLConnection, for signatures: Signatures) throws {
        db.addFunction("gatehouse_row") { [weak signatures] values in signatures?.rowTold(values) }
        for table in SignedTable.allCases {
            let columns = table.columns.joined(separator: ", ")
            // Before the update, with everything needed to check whether the row about to change was gatehouse's own. A window is always
            // written as a whole, so nothing of the old row would be signed.
            if table != .windows {
                try install(
                    "was",
                    "BEFORE UPDATE OF \(columns)",
                    "OLD",
                    table.keyColumns + ["generation", "signature"] + table.columns,
                    of: table,
                    on: db
                )
            }
            try install("is", "AFTER UPDATE OF \(columns)", "NEW", table.keyColumns, of: table, on: db)
            try install("came", "AFTER INSERT", "NEW", table.keyColumns, of: table, on: db)
            try install("went", "AFTER DELETE", "OLD", table.keyColumns, of: table, on: db)
        }
    }

    private static func install(
        _ name: String,
        _ event: String,
        _ side: String,
        _ columns: [String],
        of table: SignedTable,
        on db: SQLConnection
    ) throws {
        let values = ["'\(table.rawValue)'"] + columns.map { "\(side).\($0)" }
        try db.execute(
            sql: """
                CREATE TEMP TRIGGER signed_\(table.rawValue)_\(name) \(event) ON main.\(table.rawValue)
                BEGIN SELECT gatehouse_row(\(values.joined(separator: ", "))); END
                """
        )
    }
}
