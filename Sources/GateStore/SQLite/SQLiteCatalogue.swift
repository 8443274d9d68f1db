/// What SQLite tells of the tables, indexes and triggers that a database has.
enum SQLiteCatalogue {
    static func isEmpty(_ db: SQLConnection) throws -> Bool { try db.value(Int.self, sql: "SELECT count(*) FROM sqlite_schema") == 0 }

    /// SQL by kind and name. Tables that SQLite makes for itself come with those that need them.
    static func objects(_ db: SQLConnection) throws -> [String: String] {
        let rows = try db.rows(
            sql: "SELECT type, name, coalesce(sql, '') AS sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"
        )
        var objects: [String: String] = [:]
        for row in rows {
            let kind: String = try row.stored("type")
            let name: String = try row.stored("name")
            objects["\(kind) \(name)"] = try row.stored("sql") as String
        }
        return objects
    }

    /// The names of the tables, SQLite's own among them.
    static func tables(_ db: SQLConnection) throws -> [String] {
        try db.values(String.self, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    }

    /// The schema's cookie, which every statement moves that makes, alters or removes a table, index or trigger.
    static func cookie(_ db: SQLConnection) throws -> Int {
        try db.cachedStatement(sql: "PRAGMA schema_version").value(Int.self) ?? 0
    }
}
