import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateService

/// Blocks that somebody ends, or lets end, without having said "open": they may be somebody else's.
@Suite struct EndedBlocksTests {
    private func shop(isProtected: Bool = false) throws -> House {
        let house = try House(protected: isProtected)
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        return house
    }

    /// A kill switch that lifts itself so many seconds from now.
    private func kill(_ house: House, for seconds: Int64?, _ text: String = "Closed.") -> String {
        let until = seconds.map { #","until":"\#(house.clock.now.advanced(bySeconds: $0))""# } ?? ""
        return #"{"killSwitch":{"message":"\#(text)"\#(until)}}"#
    }

    private func warnings(_ house: House, _ code: String, _ command: Command) throws -> [String] {
        try house.submit(command, WriteTerms(dryRun: true)).plan.warnings.filter { $0.code == code }.map(\.detail)
    }

    /// The end of the block in force, in seconds; that of the next one; and whether that lets people in sooner.
    @Test(
        arguments: [
            (nil, 600, true), (900, 600, true), (600, 600, false), (600, 900, false), (600, nil, false), (nil, nil, false),
        ] as [(Int64?, Int64?, Bool)]
    )
    func whoSetsAnEarlierEndIsToldThatTheBlockWouldLast(before: Int64?, after: Int64?, isSooner: Bool) throws {
        let house = try shop()
        try house.set("shop/ios", to: kill(house, for: before, "Incident."))
        let since = try house.target("shop/ios").since
        let told = try warnings(house, "block_ends_sooner", .set([("shop/ios", 2)], kill(house, for: after)))
        let until = after.map { house.clock.now.advanced(bySeconds: $0).description } ?? ""
        let sentence =
            "shop/ios is blocked since \(since), for longer than this; with this change it opens by itself at \(until), whoever blocked it."
        #expect(told == (isSooner ? [sentence] : []))
    }

    @Test func severalAreOneSentence() throws {
        let house = try shop()
        for target in ["shop/ios", "bank/ios"] { try house.set(target, to: kill(house, for: nil)) }
        let told = try warnings(house, "block_ends_sooner", .set([("shop/ios", 2), ("bank/ios", 2)], kill(house, for: 60)))
        #expect(told.count == 1)
        #expect(told[0].hasPrefix("shop/ios, bank/ios are blocked for longer than this;"))
    }

    /// Who opens says so; and another rule ends nothing.
    @Test(arguments: [Rules.open, Rules.notify, Rules.force]) func whoOpensOrChangesAnotherRuleIsNotTold(set: String) throws {
        let house = try shop()
        try house.set("shop/ios", to: Rules.kill)
        #expect(try warnings(house, "block_ends_sooner", .set([("shop/ios", 2)], set)) == [])
    }

    /// The revision to go back to, and the one that is undone if the block came after it.
    @Test(arguments: [(1, 2), (2, 3), (3, nil), (4, nil)] as [(Int, Int?)])
    func whoGoesBackBeyondALaterBlockIsTold(revision: Int, undone: Int?) throws {
        let house = try shop()
        try house.set("shop/ios", to: Rules.notify)
        try house.set("shop/ios", to: Rules.suggest)
        try house.set("shop/ios", to: Rules.kill)
        let told = try warnings(house, "later_block_lifted", .revert("shop/ios", 4, to: revision))
        #expect(
            told
                == (undone.map {
                    [
                        "shop/ios was blocked after revision \($0), by a change of its own; going back to revision \(revision) lifts that, too."
                    ]
                } ?? [])
        )
    }

    // MARK: Files and settings

    /// As for an apply: whoever hands in a file does not say "open".
    @Test func aFileThatIsTakenOverAsksBeforeItLiftsABlock() throws {
        let house = try shop(isProtected: true)
        try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "INC-9", confirm: "shop/ios"))
        let command = try Command.set([("shop/ios", 2)], Rules.open, kind: .import)
        let plan = try house.submit(command, WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm, plan.reasonRequired) == (.block, "shop/ios", true))
        #expect(word { try house.submit(command, WriteTerms(reason: "moved")) } == "confirmation_required")
        #expect(try house.state("shop/ios") == .blocked)
        try house.submit(command, WriteTerms(reason: "moved", confirm: "shop/ios"))
        #expect(try house.state("shop/ios") == .open)
    }

    /// Without a known release only Bellerophon carries a forced update: the others let in whom the gate still means to keep out.
    @Test func settingsThatTakeAForcedUpdateFromPhonesAskFirst() throws {
        let house = try shop(isProtected: true)
        try house.submit(.settings("shop/ios", #"{"releases":["4.0.0"]}"#))
        try house.set("shop/ios", to: Rules.force, WriteTerms(reason: "INC-9", confirm: "shop/ios"))
        let command = try Command.settings("shop/ios", #"{"releases":[]}"#)
        let plan = try house.submit(command, WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm, plan.reasonRequired) == (.block, "shop/ios", true))
        #expect(word { try house.submit(command) } == "reason_required")
        try house.submit(command, WriteTerms(reason: "gone", confirm: "shop/ios"))
        // Another name for the store lets nobody in.
        #expect(
            try house.submit(.settings("shop/ios", #"{"defaultRetryInterval":30}"#), WriteTerms(dryRun: true)).plan.tier == .notice
        )
    }

    // MARK: Windows

    /// It changes nothing, but whoever does it means it to stay.
    @Test func whoBlocksWhatAWindowHasBlockedIsToldOfItsEnd() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill(house, for: nil), in: 60, until: 120))
        house.pass(60)
        let end = try house.window(1).end.unwrapped().inWords
        let plan = try house.submit(.set([("shop/ios", 2)], kill(house, for: nil)), WriteTerms(dryRun: true)).plan
        #expect(plan.isEmpty)
        #expect(
            plan.warnings.filter { $0.code == "window_overlap" }.map(\.detail) == [
                "shop/ios: this is what window 1 did; at its end, \(end), it takes it back, whoever has set it. To have it stay, cancel the window."
            ]
        )
        #expect(try warnings(house, "window_overlap", .set([("shop/ios", 2)], #"{"forceUpdate":null}"#)) == [])
    }

    /// It opened for an hour, and its end puts the block back, whoever says "open" meanwhile.
    @Test(arguments: [false, true]) func whoOpensWhatAWindowHasOpenedIsToldOfItsEnd(isShutMeanwhile: Bool) throws {
        let house = try shop()
        try house.set("shop/ios", to: kill(house, for: nil))
        try house.make(house.draft("shop/ios", set: Rules.open, in: 60, until: 120, then: .restore))
        house.pass(60)
        if isShutMeanwhile { try house.set("shop/ios", to: kill(house, for: nil, "Another.")) }
        let revision = try house.revision("shop/ios")
        #expect(
            try warnings(house, "window_overlap", .set([("shop/ios", revision)], Rules.open)).map { $0.prefix(39) } == [
                "shop/ios: this is what window 1 did; at"
            ]
        )
    }

    /// The window was made for a block that is gone; the next one has the same text.
    @Test func whoBlocksWhereAWindowWaitsToOpenIsTold() throws {
        let house = try shop()
        try house.set("shop/ios", to: kill(house, for: nil))
        try house.make(house.draft("shop/ios", set: Rules.open, in: 600))
        try house.set("shop/ios", to: Rules.open)
        let start = try house.window(1).start.inWords
        let told = [
            "shop/ios: window 1, due \(start), was made when the same was there; it takes it away, whoever has set it. To have it stay, cancel the window."
        ]
        #expect(try warnings(house, "window_overlap", .set([("shop/ios", 3)], kill(house, for: nil))) == told)
        let other = try warnings(house, "window_overlap", .set([("shop/ios", 3)], kill(house, for: nil, "Another.")))
        #expect(!other.contains { $0.contains("takes it away") })
        try house.set("shop/ios", to: kill(house, for: nil))
        #expect(try warnings(house, "window_overlap", .set([("shop/ios", 4)], kill(house, for: nil))) == told)
        house.pass(600)
        #expect(try house.state("shop/ios") == .open)
    }

    /// What is there, what the window sets, how it ends, and whether its maker is told that its end takes away what is there.
    @Test(arguments: [
        (Rules.kill, Rules.kill, Window.Ending.open, true), (Rules.kill, #"{"killSwitch":{"message":"Sale."}}"#, .open, true),
        (Rules.kill, Rules.kill, .restore, false), (Rules.kill, Rules.notify, .open, false), (Rules.notify, Rules.notify, .open, false),
        (Rules.require, #"{"requiredUpdate":{"minimumVersion":"5","message":"Update."}}"#, .open, true),
        (Rules.block, Rules.notify, .open, true),
    ]) func whoMakesAWindowIsToldWhatItsEndTakesAway(there: String, set: String, then: Window.Ending, isTold: Bool) throws {
        let house = try shop()
        try house.set("shop/ios", to: there)
        let plan = try house.make(house.draft("shop/ios", "bank/ios", set: set, in: 60, until: 120, then: then), dry).plan.unwrapped()
        let told = plan.warnings.filter { $0.code == "window_clears" }.map(\.detail)
        #expect(
            told.map { $0.hasPrefix("shop/ios: what keeps people out there now goes, too, when the window ends at ") }
                == (isTold ? [true] : [])
        )
    }

    private let dry = WriteTerms(dryRun: true)

    /// A block that ends before the window begins is not the window's to take away.
    @Test func whatEndsBeforeTheWindowBeginsIsNotToldOf() throws {
        let house = try shop()
        try house.set("shop/ios", to: kill(house, for: 50))
        func told() throws -> [Warning] {
            let plan = try house.make(house.draft("shop/ios", in: 60, until: 120), dry).plan.unwrapped()
            return plan.warnings.filter { $0.code == "window_clears" }
        }
        #expect(try told() == [])
        try house.set("shop/ios", to: kill(house, for: 70))
        #expect(try told().count == 1)
        try house.set("shop/ios", to: Rules.open)
        try house.make(house.draft("shop/ios", set: kill(house, for: nil, "First."), in: 10, until: 50))
        house.pass(10)
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try told() == [])
    }
}
