extension Store {
    /// Tests whether a transaction reaches the disk again, after one failed: a row is written and committed, then removed.
    /// - Throws: the error that a change would fail with now.
    package func probeWriting() throws(StoreError) {
        try write("Probing the database") { db in
            try db.execute(
                sql:
                    "INSERT INTO throttles (scope, failures, first_failure_at, not_before) VALUES ('probe', 1, 0, 0) ON CONFLICT (scope) DO UPDATE SET failures = 1"
            )
        }
        try write("Probing the database") { db in try db.execute(sql: "DELETE FROM throttles WHERE scope = 'probe'") }
    }
}
