import GateJSON
import GateModel

/// The current apps and targets as rows, and back.
enum TargetRows {
    static func target(_ row: SQLRow, _ documents: inout DocumentReader) throws -> Target {
        let key = try ChangeRows.target(row)
        guard let settings = try documents.settings(row.stored("settings"), platform: key.platform) else {
            throw StoreError(.corrupt, "\(key) has no settings")
        }
        return Target(
            key: key,
            settings: settings,
            gate: try documents.gate(row.stored("gate")),
            revision: try row.stored("revision"),
            sequence: try row.stored("sequence"),
            since: try row.storedTime("since"),
            changedAt: try row.storedTime("changed_at")
        )
    }

    /// The app without its platforms, which have rows of their own.
    static func app(_ row: SQLRow) throws -> App {
        guard let key = AppKey(try row.stored("key") as String) else {
            throw StoreError(.corrupt, "A stored key has a form that no key has")
        }
        guard let aliases = try JSONReader.read(row.stored("aliases") as String, limits: .own).array else {
            throw StoreError(.corrupt, "The stored aliases of \(key) are no list")
        }
        return App(key: key, name: try row.stored("name"), aliases: try aliases.map { try Alias(stored: $0) })
    }

    /// Reads back an app that this transaction wrote.
    static func check(_ app: App, in db: SQLConnection) throws {
        let row = try db.cachedStatement(sql: "SELECT key, name, aliases FROM apps WHERE key = ?").row(arguments: [app.key.text])
        try ReadBack.check("The app \(app.key)", App(key: app.key, name: app.name, aliases: app.aliases)) { try row.map(Self.app) }
    }
}
