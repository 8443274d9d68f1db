import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

@Suite(.timeLimit(.minutes(5)))
struct ScheduleTests {
    private func shop(protected: Bool = false) throws -> House {
        let house = try House(protected: protected)
        try house.add("shop", "ios", "android")
        return house
    }

    @Test func aWindowKeepsPeopleOutFromItsStartToItsEnd() throws {
        let house = try shop()
        let made = try house.make(house.draft("shop/ios", in: 60, until: 120)).window
        #expect(made.id == 1)
        #expect(house.schedule.doWhatIsDue() == made.start.at)
        #expect(try house.state("shop/ios") == .open)

        #expect(house.pass(60) == made.end?.at)
        #expect(try house.state("shop/ios") == .blocked)
        let change = try house.ledger.history(ChangeQuery(limit: 1), for: .admin).changes[0]
        #expect((change.source, change.actor, change.reason) == (.schedule, Actor(kind: .system, name: "schedule"), "Window 1 by ann"))
        #expect(try house.window(1).state == .running)
        #expect(try house.window(1).events.last?.sequence == change.sequence)

        #expect(house.pass(60) == nil)
        #expect(try house.state("shop/ios") == .open)
        #expect(try house.window(1).state == .done)
        #expect(try house.window(1).events.map(\.what) == [.made, .started, .ended])
        #expect(house.ledger.health.state == .ok)
    }

    @Test func aWindowWithoutAnEndIsDoneWhenItHasStarted() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", "shop/android", in: 60), WriteTerms(confirm: "kill 2 targets"))
        house.pass(61)
        #expect(try house.window(1).state == .done)
        #expect(try house.revision("shop/android") == 2)
        // One change of both.
        #expect(house.ledger.sequence == 4)
    }

    @Test func restoringPutsBackWhatWasThere() throws {
        let house = try shop()
        try house.set("shop/ios", to: #"{"alert":{"message":"Slow.","blocking":false}}"#)
        let before = try house.target("shop/ios").gate
        try house.make(
            house.draft(
                "shop/ios",
                set: #"{"alert":{"message":"Sale!","blocking":false},"optionalUpdate":{"optionalVersion":"5","message":"m"}}"#,
                in: 60,
                until: 120,
                then: .restore
            )
        )
        house.pass(60)
        #expect(try house.target("shop/ios").gate.alert?.message == .text("Sale!"))
        house.pass(60)
        #expect(try house.target("shop/ios").gate == before)
    }

    // MARK: Refusals and plans

    @Test func whatCannotBeIsRefusedWhenItIsMade() throws {
        let house = try shop()
        let now = house.clock.now
        func refusal(_ draft: WindowDraft) -> String? {
            GateServiceTests.refusal { try house.make(draft) }.map { "\($0.word) \($0.field ?? "")" }
        }
        #expect(try refusal(house.draft("shop/ios", in: 0)) == "past_time /start")
        #expect(try refusal(house.draft("shop/ios", in: -1)) == "past_time /start")
        #expect(try refusal(house.draft("shop/ios", in: 60, until: 60)) == "invalid_window /end")
        #expect(try refusal(house.draft("shop/ios", set: Rules.open, in: 60, until: 70)) == "invalid_window /then")
        #expect(try refusal(house.draft("shop/ios", set: "{}")) == "malformed /set")
        #expect(try refusal(house.draft("shop/tv")) == "target_not_found /targets/0")
        let until = #"{"killSwitch":{"message":"a","until":"\#(now.advanced(bySeconds: 30))"}}"#
        #expect(try refusal(house.draft("shop/ios", set: until, in: 60)) == "past_time /set/killSwitch/until")
        let unseen = try WindowDraft(
            targets: [(TargetKey("shop/ios")!, nil)],
            set: try GateEdit(json: Rules.kill.json),
            start: try ZonedTime(at: now.advanced(bySeconds: 9)),
            end: nil,
            then: .open
        )
        #expect(refusal(unseen) == "revision_required /targets/0/revision")
        #expect(try house.schedule.windows(WindowQuery(), for: .admin).windows.isEmpty)
        #expect(house.ledger.sequence == 3)
    }

    @Test func theTierIsThatOfTheWorstEffectWheneverItComes() throws {
        let house = try shop(protected: true)
        try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "r", confirm: "shop/ios"))
        func plan(_ draft: WindowDraft) throws -> Plan { try house.make(draft, WriteTerms(dryRun: true)).plan.unwrapped() }
        // It is killed now, and may not be by then.
        #expect(try plan(house.draft("shop/ios")).confirm == "shop/ios")
        #expect(try plan(house.draft("shop/ios", "shop/android")).confirm == "kill 2 targets")
        // Opening for an hour keeps people out at the end.
        #expect(try plan(house.draft("shop/ios", set: Rules.open, in: 60, until: 90, then: .restore)).tier == .block)
        #expect(try plan(house.draft("shop/ios", set: Rules.open)).tier == .notice)
        #expect(try plan(house.draft("shop/android", set: Rules.notify, in: 60, until: 90)).tier == .notice)

        let draft = try house.draft("shop/ios", set: Rules.force)
        #expect(word { try house.make(draft) } == "reason_required")
        #expect(word { try house.make(draft, WriteTerms(reason: "r")) } == "confirmation_required")
        #expect(try house.make(draft, WriteTerms(reason: "r", confirm: " SHOP/ios ")).window.reason == "r")
        // Nobody is asked when the time has come.
        house.pass(60)
        #expect(try house.target("shop/ios").gate.forceUpdate != nil)
        let change = try house.ledger.history(ChangeQuery(limit: 1), for: .admin).changes[0]
        #expect(change.reason == "Window 1 by ann: r")
    }

    @Test func rolesAndScopesHoldForWindowsToo() throws {
        let house = try shop()
        try house.add("bank", "ios")
        #expect(word { try house.make(house.draft("shop/ios"), by: .viewer) } == "forbidden")
        #expect(word { try house.make(house.draft("bank/ios", "shop/ios"), by: .banker) } == "forbidden")
        try house.make(house.draft("shop/ios"), by: .operator)
        #expect(word { _ = try house.schedule.window(1, for: .banker) } == "window_not_found")
        #expect(word { _ = try house.schedule.cancel(1, by: .banker) } == "window_not_found")
        #expect(word { _ = try house.schedule.cancel(1, by: .viewer) } == "forbidden")
        #expect(word { try house.run(1, by: .viewer) } == "forbidden")
        #expect(try house.schedule.windows(WindowQuery(), for: .banker).windows.isEmpty)
        #expect(try house.schedule.windows(WindowQuery(), for: .viewer).windows.count == 1)
    }

    /// Whoever sees only part of a window is told that there is more: what is done to it is done to all of it, and so refused to them.
    @Test func whatIsOutOfSightIsCounted() throws {
        let house = try shop()
        try house.add("bank", "ios")
        try house.make(house.draft("bank/ios", "shop/ios", "shop/android"), WriteTerms(confirm: "kill 3 targets"))
        func seen(by caller: Caller) throws -> [(targets: Int, omitted: Int)] {
            let windows =
                try [house.schedule.window(1, for: caller)] + house.schedule.active(for: caller)
                + house.schedule.windows(WindowQuery(), for: caller).windows
            return windows.map { ($0.targets.count, $0.omitted) }
        }
        #expect(try seen(by: .banker).map(\.targets) == [1, 1, 1])
        #expect(try seen(by: .banker).map(\.omitted) == [2, 2, 2])
        #expect(try seen(by: .viewer).map(\.omitted) == [0, 0, 0])
    }

    /// Between the check of whose window it is and the plan, somebody may make it a window about other apps, too.
    @Test func whoseWindowItIsIsDecidedByTheWindowThatIsPlanned() throws {
        let house = try shop()
        try house.add("bank", "ios")
        try house.make(house.draft("bank/ios", "shop/ios"), WriteTerms(confirm: "kill 2 targets"))
        let own = try house.draft("bank/ios")
        func planned(_ write: some PlannedWrite) throws { _ = try write.plan(on: house.ledger.snapshot, isHeld: false) }
        let answer: (WindowOutcome) -> Answer = { _ in Answer(status: 200, body: []) }
        let run = WindowRun(
            schedule: house.schedule,
            id: 1,
            wanted: nil,
            revision: nil,
            terms: WriteTerms(dryRun: true),
            caller: .banker,
            idempotency: nil,
            answer: answer
        )
        #expect(word { try planned(run) } == "forbidden")
        let replacement = WindowReplacement(
            schedule: house.schedule,
            id: 1,
            revision: 1,
            draft: own,
            terms: WriteTerms(),
            caller: .banker,
            idempotency: nil,
            answer: answer
        )
        #expect(word { try planned(replacement) } == "forbidden")
        let cancellation = WindowCancellation(schedule: house.schedule, id: 1, revision: nil, terms: WriteTerms(), caller: .banker)
        #expect(word { try planned(cancellation) } == "forbidden")
    }

    @Test func aRepeatedRequestMakesOneWindow() throws {
        let house = try shop()
        let draft = try house.draft("shop/ios")
        let key = IdempotencyKey(key: "k", request: [1])
        func answer() throws -> Answer {
            try house.schedule.make(draft, terms: WriteTerms(), by: .admin, idempotency: key) {
                Answer(status: 201, body: $0.window.json.bytes)
            }
        }
        let first = try answer()
        #expect(try answer() == first)
        let again = try house.killed()
        #expect(try again.schedule.windows(WindowQuery(), for: .admin).windows.count == 1)
    }

    // MARK: People and windows

    @Test func aWindowWhoseRulesAPersonChangedFailsAndSaysSo() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        let plan = try house.set("shop/ios", to: #"{"killSwitch":{"message":"Incident."}}"#).plan
        #expect(plan.warnings.contains { $0.code == "window_overlap" && $0.detail.contains("window 1") })
        house.pass(60)
        #expect(try house.window(1).state == .failed)
        #expect(try house.window(1).events.last?.detail == "shop/ios: killSwitch was changed meanwhile and stays as it is.")
        #expect(house.ledger.windowFailures == 1)
        #expect(try house.target("shop/ios").gate.killSwitch?.message == .text("Incident."))
        let audited = try house.ledger.store.unwrapped().audit().map(\.entry.action)
        #expect(audited.sorted() == ["window.created", "window.failed"])
    }

    @Test func whatPeopleDoToOtherRulesOrTakeBackIsNoMatter() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.set("shop/ios", to: Rules.notify)
        try house.set("shop/ios", to: Rules.kill)
        try house.set("shop/ios", to: Rules.open)
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked)
        try house.set("shop/ios", to: Rules.suggest)
        house.pass(60)
        #expect(try house.window(1).state == .done)
        #expect(try house.target("shop/ios").gate.isOn(.killSwitch) == false)
        #expect(try house.target("shop/ios").gate.isOn(.alert))
    }

    @Test func atItsEndAWindowLeavesWhatAPersonChangedAndOpensTheRest() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", "shop/android", in: 60, until: 120), WriteTerms(confirm: "kill 2 targets"))
        house.pass(60)
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"Incident."}}"#)
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try house.state("shop/android") == .open)
        #expect(try house.window(1).state == .failed)
        #expect(try house.window(1).events.map(\.what) == [.made, .started, .ended, .failed])
        let entries = try house.ledger.store.unwrapped().audit().map(\.entry).filter { $0.action == "window.failed" }
        #expect(entries.map { $0.detail?["detail"] } == [try house.window(1).events.last?.detail.map(JSONValue.string)])
    }

    /// Also where the end has nothing to change.
    @Test func anEndThatOnlyLeavesThingsIsAudited() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        house.pass(60)
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"Incident."}}"#)
        let sequence = house.ledger.sequence
        house.pass(60)
        #expect(house.ledger.sequence == sequence)
        #expect(try house.window(1).state == .failed)
        #expect(try house.ledger.store.unwrapped().audit().map(\.entry.action).sorted() == ["window.created", "window.failed"])
    }

    @Test func aWindowThatAPersonOpenedEarlyHasNothingToDoAtItsEnd() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        house.pass(60)
        try house.set("shop/ios", to: Rules.open)
        let sequence = house.ledger.sequence
        house.pass(60)
        #expect(try house.window(1).state == .done)
        #expect(house.ledger.sequence == sequence)
    }

    @Test func aTargetThatIsGoneFailsTheStart() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", "shop/android"), WriteTerms(confirm: "kill 2 targets"))
        try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(confirm: "delete shop/ios"))
        house.pass(60)
        #expect(try house.window(1).state == .failed)
        #expect(try house.state("shop/android") == .open)
    }

    // MARK: Windows and windows

    @Test func windowsThatMeetAreSaidBothWays() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 100, until: 200))
        func warnings(_ draft: WindowDraft) throws -> [String] {
            try house.make(draft, WriteTerms(dryRun: true)).plan.unwrapped().warnings.filter { $0.code == "window_overlap" }.map(\.detail)
        }
        #expect(try warnings(house.draft("shop/ios", in: 50, until: 150))[0].contains("Window 1 at") == true)
        // At the end of the first, the block of the second is gone, too.
        let gone = "does not cancel it, and what it takes away then is gone although this one goes on."
        #expect(try warnings(house.draft("shop/ios", in: 150))[0].hasSuffix(gone))
        #expect(try warnings(house.draft("shop/ios", in: 150, until: 201))[0].hasSuffix(gone))
        for end in [199, 200] as [Int64] {
            #expect(try warnings(house.draft("shop/ios", in: 150, until: end))[0].hasSuffix("does not cancel it."))
        }
        #expect(try warnings(house.draft("shop/ios", in: 200, until: 300)).isEmpty)
        #expect(try warnings(house.draft("shop/android", in: 100, until: 200)).isEmpty)
        #expect(try warnings(house.draft("shop/ios", set: Rules.notify, in: 100, until: 200)).isEmpty)
    }

    /// One window within another: each does what it says, because the clock's own changes are no person's.
    @Test func aWindowInsideAnotherRestoresIt() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: #"{"killSwitch":{"message":"outer"}}"#, in: 60, until: 300))
        try house.make(house.draft("shop/ios", set: #"{"killSwitch":{"message":"inner"}}"#, in: 100, until: 200, then: .restore))
        func message() throws -> String? { try house.target("shop/ios").gate.killSwitch?.message.defaultText }
        house.pass(60)
        #expect(try message() == "outer")
        house.pass(40)
        #expect(try message() == "inner")
        #expect(try house.window(1).events.last?.what == .overtaken)
        house.pass(100)
        #expect(try message() == "outer")
        house.pass(100)
        #expect(try message() == nil)
        #expect(try [house.window(1).state, house.window(2).state] == [.done, .done])
    }

    /// A window that waits behind many others of its target is altered by each of their steps, and written whole each time: what it keeps
    /// of that does not grow, and whoever looked at it before still learns that it was altered.
    @Test func aWindowBehindManyOthersStaysSmall() throws {
        let house = try shop()
        let others = 30
        for day in 1...others { try house.make(house.draft("shop/ios", in: Int64(day) * 60, until: Int64(day) * 60 + 30)) }
        let last = try house.make(house.draft("shop/ios", in: 10_000, until: 20_000)).window.id
        for step in 1...(others * 2) {
            house.pass(30)
            // The first step comes after a minute.
            let (window, overtaken) = (try house.window(last), step - 1)
            #expect(window.revision == 1 + overtaken)
            #expect(window.events.map(\.what) == (overtaken == 0 ? [.made] : [.made, .overtaken]))
            #expect(window.events.last?.times == (overtaken == 0 ? nil : overtaken))
        }
        house.pass(30)
        #expect(try house.window(last).events.last?.detail == "Window \(others) ended and changed what this one is about.")
        house.pass(10_000 - 30 * (Int64(others) * 2 + 1))
        #expect(try house.window(last).state == .running)
        #expect(try house.window(last).events.map(\.what) == [.made, .overtaken, .started])
    }

    // MARK: Downtime and clocks

    /// Point 23.
    @Test(
        arguments: [(600, Window.State.done, GateState.blocked), (601, .missed, .open), (86_400, .missed, .open)]
            as [(Int64, Window.State, GateState)]
    )
    func aBlockMoreThanTenMinutesLateIsMissed(late: Int64, state: Window.State, gate: GateState) throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60))
        house.clock.advance(seconds: 60 + late)
        let again = try house.killed()
        #expect(again.schedule.doWhatIsDue() == nil)
        #expect(try again.window(1).state == state)
        #expect(try again.state("shop/ios") == gate)
    }

    @Test(arguments: [60, 601, 864_000] as [Int64]) func openingsAlwaysRunLate(late: Int64) throws {
        let house = try shop()
        try house.set("shop/ios", to: Rules.kill)
        try house.set("shop/android", to: #"{"killSwitch":{"message":"m","until":"\#(house.clock.now.advanced(bySeconds: 60))"}}"#)
        try house.make(house.draft("shop/ios", set: Rules.open, in: 60))
        try house.add("bank", "ios")
        try house.make(house.draft("bank/ios", in: 30, until: 60))
        house.pass(30)
        #expect(try house.state("bank/ios") == .blocked)
        house.clock.advance(seconds: 30 + late)
        let again = try house.killed()
        again.schedule.doWhatIsDue()
        for target in ["shop/ios", "shop/android", "bank/ios"] { #expect(try again.state(target) == .open) }
        #expect(try [again.window(1).state, again.window(2).state] == [.done, .done])
    }

    @Test func aWindowWhoseWholeSpanWasSleptThroughIsMissedAndCannotBeRun() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        house.pass(120)
        #expect(try house.window(1).state == .missed)
        // Whoever looks at the server's health is told, until somebody does something about it.
        #expect(house.ledger.notices(for: .all).count == 1)
        let again = try house.killed()
        #expect(again.ledger.notices(for: .all).first?.contains("window 1 was missed") == true)
        // Whoever may not see what it is about could neither run nor cancel it; so it is after a start too.
        for ledger in [house.ledger, again.ledger] {
            #expect(ledger.notices(for: .only([AppKey("shop")!])) == ledger.notices(for: .all))
            #expect(ledger.notices(for: .only([AppKey("bank")!])).isEmpty)
        }
        #expect(house.ledger.sequence == 3)
        #expect(word { try house.run(1) } == "past_time")
        #expect(try house.schedule.cancel(1, by: .operator).state == .cancelled)
        #expect(house.ledger.notices(for: .all).isEmpty)
        #expect(house.ledger.windowCounts[.missed] == 0)
    }

    /// What a monitor is told of a clock that nobody looks at.
    @Test func aWindowThatNobodyTurnsIsLate() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 600))
        #expect(house.ledger.windowLateness == 0)
        house.clock.advance(seconds: 60)
        #expect(house.ledger.windowLateness == 0, "due, and not late")
        house.clock.advance(seconds: 45)
        #expect(house.ledger.windowLateness == 45_000)
        house.schedule.doWhatIsDue()
        #expect(try house.window(1).state == .running)
        #expect(house.ledger.windowLateness == 0)
    }

    @Test func aMissedBlockRunsAtAPersonsWordOnce() throws {
        let house = try shop(protected: true)
        try house.make(house.draft("shop/ios", in: 60, until: 7_200), WriteTerms(reason: "Sale", confirm: "shop/ios"))
        house.pass(3_600)
        #expect(try house.window(1).state == .missed)
        #expect(word { try house.run(1) } == "confirmation_required")
        #expect(try house.run(1, WriteTerms(dryRun: true)).plan?.confirm == "shop/ios")
        let outcome = try house.run(1, WriteTerms(confirm: "shop/ios"), by: .operator)
        #expect(outcome.change?.actor.name == "otto")
        #expect(outcome.change?.reason == "Sale")
        #expect(try house.window(1).state == .running)
        #expect(word { try house.run(1, WriteTerms(confirm: "shop/ios")) } == "window_over")
        house.pass(7_200)
        #expect(try house.window(1).state == .done)
        #expect(try house.state("shop/ios") == .open)
    }

    @Test func aWindowRunsEarlyAtAPersonsWordAndNotAgain() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.run(1)
        #expect(try house.state("shop/ios") == .blocked)
        let sequence = house.ledger.sequence
        house.pass(60)
        #expect(house.ledger.sequence == sequence)
        house.pass(60)
        #expect(try house.state("shop/ios") == .open)
    }

    @Test func aStaleWindowDoesNotRunAtAPersonsWordEither() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios"))
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"Incident."}}"#)
        let error = refusal { try house.run(1) }
        #expect(error?.word == "stale_window")
        #expect(error?.current?.gate.killSwitch?.message == .text("Incident."))
        #expect(try house.window(1).state == .pending)
    }

    @Test func aClockThatIsPutBackRepeatsNothing() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        house.pass(60)
        let sequence = house.ledger.sequence
        house.pass(-3_600)
        #expect(house.ledger.sequence == sequence)
        for _ in 0..<70 { house.pass(60) }
        #expect(house.ledger.sequence == sequence + 1)
        #expect(try house.window(1).state == .done)
    }

    @Test func cancellingKeepsWhatHasNotHappenedFromHappening() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.make(house.draft("shop/android", in: 60, until: 120))
        #expect(try house.schedule.cancel(1, terms: WriteTerms(reason: "Sale is off"), by: .operator).events.last?.detail == "Sale is off")
        house.pass(60)
        #expect(try house.state("shop/ios") == .open)
        #expect(try house.schedule.cancel(2, by: .operator).state == .cancelled)
        house.pass(60)
        #expect(try house.state("shop/android") == .blocked)
        #expect(try house.schedule.cancel(2, by: .operator).state == .cancelled)
        try house.make(house.draft("shop/ios", in: 60))
        house.pass(60)
        #expect(word { _ = try house.schedule.cancel(3, by: .operator) } == "window_over")
    }

    // MARK: Kill switches that lift themselves

    @Test func aKillSwitchLiftsItselfAsAChangeOfItsOwnExactlyOnce() throws {
        let house = try shop()
        let end = house.clock.now.advanced(bySeconds: 60)
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"m","until":"\#(end)"}}"#)
        #expect(house.schedule.doWhatIsDue() == end)
        #expect(try house.sink.text("/feeds/shop/ios/gate.json").unwrapped().contains(#""until":"\#(end)""#))
        house.clock.advance(seconds: 60)
        // As if the server were killed before it could do it, and after it had, before anybody was told.
        let before = try house.killed()
        for one in [before, try before.killed(), house, try house.killed()] {
            one.schedule.doWhatIsDue()
            let changes = try one.ledger.history(ChangeQuery(source: .expiry), for: .admin).changes
            #expect(changes.count == 1)
            #expect(changes.first?.actor == Actor(kind: .system, name: "expiry"))
            #expect(try one.state("shop/ios") == .open)
            #expect(one.ledger.events(after: 4, for: .admin).items?.map(\.source) == [.expiry])
        }
    }

    /// A window that starts as a kill switch lifts itself finds what that left, whatever the two are called.
    @Test(arguments: ["shop", "a", "zzz"]) func aKillSwitchLiftsItselfBeforeAWindowOfTheSameMoment(_ app: String) throws {
        let house = try House()
        try house.add(app, "ios")
        let end = house.clock.now.advanced(bySeconds: 60)
        try house.set("\(app)/ios", to: #"{"killSwitch":{"message":"first","until":"\#(end)"}}"#)
        try house.make(house.draft("\(app)/ios", set: #"{"killSwitch":{"message":"second"}}"#, in: 60, until: 120))
        house.pass(60)
        #expect(try house.target("\(app)/ios").gate.killSwitch?.message.defaultText == "second")
        let changes = try house.ledger.history(ChangeQuery(limit: 2), for: .admin).changes
        #expect(changes.map(\.source) == [.schedule, .expiry])
        #expect(changes.first?.targets.first?.before.killSwitch == nil)
        #expect(try house.window(1).state == .running)
        house.pass(60)
        #expect(try house.state("\(app)/ios") == .open)
        #expect(try house.window(1).state == .done)
    }

    @Test func anUntilMustBeToCome() throws {
        let house = try shop()
        func kill(_ seconds: Int64) -> String {
            #"{"killSwitch":{"message":"m","until":"\#(house.clock.now.advanced(bySeconds: seconds))"}}"#
        }
        for seconds in [0, -1] as [Int64] {
            let error = refusal { try house.set("shop/ios", to: kill(seconds)) }
            #expect(error?.word == "past_time")
            #expect(error?.field == "/set/killSwitch/until")
        }
        try house.set("shop/ios", to: kill(60))
        house.pass(60)
        // What would have lifted itself long ago is not put back as if it never should.
        let error = refusal { try house.submit(.revert("shop/ios", 3, to: 2)) }
        #expect((error?.word, error?.field) == ("past_time", "/revertTo"))
        #expect(error?.detail.hasPrefix("The kill switch of revision 2 ended at ") == true, "\(String(describing: error))")
    }

    @Test func anUntilThatIsPutOffOrTakenAwayIsNotKept() throws {
        let house = try shop()
        func kill(_ seconds: Int64) -> String {
            #"{"killSwitch":{"message":"m","until":"\#(house.clock.now.advanced(bySeconds: seconds))"}}"#
        }
        try house.set("shop/ios", to: kill(60))
        try house.set("shop/ios", to: kill(120))
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked)
        try house.set("shop/ios", to: Rules.kill)
        house.pass(600)
        #expect(try house.state("shop/ios") == .blocked)
    }

    // MARK: Trouble

    /// Wherever a step fails between two statements, it is tried again and done once.
    @Test(arguments: StoreConfiguration.CommitStep.allCases) func aStepThatFailsIsDoneLaterAndOnce(step: StoreConfiguration.CommitStep)
        throws
    {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        house.fault.fail(at: step)
        #expect(try #require(house.pass(60)) <= house.clock.now)
        #expect(try house.state("shop/ios") == .open)
        #expect(try house.window(1).state == .pending)
        #expect(house.ledger.health.reasons.contains { $0.hasPrefix("schedule: window 1") })
        #expect(house.ledger.namelessHealth.reasons.contains { $0.hasPrefix("schedule: something that was due could not be done") })
        house.fault.mend()
        for one in [try house.killed(), house] {
            one.pass(0)
            #expect(try one.state("shop/ios") == .blocked)
            #expect(try one.ledger.history(ChangeQuery(source: .schedule), for: .admin).changes.count == 1)
            #expect(one.ledger.health.state == .ok)
        }
    }

    @Test func oneThatCannotBeDoneDoesNotHoldUpTheOthers() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: Rules.require, in: 60))
        try house.make(house.draft("shop/android", in: 60))
        // The minimum version of the first is none under the other scheme.
        try house.submit(.settings("shop/ios", #"{"versionScheme":"code"}"#), WriteTerms(accept: ["no_known_releases"]))
        house.pass(60)
        #expect(try house.state("shop/android") == .blocked)
    }

    @Test func theThreadDoesWhatIsDueByItself() throws {
        let house = try House()
        try house.add("shop", "ios")
        let scheduler = Scheduler(house.schedule, now: { [clock = house.clock] in clock.now })
        try house.make(house.draft("shop/ios", in: 60))
        house.clock.advance(seconds: 60)
        house.ledger.wake()
        do {
            defer { scheduler.stop() }
            try blockUntil("the window has begun") { try house.window(1).state != .pending }
        }
        #expect(try house.state("shop/ios") == .blocked)
    }

    /// With the clock put back by an hour, a window that is due in ten minutes would otherwise begin in seventy.
    @Test func theThreadDoesNotSleepUntilATimeOfTheClockThatPeopleSet() throws {
        let house = try House()
        let scheduler = Scheduler(house.schedule, now: { [clock = house.clock] in clock.now })
        defer { scheduler.stop() }
        #expect(try !FutexWaits.dependOnTheSetClock(ofThread: "schedule"))
    }
}
