/// SQLite's write-ahead log, and its waiting for other programs.
enum SQLiteLog {
    /// Folds the log into the database, as far as no reader is in the way; it keeps its length.
    static func fold(_ db: SQLConnection) throws { try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }

    /// Folds the log into the database and cuts it off.
    /// - Returns: whether it did; false when somebody was in the way for longer than is waited.
    static func cut(_ db: SQLConnection) throws -> Bool { try db.value(Int.self, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 }

    /// Makes the database a file without a log beside it. The mode stands in the database.
    /// - Returns: whether it is one now.
    static func leave(_ db: SQLConnection) throws -> Bool { try db.value(String.self, sql: "PRAGMA journal_mode = DELETE") == "delete" }

    static func setBusyTimeout(_ db: SQLConnection, milliseconds: Int) throws {
        try db.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    }

    /// Writes all that was committed into one file, which is there and empty. It is not flushed to the disk.
    static func writeCopy(of db: SQLConnection, to path: String) throws { try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
}
