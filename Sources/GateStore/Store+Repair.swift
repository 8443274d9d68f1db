package import GateModel

extension Store {
    /// Mends a database with rows that nobody can read, as `gatehouse repair` does: all of it or nothing.
    ///
    /// Rows of the history and of the audit, people and tokens stay as they are and are noted in the audit; windows end; what is kept for a
    /// day only goes. A target whose gate cannot be read gets the gate of an earlier revision when somebody says which: by itself a repair
    /// lets nobody in, and shuts nobody out.
    /// - Parameters:
    ///   - reverting: targets, readable or not, and the revision that is to be put back.
    ///   - isTrial: whether nothing is to be written.
    /// - Throws: ``StoreError/Code/corrupt`` for a history that is not what was written: that is nothing to repair;
    ///   ``StoreError/Code/notFound`` for a target or revision that there is not, or that cannot be read either; the disk's own.
    package func repair(reverting: [TargetKey: Int] = [:], isTrial: Bool = false) throws(StoreError) -> RepairReport {
        for fault in [try verifyChain(limit: .max).fault, try verifyAuditChain(limit: .max).fault].compactMap({ $0 }) {
            throw StoreError(
                .corrupt,
                "\(fault)",
                hint: "What was altered cannot be mended; put a sound copy of the data folder in its place."
            )
        }
        let (now, directory) = (configuration.now(), configuration.directory)
        return try write("Repairing the database") { db in
            var work = RepairWork(db: db, reverting: reverting, directory: directory, now: now, keepsFile: !isTrial)
            try db.savepoint {
                try work.run()
                return !isTrial
            }
            return work.report
        }
    }
}
