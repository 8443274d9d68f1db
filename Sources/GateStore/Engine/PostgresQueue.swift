import Foundation

/// The one session with PostgreSQL behind a ``SQLQueue``: lent to one caller at a time, and made anew for the next when it was lost.
///
/// Sendable because nobody has the session but who holds the lock.
final class PostgresQueue: @unchecked Sendable {
    private let server: SQLQueue.Server
    private let lock = NSLock()
    /// Nil once the queue is closed, and as long as the server cannot be reached.
    private var session: PostgresSession?
    private var isClosed = false

    init(_ server: SQLQueue.Server) throws {
        self.server = server
        session = try PostgresSession(server)
    }

    func run<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
        lock.lock()
        defer { lock.unlock() }
        let session = try current()
        defer { session.endLending() }
        return try body(session)
    }

    func close() {
        lock.lock()
        defer { lock.unlock() }
        isClosed = true
        session?.close()
        session = nil
    }

    private func current() throws -> PostgresSession {
        guard !isClosed else { throw SQLError(kind: .connectionLost, code: .postgresql("08003"), message: "the queue is closed") }
        if let session, session.isAlive { return session }
        session = nil
        let made = try PostgresSession(server)
        session = made
        return made
    }
}
