import GRDB

extension Store {
    /// Checks everything that can be checked of a folder's database, as `gatehouse verify` does. Writes nothing; the server must be stopped.
    ///
    /// The chains come first: whoever altered a row first dropped the triggers that refuse it, and the row is what people need to know.
    /// - Parameters:
    ///   - migrations: the folder of the release's migrations, to compare the ledger with; nil compares the schema with the ledger alone.
    ///   - anchor: heads of the chains that were kept outside: with them, rows cut off at the end and a history rewritten throughout are found.
    /// - Returns: every fault, the most telling first; empty when all is well.
    /// - Throws: ``StoreError/Code/inUse`` when a server has the folder; ``StoreError/Code/notFound`` when there is no database;
    ///   ``StoreError/Code/corrupt`` and others when it cannot even be opened.
    package static func verify(directory: String, migrations: String? = nil, anchor: ChainAnchor? = nil) throws(StoreError) -> [StoreFault]
    {
        let configuration = StoreConfiguration(directory: directory, migrations: migrations ?? "")
        let known: [Migration]? = if let migrations { try Migration.all(in: migrations) } else { nil }
        try DataDirectory.prepare(directory, create: false)
        let lock = try DirectoryLock(path: configuration.lockPath)
        defer { lock.release() }
        try DataDirectory.prepareDatabase(configuration.databasePath, in: directory, create: false)
        do {
            let reader = try Connection.inspector(configuration)
            defer { reader.releaseMemory() }
            var faults = try reader.read { db in allFaults(in: db, migrations: known, anchor: anchor) }
            if DataDirectory.othersCan(write: directory) {
                faults.append(StoreFault(place: "folder", problem: "others than its owner can write in it: run chmod 700 \(directory)"))
            }
            try reader.close()
            return faults
        } catch {
            throw StoreError(error, doing: "Verifying the database", at: configuration.databasePath)
        }
    }

    private static func allFaults(in db: Database, migrations: [Migration]?, anchor: ChainAnchor?) -> [StoreFault] {
        var faults: [StoreFault] = []
        /// A check that a damaged database breaks off is a fault of its own; the others still run.
        func check(_ place: String, _ run: () throws -> [StoreFault]) {
            do {
                faults += try run()
            } catch {
                faults.append(StoreFault(place: place, problem: StoreError(error, doing: "cannot be checked").detail))
            }
        }
        check("changes") { try chainFaults(.changes, in: db, anchor: anchor?.changes) }
        check("audit") { try chainFaults(.audit, in: db, anchor: anchor?.audit) }
        check("database") {
            try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }.map { StoreFault(place: "database", problem: $0) }
        }
        check("database") {
            try Row.fetchAll(db, sql: "PRAGMA foreign_key_check").map { row in
                StoreFault(
                    place: try row.stored("table"),
                    row: (try row.storedIfAny("rowid") as Int?).map(String.init),
                    problem: "names a row of \(try row.stored("parent") as String) that is not there"
                )
            }
        }
        check("targets") { try StateCheck.faults(in: db) }
        check("schema") { try SchemaCheck.faults(in: db, migrations: migrations) }
        return faults
    }

    /// The whole chain, and the anchor that must be one of its links.
    private static func chainFaults(_ domain: ChainDomain, in db: Database, anchor: ChainHead?) throws -> [StoreFault] {
        let chain = ChainCheck(domain: domain)
        if let fault = try chain.run(in: db, from: .empty, limit: .max).fault { return [fault] }
        guard let anchor else { return [] }
        return try chain.run(in: db, from: anchor, limit: 1).fault.map { [$0] } ?? []
    }
}
