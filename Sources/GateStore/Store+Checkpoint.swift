import GRDB

extension Store {
    /// Bytes of the write-ahead log, 0 in the other journal mode.
    package var walBytes: Int { FileIdentity.size(ofFile: configuration.walPath) }

    /// Folds the log into the database and cuts it off when it has grown over a limit: SQLite's own checkpoints never make it shorter.
    /// - Parameter limit: bytes.
    /// - Returns: whether it was cut off; false too when a reader was in the way, and then the next call tries again.
    @discardableResult
    package func checkpointIfNeeded(over limit: Int = 16_777_216) throws(StoreError) -> Bool {
        guard walBytes > limit else { return false }
        return try maintain("Folding the log into the database") { db in
            try Int.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)") == 0
        }
    }
}
