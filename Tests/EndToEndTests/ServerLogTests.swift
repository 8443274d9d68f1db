import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// R55: the log stops nobody. What strangers send is counted, not written down; and whoever reads standard error slowly, or never, holds
/// nothing up.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ServerLogTests {
    /// Requests that a listener answers without ending the connection.
    private static let quiet = [
        "POST /nothing", "PUT /feeds/shop/ios/gate.json", "DELETE /feeds/shop/launchgate.json", "PATCH /config.json", "GET /nothing",
        "HEAD /nothing",
        "OPTIONS /nothing", "GET /feeds/shop/launchgate.json?version=4", "POST /api/v1/changes", "PUT /api/v1/users/somebody",
        "DELETE /api/v1/tokens/x",
        "POST /api/v1/session", "PATCH /api/v1/apps/shop", "GET /api/v1/status",
    ]
    /// What ends the connection: refused by the edge, by libmicrohttpd, or no HTTP at all.
    private static let broken = [
        "FOO /feeds/a HTTP/1.1\r\nHost: localhost\r\n\r\n", "GET /feeds/a HTTP/1.1\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n",
        "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\nExpect: 100-continue\r\n\r\n", "nonsense\r\n\r\n",
        "\u{16}\u{3}\u{1}\u{2}\r\n\r\n", "GET /a HTTP/9.9\r\n\r\n",
        "GET /\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "x", count: 20_000))\r\n\r\n",
        "GET /a HTTP/1.1\r\nHost: localhost\r\nno colon\r\n\r\n", "GET /a HTTP/1.1\r\nHost: localhost\r\nhalf a hea",
    ]

    /// Ten thousand requests of all kinds without any right to anything.
    private static func flood(_ address: String) throws {
        for round in 0..<90 {
            let connection = try RawConnection(to: address)
            let requests = (0..<100).map { "\(quiet[(round + $0) % quiet.count]) HTTP/1.1\r\nHost: localhost\r\n\r\n" }
            connection.send(requests.joined())
            // Not a hundred more: each that waits for its answer in vain waits ten seconds.
            try #require(connection.statuses(100).count == 100, "round \(round) at \(address)")
        }
        for round in 0..<1_000 {
            let connection = try RawConnection(to: address)
            connection.send(broken[round % broken.count])
        }
    }

    /// Whether both listeners answer.
    private static func isAnswering(_ server: Server) throws -> Bool {
        try [server.feeds + "/healthz/live", server.admin + "/healthz/live"].allSatisfy { address in
            let connection = try RawConnection(to: String(address.dropLast("/healthz/live".count)))
            connection.send("GET /healthz/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return connection.statuses(1) == [200]
        }
    }

    @Test func whenNobodyReadsStandardErrorEverythingGoesOn() async throws {
        let server = try await Server.withShop()
        await server.stop()
        let unread = Pipe()
        try await server.start(standardError: unread)
        for address in [server.feeds, server.admin] { try Self.flood(address) }
        #expect(try Self.isAnswering(server))
        _ = try await server.client().kill("Back.", at: 1)
        #expect(await server.stop() == 0)
        withExtendedLifetime(unread) {}
    }

    /// Who reads the log in the morning knows who changed what, and why it failed.
    @Test func eachChangeIsALine() async throws {
        let server = try await Server.withShop()
        let made = try await server.client().kill("Back.", at: 1)
        await server.stop()
        let lines = try Self.lines(try server.log)
        let ready = try #require(lines.first { $0["message"]?.string == "ready" })
        #expect(
            ["environment", "protected", "data", "version", "libmicrohttpd", "sqlite"].allSatisfy { ready[$0]?.string?.isEmpty == false },
            "\(ready)"
        )
        let line = try #require(lines.last { $0["message"]?.string == "change" })
        let sequence = try #require(made.change?.sequence)
        #expect(line["sequence"]?.integer == sequence, "\(line)")
        #expect(line["targets"]?.string == "shop/ios open to blocked at revision 2")
        #expect(line["kind"]?.string == "set")
        #expect(line["actor"]?.string?.isEmpty == false)
        #expect(line["request"]?.string == made.change?.requestId)
        #expect(try !server.log.contains("Back."), "what people are told is no line of the log")
    }

    @Test func eachTurnOfAWindowIsALine() async throws {
        let server = try await Server.withShop()
        let client = try server.client()
        let targets = [TargetRef(app: "shop", platform: "ios", revision: 1)]
        let start = try ZonedTime(at: Timestamp.now.advanced(bySeconds: 3_600), zone: "UTC")
        let set = GateEdit([.killSwitch: .object(["message": .string("Back.")])])
        let made = try await client.createWindow(WindowRequest(targets: targets, set: set, start: start)).window
        _ = try await client.runWindow(made.id, WindowRunRequest())
        await server.stop()
        let lines = try Self.lines(try server.log).filter { $0["message"]?.string == "window" }
        #expect(lines.map { $0["event"]?.string } == ["made", "started"])
        #expect(lines.allSatisfy { $0["window"]?.integer == made.id && $0["targets"]?.string == "shop/ios" }, "\(lines)")
        #expect(lines.last?["sequence"]?.integer != nil)
        #expect(try !server.log.contains("Back."), "what people are told is no line of the log")
    }

    @Test func aHangUpEndsNoServerAndIsToldOf() async throws {
        let server = try await Server.withShop()
        server.hangUp()
        try await waitUntil("the log tells of the signal") { try server.log.contains("SIGHUP") }
        #expect(try Self.isAnswering(server))
        #expect(await server.stop() == 0)
    }

    /// Certificates are renewed every other month, at night, by a program that can send a signal.
    @Test(.enabled(if: Authority.isAvailable)) func aNewCertificateIsTakenUpByBothListeners() async throws {
        let authority = try await Authority()
        let options = try await authority.options(for: "IP:127.0.0.1")
        let server = try await Server.start(options: options)
        func shown() async throws -> [String] {
            var serials: [String] = []
            for address in [server.admin, server.feeds] {
                let told = try await run(
                    Authority.openssl,
                    ["s_client", "-connect", String(address.dropFirst("https://".count))],
                    environment: Server.environment
                )
                serials.append(
                    told.out.split(separator: "\n").drop { !$0.hasPrefix("-----BEGIN") }.prefix { !$0.hasPrefix("-----END") }.joined()
                )
            }
            return serials
        }
        func reloaded(_ count: Int) async throws {
            server.hangUp()
            try await waitUntil("the log tells of \(count) signals") { try server.log.components(separatedBy: "SIGHUP").count > count }
        }
        let before = try await shown()
        #expect(before[0] == before[1] && before[0].count > 100, "\(before)")

        let renewed = try await authority.options(for: "IP:127.0.0.1")
        try Data(contentsOf: URL(fileURLWithPath: renewed[1])).write(to: URL(fileURLWithPath: options[1]), options: .atomic)
        try await reloaded(1)
        let after = try await shown()
        #expect(after[0] == after[1] && after[0] != before[0], "\(after)")
        #expect(try server.log.contains("the certificate was read anew"))

        try Data("junk".utf8).write(to: URL(fileURLWithPath: options[1]), options: .atomic)
        try await reloaded(2)
        #expect(try await shown() == after)
        #expect(try server.log.contains("the new certificate is not taken, the one in use stays"))
        #expect(await server.stop() == 0)
    }

    @Test func tenThousandAnonymousRequestsWriteLittle() async throws {
        let server = try await Server.withShop()
        for (name, address) in [("feeds", server.feeds), ("admin", server.admin)] {
            let before = try server.log.utf8.count
            try Self.flood(address)
            #expect(try Self.isAnswering(server))
            let written = try server.log.utf8.count - before
            #expect(written < 200_000, "\(name): \(written) bytes")
            if name == "feeds" {
                #expect(
                    try !server.log.contains(#""status":40"#) && !server.log.contains(#""status":"40"#),
                    "requests for feeds are counted, not logged"
                )
            }
        }
        // What was withheld is told, at the end at the latest.
        await server.stop()
        let lines = try Self.lines(try server.log)
        #expect(lines.contains { $0["message"]?.string?.contains("were not logged") == true })
        #expect(lines.last?["message"]?.string == "stopped")
    }

    @Test func linesThatFoundNoRoomAreCountedAndToldOnceThereIsRoom() async throws {
        let server = try await Server.withShop()
        let token = server.token
        await server.stop()
        let pipe = Pipe()
        try await server.start(standardError: pipe)
        // Each is one line of the log, for who may write is let write.
        let body = #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Back."}},"dryRun":true}"#
        let request = """
            POST /api/v1/changes HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\nContent-Type: application/json\r\n\
            Content-Length: \(body.utf8.count)\r\n\r\n\(body)
            """
        var dropped = 0
        for _ in 0..<60 where dropped == 0 {
            let connection = try RawConnection(to: server.admin)
            connection.send(String(repeating: request, count: 100))
            #expect(connection.statuses(100) == Array(repeating: 200, count: 100))
            dropped = try await Self.droppedLines(server)
        }
        #expect(dropped > 0)
        // Now somebody reads.
        let reader = pipe.fileHandleForReading
        var text: [UInt8] = []
        // If the word never comes, the end of the server ends the reading.
        let watch = Task {
            try await Task.sleep(for: .seconds(60))
            await server.kill()
        }
        defer { watch.cancel() }
        while !String(decoding: text, as: UTF8.self).contains("were dropped") {
            let more = reader.availableData
            if more.isEmpty { break }
            text += more
        }
        try #require(String(decoding: text, as: UTF8.self).contains("were dropped"), "not within a minute")
        let told = try Self.lines(String(decoding: text, as: UTF8.self)).compactMap {
            $0["message"]?.string?.firstMatch(of: /(\d+) lines of the log were dropped/)?.1
        }
        let total = try await Self.droppedLines(server)
        #expect(told.compactMap { Int($0) }.reduce(0, +) == total, "\(told)")
    }

    /// What is critical may be the last that is heard of a process, so it is written before anything else is done.
    @Test func whatIsCriticalIsWrittenThoughTheProcessIsKilled() async throws {
        let server = try await Server.withShop()
        await server.stop()
        let database = try FileHandle(forWritingTo: URL(fileURLWithPath: server.data + "/gatehouse.sqlite"))
        try database.write(contentsOf: Data(count: 4_096))
        try database.close()
        try await server.start()
        await server.kill()
        #expect(try Self.lines(server.log).contains { $0["level"]?.string == "critical" })
    }

    /// The log as JSON, a line each; a line that is cut at the end is left out.
    private static func lines(_ text: String) throws -> [JSONObject] {
        try text.split(separator: "\n").filter { $0.hasSuffix("}") }.map { try #require(JSONReader.read(String($0)).object, "\($0)") }
    }

    private static func droppedLines(_ server: Server) async throws -> Int {
        let page = try await server.client().raw("/metrics")
        let text = String(decoding: page.body, as: UTF8.self)
        return try #require(text.firstMatch(of: /\ngatehouse_log_lines_dropped_total (\d+)\n/).flatMap { Int($0.1) }, "no such sample")
    }
}
