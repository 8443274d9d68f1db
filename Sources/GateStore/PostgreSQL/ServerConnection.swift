import Foundation

/// Opens the connections of a store whose database is in PostgreSQL, and checks the settings of every new session.
enum ServerConnection {
    /// For what goes through all data: migrations, `gatehouse verify`.
    static let longPatience: TimeInterval = 3_600

    /// The one connection of this server that writes. Other servers have their own; ``PostgresSession/writersLock`` keeps them apart.
    /// - Parameter prepare: prepares each new session further, before it is lent to anybody.
    static func writer(
        _ configuration: StoreConfiguration,
        _ server: DatabaseServer,
        patience: TimeInterval? = nil,
        prepare: @escaping @Sendable (SQLConnection) throws -> Void
    ) throws -> SQLQueue {
        let pragmas = configuration.afterPragmas
        return try open(configuration, server, patience) { db in
            try settle(db, afterwards: pragmas)
            try prepare(db)
        }
    }

    /// A connection that cannot write.
    static func reader(_ configuration: StoreConfiguration, _ server: DatabaseServer, patience: TimeInterval? = nil) throws -> SQLQueue {
        let pragmas = configuration.afterPragmas
        return try open(configuration, server, patience) { db in
            try settle(db, afterwards: pragmas)
            try db.execute(sql: "SET default_transaction_read_only = on")
        }
    }

    private static func open(
        _ configuration: StoreConfiguration,
        _ server: DatabaseServer,
        _ patience: TimeInterval?,
        settle: @escaping @Sendable (SQLConnection) throws -> Void
    ) throws -> SQLQueue {
        var place = SQLQueue.Server(address: server.address, busyTimeout: configuration.busyTimeout)
        place.patience = patience
        place.settle = settle
        return try SQLQueue(place)
    }

    private static func settle(_ db: SQLConnection, afterwards: [String]) throws {
        for setting in ServerSetting.all { try setting.settle(in: db) }
        for sql in afterwards { try db.execute(sql: sql) }
        for setting in ServerSetting.all { try setting.check(in: db) }
    }
}
