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
        #expect(await server.stop() == 0)
        #expect(!FileManager.default.fileExists(atPath: server.data + "/gatehouse.sqlite"))
        #expect(try Data(contentsOf: URL(filePath: server.data + "/publication/shop.json")) == kept)
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
    }

    /// Somebody who wipes their traces out of the audit alone is found out without an anchor too.
    @Test func anAlteredAuditIsFoundAtTheStart() async throws {
        let server = try await Server.withShop()
        #expect(await server.stop() == 0)
        try FileManager.default.removeItem(atPath: server.data + "/anchor.json")
        let database = server.data + "/gatehouse.sqlite"
        let trigger = try await run("/usr/bin/sqlite3", [database, "SELECT sql FROM sqlite_schema WHERE name = 'audit_is_not_updated'"], environment: Server.environment)
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
