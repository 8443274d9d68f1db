package import GateModel

extension Store {
    /// Repairs a database that has unreadable rows, as `gatehouse repair` does: all of it or nothing.
    ///
    /// Rows of the history and of the audit, people and tokens stay as they are and are noted in the audit; windows end; rows that are kept
    /// only for a day are removed. A target whose gate cannot be read gets the gate of an earlier revision only when somebody says which:
    /// by itself a repair neither lets anybody in nor shuts anybody out.
    /// - Parameters:
    ///   - reverting: targets, readable or not, each with the revision to put back.
    ///   - isTrial: whether to write nothing.
    /// - Throws: ``StoreError/Code/corrupt`` for a history that is not what was written, which cannot be repaired;
    ///   ``StoreError/Code/notFound`` for a target or revision that does not exist or is unreadable too; the disk's own.
    package func repair(reverting: [TargetKey: Int] = [:], isTrial: Bool = false) throws(StoreError) -> RepairReport {
        for fault in [try verifyChain(limit: .max).fault, try verifyAuditChain(limit: .max).fault].compactMap({ $0 }) {
            throw StoreError(
                .corrupt,
                "\(fault)",
                hint: "An altered history cannot be repaired; put a sound copy of the data folder in its place."
            )
        }
        let (now, directory) = (configuration.now(), configuration.directory)
        return try write("Repairing the database") { db in
            // It keeps a file of what it replaces, on a disk that may be slow.
            if isShared { try db.execute(sql: PostgresSession.limitingWriting(PostgresSession.longestPause)) }
            var work = RepairWork(db: db, reverting: reverting, directory: directory, now: now, keepsFile: !isTrial)
            try db.savepoint {
                try work.run()
                return !isTrial
            }
            return work.report
        }
    }
}
