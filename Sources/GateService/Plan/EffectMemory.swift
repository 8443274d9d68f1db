import GateFeeds
import GateModel

/// What one caller's plans have found out about phones, from the first plan to the last.
///
/// Who is overtaken again and again is planned a last time under the lock, where everybody waits: no model is run there, and what was found
/// without the lock is told again and decides. Not thread-safe: it belongs to one write.
final class EffectMemory {
    /// What becomes of a target, without its app: a thousand that are alike are one.
    struct Question: Hashable {
        let platform: PlatformKey
        let before: EffectFinder.Side?
        let after: EffectFinder.Side?
        let hosted: [ClientLibrary: [UInt8]]
        /// Versions that polls of the target named; none where they make no difference.
        let polled: [String]
    }

    /// An address that goes or serves another document.
    struct Loss: Hashable {
        let platform: PlatformKey
        let side: EffectFinder.Side
        let feed: FeedName
        let moved: FeedName?
    }

    var found: [Question: [Effect]] = [:]
    var losses: [Loss: [Effect]] = [:]
    private var told: [Effect] = []

    /// Puts into a plan that was made under the lock what the one before it told, or remembers what this one tells.
    func settle(_ plan: inout Plan, isHeld: Bool) {
        if isHeld { plan.effects = told } else { told = plan.effects }
    }
}
