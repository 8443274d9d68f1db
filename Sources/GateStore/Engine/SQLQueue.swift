import Foundation
import GRDB
import PostgreSQL

/// One connection, lent to one caller at a time: whoever comes meanwhile waits. Any thread; never from within its own closures.
///
/// Whoever uses it after ``close()`` ends the process: SQLite gets a null pointer then. One to PostgreSQL throws
/// ``SQLError/Kind/connectionLost``.
///
/// A connection to PostgreSQL that was lost is made anew for the next caller; the one during whose call it was lost gets
/// ``SQLError/Kind/connectionLost`` for everything that it asks from then on, since only it knows what may be done twice.
final class SQLQueue: Sendable {
    private let engine: Engine

    private enum Engine {
        case sqlite(DatabaseQueue)
        case postgresql(PostgresQueue)
    }

    /// How a SQLite file is opened.
    struct File {
        let path: String
        /// Names the connection to whoever looks at the process.
        let label: String
        /// How long another's lock is waited for, in seconds.
        let busyTimeout: TimeInterval
        /// Opened with `SQLITE_OPEN_READONLY`.
        var isReadOnly = false
    }

    /// How a database of PostgreSQL is reached.
    struct Server {
        let address: PostgresAddress
        /// How long another's lock is waited for, in seconds; also that of all writers of the database.
        let busyTimeout: TimeInterval
        /// How long a statement may run, in seconds; nil for ``PostgresOptions/statementTimeout``.
        var patience: TimeInterval?
        /// Called with each session before anybody is lent it, the first one and those that follow when one was lost.
        var settle: @Sendable (SQLConnection) throws -> Void = { _ in }
    }

    /// - Throws: ``SQLError/Kind/unreachable`` when there is no connection to be had.
    init(_ server: Server) throws { engine = .postgresql(try PostgresQueue(server)) }

    init(_ file: File) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(file.busyTimeout)
        configuration.label = file.label
        configuration.readonly = file.isReadOnly
        // GRDB else ends the process, and the feeds with it, when a failing disk keeps a transaction from being rolled back.
        configuration.allowsUnsafeTransactions = true
        // What was written with double quotes is a name, never a text by mistake.
        configuration.acceptsDoubleQuotedStringLiterals = false
        engine = .sqlite(try SQLError.translating { try DatabaseQueue(path: file.path, configuration: configuration) })
    }

    private init(_ queue: DatabaseQueue) { engine = .sqlite(queue) }

    /// A SQLite database in memory, empty and nobody else's.
    static func inMemory() throws -> SQLQueue { SQLQueue(try SQLError.translating { try DatabaseQueue() }) }

    /// Lends the connection, outside any transaction. One that is left open is PostgreSQL's to take back, and SQLite's next caller's.
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

    /// Whoever has waited for PostgreSQL for longer than that gets ``SQLError/Kind/connectionLost``. Does not wait itself.
    func endWait(longerThan limit: Duration) {
        switch engine {
        // Nothing is waited for but the disk.
        case .sqlite: break
        case .postgresql(let queue): queue.endWait(longerThan: limit)
        }
    }

    /// Ends the statement that SQLite has under way, which throws; nothing when there is none. Does not wait.
    func interrupt() {
        switch engine {
        case .sqlite(let queue): queue.interrupt()
        // A statement there has its deadline.
        case .postgresql: break
        }
    }

    /// Lets go of what is kept in memory to be faster the next time.
    func releaseMemory() {
        switch engine {
        case .sqlite(let queue): queue.releaseMemory()
        // What is kept is the server's.
        case .postgresql: break
        }
    }

    /// SQLite's online backup: copies the database as it stands, page by page, into that of another queue.
    /// - Precondition: the engine of both is SQLite.
    func backUp(to other: SQLQueue) throws {
        switch (engine, other.engine) {
        case (.sqlite(let source), .sqlite(let copy)): try SQLError.translating { try source.backup(to: copy) }
        default: preconditionFailure("PostgreSQL is backed up by its own means.")
        }
    }
}
