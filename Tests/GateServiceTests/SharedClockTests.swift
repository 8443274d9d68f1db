import Dispatch
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// Servers that share a database: who does the clock's work, and whose clock is wrong.
@Suite(.timeLimit(.minutes(1))) struct SharedClockTests {
    @Test func aServerWhoseClockIsWrongSaysSo() throws {
        let database = try PostgresCluster.shared().database()
        let house = try House(server: database)
        let ahead = Mutex<Int64>(0)
        let watch = StoreWatch(
            try DatabaseServer(database.url),
            as: "one",
            sequence: { house.ledger.sequence },
            look: {},
            clock: { .now.advanced(bySeconds: ahead.withLock { $0 }) },
            clockLeads: { house.ledger.clockLeads(by: $0) }
        )
        defer { watch.stop() }
        // A server that agrees has been compared as well, from its second round on.
        try blockUntil("the watch has asked the database") { !watch.servers.isEmpty }
        #expect(house.ledger.health.state == .ok)
        for (seconds, side) in [(Int64(600), "ahead of"), (-600, "behind")] {
            ahead.withLock { $0 = seconds }
            try blockUntil("a clock that is \(seconds) s off is noticed") {
                house.ledger.health.reasons == ["clock: it is more than 30 s \(side) the database's; windows begin and end by it"]
            }
        }
        ahead.withLock { $0 = 20 }
        try blockUntil("a clock that agrees well enough is no trouble") { house.ledger.health.state == .ok }
    }

    /// Each change notifies all servers, just before their next question too: a session that then asked nothing for another second would be
    /// near the limit of those that stand still.
    @Test func whoIsNotifiedAsksAsOftenAsBefore() throws {
        let cluster = try PostgresCluster.shared()
        let database = try cluster.database()
        let house = try House(server: database)
        let questions = Mutex<[ContinuousClock.Instant]>([])
        let watch = StoreWatch(
            try DatabaseServer(database.url),
            as: "one",
            sequence: { house.ledger.sequence },
            look: {},
            clock: {
                questions.withLock { $0.append(.now) }
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(800)) {
                    // The last one comes when the database may be gone.
                    _ = try? cluster.run("NOTIFY gatehouse", in: database.name)
                }
                return .now
            }
        )
        defer { watch.stop() }
        try blockUntil("it has asked four times") { questions.withLock { $0.count } >= 4 }
        let asked = questions.withLock { $0 }
        // The shortest, since a busy machine makes some longer.
        let pause = zip(asked, asked.dropFirst()).map { $1 - $0 }.min() ?? .zero
        #expect(pause < .milliseconds(1_500), "\(asked)")
    }

    /// A process that is stopped, or a container that is paused: its system still answers for it.
    @Test func whoStandsStillLosesTheDutyToAnother() throws {
        let cluster = try PostgresCluster.shared()
        // What ends such a session is not in version 13.
        guard try cluster.version() >= 14 else { return }
        let database = try cluster.database()
        // Makes the tables.
        let house = try House(server: database)
        let standsStill = Mutex(false)
        let goesOn = DispatchSemaphore(value: 0)
        func watch(_ name: String, clock: @escaping @Sendable () -> Timestamp = { .now }) throws -> StoreWatch {
            StoreWatch(try DatabaseServer(database.url), as: name, sequence: { house.ledger.sequence }, look: {}, clock: clock)
        }
        let one = try watch("one") {
            if standsStill.withLock({ $0 }) { goesOn.wait() }
            return .now
        }
        defer { one.stop() }
        defer {
            standsStill.withLock { $0 = false }
            goesOn.signal()
        }
        try blockUntil("the first has the duty") { one.hasDuty }
        let two = try watch("two")
        defer { two.stop() }
        try blockUntil("the second has asked") { two.servers.count == 2 }
        #expect(!two.hasDuty)
        standsStill.withLock { $0 = true }
        try blockUntil("the second has the duty", limit: .seconds(20)) { two.hasDuty }
        standsStill.withLock { $0 = false }
        goesOn.signal()
        try blockUntil("the first knows that it has it no more") { !one.hasDuty && one.isListening }
        #expect(two.hasDuty)
    }

    // MARK: Who is fit for the duty

    /// A server that cannot do the work must not keep it from one that can; where nobody is fitter, whoever has it keeps it.
    @Test func whoIsLessFitLeavesTheDutyToAnother() throws {
        let database = try PostgresCluster.shared().database()
        let fit = Mutex<[String: DutyFitness]>([:])
        let rounds = Mutex<[String: Int]>([:])
        let log = Mutex<[String]>([])
        func watch(_ name: String) throws -> StoreWatch {
            StoreWatch(
                try DatabaseServer(database.url),
                as: name,
                sequence: { 0 },
                look: {},
                fitness: {
                    rounds.withLock { $0[name, default: 0] += 1 }
                    return fit.withLock { $0[name] ?? .fit }
                },
                dutyBegan: { log.withLock { $0.append("\(name) begins") } },
                dutyLeft: { log.withLock { $0.append("\(name) leaves") } }
            )
        }
        func set(_ name: String, _ fitness: DutyFitness) { fit.withLock { $0[name] = fitness } }
        func waitForAll() throws {
            rounds.withLock { $0 = [:] }
            try blockUntil("all have asked twice more") { rounds.withLock { $0.count == 3 && $0.values.allSatisfy { $0 > 2 } } }
        }
        set("one", .unable)
        let one = try watch("one")
        defer { one.stop() }
        try blockUntil("one that is alone has the duty, whatever it lacks") { one.hasDuty }
        set("two", .clockIsOff)
        let two = try watch("two")
        try blockUntil("a wrong clock is better than none") { two.hasDuty && !one.hasDuty }
        let three = try watch("three")
        defer { three.stop() }
        try blockUntil("the one that is fit has the duty") { three.hasDuty && !two.hasDuty }
        try waitForAll()
        #expect(three.hasDuty && !two.hasDuty && !one.hasDuty)
        set("three", .clockIsOff)
        try waitForAll()
        #expect(three.hasDuty, "Nobody is fitter: it stays where it is.")
        set("two", .fit)
        try blockUntil("the second has recovered") { two.hasDuty && !three.hasDuty }
        two.stop()
        try blockUntil("the next best takes over") { three.hasDuty }
        #expect(!one.hasDuty)
        #expect(
            log.withLock { $0 } == [
                "one begins", "one leaves", "two begins", "two leaves", "three begins", "three leaves", "two begins", "three begins",
            ]
        )
    }

    /// What is due by a clock that was just set may be due in ten minutes.
    @Test func aClockThatIsSetIsComparedBeforeAnythingIsDoneByIt() throws {
        let database = try PostgresCluster.shared().database()
        let house = try House(server: database)
        let ahead = Mutex<Int64>(0)
        let one = StoreWatch(
            try DatabaseServer(database.url),
            as: "one",
            sequence: { 0 },
            look: {},
            fitness: { house.ledger.dutyFitness },
            clock: { .now.advanced(bySeconds: ahead.withLock { $0 }) },
            clockLeads: { house.ledger.clockLeads(by: $0) }
        )
        defer { one.stop() }
        try blockUntil("the first has the duty") { one.hasDuty }
        ahead.withLock { $0 = 600 }
        #expect(!one.hasDuty)
        try blockUntil("one that is alone goes on, by the clock that it has") { one.hasDuty }
        #expect(house.ledger.dutyFitness == .clockIsOff)
        ahead.withLock { $0 = 0 }
        try blockUntil("its clock is right again") { one.hasDuty && house.ledger.dutyFitness == .fit }
        let two = StoreWatch(try DatabaseServer(database.url), as: "two", sequence: { 0 }, look: {})
        defer { two.stop() }
        try blockUntil("the second has asked") { two.servers.count == 2 }
        ahead.withLock { $0 = 600 }
        try blockUntil("the second, whose clock is right, has the duty") {
            #expect(!one.hasDuty)
            return two.hasDuty
        }
    }

    @Test func whatAServerLacksMakesItUnfit() throws {
        let house = try House(server: PostgresCluster.shared().database(), start: false)
        #expect(house.ledger.dutyFitness == .unable)
        try house.open()
        // Its check takes a moment, and nothing is wrong with it.
        #expect(house.ledger.dutyFitness == .fit)
        let faults: [(String?) -> Void] = [
            { house.ledger.historyChecked(fault: $0) }, { house.ledger.rowsChecked(fault: $0) }, { house.ledger.sharedKeys(fault: $0) },
        ]
        for report in faults {
            report("it lacks something")
            #expect(house.ledger.dutyFitness == .unable)
            report(nil)
            #expect(house.ledger.dutyFitness == .fit)
        }
        house.ledger.clockLeads(by: 40)
        #expect(house.ledger.dutyFitness == .clockIsOff)
        house.ledger.lost()
        #expect(house.ledger.dutyFitness == .unable)
    }

    /// Whoever looks at a healthy server must not be told that all is well while nobody does what was announced.
    @Test(arguments: [true, false]) func aServerThatStandsByTellsWhatNobodyDoes(isWindow: Bool) throws {
        let house = try House(server: PostgresCluster.shared().database())
        try house.add("shop", "ios")
        let due = house.clock.now.advanced(bySeconds: 60)
        if isWindow {
            try house.make(house.draft("shop/ios", in: 60))
        } else {
            try house.set("shop/ios", to: #"{"killSwitch":{"message":"m","until":"\#(due)"}}"#)
        }
        let begun = house.clock.now
        func reasons(since: Timestamp) -> [String] {
            house.schedule.standBy(since: since)
            return house.ledger.health.reasons
        }
        #expect(reasons(since: begun) == [])
        house.clock.advance(seconds: 69)
        #expect(reasons(since: begun) == [], "Another server may have taken over just now.")
        house.clock.advance(seconds: 2)
        let what = isWindow ? "window 1" : "lifting the kill switch of shop/ios"
        #expect(reasons(since: begun) == ["schedule: \(what) was due at \(due), and no server has done it"])
        #expect(house.ledger.namelessHealth.reasons == ["schedule: something was due at \(due), and no server has done it"])
        #expect(reasons(since: house.clock.now) == [], "All servers were down until now.")
        house.ledger.clockLeads(by: 600)
        #expect(reasons(since: begun).allSatisfy { $0.hasPrefix("clock: ") }, "It is due by a wrong clock.")
        house.ledger.clockLeads(by: 0)
        #expect(reasons(since: begun).count == 1)
        house.schedule.doWhatIsDue()
        #expect(reasons(since: begun) == [])
    }
}
