import GateModel

/// What phones show, as it was planned last without the lock: somebody who is overtaken again and again is told that.
struct LastEffects {
    private var effects: [Effect] = []

    /// Puts into a plan that was made under the lock what the one before it found, or remembers what this one found.
    mutating func settle(_ plan: inout Plan, isHeld: Bool) {
        if isHeld { plan.effects = effects } else { effects = plan.effects }
    }
}
