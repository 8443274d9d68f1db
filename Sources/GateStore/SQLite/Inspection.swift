import Foundation
import Synchronization

/// The connection of its own on which a store looks for damage in the background; one at a time. A store that is closed does not wait for what it
/// looks at, and leaves no connection behind: SQLite folds the log into the database when the last one is closed.
///
/// Thread-safe.
final class Inspection: Sendable {
    private let turn = NSLock()
    private let connection = Mutex<SQLQueue?>(nil)
    private let isOver = Mutex(false)

    /// Opens a connection, and closes it when `body` returns.
    /// - Returns: nil after ``end()``, and when that ends it in the middle.
    func run<Value>(_ open: () throws -> SQLQueue, _ body: (SQLQueue) throws -> Value?) throws -> Value? {
        try turn.withLock {
            guard !isOver.withLock(\.self) else { return nil }
            let queue = try open()
            connection.withLock { $0 = queue }
            // Nothing was written.
            defer { try? queue.close() }
            defer { connection.withLock { $0 = nil } }
            do { return try body(queue) } catch {
                guard isOver.withLock(\.self) else { throw error }
                return nil
            }
        }
    }

    /// Ends what is looked at, and waits until its connection is closed.
    func end() {
        isOver.withLock { $0 = true }
        // Again and again: one that begins its statement just now hears only the next.
        while !turn.try() {
            connection.withLock { $0?.interrupt() }
            usleep(1_000)
        }
        turn.unlock()
    }
}
