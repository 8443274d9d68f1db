/// A setting of a PostgreSQL session that durability or the meaning of stored data depends on. It is read back, like SQLite's pragmas.
struct ServerSetting {
    let name: String
    /// The value to set if the present one is not accepted; nil for a setting that is only checked.
    let setting: String?
    /// The values that are accepted when it is read back.
    let accepted: [String]

    /// Checked in each session that a store uses.
    static let all = [
        // Hashes and signatures are computed over the bytes of texts.
        ServerSetting(name: "server_encoding", setting: nil, accepted: ["UTF8"]),
        ServerSetting(name: "client_encoding", setting: nil, accepted: ["UTF8"]),
        // With fsync off, a power cut can lose acknowledged changes or the whole database.
        ServerSetting(name: "fsync", setting: nil, accepted: ["on"]),
        // remote_apply promises more, and is kept where somebody has set it.
        ServerSetting(name: "synchronous_commit", setting: "on", accepted: ["on", "remote_apply"]),
    ]

    /// Sets it, unless the present value is accepted.
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
