import GateJSON
import GateModel

/// Feeds of own shapes as rows, and back.
enum OwnFeedRows {
    static func feed(_ row: SQLRow) throws -> (app: AppKey, feed: OwnFeed) {
        guard let app = AppKey(try row.stored("app") as String) else {
            throw StoreError(.corrupt, "A stored key has a form that no key has")
        }
        let feed = try OwnFeed(json: JSONReader.read(row.stored("document") as String, limits: .own))
        guard try row.stored("name") == feed.name.text else { throw StoreError(.corrupt, "A stored feed has another name than its row") }
        return (app, feed)
    }

    static func write(_ edit: OwnFeedEdit, to db: SQLConnection) throws {
        let key: SQLArguments = [edit.app.text, edit.name.text]
        guard let feed = edit.feed else {
            return try db.cachedStatement(sql: "DELETE FROM own_feeds WHERE app = ? AND name = ?").execute(arguments: key)
        }
        try db.cachedStatement(
            sql: """
                INSERT INTO own_feeds (app, name, document) VALUES (?, ?, ?)
                ON CONFLICT (app, name) DO UPDATE SET document = excluded.document
                """
        ).execute(arguments: key + [feed.json.text])
    }

    /// Reads back what this transaction wrote.
    static func check(_ edit: OwnFeedEdit, in db: SQLConnection) throws {
        guard let feed = edit.feed else { return }
        let row = try db.cachedStatement(sql: "SELECT app, name, document FROM own_feeds WHERE app = ? AND name = ?").row(arguments: [
            edit.app.text, edit.name.text,
        ])
        try ReadBack.check("The feed \(edit.name) of \(edit.app)", feed) { try row.map { try Self.feed($0).feed } }
    }
}
