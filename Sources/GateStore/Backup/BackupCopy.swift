import GateCrypto
import GateJSON

/// A copy of a database that may be in use while it is copied.
///
/// It is read on a separate read-only connection that never checkpoints: on the SQLite of Debian 12 a second connection that did could
/// corrupt the database (reliability section 2). The read transaction does not hold up writers; while it lasts, the log only grows.
enum BackupCopy {
    /// What a copy contains.
    struct Content {
        let anchor: ChainAnchor
        let schema: Int
        /// As ``ChainStore/historyID(in:)``.
        let history: String?
    }

    /// Copies the database of a folder into a single new file, without a log beside it.
    /// - Throws: ``StoreError/Code/notFound``, ``StoreError/Code/full``; the disk's and SQLite's own.
    static func make(of configuration: StoreConfiguration, at path: String) throws(StoreError) {
        guard DataDirectory.exists(configuration.databasePath) else {
            throw StoreError(.notFound, "There is no \(configuration.databasePath)", hint: "Name the data folder with --data.")
        }
        try DataDirectory.makeEmptyFile(path)
        do {
            let source = try Connection.inspector(configuration)
            let copy = try Connection.copy(path)
            try source.backUp(to: copy)
            try copy.run { db in
                // The journal mode is recorded in the database and was copied with it.
                guard try SQLiteLog.leave(db) else {
                    throw StoreError(.internal, "The copy keeps a log of its own")
                }
            }
            try copy.close()
            try source.close()
        } catch { throw StoreError(error, doing: "Copying the database", at: path) }
    }

    /// Checks a copy: SQLite's pages, and every link of both chains.
    /// - Throws: ``StoreError/Code/corrupt`` with the first fault.
    static func check(_ path: String) throws(StoreError) -> Content {
        do {
            let copy = try Connection.copy(path, isReadOnly: true)
            let content = try copy.read { db in
                let pages = try SQLiteIntegrity.quickFaults(in: db).map {
                    StoreFault(place: "database", problem: $0)
                }
                let chains = try ChainDomain.allCases.compactMap { try ChainCheck(domain: $0).run(in: db, from: .empty, limit: .max).fault }
                if let fault = (pages + chains).first {
                    throw StoreError(
                        .corrupt,
                        "\(fault)",
                        hint: "Stop the server and run gatehouse verify; keep the backups that there are."
                    )
                }
                return Content(
                    anchor: try ChainStore.anchor(in: db),
                    schema: try Schema.ledger(db).count,
                    history: try ChainStore.historyID(in: db)
                )
            }
            try copy.close()
            return content
        } catch { throw StoreError(error, doing: "Checking the copy of the database", at: path) }
    }
}
