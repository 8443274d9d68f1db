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

    /// One target cannot have back what it had; the other is let in all the same, by the clock as at a person's word.
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
        #expect(try house.state("shop/ios") == .blocked)
        #expect(try house.window(1).state == .failed)
        #expect(try house.window(1).events.last?.detail?.hasPrefix("shop/ios stays as it is: ") == true)
        for target in ["shop/ios", "shop/macos"] {
            #expect(try forecast.catalog.target(TargetKey(target)!)?.gate == house.target(target).gate)
        }
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
