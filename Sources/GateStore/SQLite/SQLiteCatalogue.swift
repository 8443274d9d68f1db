/// The tables, indexes and triggers of a database, from SQLite's catalogue.
enum SQLiteCatalogue {
    static func isEmpty(_ db: SQLConnection) throws -> Bool { try db.value(Int.self, sql: "SELECT count(*) FROM sqlite_schema") == 0 }

    /// The SQL of each object, by kind and name. Tables that SQLite makes for itself are included, except statistics.
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

    /// The schema's cookie: every statement that creates, alters or drops a table, index or trigger changes it.
    static func cookie(_ db: SQLConnection) throws -> Int {
        try db.cachedStatement(sql: "PRAGMA schema_version").value(Int.self) ?? 0
    }
}
