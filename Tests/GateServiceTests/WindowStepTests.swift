import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateService

/// What the rules refuse by the time a step of a window is due, and what its change tells.
@Suite struct WindowStepTests {
    /// Versions of which one is refused unless it is accepted.
    private static let releases = #"{"releases":["1.9.0","1.10.0"]}"#
    private static let require = #"{"requiredUpdate":{"minimumVersion":"1.10.0","message":"m"}}"#
    private static let accepting = WriteTerms(accept: ["text_order"])

    private func shop(_ settings: String = releases) throws -> House {
        let house = try House()
        try house.add("shop", "ios", "macos")
        for target in ["shop/ios", "shop/macos"] { try house.submit(.settings(target, settings)) }
        return house
    }

    // MARK: Starts

    /// Releases that come or go while the window waits, and the refusal that they cause.
    static let releasesThatCome: [(made: String, then: String, version: String, code: String)] = [
        (#"["8.0","9.0"]"#, #"["8.0","9.0","10.0"]"#, "9.0", "text_order"), (#"["2.0","3.0"]"#, #"["2.0"]"#, "3.0", "above_newest_release"),
        (#"["2.0","3.0"]"#, #"["2.0.0","3.0.0"]"#, "3.0", "component_count"),
    ]

    private static func shut(requiring version: String) -> String {
        #"{"killSwitch":{"message":"Migration."},"requiredUpdate":{"minimumVersion":"\#(version)","message":"m"}}"#
    }

    /// Whoever made the window could have overridden it, and confirmed the block; the app does not stay open for it.
    @Test(arguments: releasesThatCome, [true, false])
    func whatCouldHaveBeenOverriddenStopsNoStart(
        _ releases: (made: String, then: String, version: String, code: String),
        isTheClock: Bool
    ) throws {
        let house = try shop(#"{"releases":\#(releases.made)}"#)
        try house.make(house.draft("shop/ios", set: Self.shut(requiring: releases.version), in: 60, until: 120), WriteTerms(reason: "Sale"))
        let plan = try house.submit(.settings("shop/ios", #"{"releases":\#(releases.then)}"#)).plan
        #expect(plan.warnings.contains { $0.code == "window_refused" } == false)
        if !isTheClock { try house.run(1) }
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try house.target("shop/ios").gate.requiredUpdate?.minimumVersion == releases.version)
        let window = try house.window(1)
        #expect(window.state == .running)
        #expect(window.events.last?.detail?.hasPrefix("Started as it was confirmed, although by now: ") == true)
        let reason = try house.ledger.history(ChangeQuery(limit: 1), for: .admin).changes[0].reason
        #expect(reason?.hasSuffix("Sale (accepted: \(releases.code))") == true)
        house.pass(60)
        #expect(try house.target("shop/ios").gate == .open)
        #expect(try house.window(1).state == .done)
    }

    /// Where nothing can be overridden, the kill switch does not wait for the rule that is refused; who causes that is told, as is who
    /// reads the window.
    @Test(arguments: [nil, "1.9"] as [String?]) func theRestOfAStartDoesNotWaitForARuleThatIsRefused(before: String?) throws {
        let house = try shop("{}")
        if let before { try house.set("shop/ios", to: #"{"requiredUpdate":{"minimumVersion":"\#(before)","message":"m"}}"#) }
        let draft = try house.draft("shop/ios", "shop/macos", set: Self.shut(requiring: "3.0"), in: 60, until: 120)
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        let suggest = #"{"optionalUpdate":{"optionalVersion":"2.5","message":"m"}}"#
        let warnings = try house.set("shop/ios", to: suggest).plan.warnings.filter { $0.code == "window_refused" }
        #expect(warnings.count == 1)
        let told = "After this change window 1, due \(draft.start.inWords), cannot do all that it is for: shop/ios: requiredUpdate stays"
        #expect(warnings.first?.detail.hasPrefix(told) == true)
        // It is no news a second time.
        let again = try house.set("shop/ios", to: Rules.notify).plan.warnings
        #expect(again.contains { $0.code == "window_refused" } == false)
        // Somebody who is there mends it instead.
        #expect(word { try house.run(1) } == "optional_not_above_required")
        let snapshot = house.ledger.snapshot
        var forecast = Forecast(snapshot.catalog, snapshot.schedule, of: AppKey("shop")!, environment: house.ledger.environment)
        try forecast.advance(to: house.clock.now.advanced(bySeconds: 60))
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try house.target("shop/ios").gate.requiredUpdate?.minimumVersion == before)
        #expect(try house.target("shop/macos").gate.requiredUpdate?.minimumVersion == "3.0")
        for target in ["shop/ios", "shop/macos"] {
            #expect(try forecast.catalog.target(TargetKey(target)!)?.gate == house.target(target).gate)
        }
        let window = try house.window(1)
        #expect(window.state == .running)
        #expect(window.events.map(\.what) == [.made, .started, .failed])
        #expect(
            window.events.last?.detail?.hasPrefix("shop/ios: requiredUpdate stays as it is: On shop/ios the optional version 2.5") == true
        )
        #expect(try house.audit().contains { $0.action == "window.failed" && $0.subject == "1" })
        // What the window did not put is not taken away with it.
        house.pass(60)
        #expect(try house.target("shop/macos").gate == .open)
        #expect(try house.target("shop/ios").gate.killSwitch == nil)
        #expect(try house.target("shop/ios").gate.requiredUpdate?.minimumVersion == before)
        #expect(try house.window(1).state == (before == nil ? .done : .failed))
    }

    /// Nobody is let in who was to be let in only together with what is refused.
    @Test func aStartThatOpensIsRefusedAsAWhole() throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: Rules.kill)
        let set = #"{"killSwitch":null,"requiredUpdate":{"minimumVersion":"3.0","message":"m"}}"#
        try house.make(house.draft("shop/ios", set: set))
        try house.set("shop/ios", to: #"{"optionalUpdate":{"optionalVersion":"2.5","message":"m"}}"#)
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try house.window(1).state == .failed)
    }

    /// Windows that are made after one another, whichever comes first.
    @Test(arguments: [true, false], [100, 400] as [Int64]) func whoMakesAWindowIsToldOfTheStartThatItStops(isFirst: Bool, end: Int64) throws
    {
        let house = try shop("{}")
        let suggest = try house.draft(
            "shop/ios",
            set: #"{"optionalUpdate":{"optionalVersion":"2.5","message":"m"}}"#,
            in: 60,
            until: end
        )
        let shut = try house.draft("shop/ios", set: Self.shut(requiring: "3.0"), in: 200, until: 300)
        try house.make(isFirst ? shut : suggest)
        let warnings = try house.make(isFirst ? suggest : shut).plan.unwrapped().warnings.filter { $0.code == "window_refused" }
        #expect(warnings.count == (end > 200 ? 1 : 0))
        for warning in warnings {
            #expect(warning.detail.hasPrefix(isFirst ? "While this one is in force, window 1, due " : "While window 1 is in force, from "))
        }
    }

    // MARK: Ends

    /// What was in force comes back, though it is only probably right.
    @Test func whatWasOverriddenOnceComesBackAtAnEnd() throws {
        let house = try shop()
        try house.set("shop/ios", to: Self.require, Self.accepting)
        let before = try house.target("shop/ios").gate
        let set = #"{"killSwitch":{"message":"Migration."},"requiredUpdate":null}"#
        let made = try house.make(house.draft("shop/ios", set: set, in: 60, until: 120, then: .restore)).window
        #expect(made.accept == [])
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked)
        house.pass(60)
        #expect(try house.target("shop/ios").gate == before)
        #expect(try house.window(1).state == .done)
    }

    /// One target cannot have back what it had; its kill switch is lifted all the same, as is the other target's, by the clock as at a
    /// person's word.
    @Test(arguments: [true, false]) func aTargetThatIsRefusedKeepsNoOtherShut(isTheClock: Bool) throws {
        let house = try shop("{}")
        for target in ["shop/ios", "shop/macos"] { try house.set(target, to: Self.require, Self.accepting) }
        let before = try house.target("shop/macos").gate
        let draft = try house.draft(
            "shop/ios",
            "shop/macos",
            set: #"{"killSwitch":{"message":"Migration."},"requiredUpdate":null}"#,
            in: 60,
            until: 120,
            then: .restore
        )
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        house.pass(60)
        try house.submit(.settings("shop/ios", #"{"versionScheme":"code"}"#), WriteTerms(accept: ["no_known_releases"]))
        let snapshot = house.ledger.snapshot
        var forecast = Forecast(snapshot.catalog, snapshot.schedule, of: AppKey("shop")!, environment: house.ledger.environment)
        try forecast.advance(to: house.clock.now.advanced(bySeconds: 60))
        if isTheClock {
            house.pass(60)
        } else {
            let outcome = try house.run(1, step: .end)
            #expect(outcome.plan?.warnings.contains { $0.code == "window_left" } == true)
        }
        #expect(try house.target("shop/macos").gate == before)
        #expect(try house.target("shop/ios").gate == .open)
        #expect(try house.window(1).state == .failed)
        let detail = try house.window(1).events.last?.detail
        #expect(detail?.hasPrefix("shop/ios: requiredUpdate stays as it is: ") == true)
        #expect(detail?.contains("still blocked") == false)
        for target in ["shop/ios", "shop/macos"] {
            #expect(try forecast.catalog.target(TargetKey(target)!)?.gate == house.target(target).gate)
        }
    }

    /// What a person changed meanwhile stays, and the rest of the target goes back.
    @Test(
        arguments: [
            (Rules.notify, nil, "Slow today.", "shop/ios: alert was changed meanwhile and stays as it is."),
            (
                #"{"killSwitch":{"message":"Incident."}}"#, "Incident.", "Before.",
                "shop/ios: killSwitch was changed meanwhile and stays as it is. shop/ios is still blocked."
            ),
            (Rules.open, nil, "Before.", nil),
        ] as [(String, String?, String, String?)]
    )
    func aRestoringEndGoesRuleByRule(change: String, kill: String?, alert: String, detail: String?) throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: #"{"alert":{"message":"Before.","blocking":false}}"#)
        let set = #"{"killSwitch":{"message":"Migration."},"alert":{"message":"Slo today.","blocking":false}}"#
        try house.make(house.draft("shop/ios", set: set, in: 60, until: 120, then: .restore))
        house.pass(60)
        try house.set("shop/ios", to: change)
        house.pass(60)
        let gate = try house.target("shop/ios").gate
        #expect(gate.killSwitch?.message.defaultText == kill)
        #expect(gate.alert?.message.defaultText == alert)
        #expect(try house.window(1).state == (detail == nil ? .done : .failed))
        #expect(try house.window(1).events.last?.detail == detail)
    }

    /// All phones were shut out meanwhile. Were it to go on where it would be by now, most of them would come in at once.
    @Test func anEndThatBringsAGradualOpeningBackBeginsItAnew() throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: Rules.kill)
        let (start, end) = (house.clock.now, house.clock.now.advanced(bySeconds: 300))
        try house.set("shop/ios", to: #"{"killSwitch":{"message":"Closed.","opening":"\#(start)","until":"\#(end)"}}"#)
        try house.make(house.draft("shop/ios", set: #"{"killSwitch":{"message":"Migration."}}"#, in: 60, until: 240, then: .restore))
        house.pass(60)
        #expect(try house.target("shop/ios").gate.opening == nil)
        house.pass(180)
        let killSwitch = try #require(try house.target("shop/ios").gate.killSwitch)
        #expect(killSwitch.message.defaultText == "Closed.")
        #expect(killSwitch.opening == house.clock.now && killSwitch.until == house.clock.now.advanced(bySeconds: 300))
        #expect(try house.window(1).state == .done)
        house.pass(300)
        #expect(try house.state("shop/ios") == .open)
    }

    /// One that the rules refuse as a whole says what stays shut.
    @Test func anEndOfWhichNothingCanBeDoneSaysWhatIsStillBlocked() throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: Self.require, Self.accepting)
        let set = #"{"requiredUpdate":null,"alert":{"message":"Closed.","blocking":true}}"#
        try house.make(house.draft("shop/ios", set: set, in: 60, until: 120, then: .restore))
        house.pass(60)
        try house.submit(.settings("shop/ios", #"{"versionScheme":"code"}"#), WriteTerms(accept: ["no_known_releases"]))
        try house.set("shop/ios", to: Rules.kill)
        try house.set("shop/ios", to: #"{"alert":null}"#)
        house.pass(60)
        let window = try house.window(1)
        #expect(window.state == .failed)
        #expect(window.events.last?.detail?.hasSuffix(" shop/ios is still blocked.") == true)
    }

    // MARK: Late ends

    private func shutDown(_ seconds: Int64, _ house: House) throws -> House {
        house.clock.advance(seconds: seconds)
        let again = try house.killed()
        again.schedule.doWhatIsDue()
        return again
    }

    /// What comes back keeps out nobody whom the kill switch let in.
    @Test(arguments: [0, 900, 864_000] as [Int64]) func anEndThatOnlyLetsPeopleInIsNeverTooLate(late: Int64) throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: Self.require, Self.accepting)
        let set = #"{"killSwitch":{"message":"Migration."},"requiredUpdate":null}"#
        let draft = try house.draft("shop/ios", "shop/macos", set: set, in: 60, until: 120, then: .restore)
        try house.make(draft, WriteTerms(confirm: "kill 2 targets"))
        house.pass(60)
        let again = try shutDown(60 + late, house)
        #expect(try again.window(1).state == .done)
        #expect(try again.state("shop/ios") == .updateRequired)
        #expect(try again.state("shop/macos") == .open)
    }

    /// The target that opens is not kept shut for the one whose kill switch comes back, which waits for a person.
    @Test func aLateEndLetsInWhomItCan() throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: Rules.kill)
        let set = #"{"killSwitch":null,"alert":{"message":"Use the web.","blocking":true}}"#
        let draft = try house.draft("shop/ios", "shop/macos", set: set, in: 60, until: 120, then: .restore)
        try house.make(draft, WriteTerms(confirm: try house.make(draft, WriteTerms(dryRun: true)).plan?.confirm))
        house.pass(60)
        let again = try shutDown(960, house)
        #expect(try again.state("shop/macos") == .open)
        #expect(try again.target("shop/ios").gate.killSwitch == nil)
        let window = try again.window(1)
        #expect(window.state == .missed)
        #expect(
            window.events.last?.detail == "It came 15 minutes late, and would keep people out of shop/ios. Run it, or cancel it."
        )
        #expect(again.ledger.notices(for: .all).count == 1)
        // What a person did meanwhile stays, and does not hold up the rest.
        try again.set("shop/macos", to: Rules.block)
        let outcome = try again.run(1)
        #expect(outcome.change?.targets.map(\.target) == [TargetKey("shop/ios")!])
        #expect(try again.target("shop/ios").gate.killSwitch != nil)
        #expect(try again.target("shop/macos").gate.alert?.message.defaultText == "Closed.")
        #expect(again.ledger.notices(for: .all).isEmpty)
    }

    /// What somebody blocked while the window ran stays when a person does the rest of a late end, and is told.
    @Test(arguments: [#"{"killSwitch":{"message":"Incident."}}"#, #"{"alert":{"message":"Incident.","blocking":true}}"#])
    func theRestOfALateEndLeavesWhatAPersonChanged(incident: String) throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: Rules.kill)
        let set =
            #"{"killSwitch":null,"alert":{"message":"Slow today.","blocking":false},"optionalUpdate":{"optionalVersion":"2.0.0","message":"m"}}"#
        let draft = try house.draft("shop/ios", "shop/macos", set: set, in: 60, until: 120, then: .restore)
        try house.make(draft, WriteTerms(confirm: try house.make(draft, WriteTerms(dryRun: true)).plan?.confirm))
        house.pass(60)
        try house.set("shop/macos", to: incident)
        let again = try shutDown(960, house)
        #expect(try again.window(1).state == .missed)
        let plan = try again.run(1, WriteTerms(dryRun: true)).plan
        #expect(plan?.diff.allSatisfy { $0.target == TargetKey("shop/ios") } == true)
        #expect(plan?.warnings.contains { $0.code == "window_left" } == true)
        try again.run(1)
        #expect(try again.target("shop/ios").gate.killSwitch != nil)
        #expect(try again.state("shop/macos") == .blocked)
        let window = try again.window(1)
        #expect(window.state == .failed)
        #expect(window.events.last?.detail?.hasSuffix("was changed meanwhile and stays as it is. shop/macos is still blocked.") == true)
    }

    /// A window that outlives another goes back to what is there without it, though the other's end waits for a person elsewhere.
    @Test func aLateEndIsAnEndForTheWindowsOfWhomItLetsIn() throws {
        let house = try shop("{}")
        try house.set("shop/ios", to: Rules.kill)
        let set = #"{"killSwitch":null,"alert":{"message":"Use the web.","blocking":true}}"#
        let draft = try house.draft("shop/ios", "shop/macos", set: set, in: 60, until: 120, then: .restore)
        try house.make(draft, WriteTerms(confirm: try house.make(draft, WriteTerms(dryRun: true)).plan?.confirm))
        let longer = #"{"alert":{"message":"Slow today.","blocking":false}}"#
        for target in ["shop/ios", "shop/macos"] {
            try house.make(house.draft(target, set: longer, in: 90, until: 7_200, then: .restore))
        }
        house.pass(60)
        house.pass(30)
        let again = try shutDown(990, house)
        #expect(try again.window(1).state == .missed)
        #expect(try again.state("shop/macos") == .open)
        again.pass(6_120)
        #expect(try again.window(3).state == .done)
        #expect(try again.state("shop/macos") == .open)
        // The end waits for a person here, so the window is not over.
        #expect(try again.target("shop/ios").gate.alert?.message.defaultText == "Use the web.")
    }

    // MARK: Reasons

    /// It was cleaned and told what was accepted when the window was made, and is as long as both.
    @Test(arguments: ["INC-1", String(repeating: "x", count: 490)]) func aWindowsOwnReasonIsTakenAsItIs(reason: String) throws {
        let house = try shop()
        let terms = WriteTerms(reason: reason, accept: ["text_order"])
        let window = try house.make(house.draft("shop/ios", set: Self.require), terms).window
        #expect(window.reason == "\(reason) (accepted: text_order)")
        #expect(try house.run(1).change?.reason == window.reason)
    }

    @Test func aReasonThatIsGivenTellsWhatIsAccepted() throws {
        let house = try shop()
        try house.make(house.draft("shop/ios", set: Self.require), WriteTerms(reason: "INC-1", accept: ["text_order"]))
        #expect(try house.run(1, WriteTerms(reason: "Now")).change?.reason == "Now (accepted: text_order)")
    }
}
