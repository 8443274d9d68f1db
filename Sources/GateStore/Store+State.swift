import GateJSON
import GateModel

extension Store {
    /// Everything that is in force. An app that cannot be read is sealed: it is reported separately and does not affect the others.
    /// - Throws: ``StoreError/Code/corrupt`` when a gate is not the one in the history: what is read here is what phones obey.
    package func loadState() throws(StoreError) -> StoredState {
        try read("Reading the apps") { db in
            if let fault = try StateCheck.firstDoubt(in: db) { throw StoreError(.corrupt, "\(fault)") }
            return try StateLoader.load(from: db)
        }
    }

    /// Everything that any server committed after a change, read from one state; nil when there is nothing.
    /// - Parameters:
    ///   - sequence: the last change that the caller knows.
    ///   - version: the last write of a window that the caller knows.
    ///   - limit: the most changes to return.
    ///   - bytes: the most bytes of their documents; the newest change is included however large it is.
    ///   - known: the link of that change; nil when it is not known.
    /// - Throws: as ``loadState()``; ``StoreError/Code/corrupt`` also when the database does not have that change, or another in its place.
    package func news(after sequence: Int, known: ChainHead? = nil, windows version: Int, limit: Int, bytes: Int) throws(StoreError)
        -> StoredNews?
    {
        let (trust, now) = (scheduleTrust, configuration.now())
        return try read("Reading what is new") { db in
            if let known, try Self.readableHead(at: known.sequence, in: db) != known {
                throw StoreError(.corrupt, "The database does not have change \(known.sequence) as it was")
            }
            let last = try ChainStore.head(of: .changes, in: db).sequence
            let lastWindow = try db.cachedStatement(sql: "SELECT coalesce(max(version), 0) FROM windows").value(Int.self) ?? 0
            guard last > sequence || lastWindow > version else { return nil }
            let apps = try ChangeRows.apps(touchedAfter: sequence, in: db)
            if let fault = try StateCheck.firstDoubt(in: db, of: apps) { throw StoreError(.corrupt, "\(fault)") }
            let page = try Self.changes(ChangeQuery(after: sequence, limit: limit), bytes: bytes, in: db)
            return StoredNews(
                changes: page.changes.reversed(),
                last: try Self.readableHead(at: last, in: db),
                apps: apps,
                state: try StateLoader.load(from: db, of: apps),
                schedule: try Self.schedule(in: db, trust, at: now, failedAfter: version)
            )
        }
    }
}
