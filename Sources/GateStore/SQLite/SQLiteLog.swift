/// SQLite's write-ahead log, and its timeout for locks.
enum SQLiteLog {
    /// Folds the log into the database, as far as readers allow; the log keeps its length.
    static func fold(_ db: SQLConnection) throws { try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }

    /// Folds the log into the database and truncates it.
    /// - Returns: whether it did; false when somebody was in the way for longer than the busy timeout.
    static func cut(_ db: SQLConnection) throws -> Bool { try db.value(Int.self, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 }

    /// Makes the database a file without a log beside it. The mode is recorded in the database.
    /// - Returns: whether that succeeded.
    static func leave(_ db: SQLConnection) throws -> Bool { try db.value(String.self, sql: "PRAGMA journal_mode = DELETE") == "delete" }

    static func setBusyTimeout(_ db: SQLConnection, milliseconds: Int) throws {
        try db.execute(sql: "PRAGMA busy_timeout = \(milliseconds)")
    }

    /// Writes everything that was committed into one file, which must exist and be empty. The file is not flushed to the disk.
    static func writeCopy(of db: SQLConnection, to path: String) throws { try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
}
