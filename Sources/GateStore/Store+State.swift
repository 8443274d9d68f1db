import GateJSON
import GateModel

extension Store {
    /// Everything that is in force. An app that cannot be read is sealed: it is told apart and keeps the others from nothing.
    /// - Throws: ``StoreError/Code/corrupt`` when a gate is not the one that the history says: what is read here is what phones obey.
    package func loadState() throws(StoreError) -> StoredState {
        try read("Reading the apps") { db in
            if let fault = try StateCheck.firstDoubt(in: db) { throw StoreError(.corrupt, "\(fault)") }
            return try StateLoader.load(from: db)
        }
    }

    /// What was committed after a change, whoever did it, as of one moment; nil when nothing was.
    /// - Parameters:
    ///   - sequence: of the last change that is known.
    ///   - version: of the last write of a window that is known.
    ///   - limit: of changes.
    ///   - bytes: of their documents; the newest change comes however large it is.
    /// - Throws: as ``loadState()``.
    package func news(after sequence: Int, windows version: Int, limit: Int, bytes: Int) throws(StoreError) -> StoredNews? {
        let trust = scheduleTrust
        return try read("Reading what is new") { db in
            let last = try ChainStore.head(of: .changes, in: db).sequence
            let lastWindow = try db.cachedStatement(sql: "SELECT coalesce(max(version), 0) FROM windows").value(Int.self) ?? 0
            guard last > sequence || lastWindow > version else { return nil }
            let apps = try ChangeRows.apps(touchedAfter: sequence, in: db)
            if let fault = try StateCheck.firstDoubt(in: db, of: apps) { throw StoreError(.corrupt, "\(fault)") }
            let page = try Self.changes(ChangeQuery(after: sequence, limit: limit), bytes: bytes, in: db)
            return StoredNews(
                changes: page.changes.reversed(),
                apps: apps,
                state: try StateLoader.load(from: db, of: apps),
                schedule: try Self.schedule(in: db, trust)
            )
        }
    }
}
