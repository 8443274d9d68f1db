import GateFeeds
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

@Suite struct ChangeServiceTests {
    @Test func aChangeIsCommittedPublishedAndTold() throws {
        let house = try House()
        try house.add("shop", "ios")
        house.clock.advance(seconds: 60)
        let change = try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "INC-1")).change.unwrapped()

        #expect(change.sequence == 3)
        #expect(change.at == house.clock.now)
        #expect(change.actor == Actor(kind: .user, name: "ann"))
        #expect((change.source, change.kind, change.reason, change.requestId) == (.api, .set, "INC-1", "request-1"))
        #expect(change.targets.map(\.previous) == [1])
        #expect(change.targets.map(\.revision) == [2])
        #expect(change.targets[0].before == .open)
        #expect(change.targets[0].after.killSwitch?.retryInterval == 30)
        #expect(Set(change.targets[0].feeds.keys) == Set(FeedName.allCases))

        let target = try house.target("shop/ios")
        #expect((target.revision, target.sequence, target.since, target.changedAt) == (2, 3, house.clock.now, house.clock.now))
        #expect(house.ledger.sequence == 3)
        #expect(try house.ledger.change(3, for: .admin) == change)
        #expect(house.ledger.lastChange(of: target, for: .admin) == change)
        #expect(
            house.sink.text("/feeds/shop/ios/bellerophon.json")
                == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":"Back at 09:30."}"#
        )
    }

    /// 404 before 428 before 412 before what is invalid before the reason before the confirmation; each fault is mended in turn.
    @Test func refusalsComeInTheirOrder() throws {
        let house = try House(protected: true)
        try house.add("shop", "ios", "macos")
        let bad = #"{"requiredUpdate":{"minimumVersion":"v4","message":"a"}}"#
        let before = try house.snapshot()
        func refused(_ targets: [(String, Int?)], _ json: String, _ terms: WriteTerms = WriteTerms(), by caller: Caller = .admin) throws
            -> String?
        {
            let command = try Command.set(targets, json)
            return word { try house.submit(command, terms, by: caller) }
        }
        #expect(try refused([("shop/ios", 7), ("shop/macos", nil), ("shop/tv", nil)], bad, by: .viewer) == "forbidden")
        #expect(try refused([("shop/ios", 7), ("shop/macos", nil), ("shop/tv", nil)], bad, by: .banker) == "forbidden")
        #expect(try refused([("shop/ios", 7), ("shop/macos", nil), ("shop/tv", nil)], bad) == "target_not_found")
        #expect(try refused([("shop/ios", 7), ("shop/macos", nil)], bad) == "revision_required")
        #expect(try refused([("shop/ios", 7), ("shop/macos", 1)], bad) == "stale_revision")
        #expect(try refused([("shop/ios", 1), ("shop/macos", 1)], bad) == "invalid_version")
        #expect(try refused([("shop/ios", 1), ("shop/macos", 1)], Rules.require) == "reason_required")
        #expect(try refused([("shop/ios", 1), ("shop/macos", 1)], Rules.require, WriteTerms(reason: "a")) == "confirmation_required")
        #expect(try house.snapshot() == before)
        #expect(
            try refused([("shop/ios", 1), ("shop/macos", 1)], Rules.require, WriteTerms(reason: "a", confirm: "require 2 targets")) == nil
        )
    }

    @Test func aStaleRevisionShowsTheTargetAsItIs() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.kill)
        let error = try refusal { try house.submit(.set([("shop/ios", 1)], Rules.open)) }.unwrapped()
        #expect(error.code == .revisionStale)
        #expect(error.field == "/targets/0/revision")
        #expect(try error.current == house.target("shop/ios"))
        #expect(refusal { try house.submit(.set([("shop/ios", nil)], Rules.open)) }?.field == "/targets/0/revision")
        #expect(refusal { try house.submit(.set([("shop/tv", nil)], Rules.open)) }?.field == "/targets/0")
    }

    @Test func aDryRunNamesItsRevisionsToo() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(word { try house.submit(.set([("shop/ios", nil)], Rules.kill), WriteTerms(dryRun: true)) } == "revision_required")
        #expect(word { try house.submit(.set([("shop/ios", 9)], Rules.kill), WriteTerms(dryRun: true)) } == "stale_revision")
    }

    @Test func aDryRunWritesNothing() throws {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        let before = try house.snapshot()
        let batches = house.sink.batches.count
        let outcome = try house.submit(.set([("shop/ios", 1)], Rules.kill), WriteTerms(dryRun: true))
        #expect(outcome.isDryRun)
        #expect(outcome.plan.diff.map(\.field) == ["killSwitch.message", "killSwitch.retryInterval"])
        #expect(try house.snapshot() == before)
        #expect(house.sink.batches.count == batches)
    }

    @Test(arguments: [
        #"{}"#, #"{"alert":null,"killSwitch":null}"#, #"{"optionalUpdate":{"optionalVersion":"5","message":"  5 is out. "}}"#,
    ])
    func whatChangesNothingWritesNothing(set: String) throws {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.suggest)
        let before = try house.snapshot()
        let batches = house.sink.batches.count
        let outcome = try house.set("shop/ios", to: set)
        #expect(outcome.change == nil)
        #expect(outcome.plan.tier == .none)
        #expect(outcome.plan.diff == [])
        #expect(try house.snapshot() == before)
        #expect(house.sink.batches.count == batches)
    }

    @Test func ofSeveralTargetsOnlyThoseThatChangeGetARevision() throws {
        let house = try House()
        try house.add("shop", "ios", "macos")
        try house.set("shop/ios", to: Rules.notify)
        let change = try house.set("shop/ios", "shop/macos", to: Rules.notify).change.unwrapped()
        #expect(change.targets.map(\.target.description) == ["shop/macos"])
        #expect(try (house.revision("shop/ios"), house.revision("shop/macos")) == (2, 2))
    }

    @Test func allTargetsOrNone() throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        let before = try house.snapshot()
        let dotted = #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#
        let error = try refusal { try house.submit(.set([("shop/ios", 1), ("shop/android", 1)], dotted)) }.unwrapped()
        #expect((error.word, error.field) == ("invalid_version", "/set/requiredUpdate/minimumVersion"))
        #expect(try house.snapshot() == before)
    }

    @Test func oneChangeOfSeveralAppsIsPublishedInOneStep() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        try house.set("shop/ios", "bank/ios", to: Rules.kill, WriteTerms(confirm: "kill 2 targets"))
        #expect(house.sink.batches.last.map { $0.map(\.text) } == ["bank", "shop"])
        #expect(house.ledger.sequence == 5)
    }

    @Test func theTimeOfAStateStaysWhileTheStateDoes() throws {
        let house = try House()
        try house.add("shop", "ios")
        house.clock.advance(seconds: 10)
        try house.set("shop/ios", to: Rules.kill)
        let blocked = house.clock.now
        house.clock.advance(seconds: 10)
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"Later."}}"#)
        #expect(try house.target("shop/ios").since == blocked)
        #expect(try house.target("shop/ios").changedAt == house.clock.now)
        house.clock.advance(seconds: 10)
        try house.set("shop/ios", to: Rules.open)
        #expect(try house.target("shop/ios").since == house.clock.now)
    }

    @Test func openingShowsTheEarlierBytesAgain() throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        try house.set("shop/ios", to: Rules.require)
        let before = house.sink.withoutNative
        try house.set("shop/ios", to: Rules.kill)
        #expect(house.sink.withoutNative != before)
        try house.set("shop/ios", to: Rules.open)
        #expect(house.sink.withoutNative == before)
    }

    // MARK: Lint

    @Test func aRefusalOfALintIsOverriddenByItsCodeAndRecorded() throws {
        let house = try House()
        try house.add("shop", "ios", settings: ["releases": .array([.string("1.9.0"), .string("1.10.0")])])
        let set = #"{"requiredUpdate":{"minimumVersion":"1.10.0","message":"a"}}"#
        let error = try refusal { try house.set("shop/ios", to: set) }.unwrapped()
        #expect((error.code, error.word, error.field) == (.invalid, "text_order", "/set/requiredUpdate/minimumVersion"))
        #expect(error.isOverridable)
        #expect(word { try house.set("shop/ios", to: set, WriteTerms(accept: ["component_count"])) } == "text_order")
        let outcome = try house.set("shop/ios", to: set, WriteTerms(reason: "INC-1", accept: ["text_order"]))
        #expect(outcome.change?.reason == "INC-1 (accepted: text_order)")
        #expect(outcome.plan.warnings.contains { $0.code == "text_order" })
    }

    @Test func whatNoLintLetsPassCannotBeAccepted() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.suggest)
        let set = #"{"requiredUpdate":{"minimumVersion":"5","message":"a"}}"#
        let error = try refusal { try house.set("shop/ios", to: set, WriteTerms(accept: ["optional_not_above_required"])) }.unwrapped()
        #expect(error.word == "optional_not_above_required")
        #expect(!error.isOverridable)
    }

    // MARK: What phones remember

    private func codes(_ house: House, _ target: String, _ json: String) throws -> [String] {
        try house.set(target, to: json, WriteTerms(dryRun: true)).plan.warnings.map(\.code)
    }

    private func notice(_ text: String) -> String { #"{"alert":{"message":"\#(text)","blocking":false}}"# }

    @Test(.onSQLite) func anAlertThatPhonesHaveSeenBeforeIsTold() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(try !codes(house, "shop/ios", notice("one")).contains("alert_text_repeated"), "nothing was shown yet")
        try house.set("shop/ios", to: notice("one"))
        try house.set("shop/ios", to: #"{"alert":null}"#)
        // What came between has no alert, or one that is never remembered.
        try house.set("shop/ios", to: Rules.block)
        try house.set("shop/ios", to: Rules.kill)
        try house.submit(.settings("shop/ios", #"{"releases":["1.0.0"]}"#))
        #expect(try codes(house, "shop/ios", notice("one")).contains("alert_text_repeated"))
        #expect(try !codes(house, "shop/ios", notice("two")).contains("alert_text_repeated"))
        #expect(try !codes(house, "shop/ios", #"{"alert":{"message":"one","blocking":true}}"#).contains("alert_text_repeated"))
        // The same over a restart, and when it is done: the history tells, and not the memory of a process.
        let again = try house.killed()
        #expect(try again.set("shop/ios", to: notice("one")).plan.warnings.map(\.code).contains("alert_text_repeated"))

        try house.set("shop/ios", to: notice("two"))
        try house.set("shop/ios", to: #"{"alert":null}"#)
        #expect(try !codes(house, "shop/ios", notice("one")).contains("alert_text_repeated"), "phones remember the last one")
    }

    @Test func anOptionalUpdateThatPhonesPutOffIsTold() throws {
        let house = try House()
        try house.add("shop", "ios")
        func notice(_ version: String, _ text: String) -> String {
            #"{"optionalUpdate":{"optionalVersion":"\#(version)","message":"\#(text)"}}"#
        }
        try house.set("shop/ios", to: notice("2.0.0", "one"))
        try house.set("shop/ios", to: #"{"optionalUpdate":null}"#)
        #expect(try codes(house, "shop/ios", notice("2.0.0", "two")).contains("optional_message_only"))
        #expect(try !codes(house, "shop/ios", notice("2.0.0", "one")).contains("optional_message_only"))
        #expect(try !codes(house, "shop/ios", notice("2.1.0", "two")).contains("optional_message_only"))
    }

    @Test func aDocumentThatIsAppliedTellsOfAnAlertThatPhonesHaveSeen() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: notice("one"))
        try house.set("shop/ios", to: #"{"alert":null}"#)
        let document = try house.document().map { try $0.with(.ios, gate: notice("one")) }
        #expect(try house.apply(document).plan.warnings.map(\.code).contains("alert_text_repeated"))
    }

    /// A target that was changed very often is looked back a while, and a change of very many is not held up.
    @Test func theLookBackHasAnEnd() throws {
        let house = try House()
        try house.add("shop", "ios")
        let looks = Mutex(0)
        var target = try house.target("shop/ios")
        target.revision = 1_000
        var memory = NoticeMemory { _, _ in
            looks.withLock { $0 += 1 }
            return .open
        }
        let gate = try Gate(json: notice("a").json, settings: target.settings)
        for _ in 0..<100 { #expect(memory.last(on: target, becoming: gate).alert == nil) }
        #expect(looks.withLock { $0 } == NoticeMemory.room)
        var one = NoticeMemory { _, revision in revision == 1_000 - NoticeMemory.depth ? gate : .open }
        #expect(one.last(on: target, becoming: gate).alert == "a")
        var beyond = NoticeMemory { _, revision in revision == 999 - NoticeMemory.depth ? gate : .open }
        #expect(beyond.last(on: target, becoming: gate).alert == nil)
    }

    // MARK: Revert

    @Test func aRevertWritesAnEarlierGateAsANewRevision() throws {
        let house = try House(protected: true)
        try house.add("shop", "ios")
        try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "a", confirm: "shop/ios"))
        try house.set("shop/ios", to: Rules.open)

        let plan = try house.submit(.revert("shop/ios", 3, to: 2), WriteTerms(dryRun: true)).plan
        #expect((plan.tier, plan.confirm) == (.block, "shop/ios"))
        let change = try house.submit(.revert("shop/ios", 3, to: 2), WriteTerms(reason: "b", confirm: "shop/ios")).change.unwrapped()
        #expect((change.kind, change.targets[0].revision) == (.revert, 4))
        #expect(try house.target("shop/ios").gate.killSwitch != nil)
        #expect(try house.submit(.revert("shop/ios", 4, to: 1)).change?.targets[0].after == .open)
        #expect(try house.submit(.revert("shop/ios", 5, to: 3)).change == nil)
    }

    /// Otherwise the share of the people that the old opening would have let in by now came in at once.
    @Test func aRevertToAnOpeningOpensAnew() throws {
        let house = try House()
        try house.add("shop", "ios")
        let (start, end) = (house.clock.now, house.clock.now.advanced(bySeconds: 1_200))
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"m","opening":"\#(start)","until":"\#(end)"}}"#)
        house.clock.advance(seconds: 600)
        // One that is going on goes on.
        try house.set("shop/ios", to: Rules.suggest)
        try house.submit(.revert("shop/ios", 3, to: 2))
        #expect(try house.target("shop/ios").gate.opening == Opening(start: start, end: end))
        try house.set("shop/ios", to: Rules.kill)
        try house.submit(.revert("shop/ios", 5, to: 2))
        let now = house.clock.now
        #expect(try house.target("shop/ios").gate.opening == Opening(start: now, end: now.advanced(bySeconds: 1_200)))
    }

    @Test(arguments: [0, -1, 2, Int.max]) func aRevisionThatNeverWasCannotBeRevertedTo(revision: Int) throws {
        let house = try House()
        try house.add("shop", "ios")
        let error = try refusal { try house.submit(.revert("shop/ios", 1, to: revision)) }.unwrapped()
        #expect((error.code, error.word, error.field) == (.notFound, "revision_not_found", "/revertTo"))
    }

    @Test func aRevertToWhatDoesNotFitTheSettingsAnyMoreIsRefused() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#)
        try house.set("shop/ios", to: #"{"requiredUpdate":null}"#)
        try house.submit(.settings("shop/ios", #"{"versionScheme":"code"}"#))
        let error = try refusal { try house.submit(.revert("shop/ios", 4, to: 2)) }.unwrapped()
        #expect((error.code, error.word, error.field) == (.invalid, "invalid_version", "/revertTo"))
    }

    /// A gate of before there was such a rule cannot be made by hand; going back to it is no way round the rule.
    @Test func aRevertIsRefusedByWhatCannotBeAccepted() throws {
        let earlier = #"{"requiredUpdate":{"minimumVersion":"5","message":"a"},"optionalUpdate":{"optionalVersion":"4","message":"b"}}"#
        let house = try House()
        try house.add("shop", "ios")
        let settings = PlatformSettings.standard(for: .ios)
        let gate = try Gate(json: earlier.json, settings: settings)
        var planner = house.ledger.planner(house.ledger.snapshot.catalog)
        planner = Planner(catalog: planner.catalog, environment: planner.environment, wideShare: 1, now: planner.now) { _, _ in gate }
        let terms = WriteTerms(accept: ["optional_not_above_required"])
        let error = try refusal { _ = try planner.plan(.revert("shop/ios", 1, to: 1), terms: terms) }.unwrapped()
        #expect((error.code, error.word, error.isOverridable) == (.invalid, "optional_not_above_required", false))
    }

    /// What is only probably wrong with an earlier gate must not keep anybody from going back to it.
    @Test func aRevertIsWarnedAndNotRefusedByWhatCanBeAccepted() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.set("shop/ios", to: #"{"requiredUpdate":{"minimumVersion":"1.10.0","message":"a"}}"#)
        try house.set("shop/ios", to: #"{"requiredUpdate":null}"#)
        try house.submit(.settings("shop/ios", #"{"releases":["1.9.0","1.10.0"]}"#))
        let outcome = try house.submit(.revert("shop/ios", 4, to: 2))
        #expect(outcome.change != nil)
        #expect(outcome.plan.warnings.contains { $0.code == "text_order" })
    }

    // MARK: Roles

    @Test func everyCommandHasItsRole() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        let scopedAdmin = Caller.named("ada", .admin, .only([AppKey("bank")!]))
        let commands: [(String, Command, allowed: [String])] = [
            ("gates of shop", try .set([("shop/ios", 1)], Rules.notify), ["otto", "ann"]),
            ("gates of bank", try .set([("bank/ios", 1)], Rules.notify), ["otto", "ann", "bea", "ada"]),
            ("gates of both", try .set([("bank/ios", 1), ("shop/ios", 1)], Rules.notify), ["otto", "ann"]),
            ("a new app", .createApp(AppKey("new")!, name: "New"), ["ann"]),
            ("a name of bank", .editApp(AppKey("bank")!, name: "Bank 2", aliases: nil), ["ann", "ada"]),
            ("a name of shop", .editApp(AppKey("shop")!, name: "Shop 2", aliases: nil), ["ann"]),
            ("settings of bank", try .settings("bank/ios", #"{"defaultRetryInterval":30}"#), ["ann", "ada"]),
            ("settings of shop", try .settings("shop/ios", #"{"defaultRetryInterval":30}"#), ["ann"]),
            ("deleting bank", .deleteApp(AppKey("bank")!), ["ann", "ada"]),
            ("deleting shop/ios", .deletePlatform(TargetKey("shop/ios")!), ["ann"]),
        ]
        for (name, command, allowed) in commands {
            for caller in [Caller.viewer, .operator, .banker, .admin, scopedAdmin] {
                let isRefused = refusal { try house.submit(command, WriteTerms(dryRun: true), by: caller) }?.code == .forbidden
                #expect(isRefused == !allowed.contains(caller.actor.name), "\(name) by \(caller.actor.name)")
            }
        }
    }

    /// Settings that come with an import are still an administrator's.
    @Test func anOperatorsImportCannotBringSettings() throws {
        let house = try House()
        try house.add("shop", "ios")
        let command = Command.gates(
            [
                TargetCommand(
                    target: TargetKey("shop/ios")!,
                    revision: 1,
                    action: .set(try PreparedEdit(GateEdit([:]))),
                    settings: ["defaultRetryInterval": .integer(30)],
                    pointer: "/document",
                    editPointer: "/document"
                )
            ],
            kind: .import
        )
        #expect(word { try house.submit(command, by: .operator) } == "forbidden")
        #expect(try house.submit(command, by: .admin).change?.targets[0].settings?.after?.defaultRetryInterval == 30)
    }

    @Test func readersSeeTheAppsOfTheirScopeOnly() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        #expect(house.ledger.apps(for: .banker).map(\.key.text) == ["bank"])
        #expect(house.ledger.apps(for: .viewer).map(\.key.text) == ["bank", "shop"])
        #expect(word { _ = try house.ledger.app(AppKey("shop")!, for: .banker) } == "app_not_found")
        #expect(word { _ = try house.ledger.target(TargetKey("shop/ios")!, for: .banker) } == "target_not_found")
        #expect(try house.ledger.history(ChangeQuery(limit: 10), for: .banker).changes.map(\.sequence) == [4, 3])
        #expect(word { _ = try house.ledger.change(1, for: .banker) } == "change_not_found")
        #expect(try house.ledger.change(4, for: .banker).kind == .create)
    }

    /// A page is filled although what is hidden lies between.
    @Test func aPageOfHistoryIsFullWhateverIsHidden() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        for round in 0..<6 {
            try house.set("shop/ios", to: #"{"alert":{"message":"\#(round)","blocking":false}}"#)
            if round % 3 == 0 { try house.set("bank/ios", to: #"{"alert":{"message":"\#(round)","blocking":false}}"#) }
        }
        #expect(try house.ledger.history(ChangeQuery(limit: 3), for: .banker).changes.map(\.sequence) == [10, 6, 4])
        #expect(try house.ledger.history(ChangeQuery(limit: 50), for: .banker).changes.map(\.sequence) == [10, 6, 4, 3])
    }
}
