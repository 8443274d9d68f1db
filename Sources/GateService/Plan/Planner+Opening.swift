import GateJSON
import GateModel

/// What is to be said of gates that are opened gradually.
extension Planner {
    /// What becomes of a gradual opening that does not take as long as was asked for, and of what cannot be opened gradually.
    func openingWarnings(of target: Target, after command: TargetCommand, becoming gate: Gate) -> [Warning] {
        guard case .open(_, let seconds) = command.action, let before = target.gate.killSwitch, let after = gate.killSwitch,
            let until = after.until
        else { return [] }
        var warnings: [Warning] = []
        if before.opening != nil {
            warnings.append(
                Warning(
                    code: "opening_under_way",
                    detail:
                        "\(target.key) is being opened already and goes on from there, until \(until). To open it more slowly, kill it first; to open it at once, open it without a time."
                )
            )
        } else if until < now.advanced(bySeconds: Int64(seconds)) {
            warnings.append(
                Warning(
                    code: "opening_ends_sooner",
                    detail: "The kill switch of \(target.key) lifts itself at \(until), sooner than that; everybody is let in then."
                )
            )
        }
        let ownFeeds = catalog.apps[target.key.app]?.ownFeeds ?? [:]
        let shapes = ownFeeds.values.filter { $0.platform == nil || $0.platform == target.key.platform }
        if !shapes.isEmpty {
            let names = shapes.map(\.fileName).sorted().joined(separator: ", ")
            warnings.append(
                Warning(
                    code: "opening_not_slowed",
                    detail:
                        "\(names) of \(target.key.app) \(shapes.count == 1 ? "says" : "say") until \(until) what the kill switch says, and lets everybody in then: an own shape is the same for all."
                )
            )
        }
        return warnings
    }
}
