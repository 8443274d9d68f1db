import GRDB
import GateJSON
import GateModel

extension Store {
    /// Everything that is in force.
    /// - Throws: ``StoreError/Code/corrupt`` also when a gate is not the one that the history says: what is read here is what phones obey.
    package func loadState() throws(StoreError) -> StoredState {
        try read("Reading the apps") { db in
            if let fault = try StateCheck.firstDoubt(in: db) { throw StoreError(.corrupt, "\(fault)") }
            var targets: [AppKey: [PlatformKey: Target]] = [:]
            var documents = DocumentReader()
            for row in try Row.fetchAll(db, sql: "SELECT * FROM targets") {
                let target = try TargetRows.target(row, &documents)
                targets[target.key.app, default: [:]][target.key.platform] = target
            }
            let apps = try Row.fetchAll(db, sql: "SELECT key, name, aliases FROM apps ORDER BY key").map { row in
                var app = try TargetRows.app(row)
                app.platforms = targets[app.key] ?? [:]
                return app
            }
            var retired: [TargetKey: Int] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT app, platform, revision FROM retired_targets") {
                retired[try ChangeRows.target(row)] = try row.stored("revision") as Int
            }
            return StoredState(
                apps: apps,
                lastSequence: try Int.fetchOne(db, sql: "SELECT coalesce(max(sequence), 0) FROM changes") ?? 0,
                retired: retired
            )
        }
    }
}
