import GRDB
import GateModel

/// Reads everything that is in force, app by app: one that cannot be read is sealed, and keeps no other from being served.
struct StateLoader {
    private let db: Database
    private var documents = DocumentReader()
    private var targets: [AppKey: [PlatformKey: Target]] = [:]
    private var broken: Set<AppKey> = []
    private var faults: [StoreFault] = []

    private init(_ db: Database) { self.db = db }

    /// - Throws: SQLite's own errors.
    static func load(from db: Database) throws -> StoredState {
        var loader = StateLoader(db)
        return try loader.state()
    }

    private mutating func state() throws -> StoredState {
        for row in try Row.fetchAll(db, sql: "SELECT * FROM targets ORDER BY app, platform") { try read(target: row) }
        var apps: [App] = []
        var sealed: [SealedApp] = []
        for row in try Row.fetchAll(db, sql: "SELECT key, name, aliases FROM apps ORDER BY key") { try read(app: row, &apps, &sealed) }
        var retired: [TargetKey: Int] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT app, platform, revision FROM retired_targets ORDER BY app, platform") {
            try Salvage.read { retired[try ChangeRows.target(row)] = try row.stored("revision") as Int } or: { note($0, "retired_targets", row, "app", "platform") }
        }
        return StoredState(
            apps: apps,
            lastSequence: try Int.fetchOne(db, sql: "SELECT coalesce(max(sequence), 0) FROM changes") ?? 0,
            retired: retired,
            sealed: sealed,
            unreadable: faults
        )
    }

    private mutating func read(target row: Row) throws {
        do {
            let target = try TargetRows.target(row, &documents)
            targets[target.key.app, default: [:]][target.key.platform] = target
        } catch let error as DatabaseError {
            throw error
        } catch {
            note(error, "targets", row, "app", "platform")
            // A row whose app has no key of an app belongs to an app that has none either, and is noted by that one's row.
            if let app = (try? row.stored("app") as String).flatMap(AppKey.init(_:)) { broken.insert(app) }
        }
    }

    private mutating func read(app row: Row, _ apps: inout [App], _ sealed: inout [SealedApp]) throws {
        do {
            var app = try TargetRows.app(row)
            app.platforms = targets[app.key] ?? [:]
            if broken.contains(app.key) { sealed.append(SealedApp(key: app.key, aliases: app.aliases)) } else { apps.append(app) }
        } catch let error as DatabaseError {
            throw error
        } catch {
            note(error, "apps", row, "key")
            // What has no key of an app was never served.
            if let key = (try? row.stored("key") as String).flatMap(AppKey.init(_:)) { sealed.append(SealedApp(key: key, aliases: [])) }
        }
    }

    private mutating func note(_ error: any Error, _ table: String, _ row: Row, _ columns: String...) {
        // A key that is none names no row.
        let names = columns.compactMap { try? row.stored($0) as String }
        faults.append(.unreadable(table, row: names.joined(separator: "/"), Salvage.fault(error, "a value of it")))
    }
}
