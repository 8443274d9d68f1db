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

    /// A script that makes windows in a loop, under whichever of somebody's tokens, leaves room for everybody else.
    @Test func onePersonsWindowsLeaveRoomForThoseOfOthers() throws {
        let house = try House()
        try house.add("shop", "ios")
        let ann = Actor(kind: .user, name: "ann", id: "1")
        let tokens = ["a", "b"].map { Actor(kind: .token, name: "ci", id: $0, user: "ann") }
        let bea = Actor(kind: .user, name: "bea", id: "2")
        let owned = ["c", "d"].map { Actor(kind: .token, name: "ci", id: $0) }
        /// Each of one target, unless it has others.
        func schedule(_ makers: [(Actor, Int)], targets: Int = 1) throws -> Schedule {
            var schedule = Schedule()
            let names = (0..<targets).map { TargetKey("bank/p\($0)")! }
            let set = try GateEdit(json: Rules.kill.json)
            for maker in makers.flatMap({ Array(repeating: $0.0, count: $0.1) }) {
                let window = Window(
                    id: schedule.lastID + 1,
                    state: .pending,
                    targets: names.map { .init(key: $0, revision: 1, expected: GateEdit([.killSwitch: nil])) },
                    set: set,
                    start: try ZonedTime(at: house.clock.now.advanced(bySeconds: 3_600)),
                    end: nil,
                    then: .open,
                    actor: maker,
                    source: .api,
                    reason: nil,
                    events: []
                )
                schedule.apply([WindowRecord(window: window, version: window.id)])
            }
            return schedule
        }
        func refused(_ maker: Actor, among schedule: Schedule) -> ServiceError? {
            let planner = house.ledger.planner(house.ledger.snapshot.catalog)
            let windows = WindowPlanner(planner: planner, schedule: schedule, maker: maker)
            return refusal { _ = try windows.plan(house.draft("shop/ios"), terms: WriteTerms(dryRun: true)) }
        }
        let share = try schedule([(ann, 400), (tokens[0], 600)])
        for maker in [ann] + tokens {
            let error = refused(maker, among: share)
            #expect((error?.code, error?.word) == (.invalid, "too_many_windows"))
            #expect(error?.detail.hasPrefix("1000 windows of yours are waiting already") == true)
        }
        for maker in [bea] + owned { #expect(refused(maker, among: share) == nil) }
        // Tokens of the server's own are told apart, though they have one name.
        let owns = try schedule([(owned[0], 1_000)])
        #expect(refused(owned[0], among: owns)?.word == "too_many_windows")
        #expect(refused(owned[1], among: owns) == nil)
        // Who sees none of them is not told to cancel any.
        let full = try schedule([(ann, 1_000), (owned[0], 200)])
        #expect(
            refused(bea, among: full)?.detail
                == "1200 windows are waiting already, those of others included; somebody has to cancel some first."
        )
        // The same by weight.
        let heavy = try schedule([(ann, 20)], targets: 1_000)
        #expect(heavy.weight == 20_000)
        #expect(
            refused(ann, among: heavy)?.detail.hasPrefix("With this one your waiting windows would name more than 20000 targets") == true
        )
        #expect(refused(bea, among: heavy) == nil)
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
                "Window 3 ends at \(try #require(house.window(3).end).inWords) all the same; this one does not cancel it, and what it takes away then is gone although this one goes on.",
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
