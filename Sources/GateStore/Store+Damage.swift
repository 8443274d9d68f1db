extension Store {
    /// The names of the tables, for ``damage(of:)``; empty where only the engine's own tools can look for damage.
    package func tables() throws(StoreError) -> [String] {
        try read("Reading the names of the tables") { db in db.kind == .sqlite ? try SQLiteCatalogue.tables(db) : [] }
    }

    /// Looks at every page of a table and of its indexes, with SQLite's own check. It finds damage that no chain and no signature covers,
    /// before somebody needs the data. Runs on a connection of its own, so nobody waits for it; meant for the background. ``close()`` ends
    /// it.
    /// - Returns: the first fault; nil when there is none, or the store was closed meanwhile.
    /// - Throws: ``StoreError/Code/corrupt`` when the table cannot even be checked; the disk's own.
    package func damage(of table: String) throws(StoreError) -> StoreFault? {
        do {
            let fault = try inspection.run(
                { try Connection.inspector(configuration) },
                { inspector in try inspector.read { db in try SQLiteIntegrity.fault(of: table, in: db) } }
            )
            return fault.map { StoreFault(place: "database", problem: $0) }
        } catch {
            throw StoreError(error, doing: "Looking for damage", at: configuration.databasePath)
        }
    }
}
