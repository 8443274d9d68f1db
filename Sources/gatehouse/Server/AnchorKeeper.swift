import GateJSON
import GateModel
import GateService
import GateStore
import Logging
import Synchronization

/// Keeps the heads of the history's chains outside the database: in `anchor.json` every minute in which they moved and at the end, in a copy in
/// a second place as often, and in the log once an hour and at the end. A start then has to check only what came after before it accepts
/// writes, and it is noticed when rows were cut off, the history was rewritten, or an older database was put back.
///
/// Any thread. `gatehouse verify` reads `anchor.json` by itself, and another one with `--anchor`; a copy that is out of reach of whoever
/// controls the data folder is worth more than the file in it.
final class AnchorKeeper: Sendable {
    private struct State {
        var saved: ChainAnchor?
        /// Nil before the first time.
        var savedAt: ContinuousClock.Instant?
        var copied: ChainAnchor?
        /// Nil before the first line in the log.
        var loggedAt: ContinuousClock.Instant?
    }

    private let folder: String
    /// The file in the second place.
    private let copy: String?
    private let log: Logger
    private let failures: FailureLog
    /// Called when the copy cannot be read or written, and with nil when it can again: a second place that is away is no reason to stop.
    private let tellCopyFault: @Sendable (String?) -> Void
    private let state = Mutex(State())

    private static let interval = Duration.seconds(60)
    private static let logInterval = Duration.seconds(3_600)

    init(folder: String, copy: String?, log: Logger, failures: FailureLog, tellCopyFault: @escaping @Sendable (String?) -> Void) {
        self.folder = folder
        self.copy = copy
        self.log = log
        self.failures = failures
        self.tellCopyFault = tellCopyFault
    }

    /// The anchor that was last kept beside the database. Nil when there is none, or none that can be read: then the whole history is
    /// checked before a write.
    func last() -> ChainAnchor? {
        do throws(StoreError) { return try ChainAnchor.kept(in: folder) } catch {
            failures.failed(.oldAnchor, error)
            return nil
        }
    }

    /// The anchor in the second place; nil when there is no such place, nothing there yet, or nothing that can be read.
    func lastCopy() -> ChainAnchor? {
        guard let copy else { return nil }
        do throws(StoreError) { return try ChainAnchor.read(from: copy) } catch {
            failures.failed(.oldAnchorCopy, error)
            tellCopyFault("anchor: the copy in the second place cannot be read")
            return nil
        }
    }

    /// To be called about once a second; only while the history up to its head is known to be sound.
    /// - Returns: as ``save(_:isLast:)``.
    func keep(_ store: Store) -> StoreFault? {
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
        saveCopy(anchor, of: store)
        tellLog(anchor, isLast: isLast)
        return nil
    }

    private func saveCopy(_ anchor: ChainAnchor, of store: Store) {
        let copied = state.withLock { $0.copied }
        guard let copy, copied != anchor else { return }
        do throws(StoreError) {
            // A second place that was away at the start may come back with an anchor that nobody has looked at.
            if copied == nil, let fault = try ChainAnchor.read(from: copy)?.missing(in: store) {
                return tellCopyFault(
                    "anchor: the copy in the second place knows what the database does not (\(fault)), and is left as it is"
                )
            }
            try anchor.write(to: copy, doing: Chore.anchorCopy.operation)
            failures.worked(.anchorCopy)
            failures.worked(.oldAnchorCopy)
            state.withLock { $0.copied = anchor }
            tellCopyFault(nil)
        } catch {
            failures.failed(.anchorCopy, error)
            tellCopyFault("anchor: the copy in the second place cannot be written")
        }
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
