import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateService

/// Windows of one target that follow each other, lie within each other or outlive each other.
@Suite struct WindowsThatMeetTests {
    private func shop() throws -> House {
        let house = try House()
        try house.add("shop", "ios")
        return house
    }

    /// A kill switch that takes the platform's interval.
    private func kill(_ text: String) -> String { #"{"killSwitch":{"message":"\#(text)"}}"# }

    private func message(_ house: House) throws -> String? { try house.target("shop/ios").gate.killSwitch?.message.defaultText }

    private func states(_ house: House) throws -> [Window.State] {
        try house.schedule.windows(WindowQuery(limit: 10), for: .admin).windows.map(\.state)
    }

    // MARK: One after the other

    @Test(arguments: [Window.Ending.open, .restore], [true, false])
    func oneFollowsAnotherWhicheverWasMadeFirst(then: Window.Ending, isMadeInOrder: Bool) throws {
        let house = try shop()
        let spans: [(text: String, start: Int64, end: Int64)] = [("first", 60, 120), ("second", 120, 180)]
        for span in isMadeInOrder ? spans : spans.reversed() {
            let made = try house.make(house.draft("shop/ios", set: kill(span.text), in: span.start, until: span.end, then: then))
            #expect(made.plan?.warnings.contains { $0.code == "window_overlap" } == false)
        }
        var seen: [String?] = []
        for _ in 0..<3 {
            house.pass(60)
            seen.append(try message(house))
        }
        #expect(seen == ["first", "second", nil])
        #expect(try states(house) == [.done, .done])
    }

    /// Made for a span of its own, and put off until the next one starts.
    @Test func oneThatIsExtendedUpToTheNextIsFollowedByIt() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("next"), in: 300, until: 400))
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: 120))
        house.pass(60)
        let running = try house.window(2)
        let longer = try WindowDraft(
            targets: running.targets.map { ($0.key, nil) },
            set: running.set,
            start: running.start,
            end: try ZonedTime(at: house.clock.now.advanced(bySeconds: 240)),
            then: .open
        )
        try house.replace(2, with: longer)
        house.pass(240)
        #expect(try message(house) == "next")
        house.pass(100)
        #expect(try message(house) == nil)
        #expect(try states(house) == [.done, .done])
    }

    // MARK: One that outlives another

    /// What the first one had put is wanted by nobody any more, whatever the platform's interval is by then.
    @Test func whatIsOverIsNotBroughtBack() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: 120))
        try house.make(house.draft("shop/ios", set: kill("second"), in: 90, until: 160, then: .restore))
        house.pass(60)
        house.pass(30)
        #expect(try message(house) == "second")
        try house.submit(.settings("shop/ios", #"{"defaultRetryInterval":60}"#))
        house.pass(30)
        #expect(try message(house) == nil)
        #expect(try house.window(2).targets[0].before == GateEdit([.killSwitch: nil]))
        // As the database has it, too.
        for house in [try house.killed(), house] {
            house.schedule.doWhatIsDue()
            #expect(try house.window(2).state == .running)
        }
        house.pass(40)
        #expect(try house.target("shop/ios").gate == .open)
        #expect(try states(house) == [.done, .done])
    }

    /// The second of three has nothing to change at its end, and is no less over for that.
    @Test func whatIsOverIsNotBroughtBackByTheThirdEither() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: 120))
        try house.make(house.draft("shop/ios", set: kill("second"), in: 70, until: 150, then: .restore))
        try house.make(house.draft("shop/ios", set: kill("third"), in: 80, until: 200, then: .restore))
        for seconds in [60, 10, 10, 40] as [Int64] { house.pass(seconds) }
        #expect(try message(house) == nil)
        let sequence = house.ledger.sequence
        house.pass(30)
        #expect(house.ledger.sequence == sequence)
        #expect(try house.window(3).events.last?.what == .overtaken)
        #expect(try house.window(3).events.last?.sequence == nil)
        house.pass(50)
        #expect(try house.target("shop/ios").gate == .open)
        #expect(try states(house) == [.done, .done, .done])
    }

    /// Which one started first is not a question of the clock, which may have been set back in between.
    @Test func whatIsOverIsNotBroughtBackAfterTheClockWasSetBack() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("first"), in: 3_600, until: 3_700))
        house.pass(3_600)
        house.pass(-3_600)
        try house.make(house.draft("shop/ios", set: kill("second"), in: 60, until: 7_200, then: .restore))
        house.pass(60)
        #expect(try message(house) == "second")
        house.pass(3_640)
        #expect(try house.window(1).state == .done)
        #expect(try message(house) == nil)
        house.pass(3_500)
        #expect(try house.target("shop/ios").gate == .open)
    }

    @Test func whatWasThereBeforeBothComesBack() throws {
        let house = try shop()
        try house.set("shop/ios", to: kill("incident"))
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: 120, then: .restore))
        try house.make(house.draft("shop/ios", set: kill("second"), in: 90, until: 160, then: .restore))
        for (seconds, text) in [(60, "first"), (30, "second"), (30, "incident"), (40, "incident")] as [(Int64, String)] {
            house.pass(seconds)
            #expect(try message(house) == text)
        }
    }

    /// One that started before knows nothing of it: what it found was there without it, be it the same.
    @Test func whatAnEarlierOneFoundStays() throws {
        let house = try shop()
        try house.set("shop/ios", to: kill("incident"))
        try house.make(house.draft("shop/ios", set: Rules.open, in: 60, until: 300, then: .restore))
        try house.make(house.draft("shop/ios", set: kill("incident"), in: 90, until: 120))
        for (seconds, text) in [(60, nil), (30, "incident"), (30, nil), (180, "incident")] as [(Int64, String?)] {
            house.pass(seconds)
            #expect(try message(house) == text)
        }
        #expect(try states(house) == [.done, .done])
    }

    // MARK: Windows and people

    /// How a person lets everybody in during the first of several windows, and when the second one starts.
    enum EarlyOpening: CaseIterable {
        /// The second was made with the first, or not before it ran.
        case madeBefore, madeMeanwhile
        case whileBothRun
        case afterCancelling
    }

    /// The kill switch that a person took away was the first one's: the others find what they were made for.
    @Test(arguments: EarlyOpening.allCases, [Window.Ending.open, .restore])
    func whoOpensDuringOneWindowStopsNoLaterOne(how: EarlyOpening, then: Window.Ending) throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: 120, then: then))
        func makeOthers(in seconds: Int64) throws {
            try house.make(house.draft("shop/ios", set: kill("second"), in: seconds, until: seconds + 60, then: then))
            try house.make(house.draft("shop/ios", set: kill("third"), in: seconds + 120, until: seconds + 180, then: then))
        }
        let second: Int64 = how == .whileBothRun ? 100 : 180
        if how != .madeMeanwhile { try makeOthers(in: second) }
        house.pass(60)
        if how == .madeMeanwhile { try makeOthers(in: second - 60) }
        if how == .afterCancelling { _ = try house.schedule.cancel(1, by: .operator) }
        let plan = try house.set("shop/ios", to: Rules.open).plan
        // The others will be carried out all the same, and whoever opens must know.
        #expect(!plan.warnings.contains { $0.detail.contains("not be carried out") })
        #expect(
            plan.warnings.contains {
                $0.detail.hasPrefix("Opening now does not cancel windows 2, 3, which shut people out of shop/ios later")
            }
        )
        let snapshot = house.ledger.snapshot
        var forecast = Forecast(snapshot.catalog, snapshot.schedule, of: AppKey("shop")!, environment: house.ledger.environment)
        try forecast.advance(to: house.clock.now.advanced(bySeconds: second - 60))
        #expect(forecast.catalog.target(TargetKey("shop/ios")!)?.gate.killSwitch?.message.defaultText == "second")
        house.pass(second - 60)
        #expect(try house.window(2).state == .running)
        #expect(try message(house) == "second")
        // As the database has it, too.
        let again = try house.killed()
        again.pass(120)
        #expect(try again.window(3).state == .running)
        #expect(try message(again) == "third")
        again.pass(60)
        #expect(try again.target("shop/ios").gate == .open)
        let first: Window.State =
            switch how {
            case .madeBefore, .madeMeanwhile: .done
            // It finds the second one's kill switch in the place of what a person took away.
            case .whileBothRun: .failed
            case .afterCancelling: .cancelled
            }
        #expect(try states(again) == [.done, .done, first])
    }

    /// What comes first decides: another window that begins in between, or is longer, leaves the waiting one without what it was made for.
    @Test(arguments: [100, 130, 200] as [Int64], [Window.Ending.open, .restore])
    func theWarningOfAWaitingWindowIsWhatHappens(end: Int64, then: Window.Ending) throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: end, then: then))
        try house.make(house.draft("shop/ios", set: kill("between"), in: 120, until: 140, then: then))
        house.pass(60)
        try house.make(house.draft("shop/ios", set: kill("third"), in: 90, until: 400, then: then))
        let plan = try house.set("shop/ios", to: Rules.open).plan
        let isWarned = plan.warnings.contains { $0.detail.contains("window 3") && $0.detail.contains("not be carried out") }
        #expect(isWarned == (end > 120))
        for _ in 0..<9 { house.pass(10) }
        #expect(try (house.window(3).state == .failed) == isWarned)
    }

    /// Opening gradually is opening, if everybody is in before the running window ends.
    @Test(arguments: [40, 60, 80] as [Int64]) func whoOpensGraduallyIsToldOfTheWindowsThatCome(seconds: Int64) throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: 120))
        house.pass(60)
        try house.make(house.draft("shop/ios", set: kill("second"), in: 120, until: 180))
        let (start, end) = (house.clock.now, house.clock.now.advanced(bySeconds: seconds))
        let opening = #"{"killSwitch":{"message":"first","retryInterval":15,"opening":"\#(start)","until":"\#(end)"}}"#
        let plan = try house.set("shop/ios", to: opening).plan
        let isWarned = plan.warnings.contains { $0.detail.contains("not be carried out") }
        #expect(isWarned == (seconds > 60))
        #expect(plan.warnings.contains { $0.detail.hasPrefix("Opening now does not cancel window 2") } == !isWarned)
        for _ in 0..<12 { house.pass(10) }
        #expect(try (house.window(2).state == .failed) == isWarned)
    }

    /// What a person puts in the place of the first one's kill switch is no window's.
    @Test func whoPutsSomethingElseMeanwhileStopsTheNextOne() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("first"), in: 60, until: 120))
        try house.make(house.draft("shop/ios", set: kill("second"), in: 180, until: 240))
        house.pass(60)
        try house.set("shop/ios", to: kill("incident"))
        house.pass(120)
        #expect(try message(house) == "incident")
        #expect(try states(house) == [.failed, .failed])
    }

    @Test func whoPutsBackWhatAWindowExpectsIsNotWarned() throws {
        let house = try shop()
        func isWarned(_ set: String) throws -> Bool {
            try house.set("shop/ios", to: set).plan.warnings.contains {
                $0.code == "window_overlap" && $0.detail.hasPrefix("shop/ios: window 1")
            }
        }
        try house.make(house.draft("shop/ios", in: 60, until: 120))
        #expect(try isWarned(kill("incident")))
        #expect(try isWarned(Rules.open) == false)
        house.pass(60)
        #expect(try house.window(1).state == .running)
        #expect(try isWarned(kill("incident")))
        #expect(try isWarned(Rules.kill) == false)
        house.pass(60)
        #expect(try house.window(1).state == .done)
        #expect(try house.state("shop/ios") == .open)
    }

    /// It cannot be known whether they mean the window's or their own; the window's end takes it for the window's.
    @Test(arguments: [Window.Ending.open, .restore]) func whoSetsAgainWhatAWindowDidIsToldThatItEndsWithIt(then: Window.Ending) throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: kill("Closed."), in: 60, until: 120, then: then))
        house.pass(60)
        try house.set("shop/ios", to: Rules.open)
        let told = try overlaps(house, .set([("shop/ios", house.revision("shop/ios"))], kill("Closed.")))
        let end = try house.window(1).end.unwrapped().inWords
        #expect(
            told == [
                "shop/ios: this is what window 1 did; at its end, \(end), it takes it back, whoever has set it. To have it stay, cancel the window."
            ]
        )
        // Another text is somebody's own, and one that the window would leave anyway is no matter.
        #expect(try overlaps(house, .set([("shop/ios", house.revision("shop/ios"))], Rules.notify)) == [])
        try house.set("shop/ios", to: kill("Closed."))
        _ = try house.schedule.cancel(1, by: .admin)
        house.pass(60)
        #expect(try message(house) == "Closed.")
    }

    /// A window that waits, what is put in meanwhile, what is set then, and whether whoever sets that is told of the window.
    @Test(arguments: [
        (Rules.kill, Rules.kill, Rules.open, true), (Rules.force, Rules.kill, Rules.open, true),
        (Rules.require, Rules.kill, Rules.open, true), (Rules.kill, Rules.block, Rules.notify, true),
        (Rules.kill, Rules.require, #"{"requiredUpdate":null}"#, true),
        // The window shuts nobody out.
        (Rules.notify, Rules.kill, Rules.open, false), (Rules.suggest, Rules.kill, Rules.open, false),
        // Nobody is let in: nothing was shut, or something else shuts now.
        (Rules.kill, Rules.notify, #"{"alert":null}"#, false),
        (Rules.kill, Rules.block, #"{"alert":null,"forceUpdate":{"message":"Please update."}}"#, false),
    ]) func whoOpensIsToldOfTheBlockThatComesAllTheSame(window: String, shut: String, open: String, isTold: Bool) throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: window, in: 600, until: 700, then: .restore))
        try house.set("shop/ios", to: shut)
        let told =
            "Opening now does not cancel window 1, which shuts people out of shop/ios from \(try house.window(1).start.inWords); cancel it too if it is not wanted."
        #expect(try overlaps(house, .set([("shop/ios", 2)], open)) == (isTold ? [told] : []))
    }

    /// It expects the block, and fails without it.
    @Test func whoOpensIsNotToldOfAWindowThatThisStops() throws {
        let house = try shop()
        try house.set("shop/ios", to: Rules.kill)
        try house.make(house.draft("shop/ios", set: kill("sale"), in: 600, until: 700))
        let told = try overlaps(house, .set([("shop/ios", 2)], Rules.open))
        #expect(told.count == 1 && told[0].hasPrefix("shop/ios: window 1, due"))
    }

    @Test func whoOpensGraduallyOrTakesABlockBackIsToldToo() throws {
        let house = try shop()
        try house.add("bank", "ios")
        // The second one is about the kill switch too, which has lifted itself by then.
        for (start, set) in [(600, Rules.force), (60, Rules.kill), (300, Rules.force)] as [(Int64, String)] {
            try house.make(house.draft("shop/ios", set: set, in: start, until: start + 30))
        }
        try house.set("shop/ios", "bank/ios", to: Rules.kill, WriteTerms(confirm: "kill 2 targets"))
        let told =
            "Opening now does not cancel windows 2, 3, 1, which shut people out of shop/ios later; cancel them too if they are not wanted."
        #expect(try overlaps(house, .set([("shop/ios", 2), ("bank/ios", 2)], Rules.open)) == [told])
        #expect(try overlaps(house, .revert("shop/ios", 2, to: 1)) == [told])
        let gradually = TargetCommand(
            target: TargetKey("shop/ios")!,
            revision: 2,
            action: .open(try PreparedEdit(GateEdit(json: Rules.open.json)), over: 60),
            pointer: "/targets/0",
            editPointer: "/set"
        )
        #expect(try overlaps(house, .gates([gradually], kind: .set)) == [told])
        #expect(try overlaps(house, .set([("bank/ios", 2)], Rules.open)) == [])
    }

    @Test func aBlockThatLiftsItselfBeforeAWindowStopsNone() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", in: 600, until: 700))
        func told(until seconds: Int64) throws -> [String] {
            let until = house.clock.now.advanced(bySeconds: seconds)
            return try overlaps(house, .set([("shop/ios", 1)], #"{"killSwitch":{"message":"Incident.","until":"\#(until)"}}"#))
        }
        #expect(try told(until: 600) == [])
        #expect(try told(until: 601).count == 1)
    }

    /// What the plan of a command says of windows.
    private func overlaps(_ house: House, _ command: Command) throws -> [String] {
        try house.submit(command, WriteTerms(dryRun: true)).plan.warnings.filter { $0.code == "window_overlap" }.map(\.detail)
    }

    /// Whoever may see a part of a window is told the revision that the whole of it has.
    @Test func aWindowHasOneRevisionForEverybody() throws {
        let house = try shop()
        try house.add("bank", "ios")
        let draft = try house.draft("shop/ios", "bank/ios", in: 1_000)
        let window = try house.make(draft, WriteTerms(confirm: "kill 2 targets")).window.id
        try house.make(house.draft("shop/ios", set: kill("sale"), in: 60, until: 120))
        house.pass(60)
        house.pass(60)
        #expect(try house.window(window).revision == 3)
        #expect(try house.schedule.window(window, for: .banker).revision == 3)
    }
}
