/// What SQLite tells of the tables, indexes and triggers that a database has.
extension SQLConnection {
    /// Whether there is none at all.
    var isEmpty: Bool {
        get throws { try value(Int.self, sql: "SELECT count(*) FROM sqlite_schema") == 0 }
    }

    /// SQL by kind and name: `trigger changes_are_gapless`. Tables that SQLite makes for itself come with those that need them.
    var objects: [String: String] {
        get throws {
            let rows = try rows(
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
    }

    /// The names of the tables, SQLite's own among them.
    var tables: [String] {
        get throws { try values(String.self, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") }
    }

    /// The schema's cookie, which every statement moves that makes, alters or removes a table, index or trigger.
    var schemaCookie: Int {
        get throws { try cachedStatement(sql: "PRAGMA schema_version").value(Int.self) ?? 0 }
    }
}
