import GateModel

/// What phones remember of alerts that are over: LaunchGate and Gandalf show one that can be passed once per text.
struct AlertMemory {
    /// Revisions that are looked back, of one target and in a whole plan: each is a read of its own, and somebody waits for the plan.
    static let (depth, room) = (50, 500)

    private let history: (TargetKey, Int) throws(ServiceError) -> Gate?
    private var room = Self.room

    init(history: @escaping (TargetKey, Int) throws(ServiceError) -> Gate?) { self.history = history }

    /// The text of the last alert on a target that could be passed, when `gate` puts one there and there is none now; nil when there never was
    /// one, or not within the revisions that are looked at.
    mutating func lastText(on target: Target?, becoming gate: Gate) -> String? {
        guard let target, let alert = gate.alert, !alert.blocking, target.gate.alert?.blocking ?? true else { return nil }
        for revision in stride(from: target.revision - 1, to: max(target.revision - 1 - Self.depth, 0), by: -1) {
            guard room > 0 else { return nil }
            room -= 1
            // It is for a warning: a revision that cannot be read stops nobody.
            guard let earlier = try? history(target.key, revision)?.alert, !earlier.blocking else { continue }
            return earlier.message.defaultText
        }
        return nil
    }
}
