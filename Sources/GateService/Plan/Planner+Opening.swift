import GateJSON
import GateModel

/// Warnings about gates that are opened gradually.
extension Planner {
    /// Warnings about a gradual opening that takes another time than was asked for, and about feeds that cannot be opened gradually.
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
                        "\(target.key) is already being opened and continues from there, until \(until). To open it more slowly, kill it first; to open it at once, open it without a time."
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
                        "\(names) of \(target.key.app) \(shapes.count == 1 ? "keeps" : "keep") the kill switch until \(until), and then everybody is let in at once: a feed of an own shape is the same for all phones."
                )
            )
        }
        return warnings
    }
}
