import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// What servers of one database of PostgreSQL tell each other of the polls that they counted.
@Suite(.timeLimit(.minutes(5))) struct PollExchangeTests {
    /// A server with something to tell, whose clock is wrong, and what it has heard.
    private final class Talker: Sendable {
        private let words = Mutex("")
        private let heard = Mutex<[String: SharedPolls]>([:])
        private let present = Mutex<(known: Set<String>, speaking: Set<String>)>(([], []))
        private let rounds = Atomic<Int>(0)
        private let asked = Atomic<Int>(0)
        static let countedAt = Timestamp(milliseconds: 1_000)

        func say(_ text: String) { words.withLock { $0 = text } }

        func exchange(on database: PostgresDatabase, as name: String) throws -> PollExchange {
            PollExchange(
                try DatabaseServer(database.url),
                as: name,
                own: { [self] in
                    asked.add(1, ordering: .relaxed)
                    return (Array(words.withLock { $0 }.utf8), Self.countedAt)
                },
                heard: { [self] fresh, known, speaking in
                    heard.withLock { heard in for told in fresh { heard[told.server] = told } }
                    present.withLock { $0 = (known, speaking) }
                    rounds.add(1, ordering: .relaxed)
                }
            )
        }

        /// What it heard last of another one.
        func told(_ server: String) -> SharedPolls? { heard.withLock { $0[server] } }
        func text(_ server: String) -> String? { told(server).map { String(decoding: $0.document, as: UTF8.self) } }
        var known: Set<String> { present.withLock { $0.known } }
        var speaking: Set<String> { present.withLock { $0.speaking } }
        /// Rounds until now, and those in which it was asked for what it has to tell.
        var count: Int { rounds.load(ordering: .relaxed) }
        var askedCount: Int { asked.load(ordering: .relaxed) }

        func waitForRounds(_ number: Int) throws {
            let start = count
            try blockUntil("it has gone \(number) more rounds") { count >= start + number }
        }
    }

    /// A database with its tables, and nothing in them.
    private func database() throws -> (House, PostgresDatabase) {
        let database = try PostgresCluster.shared().database()
        return (try House(server: database), database)
    }

    private func rows(_ database: PostgresDatabase, _ what: String = "server, document") throws -> [String] {
        try database.cluster.run("SELECT \(what) FROM server_polls ORDER BY server", in: database.name).split(separator: "\n").map(
            String.init
        )
    }

    @Test func eachHearsWhatTheOthersTell() throws {
        let (house, database) = try database()
        defer { withExtendedLifetime(house) {} }
        let server = try DatabaseServer(database.url)
        func watch(_ name: String) -> StoreWatch { StoreWatch(server, as: name, sequence: { 0 }, look: {}) }
        let watches = ["one", "two"].map(watch)
        let (one, two) = (Talker(), Talker())
        one.say("a")
        two.say("b")
        let first = try one.exchange(on: database, as: "one")
        let second = try two.exchange(on: database, as: "two")
        try blockUntil("each has heard the other") { one.text("two") == "b" && two.text("one") == "a" }
        try blockUntil("each is known to speak") { one.speaking == ["two"] && two.speaking == ["one"] }
        #expect(one.known == ["two"] && two.known == ["one"])
        let told = try #require(one.told("two"))
        #expect(told.countedAt == Talker.countedAt)
        #expect((0..<60_000).contains(told.age), "by the database's clock, whatever that of the server says")
        #expect(one.told("one") == nil, "Nobody hears what they said themselves.")
        two.say("c")
        try blockUntil("the next word is heard") { one.text("two") == "c" }

        // What says the same is not written again, and what is not written is not read again.
        let written = try rows(database, "server, taken_at, xmin")
        let before = (one.askedCount, two.askedCount)
        try one.waitForRounds(3)
        try two.waitForRounds(3)
        #expect(one.askedCount > before.0 && two.askedCount > before.1)
        #expect(try rows(database, "server, taken_at, xmin") == written)

        // Who ends in order has told everything until then; what it counted stays, and nobody speaks any more.
        two.say("at the end")
        watches[1].stop()
        second.stop()
        try blockUntil("the last word is heard") { one.text("two") == "at the end" && one.speaking == [] }
        #expect(one.known == ["two"])
        // It begins anew and overwrites what stands there of before, which it does not hear.
        let again = Talker()
        again.say("again")
        let third = try again.exchange(on: database, as: "two")
        try blockUntil("who begins anew is heard") { one.text("two") == "again" }
        #expect(again.told("two") == nil)
        third.stop()
        // Who has not been heard of for a day is forgotten.
        try database.cluster.run("UPDATE server_polls SET taken_at = taken_at - 86400001 WHERE server = 'two'", in: database.name)
        let last = Talker()
        let fourth = try last.exchange(on: database, as: "three")
        try blockUntil("who is silent for a day is forgotten") { last.known == ["one"] }
        fourth.stop()
        first.stop()
        watches[0].stop()
    }

    /// A table that is not there, a row that somebody removed, sessions that are ended: it goes on by itself.
    /// With the clock put back by an hour, a server would otherwise hear nothing from the others for that hour.
    @Test(arguments: ["news", "polls"]) func noThreadSleepsUntilATimeOfTheClockThatPeopleSet(thread: String) throws {
        let (house, database) = try database()
        defer { withExtendedLifetime(house) {} }
        let exchange = try Talker().exchange(on: database, as: "one")
        defer { exchange.stop() }
        let watch = StoreWatch(try DatabaseServer(database.url), as: "one", sequence: { 0 }, look: {})
        defer { watch.stop() }
        #expect(try !FutexWaits.dependOnTheSetClock(ofThread: thread))
    }

    @Test func whateverGoesWrongItGoesOn() throws {
        let (house, database) = try database()
        defer { withExtendedLifetime(house) {} }
        func run(_ sql: String) throws { try database.cluster.run(sql, in: database.name) }
        try run("ALTER TABLE server_polls RENAME TO away")
        let (one, two) = (Talker(), Talker())
        one.say("a")
        two.say("b")
        let first = try one.exchange(on: database, as: "one")
        let second = try two.exchange(on: database, as: "two")
        defer { first.stop() }
        defer { second.stop() }
        // The other work goes on without.
        let watch = StoreWatch(try DatabaseServer(database.url), as: "one", sequence: { 7 }, look: {})
        defer { watch.stop() }
        try blockUntil("the watch has the duty and its row") { watch.servers.first?.sequence == 7 && watch.hasDuty }
        #expect(one.count == 0)
        try run("ALTER TABLE away RENAME TO server_polls")
        try blockUntil("each has heard the other") { one.text("two") == "b" && two.text("one") == "a" }
        try run("DELETE FROM server_polls")
        try blockUntil("the rows are there again") { try rows(database).count == 2 }
        try run("UPDATE server_polls SET document = 'somebody else''s', taken_at = 7 WHERE server = 'two'")
        try blockUntil("the row is the server's own again") { try rows(database) == ["one|a", "two|b"] }
        try run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()")
        two.say("c")
        try blockUntil("the next word is heard") { one.text("two") == "c" }
        // Who cannot write, on a disk that is full, hears the others all the same.
        try run("CREATE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''no room''; END'")
        try run(
            "CREATE TRIGGER no_room BEFORE INSERT OR UPDATE ON server_polls FOR EACH ROW WHEN (NEW.server = 'one') EXECUTE FUNCTION no_room()"
        )
        one.say("d")
        try one.waitForRounds(2)
        two.say("d")
        try blockUntil("who cannot write hears the others") { one.text("two") == "d" }
        #expect(try rows(database) == ["one|a", "two|d"])
    }

    /// What is too long is neither written nor read, and what is long is written and read seldom.
    @Test func longDocumentsCostLittle() throws {
        let (house, database) = try database()
        defer { withExtendedLifetime(house) {} }
        func run(_ sql: String) throws { try database.cluster.run(sql, in: database.name) }
        let row = "INSERT INTO server_polls (server, taken_at, counted_at, document) SELECT"
        try run("\(row) 'huge', 0, 0, repeat('x', \(SharedPolls.mostBytes + 1))")
        // More than are listened to, of whom nobody is at work.
        try run("\(row) 'old-' || n, 0, 0, 'x' FROM generate_series(1, 100) AS n")
        try run("INSERT INTO servers SELECT 'huge', 0, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 3600000, 0")
        // Nobody is old enough to be forgotten.
        try run("UPDATE server_polls SET taken_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint")
        let (one, two) = (Talker(), Talker())
        let long = String(repeating: "y", count: 3 << 20)
        one.say("a")
        let first = try one.exchange(on: database, as: "one")
        defer { first.stop() }
        try blockUntil("the row that is too long is met") { one.text("huge") != nil }
        #expect(one.text("huge") == "", "Nothing is known of it.")
        #expect(one.known.count == SharedPolls.mostServers)
        #expect(one.speaking == ["huge"])
        // At 64 KiB a second three megabytes have 48 seconds.
        two.say(long)
        try run("DELETE FROM server_polls WHERE server LIKE 'old-%'")
        let second = try two.exchange(on: database, as: "two")
        try blockUntil("the long document is heard", limit: .seconds(180)) { one.text("two") == long }
        two.say("b")
        let asked = two.askedCount
        try two.waitForRounds(3)
        #expect(two.askedCount == asked)
        #expect(one.text("two") == long)
        // At the end it is told all the same.
        second.stop()
        try blockUntil("what was last is told at the end") { one.text("two") == "b" }
        // One that is beyond the limit is not written; what stood there stays.
        one.say(String(repeating: "z", count: SharedPolls.mostBytes + 1))
        try one.waitForRounds(2)
        #expect(try rows(database, "server, length(document)").contains("one|1"))
    }
}
