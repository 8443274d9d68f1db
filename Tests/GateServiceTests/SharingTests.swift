import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// Several servers on one database of PostgreSQL: each with a ledger, a store and a folder of its own, and the same keys.
@Suite(.timeLimit(.minutes(5))) struct SharingTests {
    /// The first has an app with two platforms, of which the others know nothing yet.
    private func houses(_ count: Int = 2, patience: Double = 0.05, on database: PostgresDatabase? = nil) throws -> [House] {
        let first = try House(server: try database ?? PostgresCluster.shared().database())
        let others = try (1..<count).map { try another("server-\($0)", beside: first) }
        let houses = [first] + others
        if patience > 0.05 {
            for house in houses {
                try house.close()
                var configuration = house.configuration()
                configuration.busyTimeout = patience
                try house.ledger.start(with: Store(configuration))
                house.ledger.historyChecked(fault: nil)
            }
        }
        try first.add("shop", "ios", "android")
        return houses
    }

    /// One more server on the same database, with a folder of that name and the same keys.
    private func another(_ name: String, beside first: House) throws -> House {
        let folder = first.folder + "/" + name
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.copyItem(atPath: first.folder + "/keys", toPath: folder + "/keys")
        return try House(again: first, folder: folder)
    }

    private func expectEqual(_ houses: [House]) throws {
        for house in houses { house.ledger.lookForNews() }
        let first = houses[0]
        for house in houses.dropFirst() {
            #expect(try house.snapshot() == first.snapshot())
            #expect(house.ledger.scheduleVersion == first.ledger.scheduleVersion)
        }
        let store = try first.ledger.store.unwrapped()
        let changes = try store.changes(ChangeQuery(limit: 1_000))
        #expect(changes.map(\.sequence) == Array((1...changes.count).reversed()), "The sequence has a gap.")
        #expect(try store.verifyChain(limit: 10_000).fault == nil)
        #expect(try store.verifyAuditChain(limit: 10_000).fault == nil)
        #expect(try store.doubts().isEmpty)
    }

    // MARK: Catching up

    @Test func aServerThatIsBehindPlansOnWhatTheOthersWrote() throws {
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        #expect(there.ledger.sequence == 0)
        try there.submit(.set([("shop/ios", 1)], Rules.kill))
        try here.submit(.set([("shop/android", 1)], Rules.kill))
        try there.submit(.set([("shop/ios", 2)], Rules.open))
        #expect(there.ledger.sequence == 6)
        try expectEqual(houses)
    }

    @Test func aRevisionThatAnotherServerMovedOnIsStale() throws {
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        there.ledger.lookForNews()
        try here.submit(.set([("shop/ios", 1)], Rules.kill))
        let error = try refusal { try there.submit(.set([("shop/ios", 1)], Rules.open)) }.unwrapped()
        #expect(error.code == .revisionStale)
        #expect(error.current?.revision == 2)
        #expect(try refusal { try there.add("shop") }.unwrapped().code == .exists)
        try expectEqual(houses)
    }

    /// What would change nothing is no news of a state that is not there any more.
    @Test func whatChangesNothingIsJudgedByTheNewestState() throws {
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        there.ledger.lookForNews()
        try here.submit(.set([("shop/ios", 1)], Rules.kill))
        #expect(try refusal { try there.submit(.set([("shop/ios", 1)], Rules.open)) }.unwrapped().code == .revisionStale)
        #expect(try there.submit(.set([("shop/ios", 2)], Rules.kill)).change == nil)
        // A trial, too: whoever reads at one server and tries at the other is told of what they read.
        try here.submit(.set([("shop/ios", 2)], Rules.open))
        #expect(try there.submit(.set([("shop/ios", 3)], Rules.kill), WriteTerms(dryRun: true)).isDryRun)
    }

    /// Between the look and the transaction, once, and again and again: in the end nobody else gets in.
    @Test(arguments: [1, 3, 4, 100]) func whoIsOvertakenPlansAnew(times: Int) throws {
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        there.ledger.lookForNews()
        var overtakings = 0
        let command = try Command.set([("shop/ios", 1)], Rules.kill)
        _ = try there.service.submit(command, terms: WriteTerms(), by: .admin, idempotency: nil) { outcome in
            let text = overtakings.isMultiple(of: 2) ? Rules.kill : Rules.open
            // The last one is kept out by the lock.
            if overtakings < times, (try? here.set("shop/android", to: text)) != nil { overtakings += 1 }
            return Answer(status: 200, body: House.body(outcome))
        }
        #expect(overtakings == min(times, 4))
        #expect(try there.target("shop/ios").gate.killSwitch != nil)
        #expect(there.ledger.health.state == .ok)
        #expect(there.told.all.isEmpty)
        // The lock is let go.
        try here.set("shop/android", to: #"{"alert":{"message":"Slow.","blocking":false}}"#)
        try expectEqual(houses)
    }

    @Test func theAnswerThatAnotherServerKeptIsGivenAgain() throws {
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        let key = IdempotencyKey(key: "k", request: Array("body".utf8))
        let command = try Command.set([("shop/ios", 1)], Rules.kill)
        let first = try here.answer(command, key: key)
        #expect(try there.answer(command, key: key) == first)
        #expect(here.ledger.sequence == 4)
        let other = IdempotencyKey(key: "k", request: Array("other".utf8))
        #expect(try refusal { _ = try there.answer(command, key: other) }.unwrapped().code == .idempotencyKeyReused)
        try expectEqual(houses)
    }

    @Test func allWriteAtOnce() async throws {
        let houses = try houses(3, patience: 20)
        let names = ["ios", "android", "harmony"]
        try houses[0].add("bank", "ios", "android", "harmony")
        let start = houses[0].ledger.sequence
        let rounds = 15
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (house, name) in zip(houses, names) {
                group.addTask {
                    for round in 0..<rounds {
                        let target = "bank/\(name)"
                        house.ledger.lookForNews()
                        try house.set(target, to: #"{"alert":{"message":"\#(round)","blocking":false}}"#)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try houses[0].ledger.store.unwrapped().newest().sequence == start + rounds * houses.count)
        try expectEqual(houses)
    }

    // MARK: People

    @Test func peopleSessionsAndTokensAreEverybodys() throws {
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        try here.addPerson("ann")
        let token = try here.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "ann", from: .console)
        func caller(_ house: House) throws -> Caller { try house.access.caller(token: token, source: .api, requestId: "r", address: "") }
        #expect(try caller(there).actor.name == "ci")
        let id = try #require(try caller(there).token?.id)
        try here.access.revokeToken(id, by: .admin)
        #expect(try refusal { _ = try caller(there) }.unwrapped().code == .unauthenticated)
        there.ledger.lookForNews()
        try expectEqual(houses)
    }

    // MARK: The clock

    @Test func aWindowIsCarriedOutOnceWhoeverIsFaster() async throws {
        let houses = try houses(3, patience: 20)
        try houses[0].make(houses[0].draft("shop/ios", in: 60, until: 120))
        try houses[0].submit(
            .set([("shop/android", 1)], #"{"killSwitch":{"message":"m","until":"\#(houses[0].clock.now.advanced(bySeconds: 90))"}}"#)
        )
        for house in houses { house.ledger.lookForNews() }
        for _ in 0..<4 {
            houses[0].clock.advance(seconds: 31)
            await withTaskGroup(of: Void.self) { group in
                for house in houses { group.addTask { house.schedule.doWhatIsDue() } }
            }
        }
        try expectEqual(houses)
        let changes = try houses[0].ledger.history(ChangeQuery(limit: 100), for: .admin).changes
        #expect(changes.filter { $0.source == .schedule }.count == 2)
        #expect(changes.filter { $0.source == .expiry }.count == 1)
        for house in houses {
            #expect(house.told.all.isEmpty, "\(house.told.all)")
            #expect(house.ledger.health.state == .ok)
            #expect(try house.window(1).state == .done)
        }
    }

    // MARK: The database is away

    @Test func whileTheDatabaseIsAwayFeedsGoOnAndNothingIsWritten() throws {
        let cluster = try PostgresCluster()
        let houses = try houses(on: try cluster.database())
        let (here, there) = (houses[0], houses[1])
        there.ledger.lookForNews()
        let (feeds, knownAt) = (there.sink.bytes, there.clock.now)
        try cluster.stopAtOnce()
        there.clock.advance(seconds: 3_600)
        there.ledger.lookForNews()
        #expect(there.ledger.cutOffSince == knownAt)
        #expect(
            there.ledger.health.reasons == [
                "database: not reachable since \(knownAt); the feeds are those of change 3, and changes are refused"
            ]
        )
        #expect(there.ledger.reachableStore == nil)
        let error = try refusal { try there.submit(.set([("shop/ios", 1)], Rules.kill)) }.unwrapped()
        #expect((error.code, error.word) == (.unavailable, "database_unavailable"))
        #expect(there.sink.bytes == feeds)
        #expect(there.told.take().count == 1)
        there.ledger.keepHouse()
        there.ledger.lookForNews()
        #expect(there.told.all.isEmpty, "It is told once.")

        try cluster.start()
        try here.submit(.set([("shop/ios", 1)], Rules.kill))
        // Before anybody has looked: who has not caught up takes no write.
        #expect(try refusal { try there.submit(.set([("shop/ios", 2)], Rules.open)) }.unwrapped().code == .unavailable)
        there.ledger.lookForNews()
        #expect(there.ledger.cutOffSince == nil)
        #expect(there.ledger.health.state == .ok)
        #expect(there.sink.text("/feeds/shop/ios/bellerophon.json")?.contains(#""apiInactive":true"#) == true)
        try there.submit(.set([("shop/ios", 2)], Rules.open))
        try expectEqual(houses)
    }

    /// A copy that lagged behind takes over, and another server goes on from it: what phones were told is not taken back.
    @Test func aDatabaseThatGoesBackIsNoticedAndTakesNothingBack() throws {
        let cluster = try PostgresCluster.shared()
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        let database = try here.server.unwrapped()
        let older = try cluster.database()
        try cluster.restore(database, into: older)
        try here.set("shop/ios", to: Rules.kill)
        there.ledger.lookForNews()
        let feeds = here.sink.bytes
        func swap() throws {
            try cluster.end(sessions: "datname IN ('\(database.name)', '\(older.name)')")
            for (name, new) in [(database.name, "between"), (older.name, database.name), ("between", older.name)] {
                try cluster.run("ALTER DATABASE \(name) RENAME TO \(new)")
            }
        }
        func expectKept(_ comment: Comment) throws {
            for house in [here, there] {
                house.ledger.lookForNews()
                #expect(
                    house.ledger.health.reasons == [
                        "history: the database does not have change 4 as it was published; an older one is in its place"
                    ],
                    comment
                )
                #expect(house.sink.bytes == feeds, comment)
                #expect(house.ledger.sequence == 4, comment)
                #expect(!house.ledger.isHistorySound, comment)
                let error = try refusal { try house.submit(.set([("shop/ios", 2)], Rules.open)) }.unwrapped()
                #expect((error.code, error.word) == (.unavailable, "history_damaged"), comment)
                #expect(throws: ServiceError.self, comment) { try house.ledger.learn() }
            }
        }
        try swap()
        try expectKept("the change is missing")
        // The right one again, as when a connection led to a copy that was late.
        try swap()
        for house in houses {
            house.ledger.lookForNews()
            #expect(house.ledger.health.state == .ok)
        }
        try swap()
        let third = try another("third", beside: here)
        #expect(third.ledger.sequence == 3)
        for target in ["shop/android", "shop/ios", "shop/android"] {
            try third.set(target, to: #"{"alert":{"message":"\#(third.ledger.sequence)","blocking":false}}"#)
        }
        try expectKept("another change is in its place")
    }

    // MARK: The watch

    @Test func whatIsCommittedIsToldWithinMilliseconds() throws {
        let houses = try houses()
        let (here, there) = (houses[0], houses[1])
        let server = try DatabaseServer(here.server.unwrapped().url)
        let watch = StoreWatch(server, as: "there", sequence: { there.ledger.sequence }, look: { there.ledger.lookForNews() })
        defer { watch.stop() }
        try blockUntil("the other ledger listens and has read") { watch.isListening && there.ledger.sequence >= 3 }
        var times: [Duration] = []
        for round in 0..<40 {
            try here.set("shop/ios", to: round.isMultiple(of: 2) ? Rules.kill : Rules.open)
            let committed = ContinuousClock.now
            try blockUntil("the other ledger has change \(here.ledger.sequence)", limit: .seconds(20)) {
                there.ledger.sequence >= here.ledger.sequence
            }
            times.append(ContinuousClock.now - committed)
        }
        times.sort()
        print("the other ledger knows after p50 \(times[20]), p95 \(times[38])")
        // Asking once a second would make it half a second.
        #expect(times[20] < .milliseconds(400))
    }

    /// A standby in the place of the one that wrote: nobody has to try a kill to find out.
    @Test func aDatabaseThatTakesNoWritesIsKnownBeforeAnybodyTries() throws {
        let houses = try houses()
        let (house, database) = (houses[0], try houses[0].server.unwrapped())
        func readOnly(_ isOn: Bool) throws {
            try database.cluster.run("ALTER DATABASE \(database.name) SET default_transaction_read_only = \(isOn ? "on" : "off")")
            try database.cluster.end(sessions: "datname = '\(database.name)'")
        }
        try readOnly(true)
        let watch = StoreWatch(
            try DatabaseServer(database.url),
            as: "here",
            sequence: { house.ledger.sequence },
            look: { house.ledger.lookForNews() },
            cannotWrite: { house.ledger.cannotWrite() }
        )
        defer { watch.stop() }
        try blockUntil("it is known that nothing can be written") { house.ledger.health.state != .ok }
        #expect(house.ledger.health.reasons == ["database: it cannot be written; changes are refused"])
        house.ledger.keepHouse()
        #expect(house.ledger.health.state == .degraded)
        try readOnly(false)
        try blockUntil("it is known that writing works again") {
            house.ledger.keepHouse()
            return house.ledger.health.state == .ok
        }
        try house.set("shop/ios", to: Rules.kill)
    }

    @Test func theDutyIsOnesAloneAndTakenOver() throws {
        let database = try PostgresCluster.shared().database()
        let server = try DatabaseServer(database.url)
        let begun = Mutex(0)
        func watch(_ name: String) -> StoreWatch {
            // A database without tables: the duty does not need any.
            StoreWatch(server, as: name, sequence: { 0 }, look: {}, dutyBegan: { begun.withLock { $0 += 1 } })
        }
        let first = watch("first")
        try blockUntil("the first has the duty") { first.hasDuty }
        let (second, third) = (watch("second"), watch("third"))
        defer { third.stop() }
        try blockUntil("the others listen") { second.isListening && third.isListening }
        usleep(1_200_000)
        #expect(!second.hasDuty && !third.hasDuty)
        var asked = ContinuousClock.now
        first.stop()
        try blockUntil("another has taken the duty over") { second.hasDuty || third.hasDuty }
        print("the duty was taken over after \(ContinuousClock.now - asked)")
        #expect(begun.withLock { $0 } == 2)
        // A session that the server ends takes the duty with it, and is made anew.
        asked = .now
        try database.cluster.run(
            "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = '\(database.name)')"
        )
        try blockUntil("the duty was taken a third time") { begun.withLock { $0 } == 3 }
        print("and again after \(ContinuousClock.now - asked)")
        #expect(second.hasDuty != third.hasDuty)
        second.stop()
        try blockUntil("the last one has the duty") { third.hasDuty }
    }

    @Test func serversKnowHowFarTheOthersAre() throws {
        let houses = try houses()
        let server = try DatabaseServer(houses[0].server.unwrapped().url)
        func watch(_ name: String, _ house: House) -> StoreWatch {
            StoreWatch(server, as: name, sequence: { house.ledger.sequence }, look: {})
        }
        let (first, second) = (watch("one", houses[0]), watch("two", houses[1]))
        defer { first.stop() }
        func known(_ watch: StoreWatch) -> [String] { watch.servers.map { "\($0.name) \($0.sequence)" } }
        try blockUntil("both know how far each is") { [first, second].allSatisfy { known($0) == ["one 3", "two 0"] } }
        houses[1].ledger.lookForNews()
        try blockUntil("the first knows that the second has caught up") { known(first) == ["one 3", "two 3"] }
        #expect(first.servers.allSatisfy { $0.silentSeconds < SharedServer.patience })
        #expect(!first.isNameShared)
        // Whoever ends in order is not missed.
        second.stop()
        try blockUntil("who ended in order is not missed") { known(first) == ["one 3"] }
        // One that is gone is known for a day, and a namesake is noticed.
        let database = try houses[0].server.unwrapped()
        try database.cluster.run("INSERT INTO servers SELECT 'gone', 0, seen_at - 60000, 2 FROM servers", in: database.name)
        try blockUntil("the one that is gone is known") { first.servers.first?.silentSeconds ?? 0 >= 60 }
        #expect(known(first) == ["gone 2", "one 3"])
        let namesake = watch("one", houses[1])
        try blockUntil("the namesake is noticed") { first.isNameShared || namesake.isNameShared }
        namesake.stop()
    }
}
