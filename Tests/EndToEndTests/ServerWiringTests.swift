import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// What each part does is tested where it is; here, that the server has put them together: the listeners' own settings, what comes of the
/// options, and what is kept when it ends.
@Suite(.timeLimit(.minutes(3)))
struct ServerWiringTests {
    private static let feed = "/feeds/shop/ios/bellerophon.json"

    private func ask(_ address: String, _ lines: String..., body: String = "") -> String {
        StubServer.ask(address, lines.joined(separator: "\r\n") + "\r\nConnection: close\r\n\r\n" + body)
    }

    private func metric(_ server: Server, _ name: String) async throws -> String? {
        let page = String(decoding: try await server.client().raw("/metrics").body, as: UTF8.self)
        return page.split(separator: "\n").first { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
    }

    private func fetched(_ server: Server) async throws -> Int {
        let target = try JSONReader.read([UInt8](try await server.client().raw("/api/v1/targets/shop/ios").body))
        return target.object?["reach"]?.object?["fetched"]?.integer ?? 0
    }

    @Test func howFarAChangeHasComeIsKeptOverARestart() async throws {
        let server = try await Server.withShop()
        for _ in 1...7 { _ = try await server.feedText(Self.feed) }
        // It is sampled once a second, and written every half minute and at the end.
        try await waitUntil("seven polls are counted") { try await fetched(server) >= 7 }
        #expect(await server.stop() == 0)
        try await server.start()
        try await waitUntil("polls are counted") { try await fetched(server) > 0 }
        #expect(try await fetched(server) == 7)
    }

    @Test func theFeedsListenerTakesNoBody() async throws {
        let server = try await Server.withShop()
        let answer = ask(server.feeds, "POST \(Self.feed) HTTP/1.1", "Host: feeds", "Content-Length: 5", body: "12345")
        #expect(answer.hasPrefix("HTTP/1.1 413 "), "\(answer)")
    }

    @Test func whoLooksAtAFeedInTheDashboardIsNoPhone() async throws {
        let server = try await Server.withShop()
        for _ in 1...3 { #expect(ask(server.admin, "GET \(Self.feed) HTTP/1.1", "Host: localhost").hasPrefix("HTTP/1.1 200 ")) }
        #expect(try await metric(server, #"gatehouse_feed_polls_total{answer="sent"}"#) == "0")
        #expect(ask(server.feeds, "GET \(Self.feed) HTTP/1.1", "Host: feeds").hasPrefix("HTTP/1.1 200 "))
        #expect(try await metric(server, #"gatehouse_feed_polls_total{answer="sent"}"#) == "1")
        // Nor one of those whom a change has reached.
        try await waitUntil("polls are counted") { try await fetched(server) > 0 }
        #expect(try await fetched(server) == 1)
    }

    /// The port that this machine listens on is none that phones could poll, and the browser's end of the connection is a safe one.
    @Test func anOriginOfHTTPSMakesASafeCookieAndNamesNoPort() async throws {
        let plain = try await Server.start()
        #expect(try await plain.client().status().feedsPort != nil)
        let server = try await Server.start("--origin", "https://gate.example.com")
        #expect(try await server.client().status().feedsPort == nil)
        let body = #"{"username":"admin","password":"violet-harbour-41-lantern"}"#
        let answer = ask(
            server.admin,
            "POST /api/v1/session HTTP/1.1",
            "Host: gate.example.com",
            "Origin: https://gate.example.com",
            "Content-Type: application/json",
            "Content-Length: \(body.utf8.count)",
            body: body
        )
        #expect(answer.hasPrefix("HTTP/1.1 200 "), "\(answer)")
        #expect(answer.contains("__Host-gh_session="))
        #expect(answer.contains("; Secure;"))
    }

    @Test func refusalsThatWereOnlyCountedAreInTheAuditAfterTheEnd() async throws {
        let server = try await Server.start()
        let wrong = "gate_12345678_" + String(repeating: "A", count: 49)
        #expect(
            ask(server.admin, "GET /api/v1/status HTTP/1.1", "Host: localhost", "Authorization: Bearer \(wrong)").hasPrefix("HTTP/1.1 401 ")
        )
        // At the end at the latest; before, within a minute.
        #expect(await server.stop() == 0)
        let rows = try await run(
            "/usr/bin/sqlite3",
            [server.data + "/gatehouse.sqlite", "SELECT count(*) FROM audit WHERE detail LIKE '%unauthenticated%'"],
            environment: Server.environment
        )
        #expect(rows.out == "1\n", "\(rows)")
    }

    /// A backup that goes with the disk is none, and one a second leaves the server no time.
    @Test func backupsGoSomewhereElseAndNotAllTheTime() async throws {
        let folder = try TemporaryFolder()
        let (data, backups) = (folder.path + "/data", folder.path + "/backups")
        for options in [
            ["--backup-dir", data], ["--backup-dir", folder.path + "/backups/../data/"],
            ["--backup-dir", backups, "--backup-every", "59s"], ["--backup-dir", backups, "--backup-every", "32d"],
            ["--backup-dir", backups, "--backup-keep", "0"], ["--backup-dir", backups, "--backup-keep", "5001"],
        ] {
            let refused = try await run(
                Programs.gatehouse,
                ["serve", "--data", data] + options + Server.assets,
                environment: Server.environment
            )
            #expect(refused.status == 64, "\(options): \(refused)")
            #expect(refused.err.contains("Error: \(options[options.count - 2]) "), "\(options): \(refused)")
            #expect(!FileManager.default.fileExists(atPath: backups))
        }
    }

    @Test(arguments: [
        ["--environment-colour", "purple"], ["--origin", "https://me:secret@gate.example.com"],
        ["--environment", String(repeating: "x", count: 41)], ["--blast-radius", "101%"], ["--blast-radius", "a quarter"],
        ["--blast-radius", "-1"], ["--blast-radius", "٢٥%"],
    ])
    func anOptionThatCannotBeIsRefusedWithItsName(_ option: [String]) async throws {
        let folder = try TemporaryFolder()
        let refused = try await run(
            Programs.gatehouse,
            ["serve", "--data", folder.path + "/data"] + option + Server.assets,
            environment: Server.environment
        )
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.err.contains(option[0]), "\(refused)")
    }
}
