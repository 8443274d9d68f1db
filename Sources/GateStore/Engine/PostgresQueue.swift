import Foundation
import PostgreSQL

/// The one PostgreSQL session behind a ``SQLQueue``: lent to one caller at a time, and opened again for the next if it was lost.
///
/// Sendable because only the holder of the lock uses the session.
final class PostgresQueue: @unchecked Sendable {
    private let server: SQLQueue.Server
    private let wait: PostgresWait
    private let lock = NSLock()
    /// Nil once the queue is closed, and while the server cannot be reached.
    private var session: PostgresSession?
    private var isClosed = false
    /// Why the last attempt to open a session failed, or a call's wait was ended, and when that was.
    private var failure: (error: any Error, ended: ContinuousClock.Instant)?

    init(_ server: SQLQueue.Server) throws {
        self.server = server
        wait = try SQLError.translatingPostgres { try PostgresWait() }
        session = try PostgresSession(server, wait)
    }

    /// Makes calls that have waited for the server longer than `limit` fail as if the connection were lost. Does not wait itself.
    func endWait(longerThan limit: Duration) { wait.end(longerThan: limit) }

    func run<Value>(_ body: (PostgresSession) throws -> Value) throws -> Value {
        let asked = ContinuousClock.now
        lock.lock()
        defer { lock.unlock() }
        let session = try current(since: asked)
        defer { session.endLending() }
        do { return try body(session) } catch {
            // Somebody knows that the server says nothing: those who wait behind this call need not find it out for themselves.
            if wait.wasEnded, !session.isAlive { failure = (error, ContinuousClock.now) }
            throw error
        }
    }

    func close() {
        lock.lock()
        defer { lock.unlock() }
        isClosed = true
        session?.close()
        session = nil
    }

    /// A caller who was already waiting during somebody else's failed attempt, or wait in vain, gets its error: with a silent server each
    /// attempt takes seconds, and the last in the queue would wait for all of them.
    private func current(since asked: ContinuousClock.Instant) throws -> PostgresSession {
        guard !isClosed else { throw SQLError(kind: .connectionLost, code: .postgresql("08003"), message: "the queue is closed") }
        if let session, session.isAlive { return session }
        session = nil
        if let failure, asked < failure.ended { throw failure.error }
        do {
            let made = try PostgresSession(server, wait)
            (session, failure) = (made, nil)
            return made
        } catch {
            failure = (error, ContinuousClock.now)
            throw error
        }
    }
}
