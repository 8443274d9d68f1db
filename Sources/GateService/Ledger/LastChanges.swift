import GateModel

/// The change that brought each target to where it is, as far as it is about that target; for lists, which show it beside every target.
struct LastChanges: Sendable {
    private var kept: [TargetKey: (change: Change, bytes: Int)] = [:]
    /// Of the documents of ``kept``.
    private(set) var bytes = 0
    private let room: Int

    /// - Parameter room: bytes of documents that are kept at most; what is not is read from the database again.
    init(room: Int = 16_777_216) { self.room = room }

    /// The change of a sequence, when it is at hand.
    subscript(target: TargetKey, sequence: Int) -> Change? {
        kept[target].flatMap { $0.change.sequence == sequence ? $0.change : nil }
    }

    /// Keeps a change for each of the targets that it names.
    /// - Parameter bytes: about as many as its document has.
    mutating func take(_ change: Change, bytes: Int) {
        guard bytes <= room else {
            // Whatever was known of its targets is past, and looked for by sequence.
            return
        }
        for target in change.targets { keep(change.part(of: target), bytes: 1_024 + bytes / change.targets.count) }
    }

    mutating func keep(_ change: Change) { keep(change, bytes: 1_024 + change.targets.reduce(0) { $0 + $1.bytes }) }

    private mutating func keep(_ change: Change, bytes size: Int) {
        guard size <= room, let target = change.targets.first?.target else { return }
        // Seldom, and then all at once: who is asked for most is soon there again.
        if bytes + size > room {
            kept = [:]
            bytes = 0
        }
        bytes += size - (kept.updateValue((change, size), forKey: target)?.bytes ?? 0)
    }
}

extension Change {
    /// The change as far as it is about one of its targets.
    func part(of target: ChangedTarget) -> Change {
        Change(
            sequence: sequence,
            at: at,
            actor: actor,
            source: source,
            kind: kind,
            reason: reason,
            requestId: requestId,
            app: app,
            targets: [target]
        )
    }
}
