import GRDB
import GateModel

extension Store {
    /// Everything that is in force.
    /// - Throws: ``StoreError/Code/corrupt`` also when a gate is not the one that the history says: what is read here is what phones obey.
    package func loadState() throws(StoreError) -> StoredState {
        try read("Reading the apps") { db in
            if let fault = try StateCheck.firstDoubt(in: db) { throw StoreError(.corrupt, "\(fault)") }
            var targets: [AppKey: [PlatformKey: Target]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT * FROM targets") {
                let target = try Self.target(row)
                targets[target.key.app, default: [:]][target.key.platform] = target
            }
            let apps = try Row.fetchAll(db, sql: "SELECT key, name, aliases FROM apps ORDER BY key").map { row in
                guard let key = AppKey(try row.stored("key") as String) else {
                    throw StoreError(.corrupt, "A stored key has a form that no key has")
                }
                let aliases = try JSONReader.read(row.stored("aliases") as String, limits: .own).array ?? []
                return App(
                    key: key,
                    name: try row.stored("name"),
                    aliases: try aliases.map { try Alias(stored: $0) },
                    platforms: targets[key] ?? [:]
                )
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

    private static func target(_ row: Row) throws -> Target {
        let key = try ChangeRows.target(row)
        guard let settings = try ChangeRows.settings(row.stored("settings"), platform: key.platform) else {
            throw StoreError(.corrupt, "\(key) has no settings")
        }
        return Target(
            key: key,
            settings: settings,
            gate: try ChangeRows.gate(row.stored("gate")),
            revision: try row.stored("revision"),
            sequence: try row.stored("sequence"),
            since: try row.storedTime("since"),
            changedAt: try row.storedTime("changed_at")
        )
    }
}
