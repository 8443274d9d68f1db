import Foundation
import GRDB
import PostgreSQL

/// One connection, lent to one caller at a time while the others wait. Any thread, but never from within its own closures.
///
/// Using it after ``close()`` ends the process, as SQLite then gets a null pointer. A queue to PostgreSQL throws
/// ``SQLError/Kind/connectionLost``.
///
/// A lost connection to PostgreSQL is opened again for the next caller. The caller who lost it gets ``SQLError/Kind/connectionLost`` for
/// all further statements, since only that caller knows what may be done twice.
final class SQLQueue: Sendable {
    private let engine: Engine

    private enum Engine {
        case sqlite(DatabaseQueue)
        case postgresql(PostgresQueue)
    }

    /// How a SQLite file is opened.
    struct File {
        let path: String
        /// The connection's name, for whoever inspects the process.
        let label: String
        /// How long to wait for somebody else's lock, in seconds.
        let busyTimeout: TimeInterval
        /// Opened with `SQLITE_OPEN_READONLY`.
        var isReadOnly = false
    }

    /// How a PostgreSQL database is reached.
    struct Server {
        let address: PostgresAddress
        /// How long to wait for somebody else's lock, in seconds; also for the lock that all of the database's writers share.
        let busyTimeout: TimeInterval
        /// How long a statement may run, in seconds; nil for ``PostgresOptions/statementTimeout``.
        var patience: TimeInterval?
        /// Called with each new session before it is lent to anybody: the first, and those that replace a lost one.
        var settle: @Sendable (SQLConnection) throws -> Void = { _ in }
    }

    /// - Throws: ``SQLError/Kind/unreachable`` when no connection can be made.
    init(_ server: Server) throws { engine = .postgresql(try PostgresQueue(server)) }

    init(_ file: File) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(file.busyTimeout)
        configuration.label = file.label
        configuration.readonly = file.isReadOnly
        // Otherwise GRDB ends the process, and the feeds with it, when a failing disk prevents a rollback.
        configuration.allowsUnsafeTransactions = true
        // Text in double quotes is always a name, never a string by mistake.
        configuration.acceptsDoubleQuotedStringLiterals = false
        engine = .sqlite(try SQLError.translating { try DatabaseQueue(path: file.path, configuration: configuration) })
    }

    private init(_ queue: DatabaseQueue) { engine = .sqlite(queue) }

    /// An empty SQLite database in memory that nobody else uses.
    static func inMemory() throws -> SQLQueue { SQLQueue(try SQLError.translating { try DatabaseQueue() }) }

    /// Lends the connection, outside any transaction. A transaction left open is rolled back at the end of the lending on PostgreSQL, and
    /// by the next caller on SQLite.
    func run<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        switch engine {
        case .sqlite(let queue): try queue.writeWithoutTransaction { try body(SQLConnection($0)) }
        case .postgresql(let queue): try queue.run { try body(SQLConnection($0)) }
        }
    }

    /// Lends the connection for one consistent state, in which nothing can be written.
    func read<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        switch engine {
        case .sqlite(let queue): try SQLError.translating { try queue.read { try body(SQLConnection($0)) } }
        case .postgresql(let queue):
            try queue.run { session in
                let connection = SQLConnection(session)
                return try connection.transaction(.reading) { try body(connection) }
            }
        }
    }

    func close() throws {
        switch engine {
        case .sqlite(let queue): try SQLError.translating { try queue.close() }
        case .postgresql(let queue): queue.close()
        }
    }

    /// Calls that have waited for PostgreSQL longer than `limit` get ``SQLError/Kind/connectionLost``. Does not wait itself.
    func endWait(longerThan limit: Duration) {
        switch engine {
        // SQLite only waits for the disk.
        case .sqlite: break
        case .postgresql(let queue): queue.endWait(longerThan: limit)
        }
    }

    /// Makes the statement that SQLite is running throw; does nothing when there is none. Does not wait.
    func interrupt() {
        switch engine {
        case .sqlite(let queue): queue.interrupt()
        // Statements there have a deadline.
        case .postgresql: break
        }
    }

    /// Releases memory that is only kept as a cache.
    func releaseMemory() {
        switch engine {
        case .sqlite(let queue): queue.releaseMemory()
        // The caches are the server's.
        case .postgresql: break
        }
    }

    /// SQLite's online backup: copies the database as it is, page by page, into another queue's database.
    /// - Precondition: both engines are SQLite.
    func backUp(to other: SQLQueue) throws {
        switch (engine, other.engine) {
        case (.sqlite(let source), .sqlite(let copy)): try SQLError.translating { try source.backup(to: copy) }
        default: preconditionFailure("PostgreSQL is backed up by its own means.")
        }
    }
}
