import GateJSON
import GateModel
import Testing

@testable import GateService

/// An address that shipped apps poll and that serves something else from now on: how dangerous that is, and what is said of it.
@Suite struct AliasPlanTests {
    private static let libraries = #"{"path":"/c.json","feed":"launchgate.json"}"#
    private static let status = #"{"path":"/c.json","feed":"bellerophon.json","platform":"ios"}"#

    private static let combined = #"{"path":"/c.json","feed":"combined.json","platform":"ios"}"#

    private static func own(_ name: String) -> String { #"{"path":"/c.json","feed":"own/\#(name).json"}"# }

    /// The feeds of own shapes that the app has.
    private static let templates = [
        "evil": #"{"ios":{"alert":{"message":"x","blocking":true}}}"#,
        "required": #"{"ios":{"requiredUpdate":{"minimumVersion":"9.0.0","message":"x"}}}"#,
        "good": #"{"ios":{},"android":{}}"#,
        "same": #"{ "ios":{}, "android":{}}"#,
        "other": #"{"ios":{},"android":{},"off":true}"#,
        "kill": #"{"off":{"$eval":"ios.blocked"}}"#,
        "deaf": #"{"off":false}"#,
        "down": #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":"x"}"#,
        "up": #"{"apiInactive":false,"forceUpdate":false,"retryInterval":30,"userMessage":""}"#,
        "list": #"["x"]"#,
    ]

    /// On `shop/ios` nothing is on, and `shop/android` is killed.
    private func house(_ alias: String?) throws -> House {
        let house = try House(protected: true)
        try house.add("shop", "ios", "android")
        for (name, template) in Self.templates { try house.submit(OwnFeedTests.put("shop", name, template, platform: nil)) }
        if let alias { try house.submit(.aliases("shop", "[\(alias)]"), WriteTerms(reason: "x", confirm: "shop/ios")) }
        try house.set("shop/android", to: Rules.kill, WriteTerms(reason: "x", confirm: "shop/android"))
        return house
    }

    @Test(
        arguments: [
            (Self.status, Self.own("down"), "shop/ios", "alias_moved"),
            (Self.status, Self.own("list"), "shop/ios", "alias_moved"),
            (Self.status, Self.own("up"), nil, "alias_moved"),
            // Another platform's document, which is shut.
            (Self.status, #"{"path":"/c.json","feed":"bellerophon.json","platform":"android"}"#, "shop/ios", "alias_moved"),
            (Self.status, Self.combined, nil, "alias_moved"),
            (Self.status, #"{"path":"/d.json","feed":"bellerophon.json","platform":"ios"}"#, nil, "alias_removed"),
            // What GateKit makes of it nobody can say.
            (#"{"path":"/c.json","feed":"gate.json","platform":"ios"}"#, Self.own("good"), "shop/ios", "alias_moved"),
            // The combined document holds Android's rules too, wherever its status is from: Android's phones are let in by each.
            (Self.combined, Self.own("evil"), "open 2 targets", "alias_moved"),
            (Self.combined, Self.own("good"), "shop/android", "alias_moved"),
            (Self.combined, Self.status, "shop/android", "alias_moved"),
            (Self.combined, #"{"path":"/d.json","feed":"combined.json","platform":"ios"}"#, "shop/android", "alias_removed"),
            (Self.combined, #"{"path":"/c.json","feed":"combined.json","platform":"android"}"#, "shop/ios", "alias_moved"),
            // The same objects are there; only the status, which is iOS's alone, is not.
            (Self.combined, Self.libraries, nil, "alias_moved"),
            // Of the whole app; Android's phones are let in by each.
            (Self.libraries, Self.own("good"), "shop/android", "alias_moved"),
            (Self.libraries, Self.own("evil"), "open 2 targets", "alias_moved"),
            (Self.libraries, Self.own("required"), "open 2 targets", "alias_moved"),
            // From one own shape to another.
            (Self.own("kill"), Self.own("deaf"), "open 2 targets", "alias_moved"),
            (Self.own("good"), Self.own("other"), "open 2 targets", "alias_moved"),
            (Self.own("good"), Self.own("same"), "shop/android", "alias_moved"),
            (Self.own("good"), Self.libraries, "open 2 targets", "alias_moved"),
            // Phones may still poll what was taken away by an earlier change.
            (nil, Self.own("good"), nil, nil),
            (nil, Self.own("kill"), nil, nil),
            (nil, Self.own("evil"), "shop/ios", nil),
            (nil, Self.own("required"), "shop/ios", nil),
            (nil, Self.libraries, nil, nil),
        ] as [(String?, String, String?, String?)]
    )
    func anAddressThatServesSomethingElseIsJudgedByWhatItServes(before: String?, after: String, confirm: String?, code: String?) throws {
        let house = try house(before)
        let plan = try house.submit(.aliases("shop", "[\(after)]"), WriteTerms(dryRun: true)).plan
        #expect(plan.confirm == confirm)
        #expect(plan.reasonRequired == (confirm != nil))
        #expect(plan.warnings.map(\.code) == (code.map { [$0] } ?? []))
    }

    @Test func thePlanTellsWhatThePhonesGet() throws {
        let house = try house(Self.status)
        let plan = try house.submit(.aliases("shop", "[\(Self.own("down"))]"), WriteTerms(dryRun: true)).plan
        #expect(plan.warnings.first?.detail.contains("phones that poll /c.json (own/down.json) get that other document") == true)
        #expect(plan.effects.map { "\($0.client) \($0.before) \($0.after)" } == ["bellerophon nothing blocked"])
        #expect(plan.tier == .block)
    }

    /// Not only those of the platform whose status it has: Android's phones read their object and their list there.
    @Test(arguments: ["[]", "[\(own("evil"))]"]) func theEffectsOfACombinedDocumentAreThoseOfAllPlatforms(next: String) throws {
        let house = try house(Self.combined)
        let effects = try house.submit(.aliases("shop", next), WriteTerms(dryRun: true)).plan.effects
        let android = effects.filter { $0.target.platform == .android }.map { "\($0.client) \($0.before) \($0.after)" }
        #expect(android == ["gandalf blocked rejected", "princeOfVersions nothing rejected"])
    }

    /// LaunchGate reads both documents, and loses the same with each.
    @Test func twoAddressesThatTellALibraryTheSameAreOneRow() throws {
        let combined = #"{"path":"/d.json","feed":"combined.json","platform":"ios"}"#
        let house = try house("\(Self.libraries),\(combined)")
        let effects = try house.submit(.aliases("shop", "[]"), WriteTerms(dryRun: true)).plan.effects
        #expect(effects.contains { $0.client == .launchgate && $0.after == .rejected })
        #expect(effects.count == Set(effects).count)
    }

    /// A block of now must not hide one that stays when the gate is opened.
    @Test func aDocumentThatStaysShutIsAskedAboutWhileTheGateIsShutToo() throws {
        let house = try house(Self.status)
        try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "x", confirm: "shop/ios"))
        let plan = try house.submit(.aliases("shop", "[\(Self.own("down"))]"), WriteTerms(dryRun: true)).plan
        #expect(plan.confirm == "shop/ios")
    }

    /// Under the lock no model is run, and what nobody looked at is taken for the worst.
    @Test func aDocumentThatNobodyLookedAtIsTakenForTheWorst() throws {
        let house = try house(Self.status)
        let app = try house.ledger.app(AppKey("shop")!, for: .admin)
        var moved = app
        moved.aliases = [Alias(path: "/c.json", feed: .own(OwnFeedName("up")!), platform: nil)]
        for (room, opened) in [(0, ["shop/ios"]), (PlanEffects.room, [])] {
            var effects = PlanEffects(room: room)
            var table = AliasTable([moved])
            table.addAltered(of: app, to: &effects)
            #expect(effects.opened.map(\.description) == opened)
        }
    }

    /// To another app's document, by one apply: nothing is gone, and the other app's gate is not what these phones had.
    @Test func anAddressThatMovesToAnotherAppServesThatAppsGate() throws {
        let house = try house(Self.status)
        try house.add("pay", "ios")
        try house.set("pay/ios", to: Rules.kill, WriteTerms(reason: "x", confirm: "pay/ios"))
        var document = try house.document()
        for index in document.indices {
            document[index].aliases =
                document[index].key.text == "pay" ? [Alias(path: "/c.json", feed: .library(.bellerophon), platform: .ios)] : []
        }
        let command = ApplyCommand(apps: document, scope: .all, prunes: false, sequence: house.ledger.sequence, by: .admin)
        let plan = try house.submit(.apply(command), WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm) == (.block, "shop/ios"))
        #expect(plan.warnings.filter { $0.code.hasPrefix("alias") }.map(\.code) == ["alias_moved"])
        #expect(plan.warnings.contains { $0.detail.contains("/c.json (ios/bellerophon.json of pay)") })
        #expect(plan.effects.contains { $0.client == .bellerophon && $0.before == .nothing && $0.after == .blocked })
    }

    /// Made before Gatehouse reserved its place: it is read at the start, and can be taken away.
    @Test func anAliasWhoseRootWasReservedLaterIsReadAndRemoved() throws {
        let house = try House()
        try house.add("shop", "ios")
        let old = Alias(path: "/rehearsals/config.json", feed: .library(.launchgate), platform: nil)
        #expect(throws: ModelError.self) { try Alias(json: old.json) }
        try house.submit(.editApp(AppKey("shop")!, name: nil, aliases: [old]))
        try house.close()

        let again = try House(again: house)
        func aliases() throws -> [Alias] { try again.ledger.app(AppKey("shop")!, for: .admin).aliases }
        #expect(try aliases() == [old])
        try again.set("shop/ios", to: Rules.kill)
        try again.submit(.editApp(AppKey("shop")!, name: "The shop", aliases: nil))
        #expect(try aliases() == [old])
        try again.submit(.editApp(AppKey("shop")!, name: nil, aliases: []), WriteTerms(confirm: "shop/ios"))
        #expect(try aliases() == [])
    }
}
