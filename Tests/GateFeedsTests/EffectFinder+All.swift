import GateModel

@testable import GateFeeds

extension EffectFinder {
    /// All effects of a change, however much work they are.
    static func allEffects(of target: TargetKey, before: Side?, after: Side?, hosted: [ClientLibrary: [UInt8]] = [:]) -> [Effect] {
        var room = Int.max
        return effects(of: target, before: before, after: after, hosted: hosted, room: &room)
    }
}
