/// SQLite's write-ahead log, and its waiting for other programs.
extension SQLConnection {
    /// Folds the log into the database, as far as no reader is in the way; it keeps its length.
    func foldLog() throws { try execute(sql: "PRAGMA wal_checkpoint(PASSIVE)") }

    /// Folds the log into the database and cuts it off.
    /// - Returns: whether it did; false when somebody was in the way for longer than is waited.
    func cutLog() throws -> Bool { try value(Int.self, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0 }

    /// Makes the database a file without a log beside it. The mode stands in the database.
    /// - Returns: whether it is one now.
    func leaveLog() throws -> Bool { try value(String.self, sql: "PRAGMA journal_mode = DELETE") == "delete" }

    /// How long another's lock is waited for from now on.
    func setBusyTimeout(milliseconds: Int) throws { try execute(sql: "PRAGMA busy_timeout = \(milliseconds)") }

    /// Writes all that was committed into one file, which is there and empty. It is not flushed to the disk.
    func writeCopy(to path: String) throws { try execute(sql: "VACUUM INTO ?", arguments: [path]) }
}
