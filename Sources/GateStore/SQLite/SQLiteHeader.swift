/// The two numbers in a SQLite file's header that are the program's own. Both are part of a transaction, and take no bound value.
struct SQLiteHeader {
    /// Whose file it is; 0 where nobody said so.
    let applicationID: Int
    /// The number of the schema.
    let userVersion: Int

    init(_ db: SQLConnection) throws {
        applicationID = try db.value(Int.self, sql: "PRAGMA application_id") ?? 0
        userVersion = try db.value(Int.self, sql: "PRAGMA user_version") ?? 0
    }

    static func set(applicationID: Int, userVersion: Int, in db: SQLConnection) throws {
        try db.execute(sql: "PRAGMA application_id = \(applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(userVersion)")
    }
}
