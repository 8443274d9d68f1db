import GateFeeds
import GateModel

/// Past notices that phones still remember: LaunchGate and Gandalf show an alert that can be passed once per text, and an optional update
/// once per version.
struct NoticeMemory {
    /// How many revisions to look back, for one target and in a whole plan: each is a read of its own, and somebody waits for the plan.
    static let (depth, room) = (50, 500)

    private let history: (TargetKey, Int) throws(ServiceError) -> Gate?
    private var room = Self.room

    init(history: @escaping (TargetKey, Int) throws(ServiceError) -> Gate?) { self.history = history }

    /// The last earlier notices on a target, of the kinds that `gate` newly puts there; none for a kind that never was there, or not within
    /// the revisions that are looked at.
    mutating func last(on target: Target?, becoming gate: Gate) -> PreviousNotices {
        var found = PreviousNotices()
        guard let target else { return found }
        var wantsAlert = gate.alert?.blocking == false && target.gate.alert?.blocking ?? true
        var wantsUpdate = gate.optionalUpdate != nil && target.gate.optionalUpdate == nil
        for revision in stride(from: target.revision - 1, to: max(target.revision - 1 - Self.depth, 0), by: -1) {
            guard wantsAlert || wantsUpdate, room > 0 else { break }
            room -= 1
            // This only serves a warning: an unreadable revision must not stop anybody.
            guard let earlier = try? history(target.key, revision) else { continue }
            if wantsAlert, let alert = earlier.alert, !alert.blocking {
                found.alert = alert.message.defaultText
                wantsAlert = false
            }
            if wantsUpdate, let update = earlier.optionalUpdate {
                found.optionalUpdate = update
                wantsUpdate = false
            }
        }
        return found
    }
}
