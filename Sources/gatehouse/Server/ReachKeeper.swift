import Foundation
import GateModel
import GateServer
import GateStore
import Synchronization

/// Samples how far revisions have come, and keeps the counts over a restart in `reach.json`, written every half minute and at the end.
final class ReachKeeper: Sendable {
    let tracker: ReachTracker
    private let file: URL
    private let lastSave = Mutex(ContinuousClock.now)

    init(folder: String, table: FeedTable) {
        tracker = ReachTracker(table: table)
        file = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent("reach.json")
        // Counts that cannot be read, or are not there yet, are no reason not to start: they only say how far a change has come.
        if let data = try? Data(contentsOf: file), let document = try? JSONReader.read(Array(data), limits: .own) { tracker.restore(document) }
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
        // As above: a full disk must not disturb the server for the sake of counts.
        try? DurableFile.replace(file.path, with: tracker.document.bytes)
    }
}
