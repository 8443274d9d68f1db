import GateJSON
import GateModel
import GateServer
import GateService
import GateStore
import Synchronization

/// Samples how far revisions have come, and keeps the counts over a restart in `reach.json`, written every half minute and at the end.
final class ReachKeeper: Sendable {
    let tracker: ReachTracker
    private let file: String
    private let failures: FailureLog
    private let lastSave = Mutex(ContinuousClock.now)

    init(folder: String, table: FeedTable, failures: FailureLog) {
        tracker = ReachTracker(table: table)
        file = folder + "/reach.json"
        self.failures = failures
        // Counts that cannot be read, or are not there yet, are no reason not to start: they only say how far a change has come.
        do throws(StoreError) {
            guard let bytes = try DurableFile.read(file, doing: Chore.oldReach.operation) else { return }
            // Nor are counts that are not what was written.
            if let document = try? JSONReader.read(bytes, limits: .own) { tracker.restore(document) }
        } catch { failures.failed(.oldReach, error) }
    }

    /// To be called about once a second.
    func keep() {
        tracker.sample(at: .now)
        let isDue = lastSave.withLock { last in
            guard ContinuousClock.now - last >= .seconds(30) else { return false }
            last = .now
            return true
        }
        if isDue { save() }
    }

    func save() {
        do throws(StoreError) {
            try DurableFile.replace(file, with: tracker.document.bytes, doing: Chore.reach.operation)
            failures.worked(.reach)
        } catch {
            // As above: a full disk must not disturb the server for the sake of counts.
            failures.failed(.reach, error)
        }
    }
}
