import GateJSON
import GateModel
import Testing

@testable import GateService

/// Tiers and phrases, as the table of danger tiers has them.
@Suite struct PlanTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var before = "{}"
        let set: String
        var targets = ["shop/ios"]
        let tier: DangerTier
        /// What a protected environment asks for; the unprotected one asks for nothing unless the tier is 3.
        let confirm: String?

        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "nothing", set: #"{"alert":null}"#, tier: .none, confirm: nil),
        Case(name: "kill", set: Rules.kill, tier: .block, confirm: "shop/ios"),
        Case(name: "open", before: Rules.kill, set: Rules.open, tier: .notice, confirm: nil),
        Case(name: "another text on a kill", before: Rules.kill, set: #"{"killSwitch":{"message":"Later."}}"#, tier: .notice, confirm: nil),
        Case(name: "force", set: Rules.force, tier: .block, confirm: "shop/ios"),
        Case(name: "require", set: Rules.require, tier: .block, confirm: "shop/ios"),
        Case(
            name: "raise",
            before: Rules.require,
            set: #"{"requiredUpdate":{"minimumVersion":"4.1","message":"a"}}"#,
            tier: .block,
            confirm: "shop/ios"
        ),
        Case(
            name: "lower",
            before: Rules.require,
            set: #"{"requiredUpdate":{"minimumVersion":"3","message":"a"}}"#,
            tier: .notice,
            confirm: nil
        ),
        Case(name: "suggest", set: Rules.suggest, tier: .notice, confirm: nil),
        Case(name: "notify", set: Rules.notify, tier: .notice, confirm: nil),
        Case(name: "blocking alert", set: Rules.block, tier: .block, confirm: "shop/ios"),
        Case(name: "an alert becomes blocking", before: Rules.notify, set: Rules.block, tier: .block, confirm: "shop/ios"),
        Case(name: "kill two", set: Rules.kill, targets: ["shop/ios", "bank/ios"], tier: .many, confirm: "kill 2 targets"),
        Case(name: "kill three", set: Rules.kill, targets: ["shop/ios", "shop/macos", "bank/ios"], tier: .many, confirm: "kill 3 targets"),
        Case(name: "force two", set: Rules.force, targets: ["shop/ios", "bank/ios"], tier: .many, confirm: "force 2 targets"),
        Case(name: "require two", set: Rules.require, targets: ["shop/ios", "bank/ios"], tier: .many, confirm: "require 2 targets"),
        Case(name: "blocking alert on two", set: Rules.block, targets: ["shop/ios", "bank/ios"], tier: .many, confirm: "alert 2 targets"),
        Case(name: "notify two", set: Rules.notify, targets: ["shop/ios", "bank/ios"], tier: .notice, confirm: nil),
        Case(
            name: "the worst rule names the phrase",
            set: #"{"alert":{"message":"a","blocking":true},"killSwitch":{"message":"b"}}"#,
            targets: ["shop/ios", "bank/ios"],
            tier: .many,
            confirm: "kill 2 targets"
        ),
    ]

    @Test(arguments: cases, [true, false]) func tierAndPhraseFollowTheWorstEffect(_ one: Case, isProtected: Bool) throws {
        let house = try House(protected: isProtected)
        try house.add("shop", "ios", "macos")
        try house.add("bank", "ios")
        for target in one.targets where one.before != "{}" {
            try house.set(target, to: one.before, WriteTerms(reason: "before", confirm: target))
        }

        let outcome = try house.submit(.set(try one.targets.map { ($0, try house.revision($0)) }, one.set), WriteTerms(dryRun: true))
        #expect(outcome.plan.tier == one.tier)
        #expect(outcome.plan.confirm == (isProtected || one.tier == .many ? one.confirm : nil))
        #expect(outcome.plan.reasonRequired == (isProtected && one.tier >= .block))
        #expect(outcome.change == nil)
    }

    /// A target that is killed already is not kept closed any more by killing it again with others.
    @Test func onlyTargetsThatShutCountForThePhrase() throws {
        let house = try House(protected: true)
        try house.add("shop", "ios", "macos")
        try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "a", confirm: "shop/ios"))
        let plan = try house.submit(.set([("shop/ios", 2), ("shop/macos", 1)], Rules.kill), WriteTerms(dryRun: true)).plan
        #expect(plan.tier == .block)
        #expect(plan.confirm == "shop/macos")
    }

    /// No rule keeps out more people than before, but LaunchGate does, which compares versions as text: what phones newly meet counts.
    @Test func whatALibraryNewlyShutsOutIsTierTwo() throws {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        func require(_ version: String) -> String { #"{"requiredUpdate":{"minimumVersion":"\#(version)","message":"Update."}}"# }
        let (ten, nine) = (require("10.0"), require("9.0"))
        try house.set("shop/ios", to: ten, WriteTerms(reason: "a", confirm: "shop/ios"))
        let lower = try house.submit(.set([("shop/ios", try house.revision("shop/ios"))], nine), WriteTerms(dryRun: true)).plan
        #expect((lower.tier, lower.confirm, lower.reasonRequired) == (.block, "shop/ios", true))
        #expect(lower.effects.contains { $0.client == .launchgate && $0.before == .nothing && $0.after == .required })
        let error = try refusal { try house.set("shop/ios", to: nine, WriteTerms(reason: "a")) }.unwrapped()
        #expect(error.code == .confirmationRequired)
        // Letting everybody in newly shuts out nobody.
        try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "a", confirm: "shop/ios"))
        let open = try house.submit(
            .set([("shop/ios", try house.revision("shop/ios"))], #"{"killSwitch":null}"#),
            WriteTerms(dryRun: true)
        ).plan
        #expect(open.tier == .notice)
    }

    @Test func anImportOfSeveralTargetsAsksForItsOwnPhrase() throws {
        let house = try House()
        try house.add("shop", "ios", "macos")
        let plan = try house.submit(.set([("shop/ios", 1), ("shop/macos", 1)], Rules.require, kind: .import), WriteTerms(dryRun: true)).plan
        #expect(plan.confirm == "import 2 targets")
        let applied = try house.submit(.set([("shop/ios", 1), ("shop/macos", 1)], Rules.require, kind: .apply), WriteTerms(dryRun: true))
            .plan
        #expect(applied.confirm == "apply 2 targets")
    }

    @Test(arguments: ["shop/ios", " shop/ios\n", "SHOP/iOS", "\tShop/Ios "]) func confirmationIsTrimmedAndWithoutCase(_ confirm: String)
        throws
    {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        #expect(try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "INC-1", confirm: confirm)).change?.sequence == 3)
    }

    @Test(arguments: [nil, "", "shop", "shop / ios", "bank/ios", "yes"] as [String?]) func anyOtherConfirmationIsRefusedWithThePlan(
        _ confirm: String?
    ) throws {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        let before = try house.snapshot()
        let error = try refusal { try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "INC-1", confirm: confirm)) }.unwrapped()
        #expect(error.word == "confirmation_required")
        #expect(error.code == .confirmationRequired)
        #expect(error.field == "/confirm")
        #expect(error.plan?.confirm == "shop/ios")
        #expect(try house.snapshot() == before)
    }

    @Test func aConfirmationThatNobodyAskedForIsIgnored() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(try house.set("shop/ios", to: Rules.kill, WriteTerms(confirm: "whatever")).change != nil)
    }

    @Test(arguments: [nil, "", "  \n "] as [String?]) func protectedEnvironmentsWantAReason(_ reason: String?) throws {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        let error = try refusal { try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: reason, confirm: "shop/ios")) }.unwrapped()
        #expect(error.word == "reason_required")
        #expect(error.plan?.reasonRequired == true)
        #expect(try house.set("shop/ios", to: Rules.notify).change.unwrapped().reason == nil)
    }

    @Test func aReasonIsKeptCleanedAndABadOneIsRefused() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "  INC-1 \n")).change?.reason == "INC-1")
        let error = try refusal { try house.set("shop/ios", to: Rules.open, WriteTerms(reason: "a\u{202E}b")) }.unwrapped()
        #expect((error.word, error.field) == ("invalid_reason", "/reason"))
    }

    /// Whoever looks at a plan must not learn only afterwards, with the phrase typed, that the reason was too long.
    @Test(arguments: [String(repeating: "x", count: 501), "a\u{202E}b", "a\tb"]) func aDryRunIsRefusedTheReasonThatTheWriteWouldBe(
        _ reason: String
    )
        throws
    {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        let terms = WriteTerms(reason: reason, dryRun: true)
        let error = try refusal { try house.set("shop/ios", to: Rules.kill, terms) }.unwrapped()
        #expect((error.word, error.field) == ("invalid_reason", "/reason"))
        #expect(word { try house.submit(.deleteApp(AppKey("shop")!), terms) } == "invalid_reason")
        // A plan asks for nothing, and what changes nothing keeps no reason.
        #expect(try house.set("shop/ios", to: Rules.kill, WriteTerms(dryRun: true)).plan.reasonRequired)
        #expect(try house.set("shop/ios", to: Rules.open, terms).plan == .nothing)
    }

    /// The order of refusal: what is not there comes before what was not seen and what is not current.
    @Test(arguments: [nil, 9] as [Int?]) func aRevisionThatNeverWasIsRefusedFirst(seen: Int?) throws {
        let house = try House()
        try house.add("shop", "ios")
        func revert(_ target: String, to revision: Int) -> String? { word { try house.submit(.revert(target, seen, to: revision)) } }
        #expect(revert("shop/macos", to: 1) == "target_not_found")
        #expect(revert("shop/ios", to: 2) == "revision_not_found")
        #expect(revert("shop/ios", to: 1) == (seen == nil ? "revision_required" : "stale_revision"))
    }

    @Test func deletionsAreTierThreeEverywhere() throws {
        for isProtected in [true, false] {
            let house = try House(protected: isProtected)
            try house.add("shop", "ios")
            let plan = try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(dryRun: true)).plan
            #expect(plan.tier == .many)
            #expect(plan.confirm == "delete shop")
            #expect(plan.reasonRequired == isProtected)
            let one = try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(dryRun: true)).plan
            #expect(one.confirm == "delete shop/ios")
            #expect(word { try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(reason: "old")) } == "confirmation_required")
            #expect(
                try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(reason: "old", confirm: "Delete Shop")).change?.kind == .delete
            )
        }
    }

    // MARK: Settings

    @Test func aNewerReleaseWhileForcedIsTierTwo() throws {
        let house = try House(protected: true)
        try house.add("shop", "ios", settings: ["releases": .array([.string("4.2.0")])])
        try house.set("shop/ios", to: Rules.force, WriteTerms(reason: "a", confirm: "shop/ios"))
        let newer = try house.submit(.settings("shop/ios", #"{"releases":["4.2.0","4.3.0"]}"#), WriteTerms(dryRun: true)).plan
        #expect(newer.tier == .block)
        #expect(newer.confirm == "shop/ios")
        let older = try house.submit(.settings("shop/ios", #"{"releases":["4.1.0","4.2.0"]}"#), WriteTerms(dryRun: true)).plan
        #expect(older.tier == .notice)
    }

    /// Until a release is known only Bellerophon carries the forced update; the first one shuts out the other libraries' users too.
    @Test func theFirstKnownReleaseWhileForcedIsTierTwo() throws {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.force, WriteTerms(reason: "a", confirm: "shop/ios"))
        #expect(house.sink.text("/feeds/shop/launchgate.json") == #"{"ios":{}}"#)
        #expect(try house.submit(.settings("shop/ios", #"{"releases":["4.2.0"]}"#), WriteTerms(dryRun: true)).plan.tier == .block)
    }

    /// Dotted versions never reach Gandalf; under the other scheme the same rule does.
    @Test func aSchemeThatPublishesARuleAnewIsTierTwo() throws {
        let house = try House(protected: true)
        try house.add("shop", "android", settings: ["versionScheme": .string("dotted")])
        try house.set("shop/android", to: Rules.require, WriteTerms(reason: "a", confirm: "shop/android"))
        #expect(house.sink.text("/feeds/shop/launchgate.json") == #"{"android":{}}"#)
        #expect(try house.submit(.settings("shop/android", #"{"versionScheme":"code"}"#), WriteTerms(dryRun: true)).plan.tier == .block)
    }

    @Test func aSchemeThatTheGateDoesNotFitIsRefused() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#)
        let before = try house.snapshot()
        let error = try refusal { try house.submit(.settings("shop/ios", #"{"versionScheme":"code"}"#)) }.unwrapped()
        #expect((error.code, error.word, error.field) == (.invalid, "invalid_version", "/versionScheme"))
        #expect(try house.snapshot() == before)
    }
}
