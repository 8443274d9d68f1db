import GRDB
import GateJSON
import GateModel

/// A change as rows of `changes` and `change_targets`, and back.
enum ChangeRows {
    /// - Parameter apps: names and aliases that the change alters, nil for an app that it deletes.
    static func rows(of change: Change, apps: [AppKey: App?]) -> (change: HistoryRow, targets: [HistoryRow]) {
        let row = HistoryRow(
            table: .changes,
            values: [
                .integer(Int64(change.sequence)), .integer(change.at.milliseconds), .text(change.actor.kind.rawValue),
                .text(change.actor.name),
                .text(change.source.rawValue), .text(change.kind.rawValue), ColumnValue(change.reason), .text(change.requestId),
                ColumnValue(change.app?.text), .integer(Int64(change.targets.count)), ColumnValue(apps.isEmpty ? nil : facts(apps).text),
                ColumnValue(change.actor.id), ColumnValue(change.actor.user),
            ]
        )
        let targets = change.targets.enumerated().map { position, target in
            HistoryRow(
                table: .changeTargets,
                values: [
                    .integer(Int64(change.sequence)), .integer(Int64(position)), .text(target.target.app.text),
                    .text(target.target.platform.text),
                    .integer(Int64(target.previous)), .integer(Int64(target.revision)), .text(target.before.json.text),
                    .text(target.after.json.text),
                    ColumnValue(target.settings.map { ($0.before?.json ?? .null).text }),
                    ColumnValue(target.settings.map { ($0.after?.json ?? .null).text }),
                    .text(feeds(target.feeds).text),
                ]
            )
        }
        return (row, targets)
    }

    /// The change of a row of `changes`, with its targets.
    static func change(_ row: Row, in db: Database, _ documents: inout DocumentReader) throws -> Change {
        let sequence: Int = try row.stored("sequence")
        let targets = try Row.fetchAll(
            db.cachedStatement(sql: "SELECT * FROM change_targets WHERE sequence = ? ORDER BY position"),
            arguments: [sequence]
        )
        func named<Value>(_ column: String, _ make: (String) -> Value?) throws -> Value {
            let text: String = try row.stored(column)
            guard let value = make(text) else {
                throw StoreError(.corrupt, "changes row \(sequence): \(column) has a value that this gatehouse does not know")
            }
            return value
        }
        return Change(
            sequence: sequence,
            at: try row.storedTime("at"),
            actor: Actor(
                kind: try named("actor_kind", Actor.Kind.init(rawValue:)),
                name: try row.stored("actor_name"),
                id: try row.stored("actor_id"),
                user: try row.stored("actor_user")
            ),
            source: try named("source", Change.Source.init(rawValue:)),
            kind: try named("kind", Change.Kind.init(rawValue:)),
            reason: try row.stored("reason"),
            requestId: try row.stored("request_id"),
            app: try (row.storedIfAny("app") as String?).map { try key($0, AppKey.init(_:)) },
            targets: try targets.map { try changedTarget($0, &documents) }
        )
    }

    /// The change with that sequence, or nil.
    static func change(sequence: Int, in db: Database, _ documents: inout DocumentReader) throws -> Change? {
        try Row.fetchOne(db.cachedStatement(sql: "SELECT * FROM changes WHERE sequence = ?"), arguments: [sequence]).map {
            try change($0, in: db, &documents)
        }
    }

    static func target(_ row: Row) throws -> TargetKey {
        TargetKey(app: try key(row.stored("app"), AppKey.init(_:)), platform: try key(row.stored("platform"), PlatformKey.init(_:)))
    }

    private static func key<Key>(_ text: String, _ make: (String) -> Key?) throws -> Key {
        guard let key = make(text) else { throw StoreError(.corrupt, "A stored key has a form that no key has") }
        return key
    }

    private static func changedTarget(_ row: Row, _ documents: inout DocumentReader) throws -> ChangedTarget {
        let target = try target(row)
        var settings: SettingsChange?
        if let before = try row.storedIfAny("settings_before") as String?, let after = try row.storedIfAny("settings_after") as String? {
            settings = SettingsChange(
                before: try documents.settings(before, platform: target.platform),
                after: try documents.settings(after, platform: target.platform)
            )
        }
        var feeds: [FeedName: String] = [:]
        for (name, hash) in try JSONReader.read(row.stored("feeds") as String, limits: .own).object?.members ?? [] {
            if let name = FeedName(rawValue: name) { feeds[name] = hash.string }
        }
        return ChangedTarget(
            target: target,
            previous: try row.stored("previous"),
            revision: try row.stored("revision"),
            before: try documents.gate(row.stored("before")),
            after: try documents.gate(row.stored("after")),
            settings: settings,
            feeds: feeds
        )
    }

    private static func facts(_ apps: [AppKey: App?]) -> JSONValue {
        var object = JSONObject()
        for (key, app) in apps.sorted(by: { $0.key < $1.key }) {
            object[key.text] = app.map { ["name": .string($0.name), "aliases": .array($0.aliases.map(\.json))] } ?? .null
        }
        return .object(object)
    }

    private static func feeds(_ hashes: [FeedName: String]) -> JSONValue {
        var object = JSONObject()
        for name in FeedName.allCases { object[name.rawValue] = hashes[name].map(JSONValue.string) }
        return .object(object)
    }
}
