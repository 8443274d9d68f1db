import GRDB

/// Opens the connections of a store, each with its settings set and read back.
enum Connection {
    /// The one connection that writes and checkpoints.
    static func writer(_ configuration: StoreConfiguration) throws -> DatabaseQueue {
        let queue = try DatabaseQueue(path: configuration.databasePath, configuration: settings(configuration, label: "gatehouse.writer"))
        try settle(queue, Pragma.writer(configuration), afterwards: configuration.afterPragmas)
        return queue
    }

    /// A connection that cannot write: SQLite opens the file with `SQLITE_OPEN_READONLY`.
    static func reader(_ configuration: StoreConfiguration) throws -> DatabaseQueue {
        var settings = settings(configuration, label: "gatehouse.reader")
        settings.readonly = true
        let queue = try DatabaseQueue(path: configuration.databasePath, configuration: settings)
        try settle(queue, Pragma.reader(configuration), afterwards: configuration.afterPragmas)
        return queue
    }

    /// A connection for looking at a database that may be damaged or half-migrated: read-only, in whatever journal mode it is.
    static func inspector(_ configuration: StoreConfiguration) throws -> DatabaseQueue {
        var settings = settings(configuration, label: "gatehouse.inspector")
        settings.readonly = true
        let queue = try DatabaseQueue(path: configuration.databasePath, configuration: settings)
        try settle(queue, Pragma.inspector(configuration), afterwards: [])
        return queue
    }

    /// A connection to a copy of a database that nobody else knows of: to write it, or to look at it. It stays one file.
    static func copy(_ path: String, isReadOnly: Bool = false) throws -> DatabaseQueue {
        var settings = settings(StoreConfiguration(directory: "", migrations: ""), label: "gatehouse.copy")
        settings.readonly = isReadOnly
        let queue = try DatabaseQueue(path: path, configuration: settings)
        try settle(queue, Pragma.copy, afterwards: [])
        return queue
    }

    private static func settings(_ configuration: StoreConfiguration, label: String) -> Configuration {
        var settings = Configuration()
        settings.busyMode = .timeout(configuration.busyTimeout)
        settings.label = label
        // GRDB else ends the process, and the feeds with it, when a failing disk keeps a transaction from being rolled back.
        settings.allowsUnsafeTransactions = true
        // What was written with double quotes is a name, never a text by mistake.
        settings.acceptsDoubleQuotedStringLiterals = false
        return settings
    }

    private static func settle(_ queue: DatabaseQueue, _ pragmas: [Pragma], afterwards: [String]) throws {
        try queue.writeWithoutTransaction { db in
            for pragma in pragmas { try pragma.apply(to: db) }
            for sql in afterwards { try db.execute(sql: sql) }
            for pragma in pragmas { try pragma.check(in: db) }
        }
    }
}
