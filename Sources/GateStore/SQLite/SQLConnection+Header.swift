/// The two numbers in a SQLite file's header that are the program's own. Both are part of a transaction, and take no bound value.
extension SQLConnection {
    /// Whose file it is; 0 where nobody said so.
    var applicationID: Int {
        get throws { try value(Int.self, sql: "PRAGMA application_id") ?? 0 }
    }

    /// The number of the schema.
    var userVersion: Int {
        get throws { try value(Int.self, sql: "PRAGMA user_version") ?? 0 }
    }

    func setHeader(applicationID: Int, userVersion: Int) throws {
        try execute(sql: "PRAGMA application_id = \(applicationID)")
        try execute(sql: "PRAGMA user_version = \(userVersion)")
    }
}
