import GateJSON
import GateModel

/// Blocks that a change of gates ends, or ends sooner, although it does not say "open". They may be somebody else's, and letting people in
/// is never asked about twice; so whoever makes the change is at least told.
struct EndedBlocks {
    /// Targets whose kill switch is set again with an earlier end.
    private var sooner: [(target: TargetKey, since: Timestamp, until: Timestamp)] = []
    /// Targets that go back to a revision, with blocks that came after the change which is undone.
    private var later: [(target: TargetKey, undone: Int)] = []

    /// - Parameters:
    ///   - gate: what the target's becomes.
    ///   - history: its gate at a revision; nil when there was none.
    mutating func add(
        _ target: Target,
        becoming gate: Gate,
        by action: TargetCommand.Action,
        history: (TargetKey, Int) throws(ServiceError) -> Gate?
    ) throws(ServiceError) {
        switch action {
        case .set: addSooner(target, becoming: gate)
        case .revert(let revision):
            addSooner(target, becoming: gate)
            try addLater(target, becoming: gate, undoing: revision + 1, history: history)
        case .open, .start, .restore: break
        }
    }

    private mutating func addSooner(_ target: Target, becoming gate: Gate) {
        guard let before = target.gate.killSwitch, let until = gate.killSwitch?.until, before.until.map({ until < $0 }) ?? true else {
            return
        }
        sooner.append((target.key, target.since, until))
    }

    private mutating func addLater(
        _ target: Target,
        becoming gate: Gate,
        undoing revision: Int,
        history: (TargetKey, Int) throws(ServiceError) -> Gate?
    ) throws(ServiceError) {
        let scheme = target.settings.versionScheme
        guard revision < target.revision, DangerTier.rule(shuttingOut: gate, target.gate, scheme: scheme) != nil,
            let undone = try history(target.key, revision), DangerTier.rule(shuttingOut: undone, target.gate, scheme: scheme) != nil
        else { return }
        later.append((target.key, revision))
    }

    var warnings: [Warning] { soonerWarnings + laterWarnings }

    private var soonerWarnings: [Warning] {
        guard let first = sooner.first else { return [] }
        let detail =
            sooner.count == 1
            ? "\(first.target) is blocked since \(first.since), for longer than this; with this change it opens by itself at \(first.until), whoever blocked it."
            : "\(sooner.map(\.target).inWords) are blocked for longer than this; with this change they open by themselves at \(first.until), whoever blocked them."
        return [Warning(code: Warning.blockEndsSooner, detail: detail)]
    }

    private var laterWarnings: [Warning] {
        guard let first = later.first else { return [] }
        let detail =
            later.count == 1
            ? "\(first.target) was blocked after revision \(first.undone), by a change of its own; going back to revision \(first.undone - 1) lifts that, too."
            : "\(later.map(\.target).inWords) were blocked by later changes of their own; going back lifts those, too."
        return [Warning(code: Warning.laterBlockLifted, detail: detail)]
    }
}
