import GateModel

/// Reads what is in force, app by app: an app that cannot be read is sealed, and does not keep the others from being served.
struct StateLoader {
    private let db: SQLConnection
    /// The apps to read; nil for all.
    private let only: Set<AppKey>?
    private var documents = DocumentReader()
    private var targets: [AppKey: [PlatformKey: Target]] = [:]
    private var ownFeeds: [AppKey: [OwnFeedName: OwnFeed]] = [:]
    private var broken: Set<AppKey> = []
    private var faults: [StoreFault] = []

    private init(_ db: SQLConnection, of only: Set<AppKey>?) { (self.db, self.only) = (db, only) }

    /// - Parameter only: the apps to read; nil for all.
    /// - Throws: the engine's own errors.
    static func load(from db: SQLConnection, of only: Set<AppKey>? = nil) throws -> StoredState {
        var loader = StateLoader(db, of: only)
        return try loader.state()
    }

    /// - Parameters:
    ///   - key: the column that names the app.
    ///   - order: the order of the rows.
    private func rows(_ columns: String, from table: String, app key: String = "app", order: String) throws -> [SQLRow] {
        let select = "SELECT \(columns) FROM \(table)"
        guard let only else { return try db.rows(sql: "\(select) ORDER BY \(order)") }
        let statement = try db.cachedStatement(sql: "\(select) WHERE \(key) = ? ORDER BY \(order)")
        return try only.sorted().flatMap { try statement.rows(arguments: [$0.text]) }
    }

    private mutating func state() throws -> StoredState {
        for row in try rows("*", from: "targets", order: "app, platform") { try read(target: row) }
        for row in try rows("app, name, document", from: "own_feeds", order: "app, name") { try read(ownFeed: row) }
        var apps: [App] = []
        var sealed: [SealedApp] = []
        for row in try rows("key, name, aliases", from: "apps", app: "key", order: "key") { try read(app: row, &apps, &sealed) }
        var retired: [TargetKey: Int] = [:]
        for row in try rows("app, platform, revision", from: "retired_targets", order: "app, platform") {
            try Salvage.read {
                retired[try ChangeRows.target(row)] = try row.stored("revision") as Int
            } or: {
                note($0, "retired_targets", row, "app", "platform")
            }
        }
        return StoredState(
            apps: apps,
            lastSequence: try db.value(Int.self, sql: "SELECT coalesce(max(sequence), 0) FROM changes") ?? 0,
            retired: retired,
            sealed: sealed,
            unreadable: faults
        )
    }

    private mutating func read(target row: SQLRow) throws {
        do {
            let target = try TargetRows.target(row, &documents)
            targets[target.key.app, default: [:]][target.key.platform] = target
        } catch let error as SQLError {
            throw error
        } catch {
            note(error, "targets", row, "app", "platform")
            // If the row's app is not a valid key, then neither is the key in that app's own row, whose fault is noted there.
            if let app = (try? row.stored("app") as String).flatMap(AppKey.init(_:)) { broken.insert(app) }
        }
    }

    private mutating func read(ownFeed row: SQLRow) throws {
        do {
            let (app, feed) = try OwnFeedRows.feed(row)
            ownFeeds[app, default: [:]][feed.name] = feed
        } catch let error as SQLError {
            throw error
        } catch {
            note(error, "own_feeds", row, "app", "name")
            // As with a target: an app with an unreadable feed is served as it was last published.
            if let app = (try? row.stored("app") as String).flatMap(AppKey.init(_:)) { broken.insert(app) }
        }
    }

    private mutating func read(app row: SQLRow, _ apps: inout [App], _ sealed: inout [SealedApp]) throws {
        do {
            var app = try TargetRows.app(row)
            app.platforms = targets[app.key] ?? [:]
            app.ownFeeds = ownFeeds[app.key] ?? [:]
            if broken.contains(app.key) { sealed.append(SealedApp(key: app.key, aliases: app.aliases)) } else { apps.append(app) }
        } catch let error as SQLError {
            throw error
        } catch {
            note(error, "apps", row, "key")
            // An app without a valid key was never served.
            if let key = (try? row.stored("key") as String).flatMap(AppKey.init(_:)) { sealed.append(SealedApp(key: key, aliases: [])) }
        }
    }

    private mutating func note(_ error: any Error, _ table: String, _ row: SQLRow, _ columns: String...) {
        // An unreadable key is left out of the row's name.
        let names = columns.compactMap { try? row.stored($0) as String }
        faults.append(.unreadable(table, row: names.joined(separator: "/"), Salvage.fault(error, "a value of it")))
    }
}
