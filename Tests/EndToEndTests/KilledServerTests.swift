import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// What a server keeps by itself while it runs, and what it looks at when it starts: whoever is killed has no time for anything at the end.
@Suite(.timeLimit(.minutes(2)))
struct KilledServerTests {
    @Test func theNewestFeedsAreKeptWhileTheServerRuns() async throws {
        let server = try await Server.withShop()
        for (revision, text) in ["First.", "Newest."].enumerated() {
            _ = try await server.client().kill(text, at: revision + 1)
            try await server.wait(for: "publication/shop.json") { $0.contains(text) }
        }
        await server.kill()
        try Data("no database".utf8).write(to: URL(filePath: server.data + "/gatehouse.sqlite"))
        try await server.start()
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Newest."))
        #expect(try await server.feedText("/feeds/shop/ios/gate.json").contains("Newest."))
        #expect(try await server.client().raw("/api/v1/apps").status == 503)
    }

    /// Whoever cleared them away has them again, for the day on which the database cannot be read.
    @Test func aStartKeepsTheFeedsThatAreNotThere() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back at nine.", at: 1)
        #expect(await server.stop() == 0)
        try FileManager.default.removeItem(atPath: server.data + "/publication")
        try await server.start()
        try await server.wait(for: "publication/shop.json") { $0.contains("Back at nine.") }
    }

    /// Everybody would be let in, and the feeds that were kept would be taken for those of apps that are gone.
    @Test func noEmptyDatabaseIsMadeInThePlaceOfOneThatIsGone() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back at nine.", at: 1)
        #expect(await server.stop() == 0)
        let kept = try Data(contentsOf: URL(filePath: server.data + "/publication/shop.json"))
        try server.removeDatabase()
        try await server.start()
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        #expect(try await server.client().raw("/api/v1/apps").status == 503)
        // It tries again every five seconds, and makes none then either.
        try await Task.sleep(for: .seconds(7))
        #expect(try await server.client().raw("/api/v1/apps").status == 503)
        #expect(await server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: server.data + "/gatehouse.sqlite"))
        #expect(try Data(contentsOf: URL(filePath: server.data + "/publication/shop.json")) == kept)
    }

    /// What looks like another release's schema is served from as well: phones must not be let in because of one bit.
    @Test(arguments: ["migration", "user_version", "format"]) func aBitThatChangesTheSchemaTakesNoFeedBack(place: String) async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back at nine.", at: 1)
        #expect(await server.stop() == 0)
        let file = URL(filePath: server.data + "/gatehouse.sqlite")
        var bytes = try Data(contentsOf: file)
        // The header's fields: https://www.sqlite.org/fileformat.html#the_database_header
        let position =
            switch place {
            case "user_version": 63
            case "format": 47
            default: try #require(bytes.range(of: Data("What one change and one caller cost.".utf8))).lowerBound
            }
        bytes[position] ^= 1 << 3
        try bytes.write(to: file)
        try await server.start()
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        let ready = String(decoding: try await server.client().raw("/healthz/ready").body, as: UTF8.self)
        #expect(ready.contains("database: "), "\(ready)")
        #expect(try await server.client().raw("/api/v1/apps").status == 503)
    }

    private func anchoredSequence(_ text: String) -> Int? { (try? JSONReader.read(text))?.object?["changes"]?.object?["sequence"]?.integer }

    /// The anchor is kept when the history was found sound, and not at the end alone; and the next start looks at it.
    @Test func theAnchorOutlivesAKillAndAnOlderDatabaseIsKnownByIt() async throws {
        let server = try await Server.withShop()
        #expect(await server.stop() == 0)
        let (database, older) = (server.data + "/gatehouse.sqlite", server.folder.path + "/older.sqlite")
        try FileManager.default.copyItem(atPath: database, toPath: older)
        try await server.start()
        _ = try await server.client().kill("Back at nine.", at: 1)
        await server.kill()
        try FileManager.default.removeItem(atPath: server.data + "/anchor.json")
        try await server.start()
        try await server.wait(for: "anchor.json") { anchoredSequence($0) == 4 }
        // Out of reach of whoever has the folder, where the log is kept elsewhere.
        try await waitUntil("the anchor is in the log") { try server.log.contains(#""message":"anchor""#) }
        await server.kill()
        #expect(try anchoredSequence(String(contentsOfFile: server.data + "/anchor.json", encoding: .utf8)) == 4)

        try server.removeDatabase()
        try FileManager.default.copyItem(atPath: older, toPath: database)
        try await server.start()
        let health = try await server.checked()
        #expect(health.reasons.contains { $0.hasPrefix("history: changes row 4: is missing") }, "\(health.reasons)")
        #expect(try server.log.contains("the database is older than what was published"))
        let refused = await #expect(throws: AdminClientError.self) { _ = try await server.client().kill("Again.", at: 1) }
        #expect(refused?.status == 503)
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        // What was found is not forgotten at the end.
        #expect(await server.stop() == 0)
        #expect(try anchoredSequence(String(contentsOfFile: server.data + "/anchor.json", encoding: .utf8)) == 4)
    }

    /// Without the feeds that were kept, the anchor alone knows.
    @Test func theAnchorAloneKnowsAnOlderDatabase() async throws {
        let server = try await Server.withShop()
        #expect(await server.stop() == 0)
        let (database, older) = (server.data + "/gatehouse.sqlite", server.folder.path + "/older.sqlite")
        try FileManager.default.copyItem(atPath: database, toPath: older)
        try await server.start()
        _ = try await server.client().kill("Back at nine.", at: 1)
        #expect(await server.stop() == 0)
        try server.removeDatabase()
        try FileManager.default.removeItem(atPath: server.data + "/publication")
        try FileManager.default.copyItem(atPath: older, toPath: database)
        try await server.start()
        let health = try await server.checked()
        #expect(health.reasons.contains { $0.hasPrefix("history: changes row 4: is missing") }, "\(health.reasons)")
        let refused = await #expect(throws: AdminClientError.self) { _ = try await server.client().kill("Again.", at: 1) }
        #expect(refused?.status == 503)
        #expect(try server.log.contains("the database is older than what was published"))
        // Nor is what it says kept as what was published last.
        #expect(await server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: server.data + "/publication/shop.json"))
    }

    /// Whoever removes the database under a running server loses nothing: it is written anew from what the server has open.
    @Test func aDatabaseThatIsRemovedUnderTheServerIsWrittenAnew() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back at nine.", at: 1)
        try server.removeDatabase()
        try await waitUntil("the database has come back") {
            (try? await server.client().kill("Back at ten.", at: 2)) != nil  // refused until then
        }
        #expect(try await server.client().status().sequence == 5)
        #expect(await server.stop() == 0)
        #expect(try await server.gatehouse("verify").status == 0)
    }

    /// What was in the log alone is gone with it; feeds that were kept know of it, and the anchor of up to a minute ago does not.
    @Test func aLogThatWasLostTakesNoFeedBack() async throws {
        let server = try await Server.withShop()
        try await server.wait(for: "anchor.json") { anchoredSequence($0) != nil }
        _ = try await server.client().kill("Back at nine.", at: 1)
        let last = try await server.client().status().sequence
        try await server.wait(for: "publication/shop.json") { $0.contains("Back at nine.") }
        await server.kill()
        // As the anchor is within its minute.
        try FileManager.default.removeItem(atPath: server.data + "/anchor.json")
        for name in Server.databaseFiles.dropFirst() { try FileManager.default.removeItem(atPath: server.data + "/" + name) }
        let kept = try Data(contentsOf: URL(filePath: server.data + "/publication/shop.json"))

        try await server.start()
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        let health = try await server.ready()
        #expect(health.contains("history: changes row 1: is missing: feeds were published up to \(last)"), "\(health)")
        #expect(try server.log.contains("the database is older than what was published"))
        await server.kill()
        #expect(try Data(contentsOf: URL(filePath: server.data + "/publication/shop.json")) == kept)
        let verified = try await server.gatehouse("verify")
        #expect(verified.status == 1)
        #expect(verified.err.contains("feeds were published up to \(last)"), "\(verified)")
        #expect(verified.err.contains("gatehouse backup --data \(server.data) --out FILE"), "\(verified)")
    }

    /// An index that misses a row: no chain goes through it, and whoever looks something up by it would not find it.
    @Test func anIndexThatMissesARowIsFoundAfterTheStart() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back at nine.", at: 1)
        #expect(await server.stop() == 0)
        let database = server.data + "/gatehouse.sqlite"
        // Written past SQLite's own upkeep: the index is taken for a table, and a row of it is removed.
        let sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'change_targets_by_platform'"
        let index = try await run("/usr/bin/sqlite3", [database, sql], environment: Server.environment)
        let page = try #require(Int(index.out.trimmingCharacters(in: .whitespacesAndNewlines)))
        let file = try #require(FileHandle(forUpdatingAtPath: database))
        // The count of cells stands in the fourth and fifth byte of a leaf; one less, and the last is nobody's.
        try file.seek(toOffset: UInt64(page - 1) * 4_096 + 3)
        let count = try #require(try file.read(upToCount: 2)).reduce(0) { $0 << 8 | Int($1) }
        try file.seek(toOffset: UInt64(page - 1) * 4_096 + 3)
        try file.write(contentsOf: [UInt8((count - 1) >> 8), UInt8((count - 1) & 0xFF)])
        try file.close()
        try await server.start()
        // Beside the running server, so a moment later.
        try await waitUntil("the index is told of") { try await server.ready().contains("history: database: ") }
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        let refused = await #expect(throws: AdminClientError.self) { _ = try await server.client().kill("Again.", at: 2) }
        #expect(refused?.status == 503)
    }

    /// A page that became an empty one: every row that is left is right, and no app is.
    @Test func aTableThatLostItsRowsTakesNoFeedAway() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back at nine.", at: 1)
        #expect(await server.stop() == 0)
        let sql = "PRAGMA foreign_keys = OFF; DELETE FROM apps"
        #expect(try await run("/usr/bin/sqlite3", [server.data + "/gatehouse.sqlite", sql], environment: Server.environment).status == 0)
        try await server.start()
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        #expect(try await server.ready().contains("degraded"))
        #expect(try server.log.contains("apps row shop: is missing"))
        #expect(FileManager.default.fileExists(atPath: server.data + "/publication/shop.json"))
        let refused = await #expect(throws: AdminClientError.self) { _ = try await server.client().kill("Again.", at: 2) }
        #expect(refused?.status == 503)
    }

    /// Somebody who wipes their traces out of the audit alone is found out without an anchor too.
    @Test func anAlteredAuditIsFoundAtTheStart() async throws {
        let server = try await Server.withShop()
        #expect(await server.stop() == 0)
        try FileManager.default.removeItem(atPath: server.data + "/anchor.json")
        let database = server.data + "/gatehouse.sqlite"
        let trigger = try await run(
            "/usr/bin/sqlite3",
            [database, "SELECT sql FROM sqlite_schema WHERE name = 'audit_is_not_updated'"],
            environment: Server.environment
        )
        try #require(trigger.out.hasPrefix("CREATE TRIGGER"), "\(trigger)")
        let sql = "DROP TRIGGER audit_is_not_updated; UPDATE audit SET address = '192.0.2.66' WHERE sequence = 1; \(trigger.out);"
        let altered = try await run("/usr/bin/sqlite3", [database, sql], environment: Server.environment)
        try #require(altered.status == 0, "\(altered)")
        try await server.start()
        let health = try await server.checked()
        #expect(health.reasons.contains { $0.hasPrefix("history: audit row 1") }, "\(health.reasons)")
        #expect(try await server.feed("/feeds/shop/launchgate.json").status == 200)
    }
}
