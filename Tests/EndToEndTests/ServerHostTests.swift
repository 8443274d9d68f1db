import Foundation
import GateTesting
import Testing

/// R60: a page whose own name was made to point here (DNS rebinding) gets nothing, whatever it asks for.
@Suite(.timeLimit(.minutes(5)))
struct ServerHostTests {
    private struct Answer {
        let status: Int
        let text: String

        init(_ text: String) {
            self.text = text
            status = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        }
    }

    private func ask(_ server: Server, _ line: String, host: String?, body: String? = nil) -> Answer {
        var head = ["\(line) HTTP/1.\(host == nil ? 0 : 1)"]
        if let host { head.append("Host: \(host)") }
        head.append("Authorization: Bearer \(server.token)")
        if let body { head += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        return Answer(StubServer.ask(server.admin, head.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")))
    }

    private static let lines = [
        "GET /", "GET /app.js", "GET /index.html", "HEAD /", "GET /metrics", "GET /openapi.json", "GET /api/v1/setup", "GET /api/v1/status",
        "GET /api/v1/nothing",
        "GET /feeds/shop/launchgate.json", "GET /feeds/nothing.json", "OPTIONS /feeds/shop/launchgate.json", "GET /nothing", "GET /healthz",
        "GET /healthz/live/",
    ]

    @Test func aForeignHostIsTurnedAwayEverywhere() async throws {
        let server = try await Server.withShop()
        for line in Self.lines {
            for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "192.168.1.5", "gate.example.com"] {
                let answer = ask(server, line, host: host)
                #expect(answer.status == 421, "\(line) of \(host): \(answer.text)")
                // The connection's end, so that what comes after is no answer to somebody else.
                #expect(answer.text.lowercased().contains("connection: close"))
                guard !line.hasPrefix("HEAD") else { continue }
                let isFeed = line.contains("/feeds/")
                #expect(answer.text.contains("application/problem+json") != isFeed, "\(line): \(answer.text)")
                if !isFeed { #expect(answer.text.contains(#""code":"misdirected_request""#) && answer.text.contains("--origin")) }
                #expect(!answer.text.contains("Shop"))
            }
            for host in ["localhost", "LOCALHOST:1", "127.0.0.1", "[::1]:8080"] {
                #expect(ask(server, line, host: host).status != 421, "\(line) of \(host)")
            }
        }
        let signIn = #"{"username":"admin","password":"violet-harbour-41-lantern"}"#
        #expect(ask(server, "POST /api/v1/session", host: "evil.example", body: signIn).status == 421)
        let change = #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Closed."}}}"#
        #expect(ask(server, "POST /api/v1/changes", host: "evil.example", body: change).status == 421)
        #expect(try await server.feedText("/feeds/shop/ios/bellerophon.json").contains(#""apiInactive":false"#))
        // What watches over servers asks by names of its own, and some without any.
        for path in ["/healthz/live", "/healthz/ready"] {
            for host in ["evil.example", nil] { #expect(ask(server, "GET \(path)", host: host).status == 200) }
        }
        let log = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
        #expect(log.split(separator: "\n").count { $0.contains("--origin") && $0.contains("evil.example") } == 1, "told once")
    }

    /// A client that mixed its headers up sends its token there.
    @Test func whatIsNoHostsNameIsNotLogged() async throws {
        let server = try await Server.start()
        #expect(ask(server, "GET /api/v1/status", host: server.token).status == 421)
        // The log is written by a thread of its own.
        var log = ""
        try await waitUntil("the log tells of the request") {
            log = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
            return log.contains("a request for another host was turned away (421)")
        }
        #expect(!log.contains(server.token))
    }

    /// Browsers send it in small letters and without the port that the scheme stands for.
    @Test(arguments: [
        ("HTTPS://Gate.Example.com:443/", "https://gate.example.com"), ("http://gate.example.com:80", "http://gate.example.com"),
        ("https://gate.example.com:8443", "https://gate.example.com:8443"), ("http://[2001:DB8::7]:8080", "http://[2001:db8::7]:8080"),
    ])
    func anOriginIsTheSameHoweverItIsTyped(typed: String, sent: String) async throws {
        let server = try await Server.start("--origin", typed)
        let host = sent.split(separator: "/").last.map(String.init) ?? ""
        for (origin, status) in [(sent, 200), ("https://evil.test", 403)] {
            let head = "POST /api/v1/session HTTP/1.1\r\nHost: \(host)\r\nOrigin: \(origin)\r\nContent-Type: application/json\r\n"
            let signIn = #"{"username":"admin","password":"violet-harbour-41-lantern"}"#
            let answer = Answer(StubServer.ask(server.admin, head + "Content-Length: \(signIn.utf8.count)\r\n\r\n" + signIn))
            #expect(answer.status == status, "\(origin): \(answer.text)")
        }
    }

    @Test func theNamesThatTheServerWasGivenAreItsOwn() async throws {
        let server = try await Server.start("--origin", "https://gate.example.com", "--origin", "http://gatehouse:8080")
        for (host, status) in [
            ("gate.example.com", 200), ("Gate.Example.com.:443", 200), ("gatehouse", 200), ("localhost:9000", 200),
            ("a.gate.example.com", 421), ("example.com", 421), ("192.168.1.5", 421),
        ] { #expect(ask(server, "GET /api/v1/status", host: host).status == status, "\(host)") }
    }

    /// Listening on all addresses, it is reached by any of them, also by one that only a router before it knows.
    @Test func onAllAddressesAnyAddressIsItsOwnAndNoName() async throws {
        let server = try await Server.start()
        await server.stop()
        try await server.start(admin: "0.0.0.0:0")
        for (host, status) in [
            ("192.168.1.5:8080", 200), ("0.0.0.0", 200), ("[2001:db8::7]", 200), ("evil.example", 421), ("192.168.1.5.evil.example", 421),
        ] {
            #expect(ask(server, "GET /api/v1/status", host: host).status == status, "\(host)")
        }
    }
}
