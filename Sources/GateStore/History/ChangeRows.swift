import GateJSON
import GateModel

/// A change as rows of `changes` and `change_targets`, and back.
enum ChangeRows {
    /// - Parameters:
    ///   - apps: the apps whose names and aliases the change alters; nil for an app that it deletes.
    ///   - ownFeeds: its edits to the own feeds of the apps that stay.
    static func row(of change: Change, apps: [AppKey: App?], ownFeeds: [OwnFeedEdit] = []) -> HistoryRow {
        HistoryRow(
            table: .changes,
            values: [
                .integer(Int64(change.sequence)), .integer(change.at.milliseconds), .text(change.actor.kind.rawValue),
                .text(change.actor.name),
                .text(change.source.rawValue), .text(change.kind.rawValue), SQLValue(change.reason), .text(change.requestId),
                SQLValue(change.app?.text), .integer(Int64(change.targets.count)),
                SQLValue(apps.isEmpty ? nil : facts(apps, ownFeeds).text),
                SQLValue(change.actor.id), SQLValue(change.actor.user),
                change.kind == .restore ? .integer(Int64(change.skipped)) : .null,
            ]
        )
    }

    static func rows(of targets: [ChangedTarget], sequence: Int) -> [HistoryRow] {
        targets.enumerated().map { position, target in
            HistoryRow(
                table: .changeTargets,
                values: [
                    .integer(Int64(sequence)), .integer(Int64(position)), .text(target.target.app.text),
                    .text(target.target.platform.text),
                    .integer(Int64(target.previous)), .integer(Int64(target.revision)), .text(target.before.json.text),
                    .text(target.after.json.text),
                    SQLValue(target.settings.map { ($0.before?.json ?? .null).text }),
                    SQLValue(target.settings.map { ($0.after?.json ?? .null).text }),
                    .text(feeds(target.feeds).text),
                ]
            )
        }
    }

    /// The change of a row of `changes`, with its targets, as far as they are readable; see ``Change/fault``.
    /// - Throws: the engine's own, and for a row without a sequence.
    static func change(_ row: SQLRow, in db: SQLConnection, _ documents: inout DocumentReader) throws -> Change {
        let targets = try db.cachedStatement(sql: Self.targetsOfAChange).rows(arguments: [try row.stored("sequence") as Int])
        var salvage = Salvage()
        var found: [ChangedTarget] = []
        for row in targets {
            // A row whose target is unreadable cannot be shown.
            guard let key = salvage.take("app or platform", or: nil, { try target(row) }) else { continue }
            found.append(changedTarget(row, key, &documents))
        }
        return try change(row, targets: found, salvage: salvage)
    }

    static let targetsOfAChange = "SELECT * FROM change_targets WHERE sequence = ? ORDER BY position"

    /// - Parameter salvage: what could not be read of its targets.
    static func change(_ row: SQLRow, targets: [ChangedTarget], salvage: Salvage = Salvage()) throws -> Change {
        let sequence: Int = try row.stored("sequence")
        var salvage = salvage
        return Change(
            sequence: sequence,
            at: salvage.take("at", or: .unreadable) { try row.storedTime("at") },
            actor: salvage.take("actor", or: .unreadable) {
                Actor(
                    kind: try row.word("actor_kind", Actor.Kind.init(rawValue:)),
                    name: try row.stored("actor_name"),
                    id: try row.stored("actor_id"),
                    user: try row.stored("actor_user")
                )
            },
            source: salvage.take("source", or: .api) { try row.word("source", Change.Source.init(rawValue:)) },
            kind: salvage.take("kind", or: .set) { try row.word("kind", Change.Kind.init(rawValue:)) },
            reason: salvage.take("reason", or: nil) { try row.stored("reason") },
            requestId: salvage.take("request_id", or: "") { try row.stored("request_id") },
            app: salvage.take("app", or: nil) { try (row.storedIfAny("app") as String?).map { try key($0, AppKey.init(_:)) } },
            targets: targets,
            skipped: salvage.take("skipped", or: 0) { try row.storedIfAny("skipped") ?? 0 },
            fault: salvage.fault
        )
    }

    static func target(_ row: SQLRow) throws -> TargetKey {
        TargetKey(app: try key(row.stored("app"), AppKey.init(_:)), platform: try key(row.stored("platform"), PlatformKey.init(_:)))
    }

    private static func key<Key>(_ text: String, _ make: (String) -> Key?) throws -> Key {
        guard let key = make(text) else { throw StoreError(.corrupt, "A stored key has a form that no key has") }
        return key
    }

    static func changedTarget(_ row: SQLRow, _ target: TargetKey, _ documents: inout DocumentReader) -> ChangedTarget {
        var salvage = Salvage()
        let before = salvage.take("before", or: nil) { try documents.gate(row.stored("before")) }
        let after = salvage.take("after", or: nil) { try documents.gate(row.stored("after")) }
        let settings = salvage.take("settings", or: nil) { () throws -> SettingsChange? in
            guard let before = try row.storedIfAny("settings_before") as String?,
                let after = try row.storedIfAny("settings_after") as String?
            else { return nil }
            return SettingsChange(
                before: try documents.settings(before, platform: target.platform),
                after: try documents.settings(after, platform: target.platform)
            )
        }
        // Half of a difference would describe something that never happened.
        let isWhole = before != nil && after != nil
        return ChangedTarget(
            target: target,
            previous: salvage.take("previous", or: 0) { try row.stored("previous") },
            revision: salvage.take("revision", or: 1) { try row.stored("revision") },
            before: isWhole ? before ?? .open : .open,
            after: isWhole ? after ?? .open : .open,
            settings: settings,
            feeds: salvage.take("feeds", or: [:]) { try feeds(row.stored("feeds")) },
            fault: salvage.fault
        )
    }

    private static func feeds(_ text: String) throws -> [FeedName: String] {
        var feeds: [FeedName: String] = [:]
        for (name, hash) in try JSONReader.read(text, limits: .own).object?.members ?? [] {
            if let name = FeedName(rawValue: name) { feeds[name] = hash.string }
        }
        return feeds
    }

    /// Every app touched by a change after that sequence, through its targets or as a whole.
    static func apps(touchedAfter sequence: Int, in db: SQLConnection) throws -> Set<AppKey> {
        let named =
            "SELECT app FROM change_targets WHERE sequence > :after UNION SELECT app FROM changes WHERE sequence > :after AND app IS NOT NULL"
        var apps = Set(
            try db.cachedStatement(sql: named).values(String.self, arguments: ["after": sequence]).map { try key($0, AppKey.init(_:)) }
        )
        let facts = "SELECT apps_after FROM changes WHERE sequence > ? AND apps_after IS NOT NULL"
        for text in try db.cachedStatement(sql: facts).values(String.self, arguments: [sequence]) {
            for (name, _) in try JSONReader.read(text, limits: .own).object?.members ?? [] { apps.insert(try key(name, AppKey.init(_:))) }
        }
        return apps
    }

    /// Checks that the record of apps' names and aliases can be read, which no list shows.
    static func checkFacts(_ row: SQLRow) throws {
        guard let text = try row.storedIfAny("apps_after") as String? else { return }
        guard let apps = try JSONReader.read(text, limits: .own).object else {
            throw StoreError(.corrupt, "apps_after is no document of apps")
        }
        for (name, json) in apps.members where !json.isNull {
            guard AppKey(name) != nil, let app = json.object, app["name"]?.string != nil, let aliases = app["aliases"]?.array else {
                throw StoreError(.corrupt, "apps_after holds something that is no app")
            }
            for alias in aliases { _ = try Alias(stored: alias) }
            for (name, feed) in app["ownFeeds"]?.object?.members ?? [] where !feed.isNull {
                guard try OwnFeed(json: feed).name.text == name else { throw StoreError(.corrupt, "apps_after names a feed twice") }
            }
        }
    }

    private static func facts(_ apps: [AppKey: App?], _ ownFeeds: [OwnFeedEdit]) -> JSONValue {
        let edits = Dictionary(grouping: ownFeeds, by: \.app)
        return .object(
            JSONObject(
                uniqueMembers: apps.sorted { $0.key < $1.key }.map { key, app in
                    guard let app else { return (key.text, .null) }
                    var facts: JSONObject = ["name": .string(app.name), "aliases": .array(app.aliases.map(\.json))]
                    if let edits = edits[key] {
                        facts["ownFeeds"] = .object(JSONObject(uniqueMembers: edits.map { ($0.name.text, $0.feed?.json ?? .null) }))
                    }
                    return (key.text, .object(facts))
                }
            )
        )
    }

    private static func feeds(_ hashes: [FeedName: String]) -> JSONValue {
        var object = JSONObject()
        for name in FeedName.allCases { object[name.rawValue] = hashes[name].map(JSONValue.string) }
        return .object(object)
    }
}
