import GateModel

/// The change that brought each target to its current state, reduced to that target; for lists, which show it beside every target.
struct LastChanges: Sendable {
    private var kept: [TargetKey: (change: Change, bytes: Int)] = [:]
    /// Size of the documents in ``kept``.
    private(set) var bytes = 0
    private let room: Int

    /// - Parameter room: most bytes of documents to keep; anything not kept is read from the database again.
    init(room: Int = 16_777_216) { self.room = room }

    /// The change with that sequence, if it is in memory.
    subscript(target: TargetKey, sequence: Int) -> Change? {
        kept[target].flatMap { $0.change.sequence == sequence ? $0.change : nil }
    }

    /// Keeps a change for each of the targets that it names.
    /// - Parameter bytes: about the size of its document.
    mutating func take(_ change: Change, bytes: Int) {
        guard bytes <= room else {
            // What is kept of its targets is out of date, but harmless: lookups go by sequence.
            return
        }
        for target in change.targets { keep(change.naming([target]), bytes: 1_024 + bytes / change.targets.count) }
    }

    mutating func keep(_ change: Change) { keep(change, bytes: 1_024 + change.targets.reduce(0) { $0 + $1.bytes }) }

    private mutating func keep(_ change: Change, bytes size: Int) {
        guard size <= room, let target = change.targets.first?.target else { return }
        // Happens rarely, and then clears everything: the targets asked for most are soon back.
        if bytes + size > room {
            kept = [:]
            bytes = 0
        }
        bytes += size - (kept.updateValue((change, size), forKey: target)?.bytes ?? 0)
    }
}
