import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// A window that comes in the place of another one, and the end of one that runs.
@Suite struct WindowReplaceTests {
    private func shop(protected: Bool = false) throws -> House {
        let house = try House(protected: protected)
        try house.add("shop", "ios", "android")
        return house
    }

    /// A window of shop/ios that runs from now on, for an hour.
    private func running(_ house: House, then: Window.Ending = .open, set: String = Rules.kill) throws {
        try house.make(house.draft("shop/ios", set: set, in: 60, until: 3_660, then: then), terms(of: house))
        house.pass(60)
        #expect(try house.window(1).state == .running)
    }

    private func terms(of house: House) -> WriteTerms {
        house.ledger.environment.isProtected ? WriteTerms(reason: "Sale", confirm: "shop/ios") : WriteTerms()
    }

    /// The window as it runs, with another end.
    private func ending(_ house: House, in seconds: Int64?, then: Window.Ending = .open) throws -> WindowDraft {
        let window = try house.window(1)
        return try WindowDraft(
            targets: window.targets.map { ($0.key, nil) },
            set: window.set,
            start: window.start,
            end: seconds.map { try ZonedTime(at: house.clock.now.advanced(bySeconds: $0), zone: "UTC") },
            then: then
        )
    }

    // MARK: One that is called off

    /// What it did stays for good, and that is confirmed as when its end is taken away.
    @Test func callingOffARunningBlockIsConfirmedWhereTheEnvironmentIsProtected() throws {
        let house = try shop(protected: true)
        try house.make(house.draft("shop/ios", in: 600), terms(of: house))
        #expect(try house.schedule.cancel(1, by: .operator).state == .cancelled, "one that waits")
        try house.make(house.draft("shop/ios", in: 60, until: 3_660), terms(of: house))
        house.pass(60)
        #expect(word { _ = try house.schedule.cancel(2, by: .operator) } == "reason_required")
        let error = refusal { _ = try house.schedule.cancel(2, terms: WriteTerms(reason: "r"), by: .operator) }
        #expect((error?.word, error?.plan?.confirm) == ("confirmation_required", "shop/ios"))
        #expect(try house.window(2).state == .running)
        let cancelled = try house.schedule.cancel(2, terms: WriteTerms(reason: "r", confirm: "shop/ios"), by: .operator)
        #expect(cancelled.events.last?.detail == "r")
        #expect(try house.state("shop/ios") == .blocked)
    }

    @Test(arguments: [(Rules.notify, true), (Rules.kill, false)]) func callingOffAsksForNothingElsewhere(set: String, protected: Bool)
        throws
    {
        let house = try shop(protected: protected)
        try running(house, set: set)
        #expect(try house.schedule.cancel(1, by: .operator).state == .cancelled)
    }

    // MARK: One that waits

    @Test func anEditIsOneWindowAndNeverTwo() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        let edited = try house.replace(1, with: house.draft("shop/android", in: 600, until: 660))
        #expect(edited.window.id == 1)
        #expect(edited.window.revision == 2)
        // It is not in its own way.
        #expect(edited.plan?.warnings.contains { $0.code == "window_overlap" } == false)
        let all = try house.schedule.windows(WindowQuery(limit: 10), for: .admin).windows
        #expect(all.map(\.id) == [1])
        #expect(all[0].targets.map(\.key.description) == ["shop/android"])
        #expect(all[0].events.map(\.what) == [.made, .edited])

        // What it was first about is left alone; a restart finds what was written.
        house.pass(60)
        #expect(try house.state("shop/ios") == .open)
        let again = try house.killed()
        again.clock.advance(seconds: 540)
        again.schedule.doWhatIsDue()
        #expect(try again.state("shop/android") == .blocked)
        #expect(try again.state("shop/ios") == .open)
        try again.close()
        #expect(try Store.verify(directory: again.folder, server: again.address, migrations: House.migrations) == [])
    }

    @Test func aWindowIsFoundByTheAppsThatItIsAboutNow() throws {
        let house = try shop()
        try house.add("bank", "ios")
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.replace(1, with: house.draft("bank/ios", in: 60, until: 120))
        func found(_ app: String) throws -> [Int] {
            try house.schedule.windows(WindowQuery(app: AppKey(app), limit: 10), for: .admin).windows.map(\.id)
        }
        #expect(try found("bank") == [1])
        #expect(try found("shop") == [])
    }

    @Test func whoHasNotSeenTheLastEditIsToldSo() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        try house.replace(1, with: house.draft("shop/ios", in: 600, until: 660), by: .operator)
        let stale = refusal { try house.replace(1, with: house.draft("shop/ios", in: 700), revision: 1) }
        #expect((stale?.code, stale?.word, stale?.field) == (.revisionStale, "stale_revision", "/revision"))
        #expect(stale?.detail.contains("by otto") == true)
        let missing = refusal {
            _ = try house.schedule.replace(
                1,
                revision: nil,
                with: house.draft("shop/ios", in: 700),
                terms: WriteTerms(),
                by: .admin,
                idempotency: nil
            ) { _ in Answer(status: 200, body: []) }
        }
        #expect(missing?.code == .revisionMissing)
        #expect(try house.window(1).revision == 2)
    }

    @Test func aDryRunAndARefusalChangeNothing() throws {
        let house = try shop(protected: true)
        try house.make(house.draft("shop/ios", in: 60, until: 120), WriteTerms(reason: "Sale", confirm: "shop/ios"))
        let before = try house.window(1)
        let plan = try house.replace(1, with: house.draft("shop/ios", in: 600), WriteTerms(dryRun: true)).plan
        #expect(plan?.confirm == "shop/ios")
        #expect(word { try house.replace(1, with: house.draft("shop/ios", in: 600)) } == "reason_required")
        #expect(
            word { try house.replace(1, with: house.draft("shop/ios", in: -1), WriteTerms(reason: "r", confirm: "shop/ios")) }
                == "past_time"
        )
        #expect(try house.window(1) == before)
    }

    /// What is not named stays, and a reason that is replaced is kept with the edit.
    @Test(
        arguments: [(nil, "Sale", nil), ("Sale", "Sale", nil), ("Fair", "Fair", "Sale"), (" ", nil, "Sale")]
            as [(String?, String?, String?)]
    )
    func anEditKeepsTheReasonUnlessItNamesOne(named: String?, kept: String?, former: String?) throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120), WriteTerms(reason: "Sale"))
        let planned = try house.replace(1, with: house.draft("shop/ios", in: 600), WriteTerms(reason: named, dryRun: true)).window
        #expect(planned.reason == kept)
        let window = try house.replace(1, with: house.draft("shop/ios", in: 600), WriteTerms(reason: named), by: .operator).window
        #expect(window.reason == kept)
        let detail = try #require(window.events.last?.detail)
        #expect(detail.contains("Its reason was: Sale") == (former != nil))
        house.pass(600)
        let change = try house.ledger.history(ChangeQuery(limit: 1), for: .admin).changes[0]
        #expect(change.reason == "Window 1 by otto" + (kept.map { ": \($0)" } ?? ""))
    }

    /// The reason says once what was accepted, however often the window is edited.
    @Test func anEditWithoutAReasonSaysOnceWhatWasAccepted() throws {
        let house = try House()
        try house.add("shop", "ios", settings: ["releases": .array([.string("1.9.0"), .string("1.10.0")])])
        let set = #"{"requiredUpdate":{"minimumVersion":"1.10.0","message":"a"}}"#
        func terms(_ reason: String?) -> WriteTerms { WriteTerms(reason: reason, accept: ["text_order"]) }
        try house.make(house.draft("shop/ios", set: set), terms("Sale"))
        let edited = try house.replace(1, with: house.draft("shop/ios", set: set, in: 600), terms(nil)).window
        #expect(edited.reason == "Sale (accepted: text_order)")
    }

    @Test func anEditThatIsRepeatedUnderItsKeyIsMadeOnce() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        let draft = try house.draft("shop/ios", in: 600)
        let key = IdempotencyKey(key: "k", request: [1])
        var answers: [Answer] = []
        for _ in 0..<2 {
            answers.append(
                try house.schedule.replace(1, revision: 1, with: draft, terms: WriteTerms(), by: .admin, idempotency: key) {
                    Answer(status: 200, body: $0.window.json.bytes)
                }
            )
        }
        #expect(answers[0].body == answers[1].body)
        #expect(try house.window(1).revision == 2)
    }

    @Test func windowsThatAreOverOrSomebodyElsesAreNotEdited() throws {
        let house = try shop()
        try house.add("bank", "ios")
        try house.make(house.draft("shop/ios", in: 60))
        #expect(word { try house.replace(1, with: house.draft("bank/ios", in: 60), by: .banker) } == "window_not_found")
        house.pass(60)
        #expect(word { try house.replace(1, with: house.draft("shop/ios", in: 60)) } == "window_over")
    }

    @Test func aMissedOneGetsAnotherStart() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        house.pass(120)
        #expect(try house.window(1).state == .missed)
        try house.replace(1, with: house.draft("shop/ios", in: 60, until: 120))
        house.pass(60)
        #expect(try house.window(1).state == .running)
    }

    /// What all windows weigh together is what they are now, and not what they were first.
    @Test func anEditIsWeighedAnew() throws {
        let house = try shop()
        func weight() -> Int { house.ledger.snapshot.schedule.weight }
        try house.make(house.draft("shop/ios"))
        let first = weight()
        let text = String(repeating: "ü", count: 500)
        try house.replace(1, with: house.draft("shop/ios", set: #"{"alert":{"message":"\#(text)","blocking":false}}"#))
        #expect(weight() > first)
        #expect(try weight() == house.window(1).weight)
        try house.replace(1, with: house.draft("shop/ios"))
        #expect(weight() == first)
        _ = try house.schedule.cancel(1, by: .operator)
        #expect(weight() == 0)
    }

    @Test func editsAreCounted() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60))
        for _ in 0..<Window.mostEdits { try house.replace(1, with: house.draft("shop/ios", in: 60)) }
        #expect(word { try house.replace(1, with: house.draft("shop/ios", in: 60)) } == "too_many_edits")
    }

    // MARK: One that runs

    @Test func itEndsLater() throws {
        let house = try shop(protected: true)
        try running(house)
        let plan = try house.replace(1, with: ending(house, in: 7_200), WriteTerms(dryRun: true)).plan
        // People are kept out for longer.
        #expect(plan?.tier == .block)
        #expect(plan?.confirm == "shop/ios")
        #expect(plan?.diff.isEmpty == true)
        try house.replace(1, with: ending(house, in: 7_200), WriteTerms(reason: "Slow", confirm: "shop/ios"))
        house.pass(3_600)
        #expect(try house.state("shop/ios") == .blocked)
        house.pass(3_600)
        #expect(try house.state("shop/ios") == .open)
        #expect(try house.window(1).events.map(\.what) == [.made, .started, .edited, .ended])
        // Why is kept with the edit; the window's own reason is that of its maker.
        #expect(try house.window(1).events[2].detail?.hasSuffix(" Slow") == true)
        #expect(try house.window(1).reason == "Sale")
    }

    @Test func itEndsSoonerWithoutBeingAskedForAPhrase() throws {
        let house = try shop(protected: true)
        try running(house)
        #expect(try house.replace(1, with: ending(house, in: 60), WriteTerms(dryRun: true)).plan.unwrapped().confirm == nil)
        try house.replace(1, with: ending(house, in: 60), WriteTerms(reason: "Early"))
        house.pass(60)
        #expect(try house.state("shop/ios") == .open)
    }

    @Test func anOpeningThatIsShortenedShutsPeopleOutSooner() throws {
        let house = try shop(protected: true)
        try house.set("shop/ios", to: Rules.kill, WriteTerms(reason: "r", confirm: "shop/ios"))
        try house.make(
            house.draft("shop/ios", set: Rules.open, in: 60, until: 3_660, then: .restore),
            WriteTerms(reason: "r", confirm: "shop/ios")
        )
        house.pass(60)
        #expect(try house.state("shop/ios") == .open)
        #expect(try house.replace(1, with: ending(house, in: 60, then: .restore), WriteTerms(dryRun: true)).plan?.tier == .block)
    }

    @Test func withoutAnEndItIsALastingBlock() throws {
        let house = try shop()
        try running(house)
        try house.replace(1, with: ending(house, in: nil))
        #expect(try house.window(1).state == .done)
        house.pass(36_000)
        #expect(try house.state("shop/ios") == .blocked)
    }

    @Test func nothingElseOfItCanBeChanged() throws {
        let house = try shop()
        try running(house)
        #expect(word { try house.replace(1, with: house.draft("shop/ios", in: 60, until: 120)) } == "window_running")
        let window = try house.window(1)
        let other = try WindowDraft(
            targets: [(TargetKey("shop/android")!, nil)],
            set: window.set,
            start: window.start,
            end: window.end,
            then: .open
        )
        #expect(word { try house.replace(1, with: other) } == "window_running")
        #expect(word { try house.replace(1, with: ending(house, in: -1)) } == "past_time")
    }

    @Test func itEndsNowOnlyWhereThatIsSaid() throws {
        let house = try shop()
        try running(house)
        // Whoever runs it a second time does not end it.
        #expect(word { try house.run(1) } == "window_over")
        #expect(word { try house.run(1, step: .start) } == "window_running")
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try house.run(1, step: .end, WriteTerms(dryRun: true)).plan?.diff.isEmpty == false)
        #expect(try house.run(1, step: .end, by: .operator).window.state == .done)
        #expect(try house.state("shop/ios") == .open)
        let sequence = house.ledger.sequence
        house.pass(3_600)
        #expect(house.ledger.sequence == sequence)
    }

    @Test func oneThatWaitsIsNotEnded() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        #expect(word { try house.run(1, step: .end) } == "window_waits")
        #expect(try house.run(1, step: .start).window.state == .running)
    }

    @Test func whatAPersonChangedMeanwhileStaysAndIsTold() throws {
        let house = try shop()
        try running(house)
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"Incident."}}"#)
        let plan = try house.run(1, step: .end, WriteTerms(dryRun: true)).plan
        #expect(plan?.warnings.map(\.code).contains("window_left") == true)
        #expect(try house.run(1, step: .end).window.state == .failed)
        #expect(try house.target("shop/ios").gate.killSwitch?.message == .text("Incident."))
    }
}
