import GateJSON
import GateModel
import GateServer
import GateService
import GateStore
import Synchronization

/// Samples how far revisions have reached the phones, and keeps the counts across a restart in `reach.json`, written every half minute and
/// at the end.
final class ReachKeeper: Sendable {
    let tracker: ReachTracker
    private let file: String
    private let failures: FailureLog
    private let lastSave = Mutex(ContinuousClock.now)

    init(folder: String, table: FeedTable, failures: FailureLog) {
        tracker = ReachTracker(table: table)
        file = folder + "/reach.json"
        self.failures = failures
        // Counts that cannot be read, or do not exist yet, are no reason not to start: they only say how far a change has come.
        do throws(StoreError) {
            guard let bytes = try DurableFile.read(file, doing: Chore.oldReach.operation) else { return }
            // Nor are counts in a file that is not as it was written.
            if let document = try? JSONReader.read(bytes, limits: .own) { tracker.restore(document) }
        } catch { failures.failed(.oldReach, error) }
    }

    /// Lets the servers of a database tell each other what they count. This server's own counts have been read from the folder before, and
    /// its row from before the start is overwritten, so that nothing is counted twice.
    func exchange(with database: DatabaseServer, as name: String) -> PollExchange {
        PollExchange(
            database,
            as: name,
            own: { [tracker] in
                let now = Timestamp.now
                return (tracker.told(at: now), now)
            },
            heard: { [tracker] fresh, known, speaking in tracker.others.learn(fresh, known: known, speaking: speaking, at: .now) }
        )
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
