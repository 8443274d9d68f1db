import Foundation
import Synchronization

/// The separate connection on which a store looks for damage in the background; one inspection at a time. Closing the store interrupts an
/// inspection and leaves no connection behind: SQLite folds the log into the database when the last one closes.
///
/// Thread-safe.
final class Inspection: Sendable {
    private let turn = NSLock()
    private let connection = Mutex<SQLQueue?>(nil)
    private let isOver = Mutex(false)

    /// Opens a connection, and closes it when `body` returns.
    /// - Returns: nil after ``end()``, and when ``end()`` interrupts it.
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

    /// Interrupts the inspection, and waits until its connection is closed.
    func end() {
        isOver.withLock { $0 = true }
        // Again and again: a statement that is only about to begin would miss a single interrupt.
        while !turn.try() {
            connection.withLock { $0?.interrupt() }
            usleep(1_000)
        }
        turn.unlock()
    }
}
