import GateFeeds
import GateJSON
import GateModel
import Testing

@testable import GateService

/// A plan looks at what phones show as far as there is room, takes the worst for true of the rest, and says so.
@Suite struct PlanEffectsTests {
    private let ios = TargetKey(app: AppKey("shop")!, platform: .ios)
    private let macos = TargetKey(app: AppKey("shop")!, platform: .macos)
    private let settings = PlatformSettings.standard(for: .ios)

    private func side(_ message: String) -> EffectFinder.Side {
        EffectFinder.Side(Gate(killSwitch: KillSwitch(message: .text(message), retryInterval: 30)), settings)
    }

    @Test func whatIsAlikeNeedsNoRoom() throws {
        var effects = PlanEffects(room: 1)
        let other = TargetKey(app: AppKey("bank")!, platform: .ios)
        let found = (effects.add(ios, before: nil, after: side("a")), effects.add(other, before: nil, after: side("a")))
        let (first, second) = (try #require(found.0), try #require(found.1))
        #expect(first.map(\.client) == second.map(\.client))
        #expect(second.allSatisfy { $0.target == other })
        #expect(effects.warnings.isEmpty)
    }

    @Test func whatThereIsNoRoomForIsCountedAndSaid() {
        var effects = PlanEffects(room: 1)
        #expect(effects.add(ios, before: nil, after: side("a")) != nil)
        #expect(effects.add(macos, before: nil, after: side("b")) == nil)
        #expect(effects.add(macos, before: nil, after: side("c")) == nil)
        #expect(effects.warnings.map(\.code) == ["effects_cut"])
        #expect(effects.warnings.first?.detail.contains(" 1 more; ") == true)
        #expect(effects.inOrder.allSatisfy { $0.target == ios })
    }

    /// Under the lock no model is run: what the plan before it found is known, and nothing else.
    @Test func whatAPlanBeforeFoundNeedsNoRoom() throws {
        let memory = EffectMemory()
        var outside = PlanEffects(room: PlanEffects.room, memory: memory)
        let found = try #require({ outside.add(ios, before: nil, after: side("a")) }())
        var held = PlanEffects(room: 0, memory: memory)
        #expect(held.add(ios, before: nil, after: side("a")) == found)
        #expect(held.add(ios, before: nil, after: side("b")) == nil)
    }

    /// Nobody looked at what losing the address does, so the change is as dangerous as it may be.
    @Test(arguments: [true, false]) func anAddressThatGoesUnlookedIsTakenForTheWorst(isShut: Bool) throws {
        let gate = isShut ? Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 30)) : .open
        let alias = Alias(path: "/old/shop.json", feed: .library(.launchgate), platform: .ios)
        let at = Timestamp(milliseconds: 0)
        let target = Target(key: ios, settings: settings, gate: gate, revision: 1, sequence: 1, since: at, changedAt: at)
        var effects = PlanEffects(room: 0)
        var table = AliasTable([])
        table.addAltered(of: App(key: ios.app, name: "Shop", aliases: [alias], platforms: [.ios: target]), to: &effects)
        #expect(effects.opened == (isShut ? [ios] : []))
        #expect(effects.warnings.map(\.code) == ["effects_cut"])
    }

    @Test(arguments: [true, false]) func anImportThatNobodyLookedAtIsTakenForTheWorst(isShut: Bool) {
        let gate = isShut ? Gate(killSwitch: KillSwitch(message: .text("a"), retryInterval: 30)) : .open
        let changed = ChangedTarget(target: ios, previous: 1, revision: 2, before: gate, after: gate, settings: nil, feeds: [:])
        var draft = PlanDraft(environment: Environment(name: "production", colour: "#aa0000", isProtected: true), kind: .import)
        draft.add(changed, scheme: .dotted)
        draft.add(nil, of: changed)
        #expect(draft.plan(warnings: []).tier == (isShut ? .block : .notice))
    }
}
