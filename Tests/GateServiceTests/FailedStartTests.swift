import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateService

/// A window that did not start as planned is told to whoever looks at the health, until there is nothing to make up for.
@Suite struct FailedStartTests {
    private static let incident = #"{"killSwitch":{"message":"Incident."}}"#
    private static let suggest = #"{"optionalUpdate":{"optionalVersion":"2.5","message":"m"}}"#
    private static let shut = #"{"killSwitch":{"message":"a"},"requiredUpdate":{"minimumVersion":"3.0","message":"m"}}"#

    private func shop() throws -> House {
        let house = try House()
        try house.add("shop", "ios", "macos")
        return house
    }

    /// A window that blocks both platforms, and that a person's alert on one of them stops.
    private func stopped(until end: Int64? = 7_200) throws -> House {
        let house = try shop()
        let set = #"{"killSwitch":{"message":"a"},"alert":null}"#
        let draft = try house.draft("shop/ios", "shop/macos", set: set, in: 60, until: end)
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        try house.set("shop/ios", to: Rules.notify)
        house.pass(60)
        #expect(try house.window(1).state == .failed)
        return house
    }

    /// A window of whose start the rules refuse one part on one target.
    private func refused(until end: Int64? = 7_200) throws -> House {
        let house = try shop()
        let draft = try house.draft("shop/ios", "shop/macos", set: Self.shut, in: 60, until: end)
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        try house.set("shop/ios", to: Self.suggest)
        house.pass(60)
        #expect(try house.window(1).state == (end == nil ? .failed : .running))
        return house
    }

    private func notice(_ house: House, _ scope: AppScope = .all) -> String? {
        let told = house.ledger.notices(for: scope)
        #expect(told.count <= 1)
        return told.first
    }

    private static func said(_ targets: String) -> String {
        "schedule: the start of window 1 failed on \(targets), where what it was for is not in force; gatectl schedule show 1 says why; do it by hand if it is still wanted"
    }

    // MARK: What is told, and by whom

    @Test func aStartThatAPersonsChangeStoppedIsANoticeAndDegradesNothing() throws {
        let house = try stopped()
        #expect(notice(house) == Self.said("shop/ios, shop/macos"))
        #expect(house.ledger.health.state == .ok)
        #expect(house.ledger.health.reasons.isEmpty)
        #expect(notice(house, .only([AppKey("bank")!])) == nil)
    }

    /// Without an end the window is over, with one it runs; either way its start was not whole.
    @Test(arguments: [nil, 7_200] as [Int64?]) func aStartOfWhichARuleWasRefusedNamesTheTargetThatLacksIt(end: Int64?) throws {
        let house = try refused(until: end)
        #expect(try house.state("shop/macos") == .blocked)
        #expect(notice(house) == Self.said("shop/ios"))
    }

    /// Also by another server of the same database: nothing of it is in memory alone.
    @Test(arguments: [true, false]) func itIsThereAgainAfterARestart(isRunning: Bool) throws {
        let house = try isRunning ? refused() : stopped()
        let again = try house.killed()
        #expect(notice(again) == notice(house))
        #expect(notice(again) == Self.said(isRunning ? "shop/ios" : "shop/ios, shop/macos"))
        house.clock.advance(seconds: 86_400)
        #expect(notice(again) == nil)
        #expect(notice(try again.killed()) == nil)
    }

    @Test func theServersBesideTheOneThatTriedAreToldToo() throws {
        let house = try House(server: PostgresCluster.shared().database())
        try house.add("shop", "ios")
        let beside = try house.killed()
        try house.make(house.draft("shop/ios", set: #"{"killSwitch":{"message":"a"},"alert":null}"#, in: 60, until: 7_200))
        try house.set("shop/ios", to: Rules.notify)
        house.pass(60)
        try beside.ledger.learn()
        #expect(notice(beside) == Self.said("shop/ios"))
        // Whoever ends it, all know.
        try beside.set("shop/ios", to: #"{"killSwitch":{"message":"By hand."},"alert":null}"#)
        try house.ledger.learn()
        #expect(notice(house) == nil)
        // What this server has counted does not go with what it learns.
        #expect(house.ledger.windowFailures == 1)
    }

    /// News hold what is new; what failed before is remembered, until it is over.
    @Test func whatFailedBeforeTheNewsIsStillTold() throws {
        let house = try House(server: PostgresCluster.shared().database())
        try house.add("shop", "ios", "macos")
        let beside = try house.killed()
        let draft = try house.draft("shop/ios", "shop/macos", set: Self.shut, in: 60, until: 7_200)
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        try house.make(house.draft("shop/macos", set: #"{"alert":null,"optionalUpdate":null}"#, in: 30))
        try house.set("shop/macos", to: Rules.notify)
        try house.set("shop/ios", to: Self.suggest)
        house.pass(30)
        try beside.ledger.learn()
        house.pass(30)
        try beside.ledger.learn()
        let told = try notice(house).unwrapped()
        #expect(told.contains("window 1, window 2 failed on shop/ios, shop/macos"))
        #expect(notice(beside) == told)
        // It ran, and is told no more when it is called off, by whom ever.
        _ = try house.schedule.cancel(1, by: .admin)
        try beside.ledger.learn()
        #expect(notice(beside) == notice(house))
        #expect(try notice(beside).unwrapped().contains("window 2 failed on shop/macos"))
    }

    @Test(arguments: [true, false]) func itIsCountedOnce(isRunning: Bool) throws {
        let house = try isRunning ? refused() : stopped()
        #expect(house.ledger.windowFailures == 1)
        house.pass(7_200)
        #expect(house.ledger.windowFailures == 1)
    }

    @Test func whoSeesOneAppIsToldOfThatAppAlone() throws {
        let house = try shop()
        try house.add("bank", "ios")
        let draft = try house.draft("shop/ios", "bank/ios", set: #"{"killSwitch":{"message":"a"},"alert":null}"#, in: 60)
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        try house.set("shop/ios", to: Rules.notify)
        house.pass(60)
        #expect(notice(house, .only([AppKey("bank")!])) == Self.said("bank/ios"))
        #expect(notice(house) == Self.said("bank/ios, shop/ios"))
    }

    @Test func severalAreOneSentence() throws {
        let house = try shop()
        for target in ["shop/ios", "shop/macos"] {
            try house.make(house.draft(target, set: #"{"killSwitch":{"message":"a"},"alert":null}"#))
            try house.set(target, to: Rules.notify)
        }
        house.pass(60)
        let told = try notice(house).unwrapped()
        #expect(told.hasPrefix("schedule: the start of window 1, window 2 failed on shop/ios, shop/macos, where what they were for "))
        #expect(told.contains("gatectl schedule show ID"))
    }

    // MARK: When it ends

    @Test func itEndsWithThePlannedEnd() throws {
        let house = try stopped(until: 3_600)
        house.pass(3_539)
        #expect(notice(house) != nil)
        house.pass(1)
        #expect(notice(house) == nil)
    }

    @Test(arguments: [nil, 604_800] as [Int64?]) func itIsToldForADayAtMost(end: Int64?) throws {
        let house = try stopped(until: end)
        house.pass(86_399)
        #expect(notice(house) != nil)
        house.pass(1)
        #expect(notice(house) == nil)
    }

    /// In whatever words, and target by target.
    @Test func itEndsWhereSomebodyHasDoneByHandWhatItWasFor() throws {
        let house = try stopped()
        try house.set("shop/macos", to: Self.incident)
        #expect(notice(house) == Self.said("shop/ios"))
        try house.set("shop/ios", to: Self.incident)
        #expect(notice(house) == Self.said("shop/ios"), "its alert was to go, too")
        try house.set("shop/ios", to: #"{"alert":null}"#)
        #expect(notice(house) == nil)
        #expect(notice(try house.killed()) == nil)
    }

    /// A change of something else does not do what the window was for, and neither does a rule of another version.
    @Test func aChangeOfSomethingElseDoesNotEndIt() throws {
        let house = try refused()
        try house.set("shop/ios", to: #"{"optionalUpdate":null}"#)
        #expect(notice(house) != nil)
        try house.set("shop/ios", to: #"{"requiredUpdate":{"minimumVersion":"2.0","message":"m"}}"#)
        #expect(notice(house) != nil)
        try house.set("shop/ios", to: #"{"requiredUpdate":{"minimumVersion":"3.0","message":"other"}}"#)
        #expect(notice(house) == nil)
    }

    /// Who killed an app before a window was to kill it has stopped the window, and nobody has to do anything about that.
    @Test func aStartThatFoundItDoneIsNoNotice() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 7_200))
        try house.set("shop/ios", to: Self.incident)
        house.pass(60)
        #expect(try house.window(1).state == .failed)
        #expect(notice(house) == nil)
    }

    @Test func whoCancelsTheWindowOrDeletesTheTargetEndsIt() throws {
        let cancelled = try refused()
        _ = try cancelled.schedule.cancel(1, by: .admin)
        #expect(notice(cancelled) == nil)
        let deleted = try stopped()
        try deleted.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios"))
        #expect(notice(deleted) == Self.said("shop/macos"))
    }

    /// Whoever deletes is told by the plan. Those who count on the window for what is left of it are not, and may see neither the plan nor
    /// the deleted target.
    @Test func aWindowThatIsGivenUpWithOneOfItsTargetsIsANoticeForTheOthers() throws {
        let house = try shop()
        try house.add("pay", "android")
        let draft = try house.draft("shop/ios", "shop/macos", "pay/android", in: 7_200, until: 90_000)
        try house.make(draft, WriteTerms(confirm: "kill 3 targets"))
        try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios"))
        func said(_ targets: String) -> String {
            "schedule: window 1 will not happen, because a target of it was deleted; what is still wanted has to be scheduled again, for \(targets)"
        }
        #expect(notice(house) == said("pay/android, shop/macos"))
        #expect(notice(house, .only([AppKey("pay")!])) == said("pay/android"))
        #expect(notice(house, .only([AppKey("bank")!])) == nil)
        #expect(notice(try house.killed()) == notice(house))
        // Not even why may be left out for those who do not see the target; which one it was is.
        let payer = Caller.named("pia", .operator, .only([AppKey("pay")!]))
        let failed = try #require(try house.schedule.window(1, for: payer).events.last)
        #expect(failed.what == .failed && failed.detail == "It is about a target that you may not see; an administrator can say which.")
        try house.set("pay/android", to: Rules.kill, WriteTerms(confirm: "pay/android"))
        #expect(notice(house) == said("shop/macos"))
        house.clock.advance(seconds: 86_400)
        #expect(notice(house) == nil)
    }

    /// Nobody counts on a window of which nothing is left; an end that left something is told by the window.
    @Test func neitherADeletedTargetNorAnEndIsAFailedStart() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 7_200))
        try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios"))
        #expect(try house.window(1).state == .failed)
        #expect(notice(house) == nil)
        try house.make(house.draft("shop/macos", in: 60, until: 120))
        house.pass(60)
        try house.set("shop/macos", to: Self.incident)
        house.pass(60)
        #expect(try house.window(2).state == .failed)
        #expect(notice(house) == nil)
    }
}
