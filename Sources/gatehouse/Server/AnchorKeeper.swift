import Dispatch
import GateJSON
import GateModel
import GateService
import GateStore
import Logging
import Synchronization

/// Keeps the heads of the history's chains outside the database: in `anchor.json` every minute in which they moved and at the end, in a
/// copy in a second place as often, and in the log once an hour and at the end. A start then has to check only what came after before it
/// accepts writes, and it is noticed when rows were cut off, the history was rewritten, or an older database was put back.
///
/// Any thread. `gatehouse verify` reads `anchor.json` by itself, and another one with `--anchor`; a copy that is out of reach of whoever
/// controls the data folder is worth more than the file in it.
final class AnchorKeeper: Sendable {
    private struct State {
        var saved: ChainAnchor?
        /// Nil before the first time.
        var savedAt: ContinuousClock.Instant?
        /// Nil before the first line in the log.
        var loggedAt: ContinuousClock.Instant?
    }

    private let folder: String
    /// The file in the second place.
    private let copy: AnchorCopy?
    private let log: Logger
    private let failures: FailureLog
    private let state = Mutex(State())

    private static let interval = Duration.seconds(60)
    private static let logInterval = Duration.seconds(3_600)

    /// - Parameter tellCopyFault: called when the copy cannot be read or written, and with nil when it can again: a second place that is
    ///   away is no reason to stop.
    init(folder: String, copy: String?, log: Logger, failures: FailureLog, tellCopyFault: @escaping @Sendable (String?) -> Void) {
        self.folder = folder
        self.copy = copy.map { AnchorCopy($0, failures: failures, tellFault: tellCopyFault) }
        self.log = log
        self.failures = failures
    }

    /// The anchor that was last kept beside the database. Nil when there is none, or none that can be read: then the whole history is
    /// checked before a write.
    func last() -> ChainAnchor? {
        do throws(StoreError) { return try ChainAnchor.kept(in: folder) } catch {
            failures.failed(.oldAnchor, error)
            return nil
        }
    }

    /// The anchor in the second place; nil when there is no such place, nothing there yet, nothing that can be read, or no answer within
    /// three seconds.
    func lastCopy() -> ChainAnchor? { copy?.read(patience: .seconds(3)) }

    /// Waits a second at most until the second place has what was saved last.
    func settle() { copy?.settle(patience: .seconds(1)) }

    /// To be called about once a second; only while the history up to its head is known to be sound.
    /// - Returns: as ``save(_:isLast:)``.
    func keep(_ store: Store) -> StoreFault? {
        copy?.look()
        let isDue = state.withLock { state in
            guard state.savedAt.map({ ContinuousClock.now - $0 >= Self.interval }) ?? true else { return false }
            state.savedAt = .now
            return true
        }
        return isDue ? save(store, isLast: false) : nil
    }

    /// Writes the anchor if the chains have moved. A disk that is full must not disturb the server: the older anchor stays good.
    /// - Parameter isLast: whether the server ends, or leaves this database: then the anchor is logged, however recently it was logged
    ///   before.
    /// - Returns: what the anchor that was kept before knows and the database does not: a database server can go back to an older state
    ///   while gatehouse runs. Then the anchor is left as it is, here and in the second place.
    @discardableResult
    func save(_ store: Store, isLast: Bool) -> StoreFault? {
        let anchor: ChainAnchor
        do throws(StoreError) {
            anchor = try store.anchor()
            let saved = state.withLock { $0.saved }
            if saved != anchor {
                if let fault = try (saved ?? last())?.missing(in: store) { return fault }
                try anchor.write(to: ChainAnchor.path(in: folder), doing: Chore.anchor.operation)
                try DurableFile.syncFolder(folder, doing: Chore.anchor.operation)
                failures.worked(.anchor)
                state.withLock { $0.saved = anchor }
            }
        } catch {
            failures.failed(.anchor, error)
            return nil
        }
        copy?.write(anchor, of: store)
        tellLog(anchor, isLast: isLast)
        return nil
    }

    private func tellLog(_ anchor: ChainAnchor, isLast: Bool) {
        let isDue = state.withLock { state in
            guard isLast || state.loggedAt.map({ ContinuousClock.now - $0 >= Self.logInterval }) ?? true else { return false }
            state.loggedAt = .now
            return true
        }
        if isDue {
            log.info("anchor", metadata: ["changes": "\(anchor.changes.json.text)", "audit": "\(anchor.audit?.json.text ?? "none")"])
        }
    }
}

extension ChainAnchor {
    /// What the anchor knows and the database does not; nil when the chains continue from it.
    func missing(in store: Store) throws(StoreError) -> StoreFault? {
        if let fault = try store.verifyChain(from: changes, limit: 1).fault { return fault }
        return try audit.flatMap { head throws(StoreError) in try store.verifyAuditChain(from: head, limit: 1).fault }
    }
}
