/// The two numbers in an SQLite file's header that belong to the program. Both are transactional, and cannot be bound as parameters.
struct SQLiteHeader {
    /// Which program's file it is; 0 where none was set.
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
