/// Opens the connections of a store, each with its settings set and read back.
enum Connection {
    /// The one connection that writes and checkpoints.
    static func writer(_ configuration: StoreConfiguration) throws -> SQLQueue {
        let queue = try SQLQueue(file(configuration, label: "gatehouse.writer"))
        try settle(queue, Pragma.writer(configuration), afterwards: configuration.afterPragmas)
        return queue
    }

    /// A connection that cannot write: SQLite opens the file with `SQLITE_OPEN_READONLY`.
    static func reader(_ configuration: StoreConfiguration) throws -> SQLQueue {
        let queue = try SQLQueue(file(configuration, label: "gatehouse.reader", isReadOnly: true))
        try settle(queue, Pragma.reader(configuration), afterwards: configuration.afterPragmas)
        return queue
    }

    /// A connection for looking at a database that may be damaged or half-migrated: read-only, in whatever journal mode it is.
    static func inspector(_ configuration: StoreConfiguration) throws -> SQLQueue {
        let queue = try SQLQueue(file(configuration, label: "gatehouse.inspector", isReadOnly: true))
        try settle(queue, Pragma.inspector(configuration), afterwards: [])
        return queue
    }

    /// A connection to a copy of a database that nobody else knows about, to write it or to look at it. The copy stays a single file.
    static func copy(_ path: String, isReadOnly: Bool = false) throws -> SQLQueue {
        try SQLiteFiles.requireFiles(of: path)
        let busyTimeout = StoreConfiguration(directory: "", migrations: "").busyTimeout
        let queue = try SQLQueue(SQLQueue.File(path: path, label: "gatehouse.copy", busyTimeout: busyTimeout, isReadOnly: isReadOnly))
        try settle(queue, Pragma.copy, afterwards: [])
        return queue
    }

    private static func file(
        _ configuration: StoreConfiguration,
        label: String,
        isReadOnly: Bool = false
    ) throws(StoreError) -> SQLQueue.File {
        try SQLiteFiles.requireFiles(of: configuration.databasePath)
        return SQLQueue.File(path: configuration.databasePath, label: label, busyTimeout: configuration.busyTimeout, isReadOnly: isReadOnly)
    }

    private static func settle(_ queue: SQLQueue, _ pragmas: [Pragma], afterwards: [String]) throws {
        try queue.run { db in
            for pragma in pragmas { try pragma.apply(to: db) }
            for sql in afterwards { try db.execute(sql: sql) }
            for pragma in pragmas { try pragma.check(in: db) }
        }
    }
}
