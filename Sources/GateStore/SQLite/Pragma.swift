/// A setting of a connection that is set and then read back: SQLite ignores what it does not know, and falls back silently.
struct Pragma {
    let name: String
    /// The value to set; nil for a setting that is only checked.
    let setting: String?
    /// The value that reading it back must give.
    let expected: String

    init(_ name: String, set setting: String?, expect expected: String) {
        self.name = name
        self.setting = setting
        self.expected = expected
    }

    /// The settings of the one connection that writes. In this order: `busy_timeout` first, because `journal_mode` takes a lock.
    static func writer(_ configuration: StoreConfiguration) -> [Pragma] {
        let wal = configuration.journal == .wal
        return [
            busyTimeout(configuration),
            Pragma("journal_mode", set: configuration.journal.rawValue, expect: configuration.journal.rawValue),
            // In WAL mode FULL makes every commit an fsync of the log; the rollback journal needs EXTRA, which also syncs its folder.
            Pragma("synchronous", set: wal ? "FULL" : "EXTRA", expect: wal ? "2" : "3"),
            Pragma("foreign_keys", set: "ON", expect: "1"),
            // Makes INSERT OR REPLACE fire the triggers that refuse deletes.
            Pragma("recursive_triggers", set: "ON", expect: "1"),
            // Housekeeping checkpoints long before that; a commit that has to do it delays its caller, and everybody queued behind, twice
            // as long.
            Pragma("wal_autocheckpoint", set: "8192", expect: "8192"),
            // 16 MiB: as much as a change of a thousand targets alters. With SQLite's default of 2 MiB it is spilled to the log and read
            // again from there.
            Pragma("cache_size", set: "-16384", expect: "-16384"),
            Pragma("journal_size_limit", set: "67108864", expect: "67108864"),
        ] + common
    }

    /// The settings of the connection that reads: opened read-only, and it never checkpoints.
    static func reader(_ configuration: StoreConfiguration) -> [Pragma] {
        // WAL mode is recorded in the database file; each of the other modes is known only to the connection that set it.
        let journal = configuration.journal
        return [Pragma("journal_mode", set: journal == .wal ? nil : journal.rawValue, expect: journal.rawValue)] + inspector(configuration)
    }

    /// The settings of a connection that looks at a database which may be in any state.
    static func inspector(_ configuration: StoreConfiguration) -> [Pragma] {
        [
            busyTimeout(configuration),
            Pragma("wal_autocheckpoint", set: "0", expect: "0"),
            Pragma("query_only", set: "ON", expect: "1"),
        ] + common
    }

    /// The settings of a connection to a copy of a database. Whoever writes the copy syncs the finished file; until then it is worth
    /// nothing.
    static let copy = [Pragma("synchronous", set: "OFF", expect: "0")] + common

    private static func busyTimeout(_ configuration: StoreConfiguration) -> Pragma {
        let milliseconds = String(configuration.busyMilliseconds)
        return Pragma("busy_timeout", set: milliseconds, expect: milliseconds)
    }

    private static let common = [
        // The schema of a file that somebody else made must not call functions of ours.
        Pragma("trusted_schema", set: "OFF", expect: "0"),
        Pragma("cell_size_check", set: "ON", expect: "1"),
        Pragma("temp_store", set: "MEMORY", expect: "2"),
        // A disk error under a memory map is a signal that ends the process, not an error code.
        Pragma("mmap_size", set: "0", expect: "0"),
        Pragma("locking_mode", set: "NORMAL", expect: "normal"),
        Pragma("encoding", set: nil, expect: "UTF-8"),
    ]

    func apply(to db: SQLConnection) throws {
        if let setting { try db.execute(sql: "PRAGMA \(name) = \(setting)") }
    }

    /// - Throws: ``StoreError/Code/pragma``, naming the setting.
    func check(in db: SQLConnection) throws {
        // A word or a number, depending on the setting.
        let value = try db.value(SQLValue.self, sql: "PRAGMA \(name)")?.bytes.map { String(decoding: $0, as: UTF8.self) }
        // Without memory maps compiled in, mmap_size answers nothing at all.
        guard value == expected || (name == "mmap_size" && value == nil) else {
            throw StoreError(.pragma, "SQLite's \(name) is \(value ?? "unknown") where \(expected) is needed")
        }
    }
}
