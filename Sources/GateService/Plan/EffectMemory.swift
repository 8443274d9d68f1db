import GateFeeds
import GateModel

/// What the plans of one write have found out about phones, from the first plan to the last.
///
/// A caller who is overtaken again and again is planned a last time under the lock, where everybody waits: no model is run there, and what
/// was found without the lock is reported again and decides. Not thread-safe: it belongs to one write.
final class EffectMemory {
    /// How a target changes, without naming its app: a thousand equal ones are answered once.
    struct Question: Hashable {
        let platform: PlatformKey
        let before: EffectFinder.Side?
        let after: EffectFinder.Side?
        let hosted: [ClientLibrary: [UInt8]]
        /// Versions named by polls of the target; empty where they make no difference.
        let polled: [String]
    }

    /// An address that is removed, or serves another document.
    struct Loss: Hashable {
        let platform: PlatformKey
        let side: EffectFinder.Side
        let lost: EffectFinder.Lost
        let next: EffectFinder.Successor
    }

    /// A document of an own shape at an address that served something else, or nothing.
    struct Shutting: Hashable {
        let platform: PlatformKey
        let settings: PlatformSettings
        let document: [UInt8]
    }

    var found: [Question: [Effect]] = [:]
    var losses: [Loss: [Effect]] = [:]
    /// Whether such a document shuts anybody out.
    var shutting: [Shutting: Bool] = [:]
    private var told: [Effect] = []

    /// Gives a plan made under the lock the effects of the plan before it; otherwise remembers this plan's effects.
    func settle(_ plan: inout Plan, isHeld: Bool) {
        if isHeld { plan.effects = told } else { told = plan.effects }
    }
}
