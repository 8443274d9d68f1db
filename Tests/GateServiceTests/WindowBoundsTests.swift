import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Windows have an end in size and in number, and what is in memory of them is what there is.
@Suite(.timeLimit(.minutes(2))) struct WindowBoundsTests {
    @Test func aWindowHasAnEndToo() throws {
        let house = try House()
        let apps = (0..<40).map { "app\($0)" }
        for app in apps {
            try house.add(app, "ios")
            try house.set("\(app)/ios", to: Rules.alert(22_000))
        }
        let targets = apps.map { "\($0)/ios" }
        let refused = refusal { try house.make(house.draft(targets, set: #"{"alert":null}"#, in: 60, until: 120, then: .restore)) }
        #expect(refused?.word == "window_too_large")
        #expect(refused?.field == "/targets")
        try house.make(house.draft(Array(targets.prefix(20)), set: #"{"alert":null}"#, in: 60, until: 120, then: .restore))
    }

    /// What others put on a window's targets after it was made does not keep it from its work.
    @Test func aWindowStartsWhateverItsTargetsCameTo() throws {
        let house = try House()
        let targets = (0..<50).map { "app\($0)/ios" }
        for number in 0..<50 { try house.add("app\(number)", "ios") }
        try house.make(house.draft(targets, set: Rules.kill, in: 60, until: 120, then: .open), WriteTerms(confirm: "kill 50 targets"))
        for target in targets { try house.set(target, to: Rules.alert(24_000)) }
        house.clock.advance(seconds: 60)
        house.schedule.doWhatIsDue()
        #expect(try house.window(1).state == .running)
        #expect(try house.target("app49/ios").gate.killSwitch != nil)
        house.clock.advance(seconds: 60)
        house.schedule.doWhatIsDue()
        #expect(try house.window(1).state == .done)
    }

    /// Windows that meet are looked for among those of the targets that a change is about, and told by five names.
    @Test func aWarningNamesFiveTargets() throws {
        let house = try House()
        let targets = (0..<9).map { "app\($0)/ios" }
        for number in 0..<9 { try house.add("app\(number)", "ios") }
        try house.make(house.draft(targets, set: Rules.kill, in: 60, until: 120, then: .open), WriteTerms(confirm: "kill 9 targets"))
        let plan = try house.submit(.set(try targets.map { ($0, try house.revision($0)) }, Rules.kill), WriteTerms(dryRun: true)).plan
        let warning = plan.warnings.filter { $0.code == "window_overlap" }
        #expect(warning.count == 1)
        #expect(warning.first?.detail.hasPrefix("app0/ios, app1/ios, app2/ios, app3/ios, app4/ios and 4 more: window 1, due") == true)
    }

    /// However many windows a change stops, or a new one meets, it says so in one sentence.
    @Test func aWarningNamesFiveWindows() throws {
        let house = try House()
        try house.add("shop", "ios")
        for number in 1...9 { try house.make(house.draft("shop/ios", in: Int64(number) * 60, until: Int64(number) * 60 + 60)) }
        func warnings(_ plan: Plan?) -> [String] { (plan?.warnings ?? []).filter { $0.code == "window_overlap" }.map(\.detail) }
        let kill = try house.submit(.set([("shop/ios", 1)], Rules.kill), WriteTerms(dryRun: true)).plan
        #expect(
            warnings(kill) == [
                "shop/ios: windows 1, 2, 3, 4, 5 and 4 more were made for what is there now; after this change they will not be carried out. Make them again, or cancel them."
            ]
        )
        let deletion = try house.submit(.deletePlatform(TargetKey("shop/ios")!), WriteTerms(dryRun: true)).plan
        #expect(warnings(deletion) == ["shop/ios: windows 1, 2, 3, 4, 5 and 4 more will not be carried out, for any of their targets."])
        let new = try house.make(house.draft("shop/ios", in: 210), WriteTerms(dryRun: true)).plan
        #expect(
            warnings(new) == [
                "Windows 4, 5, 6, 7, 8 and 1 more will overwrite this one.",
                "Window 3 ends at \(try #require(house.window(3).end).inWords) all the same; this one does not cancel it.",
            ]
        )
    }

    @Test func theScheduleForgetsNoWindowAndKeepsNone() throws {
        func window(_ id: Int, _ targets: [String], _ state: Window.State = .pending) throws -> WindowRecord {
            let start = try ZonedTime(at: Timestamp(milliseconds: 1_000))
            let kill = try GateEdit(json: Rules.kill.json)
            let window = Window(
                id: id,
                state: state,
                targets: targets.map { .init(key: TargetKey($0)!, revision: 1, expected: GateEdit([.killSwitch: nil])) },
                set: kill,
                start: start,
                end: nil,
                then: .open,
                actor: .schedule,
                source: .api,
                reason: nil,
                events: []
            )
            return WindowRecord(window: window, version: id)
        }
        // Two kibibytes each, whatever their one or two targets add to that.
        var schedule = Schedule()
        schedule.apply([try window(1, ["shop/ios", "bank/ios"]), try window(2, ["shop/ios"])])
        #expect(schedule.windows(about: [TargetKey("shop/ios")!]).map(\.id) == [1, 2])
        #expect(schedule.windows(about: [TargetKey("bank/ios")!, TargetKey("shop/ios")!]).map(\.id) == [1, 2])
        #expect(schedule.weight == 4)
        schedule.apply([try window(1, ["shop/ios", "bank/ios"], .done)])
        #expect(schedule.windows(about: [TargetKey("bank/ios")!]).isEmpty)
        #expect(schedule.windows(about: [TargetKey("shop/ios")!]).map(\.id) == [2])
        #expect(schedule.weight == 2)
        schedule.apply([try window(2, ["shop/ios"], .cancelled)])
        #expect(schedule.weight == 0)
    }
}
