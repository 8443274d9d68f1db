import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// A document made true: one change over everything, or none.
@Suite struct ApplyTests {
    private func app(_ house: House, _ key: String) throws -> App { try house.ledger.app(AppKey(key)!, for: .admin) }

    // MARK: What it makes

    @Test func whatWasExportedIsNoChange() throws {
        let house = try House()
        try house.furnish()
        let before = try house.snapshot()
        for prunes in [false, true] {
            let outcome = try house.apply(house.document(), prunes: prunes)
            #expect(outcome.change == nil)
            #expect((outcome.plan.tier, outcome.plan.isEmpty) == (.none, true))
        }
        #expect(try house.snapshot() == before)
    }

    @Test func onAnEmptyServerTheDocumentRebuildsEveryFeed() throws {
        let house = try House()
        try house.furnish()
        let other = try House(clock: house.clock)
        let document = try house.document()
        #expect(word { try other.apply(document) } == "text_order", "what a lint refuses is accepted by name, as everywhere")
        let accepting = WriteTerms(reason: "rebuild", confirm: "apply 4 targets", accept: ["text_order"])
        let change = try other.apply(document, accepting).change.unwrapped()
        #expect((change.kind, change.sequence, change.targets.count) == (.apply, 1, 5))
        #expect(other.sink.withoutNative == house.sink.withoutNative)
        #expect(other.sink.bytes.keys.sorted() == house.sink.bytes.keys.sorted())
        #expect(other.sink.bytes.count > 20)
        let names = { (house: House) in house.ledger.apps(for: .admin).map { "\($0.name) \($0.aliases.map(\.path))" } }
        #expect(names(other) == names(house))
        #expect(
            try other.apply(document, WriteTerms(accept: [])).change == nil,
            "the second time there is nothing to do, and nothing to refuse"
        )

        let killed = try other.killed()
        #expect(try killed.snapshot() == other.snapshot())
        try killed.close()
        #expect(try Store.verify(directory: killed.folder, server: killed.address, migrations: House.migrations) == [])
    }

    @Test func settingsAndGateChangeTogether() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.require)
        var wanted = try app(house, "shop")
        let settings = PlatformSettings(versionScheme: .code, releases: ["7"], defaultRetryInterval: 20)
        wanted.platforms[.ios]?.settings = settings
        wanted = try wanted.with(.ios, gate: #"{"requiredUpdate":{"minimumVersion":"7","message":"m"}}"#)
        let changed = try house.apply([wanted]).change.unwrapped().targets[0]
        #expect((changed.previous, changed.revision) == (2, 3))
        #expect((changed.settings?.before?.versionScheme, changed.settings?.after?.versionScheme) == (.dotted, .code))
        #expect(changed.after.requiredUpdate?.minimumVersion == "7")
    }

    /// Swift calls a text and its decomposed form equal. What goes on is the one that is there, which was cleaned when it came.
    @Test func aTextThatTheDocumentSpellsAnotherWayStaysAsItIs() throws {
        let (composed, decomposed) = ("\u{AC01}", "\u{1100}\u{1161}\u{11A8}")
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: #"{"alert":{"message":"\#(composed)","blocking":false}}"#)
        var wanted = try app(house, "shop")
        let gate = try #require(wanted.platforms[.ios]?.gate)
        wanted.platforms[.ios]?.gate = try Gate(
            json: JSONReader.read(gate.json.text.replacing(composed, with: decomposed)),
            settings: PlatformSettings(versionScheme: .dotted),
            from: .kept
        )
        wanted.platforms[.ios]?.settings = PlatformSettings(versionScheme: .dotted, defaultRetryInterval: 20)
        let changed = try house.apply([wanted]).change.unwrapped().targets[0]
        let text = try #require(changed.after.alert?.message.defaultText)
        #expect(text.unicodeScalars.map(\.value) == [0xAC01])
    }

    @Test func aKeyThatWasDeletedGoesOnCounting() throws {
        let house = try House()
        try house.add("shop", "ios")
        let document = try house.document()
        try house.set("shop/ios", to: Rules.kill)
        try house.submit(.deleteApp(AppKey("shop")!), WriteTerms(confirm: "delete shop"))
        let change = try house.apply(document).change.unwrapped()
        #expect(change.targets.map { "\($0.previous)>\($0.revision)" } == ["0>4"])
    }

    @Test func aKillSwitchWhoseEndIsPastIsLeftOutAndSaid() throws {
        let house = try House()
        try house.furnish()
        let document = try house.document()
        let other = try House(clock: house.clock)
        house.clock.advance(seconds: 3_601)
        let outcome = try other.apply(document, WriteTerms(confirm: "apply 3 targets", accept: ["text_order"]))
        #expect(outcome.plan.warnings.map(\.code).contains("past_until"))
        #expect(try other.target("shop/android").gate == .open)
        // One that is still in force where the document goes is the clock's to lift, and no difference.
        #expect(try house.apply(document).change == nil)
    }

    // MARK: What it lets be, and what it takes away

    @Test func whatTheDocumentLacksStaysUnlessItIsToGo() throws {
        let house = try House()
        try house.furnish()
        let document = [try app(house, "shop").without(.macos)]
        #expect(try house.apply(document).change == nil)

        let plan = try house.apply(document, prunes: true, WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm) == (.many, "apply 4 targets"), "shop/macos, bank's two, and the app without any")
        #expect(plan.warnings.map(\.code) == ["feeds_vanish"])
        #expect(plan.apps.map { "\($0.app) \($0.field)" } == ["bank name", "empty name"])
        let before = try house.snapshot()
        for confirm in [nil, "apply 3 targets", "delete bank"] {
            #expect(word { try house.apply(document, prunes: true, WriteTerms(confirm: confirm)) } == "confirmation_required")
        }
        #expect(try house.snapshot() == before)

        let change = try house.apply(document, prunes: true).change.unwrapped()
        #expect(change.targets.map(\.target.description) == ["shop/macos", "bank/android", "bank/ios"])
        #expect(change.targets.allSatisfy { $0.settings?.after == nil && $0.feeds.isEmpty })
        #expect(house.ledger.apps(for: .admin).map(\.key.text) == ["shop"])
        #expect(house.sink.bytes.keys.contains { $0.contains("bank") || $0.contains("macos") } == false)
        #expect(house.sink.text("/config.json") != nil)
        let killed = try house.killed()
        #expect(try killed.snapshot() == house.snapshot())
        try killed.close()
        #expect(try Store.verify(directory: killed.folder, server: killed.address, migrations: House.migrations) == [])
    }

    @Test func oneTargetToGoWantsThePhraseWhereNothingIsProtected() throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        let plan = try house.apply([try app(house, "shop").without(.android)], prunes: true, WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm, plan.reasonRequired) == (.many, "apply 1 targets", false))
    }

    @Test func aDocumentOfOneAppNeverTakesAnotherAway() throws {
        let house = try House()
        try house.furnish()
        let shop = try house.service.export(AppKey("shop")!, for: .admin)
        #expect(shop.scope == .only([AppKey("shop")!]))
        #expect(try house.apply(shop.apps, scope: shop.scope, prunes: true).change == nil)
    }

    @Test func whatLostItsContentTakesNothingAway() throws {
        let house = try House()
        try house.furnish()
        let before = try house.snapshot()
        let hollow = App(key: AppKey("shop")!, name: "shop")
        for apps in [[], [hollow], [hollow, App(key: AppKey("new")!, name: "New")]] {
            let error = try refusal { try house.apply(apps, prunes: true, WriteTerms(confirm: "apply 6 targets")) }.unwrapped()
            #expect((error.code, error.word) == (.invalid, "empty_document"))
        }
        #expect(word { try house.apply([]) } == "empty_document")
        #expect(try house.snapshot() == before)
    }

    // MARK: How dangerous it is

    @Test(arguments: [
        (#"{}"#, DangerTier.none, nil as String?), (Rules.notify, .notice, nil), (Rules.suggest, .notice, nil),
        (Rules.block, .block, "shop/ios"),
        (Rules.kill, .block, "shop/ios"),
    ])
    func theTierIsTheWorstEffect(gate: String, tier: DangerTier, confirm: String?) throws {
        let house = try House(protected: true)
        try house.add("shop", "ios", "android")
        let plan = try house.apply([try app(house, "shop").with(.ios, gate: gate)], WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm, plan.reasonRequired) == (tier, confirm, tier >= .block))
    }

    @Test func severalTargetsThatAreShutWantThePhrase() throws {
        let house = try House()
        try house.add("shop", "ios", "android", "macos")
        let wanted = try app(house, "shop").with(.ios, gate: Rules.kill).with(.android, gate: Rules.block).with(.macos, gate: Rules.notify)
        let outcome = try house.apply([wanted])
        #expect(outcome.plan.confirm == "apply 2 targets")
        #expect(outcome.change?.targets.count == 3)
        #expect(outcome.change?.sequence == 5, "all of it is one change")
    }

    // MARK: Who was faster

    @Test func aDocumentIsMadeTrueOnlyOfWhatWasSeen() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        let document = [try app(house, "shop").with(.ios, gate: Rules.notify)]
        let seen = house.ledger.sequence
        let missing = ApplyCommand(apps: document, scope: .all, prunes: false, sequence: nil, by: .admin)
        let refused = try refusal { try house.submit(.apply(missing)) }.unwrapped()
        #expect((refused.code, refused.word, refused.field) == (.revisionMissing, "sequence_required", "/sequence"))
        #expect(try house.submit(.apply(missing), WriteTerms(dryRun: true)).plannedAt == seen)

        try house.set("bank/ios", to: Rules.notify)
        #expect(try house.apply(document, sequence: seen, WriteTerms(dryRun: true)).plan.tier == .notice, "another app is no matter")
        try house.set("shop/ios", to: Rules.suggest)
        for terms in [WriteTerms(), WriteTerms(dryRun: true)] {
            let stale = try refusal { try house.apply(document, sequence: seen, terms) }.unwrapped()
            #expect((stale.code, stale.word, stale.current?.revision) == (.revisionStale, "stale_sequence", 2))
            #expect(stale.detail.contains("ann"))
        }
        #expect(word { try house.apply(document, sequence: 99, WriteTerms()) } == "stale_sequence", "a sequence that never was")
        #expect(try house.apply(document, sequence: house.ledger.sequence, WriteTerms()).change != nil)
    }

    @Test func aTargetThatWasDeletedMeanwhileIsNotMadeAnewUnseen() throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        let (document, seen) = (try house.document(), house.ledger.sequence)
        try house.submit(.deletePlatform(TargetKey("shop/android")!), WriteTerms(confirm: "delete shop/android"))
        #expect(word { try house.apply(document, sequence: seen, WriteTerms()) } == "stale_sequence")
    }

    @Test func ofTwoNamesThatAnApplyChangedAloneBothAreNews() throws {
        let house = try House()
        try house.add("bank", "ios")
        try house.add("shop", "ios")
        let seen = house.ledger.sequence
        var (bank, shop) = (try app(house, "bank"), try app(house, "shop"))
        (bank.name, shop.name) = ("Bank 2", "Shop 2")
        let change = try house.apply([bank, shop]).change.unwrapped()
        #expect((change.app?.text, change.targets.isEmpty, change.reason) == ("bank", true, "apply (and 1 more app)"))
        shop.name = "Shop 3"
        #expect(word { try house.apply([shop], sequence: seen, WriteTerms()) } == "stale_sequence")
    }

    @Test func theSameKeyTwiceIsOneChange() throws {
        let house = try House()
        try house.add("shop", "ios")
        let command = ApplyCommand(
            apps: [try app(house, "shop").with(.ios, gate: Rules.notify)],
            scope: .all,
            prunes: false,
            sequence: house.ledger.sequence,
            by: .admin
        )
        let key = IdempotencyKey(key: "k", request: Array("body".utf8))
        let first = try house.answer(.apply(command), key: key)
        #expect(try house.answer(.apply(command), key: key) == first)
        #expect(house.ledger.sequence == 3)
    }

    @Test func aFailedCommitLeavesEverythingAsItWas() throws {
        let house = try House()
        try house.furnish()
        let before = try house.snapshot()
        let document = [try app(house, "shop").with(.ios, gate: "{}"), App(key: AppKey("news")!, name: "News")]
        for step in StoreConfiguration.CommitStep.allCases {
            house.fault.fail(at: step)
            #expect(throws: ServiceError.self) { try house.apply(document, prunes: true) }
            house.fault.mend()
            #expect(try house.snapshot() == before, "\(step)")
        }
        #expect(try house.apply(document, prunes: true).change != nil)
    }

    // MARK: Aliases

    @Test func anAliasMovesFromOneAppToAnother() throws {
        for (from, to) in [("a", "b"), ("b", "a")] {
            let house = try House()
            try house.add("a", "ios")
            try house.add("b", "ios")
            try house.submit(.aliases(from, #"[{"path":"/config.json","feed":"launchgate.json"}]"#))
            var (old, new) = (try app(house, from), try app(house, to).with(.ios, gate: Rules.notify))
            (new.aliases, old.aliases) = (old.aliases, [])
            #expect(word { try house.apply([new]) } == "alias_taken")
            try house.apply([old, new])
            #expect(house.sink.text("/config.json")?.contains("Slow today.") == true, "\(from) to \(to)")
            #expect(word { try house.submit(.aliases(from, #"[{"path":"/config.json","feed":"launchgate.json"}]"#)) } == "alias_taken")
        }
    }

    @Test func anAliasOfAPlatformThatGoesIsRefused() throws {
        let house = try House()
        try house.furnish()
        let document = [try app(house, "shop").without(.ios)]
        let error = try refusal { try house.apply(document, prunes: true) }.unwrapped()
        #expect((error.word, error.field) == ("invalid_alias", "/document/apps/0/aliases/1/platform"))
        var twice = try app(house, "shop")
        twice.aliases.append(twice.aliases[0])
        #expect(word { try house.apply([twice]) } == "invalid_alias")
    }

    // MARK: Who may

    @Test func onlyAdministratorsOfEveryAppInItMayApply() throws {
        let house = try House()
        try house.furnish()
        let bank = Caller.named("bo", .admin, .only([AppKey("bank")!]))
        for caller in [Caller.viewer, .operator, bank] {
            #expect(word { try house.apply(house.document(), WriteTerms(), by: caller) } == "forbidden", "\(caller.actor.name)")
        }
        #expect(try house.document(for: bank).map(\.key.text) == ["bank"])
        #expect(try house.service.export(nil, for: bank).scope == .only([AppKey("bank")!]))
        #expect(word { _ = try house.service.export(AppKey("shop")!, for: bank) } == "app_not_found")
        // What they do not see they do not take away.
        #expect(try house.apply(house.document(for: bank), prunes: true, by: bank).change == nil)
    }
}
