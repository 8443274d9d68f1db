import Foundation
import GRDB

/// One connection, lent to one caller at a time: whoever comes meanwhile waits. Any thread; never from within its own closures.
///
/// Whoever uses it after ``close()`` ends the process: SQLite gets a null pointer then.
final class SQLQueue: Sendable {
    private let engine: Engine

    private enum Engine {
        case sqlite(DatabaseQueue)
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

    /// Lends the connection, outside any transaction.
    func run<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        switch engine {
        case .sqlite(let queue): try queue.writeWithoutTransaction { try body(SQLConnection($0)) }
        }
    }

    /// Lends the connection for one consistent state, in which nothing can be written.
    func read<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        switch engine {
        case .sqlite(let queue): try SQLError.translating { try queue.read { try body(SQLConnection($0)) } }
        }
    }

    func close() throws {
        switch engine {
        case .sqlite(let queue): try SQLError.translating { try queue.close() }
        }
    }

    /// Lets go of what is kept in memory to be faster the next time.
    func releaseMemory() {
        switch engine {
        case .sqlite(let queue): queue.releaseMemory()
        }
    }

    /// SQLite's online backup: copies the database as it stands, page by page, into that of another queue.
    func backUp(to other: SQLQueue) throws {
        switch (engine, other.engine) {
        case (.sqlite(let source), .sqlite(let copy)): try SQLError.translating { try source.backup(to: copy) }
        }
    }
}
