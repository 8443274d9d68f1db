extension Store {
    /// Bytes of the write-ahead log, 0 in the other journal mode.
    package var walBytes: Int { FileIdentity.size(ofFile: configuration.walPath) }

    /// Whether the log has grown enough to make ``checkpoint(over:)`` worthwhile; looks only at its size. To be asked about once a second.
    package var needsCheckpoint: Bool { walBytes > 4_194_304 }

    /// Folds the log into the database, as far as readers allow, and truncates it when it is larger than a limit. SQLite's own checkpoints,
    /// which a commit makes only when nobody calls this, never make it shorter.
    ///
    /// Writers wait while it is at work: some 20 ms for 4 MiB.
    /// - Parameter limit: the size in bytes above which it is truncated.
    /// - Returns: whether it was truncated; also false when a reader was in the way, and then the next call tries again.
    @discardableResult
    package func checkpoint(over limit: Int = 16_777_216) throws(StoreError) -> Bool {
        let isCut = walBytes > limit
        return try maintain("Folding the log into the database") { db in
            guard isCut else {
                try SQLiteLog.fold(db)
                return false
            }
            // TRUNCATE waits for readers as long as a write waits for another program, and every writer behind it waits too.
            try db.setBusyTimeout(milliseconds: 50)
            // A connection that cannot take a setting cannot take the next write either, which then says so.
            defer { try? db.setBusyTimeout(milliseconds: configuration.busyMilliseconds) }
            return try SQLiteLog.cut(db)
        }
    }
}
