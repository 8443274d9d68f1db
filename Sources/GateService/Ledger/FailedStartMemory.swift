import GateJSON
import GateModel
import Synchronization

/// Caches which failed starts of windows still lack something on a target, until a change or a window can have altered that: every poll of
/// every dashboard asks, and a hundred windows may have a thousand targets each. Thread-safe.
final class FailedStartMemory: Sendable {
    /// A window whose start failed, or that was given up before it, with the targets that still lack something of it.
    struct Lack: Sendable {
        let window: Int
        let targets: [TargetKey]
        let isGivenUp: Bool
        /// When it is no news any more.
        let until: Timestamp
    }

    private struct Known: Sendable {
        let reading: Int
        let sequence: Int
        let version: Int
        let lacks: [Lack]
    }

    private let known = Mutex<Known?>(nil)

    /// Ordered by window; those that are no news any more are among them.
    func lacks(on snapshot: Snapshot) -> [Lack] {
        let (catalog, schedule) = (snapshot.catalog, snapshot.schedule)
        if let known = known.withLock(\.self), known.reading == snapshot.reading, known.sequence == catalog.sequence,
            known.version == schedule.version
        {
            return known.lacks
        }
        let lacks = schedule.failedStarts.sorted { $0.key < $1.key }.compactMap { id, start in
            let targets = start.lacking(on: catalog)
            return targets.isEmpty ? nil : Lack(window: id, targets: targets, isGivenUp: start.isGivenUp, until: start.until)
        }
        known.withLock { $0 = Known(reading: snapshot.reading, sequence: catalog.sequence, version: schedule.version, lacks: lacks) }
        return lacks
    }
}
