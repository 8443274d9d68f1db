/// SQLite's own checks of a database.
enum SQLiteIntegrity {
    /// The faults in the file's pages and indexes; empty when there are none.
    static func faults(in db: SQLConnection) throws -> [String] {
        try db.values(String.self, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
    }

    /// The first fault in the pages of one table and its indexes; nil when there is none.
    static func fault(of table: String, in db: SQLConnection) throws -> String? {
        let quoted = "\"" + table.replacing("\"", with: "\"\"") + "\""
        return try db.value(String.self, sql: "PRAGMA integrity_check(\(quoted))").flatMap { $0 == "ok" ? nil : $0 }
    }

    /// The faults in the pages, without checking that indexes match their tables; one fault at most.
    static func quickFaults(in db: SQLConnection) throws -> [String] {
        try db.values(String.self, sql: "PRAGMA quick_check(1)").filter { $0 != "ok" }
    }

    /// A row that refers to a missing row.
    struct Dangling {
        let table: String
        /// Nil in a table without row numbers.
        let row: Int?
        let parent: String
    }

    static func danglingRows(in db: SQLConnection) throws -> [Dangling] {
        try db.rows(sql: "PRAGMA foreign_key_check").map { row in
            Dangling(table: try row.stored("table"), row: try row.storedIfAny("rowid"), parent: try row.stored("parent"))
        }
    }

    static func hasDanglingRow(in db: SQLConnection) throws -> Bool { try db.row(sql: "PRAGMA foreign_key_check") != nil }
}
