import GateJSON
import GateModel
import Testing

@testable import gatectl

/// What will happen to a target by itself, as the list of states shows it.
@Suite struct NextStepTests {
    private static let now = Timestamp("2026-04-02T09:00:00.000Z")!
    private static let key = TargetKey("shop/ios")!

    private func target(_ gate: Gate, _ key: TargetKey = key) -> Target {
        Target(
            key: key,
            settings: .standard(for: .ios),
            gate: gate,
            revision: 3,
            sequence: 7,
            since: Self.now,
            changedAt: Self.now
        )
    }

    private func kill(until seconds: Int64? = nil) -> Gate {
        Gate(killSwitch: KillSwitch(message: .text("m"), retryInterval: 15, until: seconds.map(Self.now.advanced(bySeconds:))))
    }

    /// A kill switch from `start` to `end`, made while the target was open.
    /// - Parameter expected: the gate that its next step is for.
    private func window(
        _ state: Window.State = .pending,
        from start: Int64,
        to end: Int64? = nil,
        then: Window.Ending = .open,
        expecting expected: Gate = .open
    ) throws -> Window {
        Window(
            id: 12,
            state: state,
            targets: [
                Window.Target(
                    key: Self.key,
                    revision: 3,
                    expected: GateEdit([.killSwitch], of: expected),
                    before: state == .running ? GateEdit([.killSwitch], of: .open) : nil
                )
            ],
            set: try GateEdit(json: JSONReader.read(#"{"killSwitch":{"message":"w"}}"#)),
            start: try ZonedTime(at: Self.now.advanced(bySeconds: start)),
            end: try end.map { try ZonedTime(at: Self.now.advanced(bySeconds: $0)) },
            then: then,
            actor: Actor(kind: .user, name: "ann"),
            source: .dashboard,
            reason: nil,
            accept: [],
            events: []
        )
    }

    /// A target on which a start put nothing is not opened by the end; one that got a part of it is.
    @Test func aWindowThatPutNothingOnATargetHasNoNextStepThere() throws {
        var failed = try window(.running, from: -60, to: 600)
        failed.targets[0] = Window.Target(key: Self.key, revision: 3, expected: GateEdit([:]), before: GateEdit([.killSwitch], of: .open))
        #expect(said(.open, failed) == "opens 09:10 UTC (10m)", "as long as nobody says that it failed")
        let clock = Actor(kind: .system, name: "schedule")
        failed.events = [.init(at: Self.now, what: .started, actor: clock), .init(at: Self.now, what: .failed, actor: clock)]
        #expect(said(.open, failed) == nil)
        #expect(said(kill(until: 960), failed) == "opens 09:16 UTC (16m)")
        failed.targets[0].expected = GateEdit([.killSwitch], of: kill())
        #expect(said(kill(), failed) == "opens 09:10 UTC (10m)")
    }

    private func said(_ gate: Gate, _ windows: Window...) -> String? {
        NextStep(target(gate), Outlook(windows, [target(gate)]))?.said(Self.now)
    }

    @Test func theEarliestStepIsTold() throws {
        #expect(said(.open) == nil)
        #expect(said(kill(until: 960)) == "opens 09:16 UTC (16m)")
        #expect(said(.open, try window(from: 600)) == "block 09:10 UTC (10m)")
        #expect(said(kill(until: 960), try window(.running, from: -60, to: 600, expecting: kill(until: 960))) == "opens 09:10 UTC (10m)")
        #expect(said(.open, try window(.running, from: -60, to: 600, then: .restore)) == "restores 09:10 UTC (10m)")
        #expect(said(kill(until: -1)) == "opens now")
    }

    /// A window that was made for an open target finds it changed at its start.
    @Test func aWindowThatWillFailIsToldAsSuch() throws {
        #expect(said(kill(), try window(from: 600)) == "block 09:10 UTC (10m), will fail")
        #expect(said(kill(until: 960), try window(from: 600)) == "block 09:10 UTC (10m), will fail")
        // By the window's start the kill switch has lifted itself.
        #expect(step(kill(until: 300), try window(from: 600))?.what == "opens")
        #expect(step(kill(until: 600), try window(from: 600))?.isVain == false)
        let opens = try #require(try step(.open, window(from: 600))?.json.object)
        #expect(opens["willFail"] == nil)
    }

    @Test func aWindowThatWasRunEarlyIsToldFromThenOn() throws {
        var window = try window(.running, from: 3_600, to: 7_200)
        #expect(WindowView.times(window, now: Self.now)[0].contains(" · in "))
        let at = Self.now.advanced(bySeconds: -60)
        window.events.append(Window.Event(at: at, what: .started, actor: Actor(kind: .user, name: "ann")))
        let lines = WindowView.times(window, now: Self.now)
        #expect(lines[0].contains("2026-04-02 08:59 UTC") && lines[0].hasSuffix(" ago"), "\(lines)")
        #expect(lines[2] == "  lasts  2 hours 1 minute")
    }

    /// What it was made for does as well as what another window has put since.
    @Test func aWindowThatFindsWhatItWasMadeForIsNotTold() throws {
        var window = try window(from: 600)
        window.targets[0].made = window.targets[0].expected
        window.targets[0].expected = GateEdit([.killSwitch], of: kill())
        #expect(step(.open, window)?.isVain == false)
        #expect(step(kill(), window)?.isVain == false)
        #expect(step(kill(until: 960), window)?.isVain == true)
    }

    /// A block that was to end and did not is there as much as one that runs: calling its window off leaves it for good.
    @Test(arguments: [
        (Window.State.pending, false, false), (.running, true, true), (.missed, false, false), (.missed, true, true), (.done, true, false),
    ])
    func whatHasStartedAndNotEndedIsAskedAboutBeforeItIsCancelled(state: Window.State, hasStarted: Bool, isAsked: Bool) throws {
        var window = try window(state, from: -600, to: -300)
        if hasStarted { window.events = [Window.Event(at: Self.now, what: .started, actor: window.actor)] }
        #expect(ScheduleCancelCommand.hasEffect(window) == isAsked)
    }

    private func step(_ gate: Gate, _ window: Window) -> NextStep? { NextStep(target(gate), Outlook([window], [target(gate)])) }

    /// What somebody changed while the window ran stays at its end.
    @Test(arguments: [Window.Ending.open, .restore]) func anEndThatLeavesWhatThereIsIsToldAsSuch(then: Window.Ending) throws {
        let running = try window(.running, from: -60, to: 600, then: then, expecting: kill())
        let other = Gate(killSwitch: KillSwitch(message: .text("another"), retryInterval: 15))
        #expect(said(other, running) == "ends 09:10 UTC (10m), stays as it is")
        #expect(step(other, running)?.json.object?["willFail"] == .bool(true))
        #expect(said(kill(), running) == (then == .open ? "opens 09:10 UTC (10m)" : "restores 09:10 UTC (10m)"))
        // A rule that is none of the window's is not told.
        var more = kill()
        more.alert = Alert(message: .text("a"), blocking: false)
        #expect(step(more, running)?.isVain == false)
    }

    /// The end goes rule by rule: that a word of the alert was corrected keeps nobody out.
    @Test func anEndThatLeavesAnotherRuleStillOpens() throws {
        var running = try window(.running, from: -60, to: 600, then: .restore)
        var put = kill()
        put.alert = Alert(message: .text("Baak soon"), blocking: false)
        let rules: [Rule] = [.killSwitch, .alert]
        running.targets = [
            Window.Target(key: Self.key, revision: 3, expected: GateEdit(rules, of: put), before: GateEdit(rules, of: .open))
        ]
        var now = put
        now.alert = Alert(message: .text("Back soon"), blocking: false)
        #expect(said(now, running) == "restores 09:10 UTC (10m)")
        now.killSwitch?.message = .text("another")
        #expect(step(now, running)?.isVain == true)
    }

    /// A window does all that it was made for, or nothing.
    @Test func aWindowFailsForEachOfItsTargets() throws {
        let other = TargetKey("shop/android")!
        var both = try window(from: 600)
        both.targets.append(Window.Target(key: other, revision: 3, expected: GateEdit([.killSwitch], of: .open)))
        let blocked = target(kill(), other)
        #expect(Outlook([both], [target(.open), blocked]).willFail(both))
        #expect(NextStep(target(.open), Outlook([both], [target(.open), blocked]))?.isVain == true)
        #expect(!Outlook([both], [target(.open)]).willFail(both), "of what is not known nothing is foretold")
        both.state = .running
        #expect(!Outlook([both], [target(.open), blocked]).willFail(both))
    }
}
