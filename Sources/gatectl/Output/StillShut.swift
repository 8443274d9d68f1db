import GateModel

/// What still keeps people out after an opening: without `--all-gates` it lifts the kill switch alone.
enum StillShut {
    /// How many targets are named.
    private static let most = 5

    /// A line for each target that is not open: the rules, and the command that clears them. Empty if nothing is left.
    /// - Parameter gates: of the targets, as they are now.
    static func lines(_ gates: [(target: TargetKey, gate: Gate)]) -> [String] {
        let lines = gates.compactMap { target, gate in
            rules(gate).map { "\(target) \($0): " + Invocation.sameServer("open \(target.app) \(target.platform) --all-gates") }
        }
        let left = lines.count - most
        return lines.prefix(most) + (left > 0 ? ["… and \(left) more alike"] : [])
    }

    /// `is still blocked by forced update`; nil where no rule but the kill switch keeps anybody out.
    private static func rules(_ gate: Gate) -> String? {
        let blocking = [gate.forceUpdate.map { _ in "forced update" }, gate.blockingAlert.map { _ in "blocking alert" }].compactMap(\.self)
        let minimum = gate.requiredUpdate.map { "minimum version \($0.minimumVersion)" }
        if blocking.isEmpty { return minimum.map { "is still kept from older versions by \($0)" } }
        return "is still blocked by " + (blocking + [minimum].compactMap(\.self)).joined(separator: " and ")
    }
}
