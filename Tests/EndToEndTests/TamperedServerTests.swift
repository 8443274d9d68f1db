import Foundation
import GateAPI
import GateAdminClient
import GateModel
import GateTesting
import Testing

/// What somebody writes in the data folder past a real server: found by `verify`, named at the start, not obeyed, and decided about.
@Suite(.timeLimit(.minutes(5)))
struct TamperedServerTests {
    /// Runs SQL as a person with a shell does.
    private func sqlite(_ server: Server, _ sql: String) async throws {
        let outcome = try await run("/usr/bin/sqlite3", [server.data + "/gatehouse.sqlite", sql], environment: Server.environment)
        try #require(outcome.status == 0, "\(outcome)")
    }

    private func log(_ server: Server) throws -> String { try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8) }

    private func reasons(_ server: Server) async throws -> [String] { try await server.client().status().health.reasons }

    private func sign(_ server: Server, _ options: String...) async throws -> Outcome {
        let migrations = Programs.root.appendingPathComponent("Migrations").path
        return try await run(
            Programs.gatehouse,
            ["admin", "sign", "--data", server.data, "--migrations", migrations] + options,
            environment: Server.environment
        )
    }

    private static let password = "violet-harbour-41-lantern"

    /// A token of its owner's is made one that does not end with them.
    @Test func aTokenThatWasAlteredWithSQLOpensNothingAndIsDropped() async throws {
        let server = try await Server.withShop()
        let person = SessionRequest(username: "admin", password: Self.password)
        let token = try await AdminClient(server: #require(ServerAddress(server.admin)), token: nil).makeToken(for: person, named: "laptop")
            .token
        let id = try #require(token.id)
        func asks() async throws -> Int {
            try await AdminClient(server: #require(ServerAddress(server.admin)), token: token, source: "api").raw("/api/v1/apps").status
        }
        #expect(try await asks() == 200)
        await server.stop()
        try await sqlite(server, "UPDATE tokens SET owner_id = NULL WHERE id = '\(id)'")

        let verified = try await server.gatehouse("verify")
        #expect(verified.status == 1)
        #expect(verified.err == "error: tokens row \(id): was not written by gatehouse\n")
        try await server.start()
        #expect(try await asks() == 401)
        let health = try await server.checked()
        #expect(health.reasons == ["rows that are not obeyed: tokens row \(id): was not written by gatehouse"])
        #expect(try log(server).contains("rows that gatehouse did not write are not obeyed"))
        // Everything else works.
        _ = try await server.client().kill("Back.", at: 1)
        await server.stop()

        let named = try await sign(server)
        #expect(named.status == 1)
        #expect(named.out == "tokens row \(id): was not written by gatehouse (laptop, admin of all apps)\n")
        #expect(try await sign(server, "--drop").status == 0)
        #expect(try await server.gatehouse("verify").status == 0)
        #expect(try await sign(server).out == "Everything carries the server's signature.\n")
        try await server.start()
        #expect(try await asks() == 401)
        #expect(try await server.checked().state == .ok)
        #expect(try await server.client().raw("/api/v1/audit?action=rows.sign").body.count > 100)
    }

    @Test func anAdministratorMadeWithSQLDoesNotSignIn() async throws {
        let server = try await Server.withShop()
        await server.stop()
        try await sqlite(
            server,
            """
            INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at)
            SELECT 'eve', 'eve', 'admin', password_hash, 0, created_at, password_changed_at FROM users
            """
        )
        #expect(try await server.gatehouse("verify").err == "error: users row 2: was not written by gatehouse\n")
        try await server.start()
        let door = AdminClient(server: try #require(ServerAddress(server.admin)), token: nil)
        let error = await #expect(throws: AdminClientError.self) {
            _ = try await door.makeToken(for: SessionRequest(username: "eve", password: Self.password), named: "eve's")
        }
        #expect(error?.status == 401)
        _ = try await door.makeToken(for: SessionRequest(username: "admin", password: Self.password), named: "admin's")
        #expect(try await server.checked().reasons == ["rows that are not obeyed: users row 2: was not written by gatehouse"])
    }

    /// Not only at the next start, and not only once an hour: whoever alters the history has to alter the schema, which the next write
    /// meets.
    @Test func aRowThatIsWrittenPastARunningServerIsNamedSoon() async throws {
        let server = try await Server.withShop()
        #expect(try await server.checked().state == .ok)
        try await sqlite(server, "DROP TRIGGER audit_is_not_updated; UPDATE users SET role = 'viewer'")
        _ = try await server.client().kill("Back at nine.", at: 1)
        // The row may be told of first.
        try await waitUntil("the altered schema is told of", limit: .seconds(30)) {
            try await server.ready().contains("history: schema: was altered while gatehouse runs")
        }
    }

    @Test func withoutItsKeyTheServerServesFeedsAndRecognisesNobodyUntilItIsSigned() async throws {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back.", at: 1)
        await server.stop()
        try FileManager.default.removeItem(atPath: server.data + "/keys/rows.key")
        #expect(try await server.gatehouse("verify").err.contains("rows.key is missing"))
        try await server.start()
        #expect(try await server.feedText("/feeds/shop/ios/bellerophon.json").contains("\"apiInactive\":true"))
        let refused = try await server.client().raw("/api/v1/apps")
        #expect(refused.status == 503)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("key_missing"))
        await server.stop()
        #expect(try await sign(server).status == 1)
        let kept = try await sign(server, "--keep")
        #expect(kept.status == 0, "\(kept)")
        #expect(try await server.gatehouse("verify").status == 0)
        try await server.start()
        #expect(try await server.checked().state == .ok)
        _ = try await server.client().kill(nil, at: 2)
    }

    /// The folder of an hour ago knows nothing of the hour, and nothing in it says so.
    @Test func anOlderFolderIsKnownByTheAnchorsCopy() async throws {
        let elsewhere = try TemporaryFolder()
        let copy = elsewhere.path + "/anchor.json"
        let server = try await Server.start("--anchor-copy", copy)
        let client = try server.client()
        _ = try await client.createApp(AppRequest(key: "shop", name: "Shop"))
        await server.stop()
        let older = elsewhere.path + "/older"
        try FileManager.default.copyItem(atPath: server.data, toPath: older)
        try await server.start()
        _ = try await server.client().putPlatform("shop", "ios", SettingsRequest())
        await server.stop()
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == Data(contentsOf: URL(fileURLWithPath: server.data + "/anchor.json")))
        #expect(try await server.gatehouse("verify", "--anchor", copy).status == 0)
        #expect(try log(server).contains("anchor"))

        try FileManager.default.removeItem(atPath: server.data)
        try FileManager.default.copyItem(atPath: older, toPath: server.data)
        #expect(try await server.gatehouse("verify").status == 0, "the folder alone does not know")
        let verified = try await server.gatehouse("verify", "--anchor", copy)
        #expect(verified.status == 1)
        #expect(
            verified.err.hasPrefix("error: changes row 2: is missing: the anchor knows rows up to 2. An older database is in its place")
        )
        #expect(verified.err.contains("gatehouse restore --data \(server.data) --from FILE"))
        try await server.start()
        let health = try await server.checked()
        #expect(health.reasons.first?.contains("changes row 2: is missing") == true, "\(health.reasons)")
        await #expect(throws: AdminClientError.self) { _ = try await server.client().createApp(AppRequest(key: "bank", name: "Bank")) }
        let kept = try Data(contentsOf: URL(fileURLWithPath: copy))
        await server.stop()
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == kept, "what knows more is not written over")
    }

    /// A second place that comes back only after the start was not compared with the database then.
    @Test func anAnchorsCopyThatKnowsMoreIsNotWrittenOverWhenItComesBack() async throws {
        let elsewhere = try TemporaryFolder()
        let (place, away, older) = (elsewhere.path + "/place", elsewhere.path + "/away", elsewhere.path + "/older")
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let copy = place + "/anchor.json"
        let server = try await Server.start("--anchor-copy", copy)
        _ = try await server.client().createApp(AppRequest(key: "shop", name: "Shop"))
        await server.stop()
        try FileManager.default.copyItem(atPath: server.data, toPath: older)
        try await server.start()
        _ = try await server.client().putPlatform("shop", "ios", SettingsRequest())
        await server.stop()
        let kept = try Data(contentsOf: URL(fileURLWithPath: copy))

        try FileManager.default.removeItem(atPath: server.data)
        try FileManager.default.copyItem(atPath: older, toPath: server.data)
        try FileManager.default.moveItem(atPath: place, toPath: away)
        try await server.start()
        try await waitUntil("the server's health has a reason") { try await !reasons(server).isEmpty }
        try FileManager.default.moveItem(atPath: away, toPath: place)
        await server.stop()
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == kept)
        try await server.start()
        #expect(try await server.checked().reasons.first?.contains("changes row 2: is missing") == true)
    }

    @Test func aSecondPlaceThatIsNotThereIsSaidAndStopsNothing() async throws {
        let elsewhere = try TemporaryFolder()
        let server = try await Server.start("--anchor-copy", elsewhere.path + "/away/anchor.json")
        _ = try await server.client().createApp(AppRequest(key: "shop", name: "Shop"))
        try await waitUntil("the server's health has a reason") { try await !reasons(server).isEmpty }
        #expect(try await reasons(server) == ["anchor: the copy in the second place cannot be written"])
        #expect(try log(server).contains("Writing the anchor's copy"))
        _ = try await server.client().putPlatform("shop", "ios", SettingsRequest())
        #expect(await server.stop() == 0)
    }

    /// As a disk of another machine that hangs: whoever opens a FIFO without another end waits for ever.
    @Test(arguments: ["anchor.json", "anchor.json.new"])
    func aSecondPlaceThatDoesNotAnswerHoldsNobodyUp(_ name: String) async throws {
        let elsewhere = try TemporaryFolder()
        #expect(mkfifo(elsewhere.path + "/" + name, 0o600) == 0)
        let server = try await Server.start("--anchor-copy", elsewhere.path + "/anchor.json")
        _ = try await server.checked()
        _ = try await server.client().createApp(AppRequest(key: "shop", name: "Shop"))
        // The housekeeper goes on: it writes the feeds.
        try await server.wait(for: "publication.sequence") { $0 == "1\n" }
        try await waitUntil("the server's health has a reason") { try await !reasons(server).isEmpty }
        #expect(try await reasons(server) == ["anchor: the second place does not answer"])
        _ = try await server.client().putPlatform("shop", "ios", SettingsRequest())
        let begun = ContinuousClock.now
        #expect(await server.stop() == 0)
        #expect(ContinuousClock.now - begun < .seconds(5))
        #expect(FileManager.default.fileExists(atPath: server.data + "/anchor.json"))
    }
}
