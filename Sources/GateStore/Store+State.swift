import GRDB
import GateModel

extension Store {
    /// Everything that is in force.
    package func loadState() throws(StoreError) -> StoredState {
        try read("Reading the apps") { db in
            var targets: [AppKey: [PlatformKey: Target]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT * FROM targets") {
                let target = try Self.target(row)
                targets[target.key.app, default: [:]][target.key.platform] = target
            }
            let apps = try Row.fetchAll(db, sql: "SELECT key, name, aliases FROM apps ORDER BY key").map { row in
                guard let key = AppKey(row["key"] as String) else { throw StoreError(.corrupt, "A stored key has a form that no key has") }
                let aliases = try JSONReader.read(row["aliases"] as String, limits: .own).array ?? []
                return App(key: key, name: row["name"], aliases: try aliases.map { try Alias(json: $0) }, platforms: targets[key] ?? [:])
            }
            let retired = try Row.fetchAll(db, sql: "SELECT app, platform, revision FROM retired_targets").map { row in
                (try ChangeRows.target(row), row["revision"] as Int)
            }
            return StoredState(
                apps: apps,
                lastSequence: try Int.fetchOne(db, sql: "SELECT coalesce(max(sequence), 0) FROM changes") ?? 0,
                retired: Dictionary(uniqueKeysWithValues: retired)
            )
        }
    }

    private static func target(_ row: Row) throws -> Target {
        let key = try ChangeRows.target(row)
        guard let settings = try ChangeRows.settings(row["settings"], platform: key.platform) else { throw StoreError(.corrupt, "\(key) has no settings") }
        return Target(
            key: key,
            settings: settings,
            gate: try ChangeRows.gate(row["gate"]),
            revision: row["revision"],
            sequence: row["sequence"],
            since: Timestamp(milliseconds: row["since"]),
            changedAt: Timestamp(milliseconds: row["changed_at"])
        )
    }
}
