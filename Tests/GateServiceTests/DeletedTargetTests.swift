import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateService

/// What becomes of windows whose targets are deleted: a target that is made anew under the same key is another one.
@Suite(.timeLimit(.minutes(5)))
struct DeletedTargetTests {
    private func shop() throws -> House {
        let house = try House()
        try house.add("shop", "ios", "android")
        return house
    }

    private func delete(_ target: String, from house: House) throws -> Outcome {
        try house.submit(.deletePlatform(TargetKey(target)!), WriteTerms(confirm: "delete \(target)"))
    }

    @Test func aWindowThatWaitsFailsWithItsTargetAndLeavesTheNextOneAlone() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", "shop/android", in: 60, until: 120), WriteTerms(confirm: "kill 2 targets"))
        let plan = try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(dryRun: true)).plan
        #expect(plan.warnings.contains { $0.code == "window_overlap" && $0.detail.contains("window 1") })
        #expect(try house.window(1).state == .pending)

        let change = try #require(try delete("shop/ios", from: house).change)
        let window = try house.window(1)
        #expect(window.state == .failed)
        #expect(window.events.last?.detail == "shop/ios was deleted.")
        #expect(window.events.last?.sequence == change.sequence)

        try house.submit(.putPlatform(TargetKey("shop/ios")!, settings: [:]))
        house.pass(60)
        #expect(try house.state("shop/ios") == .open)
        #expect(try house.state("shop/android") == .open)
    }

    @Test func aRunningWindowGoesOnWithTheTargetsThatAreLeft() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", "shop/android", in: 60, until: 120), WriteTerms(confirm: "kill 2 targets"))
        house.pass(60)
        #expect(try house.state("shop/android") == .blocked)
        let plan = try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(dryRun: true)).plan
        #expect(plan.warnings.contains { $0.code == "window_overlap" && $0.detail.contains("goes on without") })
        _ = try delete("shop/ios", from: house)
        #expect(try house.window(1).state == .running)
        #expect(try house.window(1).targets.map(\.key) == [TargetKey("shop/android")!])
        #expect(try house.window(1).events.last?.what == .overtaken)
        #expect(try house.window(1).events.last?.detail == "1 of its targets was deleted.")

        // Made anew, and shut by a person who knows of no window.
        try house.submit(.putPlatform(TargetKey("shop/ios")!, settings: [:]))
        try house.set("shop/ios", to: Rules.kill)
        house.pass(60)
        #expect(try house.state("shop/android") == .open)
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try house.window(1).state == .done)
    }

    /// One that was missed could still be run by hand, and would shut the new target.
    @Test func aMissedWindowFailsWithItsTargetToo() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60))
        try house.make(house.draft("shop/android", in: 60))
        house.pass(3_600)
        #expect(try (1...2).map { try house.window($0).state } == [.missed, .missed])
        _ = try delete("shop/ios", from: house)
        #expect(try (1...2).map { try house.window($0).state } == [.failed, .missed])
        #expect(try house.window(1).events.last?.detail == "shop/ios was deleted.")
        #expect(house.ledger.windowCounts[.missed] == 1)
        try house.submit(.putPlatform(TargetKey("shop/ios")!, settings: [:]))
        #expect(word { try house.run(1) } == "window_over")
        try house.run(2)
        #expect(try house.state("shop/ios") == .open)
        #expect(try house.state("shop/android") == .blocked)
    }

    /// Each is written while every other writer waits.
    @Test(arguments: [Window.State.pending, .missed]) func aDeletionEndsAtMostAHundredWindows(state: Window.State) throws {
        let house = try shop()
        for _ in 0...100 { try house.make(house.draft("shop/ios", in: 60, until: 120)) }
        if state == .missed { house.pass(3_600) }
        let refused: [(command: Command, terms: WriteTerms)] = [
            (.deletePlatform(TargetKey("shop/ios")!), WriteTerms(dryRun: true)),
            (.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios")),
            (.deleteApp(AppKey("shop")!), WriteTerms(confirm: "delete shop")),
        ]
        for (command, terms) in refused {
            let error = #expect(throws: ServiceError.self) { try house.submit(command, terms) }
            #expect(error?.word == "too_many_windows")
            #expect(error?.detail.contains("101 windows") == true && error?.detail.contains("gatectl schedule list shop") == true)
        }
        #expect(try house.window(1).state == state)
        // What no window is about goes.
        _ = try delete("shop/android", from: house)
        _ = try house.schedule.cancel(1, by: .operator)
        _ = try delete("shop/ios", from: house)
        #expect(try (2...101).allSatisfy { try house.window($0).state == .failed })
    }

    /// Fewer windows, each about many targets, take as long to write.
    @Test func aDeletionEndsWindowsOfAThousandTargetsTogether() throws {
        let house = try House()
        let platforms = (0..<32).map { "p\($0)" }
        try house.add("wide")
        for platform in platforms { try house.submit(.putPlatform(TargetKey("wide/\(platform)")!, settings: [:])) }
        let about = platforms.map { "wide/\($0)" }
        for _ in 0..<32 {
            try house.make(house.draft(about, set: Rules.kill, in: 60, until: 120, then: .open), WriteTerms(confirm: "kill 32 targets"))
        }
        #expect(throws: ServiceError.self) { try house.submit(.deleteApp(AppKey("wide")!), WriteTerms(confirm: "delete wide")) }
        _ = try house.schedule.cancel(1, by: .operator)
        try house.submit(.deleteApp(AppKey("wide")!), WriteTerms(confirm: "delete wide"))
        #expect(try house.window(32).state == .failed)
    }

    @Test func deletingAnAppEndsTheWindowsOfAllItsTargets() throws {
        let house = try shop()
        try house.add("bank", "ios")
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.make(house.draft("shop/android", in: 10, until: 120))
        try house.make(house.draft("bank/ios", in: 60, until: 120))
        house.pass(10)
        try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(confirm: "delete shop"))
        #expect(try (1...3).map { try house.window($0).state } == [.failed, .failed, .pending])
        // The start reads what was written.
        let again = try house.killed()
        #expect(try (1...3).map { try again.window($0).state } == [.failed, .failed, .pending])
        #expect(again.pass(50) != nil)
        #expect(try again.state("bank/ios") == .blocked)
    }
}
