import GateJSON
import GateModel
import Testing

@testable import GateStore

/// What was in force on a target at a moment, against what its changes say one by one.
@Suite struct PastTests {
    /// What a moment means, said without SQL.
    private func expected(_ changes: [Change], _ target: TargetKey, at moment: Timestamp) -> (sequence: Int, settings: PlatformSettings?)? {
        let past = changes.filter { change in change.at <= moment && change.targets.contains { $0.target == target } }
        guard let last = past.last else { return nil }
        let settings = past.compactMap { change in change.targets.first { $0.target == target }?.settings }.last
        return (last.sequence, settings?.after)
    }

    @Test func everyMomentHasTheNewestChangeUntilThen() throws {
        let store = try Scratch().store()
        var world = try store.fill()
        for number in 0..<40 {
            let gate: Gate = number.isMultiple(of: 2) ? .everything : .killed
            try store.commit(world.set(number % 3 == 0 ? [.shopIOS: gate] : [.shopIOS: gate, .shopAndroid: gate]))
            if number == 20 {
                try store.commit(world.delete(.shopAndroid))
                try store.commit(world.create(.shopAndroid))
            }
        }
        let changes = world.changes
        for target in [TargetKey.shopIOS, .shopAndroid, .bankIOS] {
            for at in changes.map(\.at.milliseconds) {
                for moment in [at - 1, at, at + 1].map(Timestamp.init(milliseconds:)) {
                    let found = try store.past(of: target, at: moment)
                    let wanted = expected(changes, target, at: moment)
                    #expect(found?.change.sequence == wanted?.sequence, "\(target) \(moment)")
                    #expect(found?.change.targets.map(\.target) == wanted.map { _ in [target] })
                    #expect(found?.settings == wanted?.settings)
                    #expect(found?.isDeleted == wanted.map { $0.settings == nil })
                    if let found {
                        #expect(found.gate == found.change.targets.first?.after)
                        #expect(try store.past(of: target, revision: found.revision) == found)
                        let next = changes.first { $0.sequence > found.change.sequence && $0.targets.contains { $0.target == target } }
                        #expect(found.next?.sequence == next?.sequence)
                    }
                }
            }
        }
        #expect(try store.firstChange(of: .shopIOS)?.at == changes.first { $0.targets.contains { $0.target == .shopIOS } }?.at)
        #expect(try store.firstChange(of: .bankIOS) == nil)
        #expect(try store.past(of: .shopIOS, revision: 1_000) == nil)
    }

    /// After a restore revisions go on far above.
    @Test func revisionsMayHaveGaps() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        for number in 0..<20 { try store.commit(world.set([.shopIOS: number.isMultiple(of: 2) ? .everything : .killed])) }
        let changes = world.changes
        try scratch.dropTriggers()
        try scratch.tamper(
            "UPDATE change_targets SET revision = revision * 1000 + 7 WHERE app = 'shop' AND platform = 'ios' AND revision > 9"
        )
        #expect(try store.past(of: .shopIOS, at: try #require(changes.last?.at))?.revision ?? 0 > 9_000)
        for at in changes.map(\.at) {
            #expect(try store.past(of: .shopIOS, at: at)?.change.sequence == expected(changes, .shopIOS, at: at)?.sequence)
        }
    }

    @Test func whatCannotBeReadIsNoGuess() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(world.set([.shopIOS: .everything]))
        let at = try #require(world.changes.last?.at)
        try scratch.dropTriggers()
        try scratch.tamper("UPDATE change_targets SET after = '{' WHERE sequence = (SELECT max(sequence) FROM changes)")
        try scratch.tamper("UPDATE change_targets SET settings_after = '[' WHERE settings_after IS NOT NULL")
        let found = try store.past(of: .shopIOS, at: at)
        #expect(found?.gate == nil && found?.settings == nil && found?.isDeleted == false)
    }
}
