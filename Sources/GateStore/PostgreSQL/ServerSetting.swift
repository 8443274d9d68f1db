/// A setting of a session with PostgreSQL that durability, or the meaning of what is stored, stands on: read back as SQLite's pragmas are.
struct ServerSetting {
    let name: String
    /// What is set where it is none of the accepted; nil for a setting that is only checked.
    let setting: String?
    /// What reading it back must give one of.
    let accepted: [String]

    /// In each session that a store uses.
    static let all = [
        // Hashes and signatures are over the bytes of texts.
        ServerSetting(name: "server_encoding", setting: nil, accepted: ["UTF8"]),
        ServerSetting(name: "client_encoding", setting: nil, accepted: ["UTF8"]),
        // Who turned it off takes the loss of what was acknowledged, and of the whole database, with the next loss of power.
        ServerSetting(name: "fsync", setting: nil, accepted: ["on"]),
        // remote_apply promises more, and whoever set it shall have it.
        ServerSetting(name: "synchronous_commit", setting: "on", accepted: ["on", "remote_apply"]),
    ]

    /// - Returns: what it is now.
    func settle(in db: SQLConnection) throws {
        if let setting, try !accepted.contains(value(in: db)) { try db.execute(sql: "SET \(name) = \(setting)") }
    }

    /// - Throws: ``StoreError/Code/pragma``, naming the setting.
    func check(in db: SQLConnection) throws {
        let value = try value(in: db)
        guard accepted.contains(value) else {
            throw StoreError(
                .pragma,
                "PostgreSQL's \(name) is \(value) where \(accepted.joined(separator: " or ")) is needed",
                hint: "Set \(name) in postgresql.conf, or use a database that has it."
            )
        }
    }

    private func value(in db: SQLConnection) throws -> String {
        try db.value(String.self, sql: "SELECT current_setting(?::text)", arguments: [name]) ?? "unknown"
    }
}
