import GateJSON
import GateModel
import GateService
import GateStore
import Logging
import Synchronization

/// Keeps the heads of the history's chains outside the database, in `anchor.json` and in the log: every minute in which they moved, and at
/// the end. A start then lets nobody wait for more than what came after, and rows that were cut off, or a history that was rewritten, are seen.
///
/// Any thread. `gatehouse verify --anchor` reads the file; a copy on another machine is worth more than the one beside the database.
final class AnchorKeeper: Sendable {
    private let folder: String
    private let log: Logger
    private let failures: FailureLog
    private let state = Mutex<(saved: ChainAnchor?, at: ContinuousClock.Instant)>((nil, .now))

    private static let interval = Duration.seconds(60)

    init(folder: String, log: Logger, failures: FailureLog) {
        self.folder = folder
        self.log = log
        self.failures = failures
    }

    private var file: String { folder + "/anchor.json" }

    /// The anchor that was kept last. Nil when there is none, or none that can be read: then the whole history is checked before a write.
    func last() -> ChainAnchor? {
        let bytes: [UInt8]
        do throws(StoreError) {
            // No file is how every data folder begins.
            guard let kept = try DurableFile.read(file, doing: Chore.oldAnchor.operation) else { return nil }
            bytes = kept
        } catch {
            failures.failed(.oldAnchor, error)
            return nil
        }
        do {
            return try ChainAnchor(json: JSONReader.read(bytes))
        } catch {
            log.warning("anchor.json cannot be read; the whole history is checked", metadata: ["error": "\(error)"])
            return nil
        }
    }

    /// To be called about once a second; only while the history up to its head is known to be sound.
    func keep(_ store: Store) {
        let isDue = state.withLock { state in
            guard ContinuousClock.now - state.at >= Self.interval else { return false }
            state.at = .now
            return true
        }
        if isDue { save(store) }
    }

    /// Writes the anchor if the chains have moved. A disk that is full must not disturb the server: the older anchor stays good.
    func save(_ store: Store) {
        do throws(StoreError) {
            let anchor = try store.anchor()
            guard state.withLock({ $0.saved }) != anchor else { return }
            try DurableFile.replace(file, with: anchor.json.bytes + [0x0A], doing: Chore.anchor.operation)
            try DurableFile.syncFolder(folder, doing: Chore.anchor.operation)
            failures.worked(.anchor)
            state.withLock { $0.saved = anchor }
            log.info("anchor", metadata: ["changes": "\(anchor.changes.json.text)", "audit": "\(anchor.audit?.json.text ?? "none")"])
        } catch {
            failures.failed(.anchor, error)
        }
    }
}
