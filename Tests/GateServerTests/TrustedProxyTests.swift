import GateHTTP
import GateJSON
import GateModel
import GateService
import Testing

@testable import GateServer

/// R45: whose word about the sender counts.
@Suite struct TrustedProxyTests {
    private func sender(_ proxies: [String], _ peer: String, _ headers: HTTPHeaders) throws -> Sender {
        let request = HTTPRequest(method: .get, path: "/", headers: headers, peer: try PeerAddress(text: peer).unwrapped())
        return try TrustedProxies(proxies).sender(of: request, isSecure: false)
    }

    @Test(arguments: [
        // Nobody is trusted: what is claimed is nothing.
        ([], "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        (["10.0.0.0/8"], "192.0.2.1", "203.0.113.9", "192.0.2.1"),
        // The right-most hop that is not ours; what stands left of it was only claimed.
        (["10.0.0.0/8"], "10.1.2.3", "203.0.113.9", "203.0.113.9"),
        (["10.0.0.0/8"], "10.1.2.3", "1.1.1.1, 203.0.113.9", "203.0.113.9"),
        (["10.0.0.0/8"], "10.1.2.3", "1.1.1.1,203.0.113.9 ,10.9.9.9", "203.0.113.9"),
        (["10.0.0.0/8"], "10.1.2.3", "127.0.0.1, 10.9.9.9", "127.0.0.1"),
        // All of them ours: the first.
        (["10.0.0.0/8"], "10.1.2.3", "10.4.4.4, 10.9.9.9", "10.4.4.4"),
        // What is no address ends what can be known.
        (["10.0.0.0/8"], "10.1.2.3", "203.0.113.9, unknown", "10.1.2.3"),
        (["10.0.0.0/8"], "10.1.2.3", "203.0.113.9, unknown, 10.9.9.9", "10.9.9.9"),
        (["10.0.0.0/8"], "10.1.2.3", "", "10.1.2.3"),
        (["10.0.0.0/8"], "10.1.2.3", "203.0.113.9, ", "10.1.2.3"),
        // With ports, as some proxies write them, and in IPv6.
        (["10.0.0.0/8"], "10.1.2.3", "203.0.113.9:4711", "203.0.113.9"),
        (["2001:db8::/32"], "2001:db8::1", "2001:db9::7", "2001:db9::7"),
        (["2001:db8::/32"], "2001:db8::1", "[2001:db9::7]:4711", "2001:db9::7"),
        (["2001:db8::/32"], "2001:db9::1", "203.0.113.9", "2001:db9::1"),
        // One address spelled in the other family is the same.
        (["192.0.2.1"], "::ffff:192.0.2.1", "::ffff:203.0.113.9", "203.0.113.9"),
        (["192.0.2.1", "198.51.100.0/25"], "198.51.100.127", "203.0.113.9", "203.0.113.9"),
        (["192.0.2.1", "198.51.100.0/25"], "198.51.100.128", "203.0.113.9", "198.51.100.128"),
        (["0.0.0.0/0"], "198.51.100.128", "203.0.113.9", "203.0.113.9"),
    ])
    func theSenderIsTheLastHopThatIsNotOurs(proxies: [String], peer: String, forwarded: String, expected: String) throws {
        #expect(try sender(proxies, peer, ["X-Forwarded-For": forwarded]).address.text == expected)
    }

    @Test func severalFieldsAreOneList() throws {
        var headers = HTTPHeaders()
        for hop in ["1.1.1.1", "203.0.113.9", "10.9.9.9"] { headers.append("X-Forwarded-For", hop) }
        #expect(try sender(["10.0.0.0/8"], "10.1.2.3", headers).address.text == "203.0.113.9")
    }

    @Test(arguments: [
        "", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "10.0.0/8", "2001:db8::/129", "localhost", "10.0.0.0/+8", "[::1]",
    ])
    func whatIsNoBlockIsRefused(text: String) {
        #expect(throws: TrustedProxies.NoBlock.self) { try TrustedProxies([text]) }
    }

    /// A request that came through a proxy is none of the machine's own, whether the proxy is trusted or not.
    @Test(arguments: [[], ["127.0.0.0/8"]] as [[String]]) func whatWasForwardedIsNotLocal(proxies: [String]) throws {
        #expect(try sender(proxies, "127.0.0.1", [:]).isLoopback)
        #expect(try !sender(proxies, "192.0.2.1", [:]).isLoopback)
        for name in ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via"] {
            #expect(try !sender(proxies, "127.0.0.1", [name: "127.0.0.1"]).isLoopback, "\(name)")
        }
    }

    @Test func onlyATrustedProxySaysThatTheBrowserSpeaksHTTPS() throws {
        #expect(try !sender([], "127.0.0.1", ["X-Forwarded-Proto": "https"]).isSecure)
        #expect(try sender(["127.0.0.1"], "127.0.0.1", ["X-Forwarded-Proto": "HTTPS"]).isSecure)
        #expect(try sender(["127.0.0.1"], "127.0.0.1", ["X-Forwarded-Proto": "http, https"]).isSecure)
        #expect(try !sender(["127.0.0.1"], "127.0.0.1", ["X-Forwarded-Proto": "https, http"]).isSecure)
    }

    // MARK: Through the responder

    private let proxy = PeerAddress(bytes: [10, 0, 0, 1])

    private func tryIn(_ desk: Desk, _ password: String, from peer: PeerAddress, claiming address: String) -> HTTPResponse {
        desk.ask(
            .post,
            "/api/v1/session",
            #"{"username":"ann","password":"\#(password)"}"#,
            as: .nobody,
            headers: ["X-Forwarded-For": address],
            peer: peer
        )
    }

    @Test func whoClaimsAnotherAddressEachTimeIsSlowedDownAllTheSame() throws {
        let desk = try Desk(proxies: TrustedProxies(["10.0.0.0/8"]))
        _ = try desk.browser()
        let outside = PeerAddress(bytes: [192, 0, 2, 7])
        for number in 0..<5 { #expect(tryIn(desk, "wrong", from: outside, claiming: "203.0.113.\(number)").status == 401) }
        #expect(tryIn(desk, Desk.password, from: outside, claiming: "203.0.113.99").status == 429)
        let rows = desk.ask(.get, "/api/v1/audit?action=session.create").json["items"]?.array ?? []
        #expect(Set(rows.compactMap { $0["address"]?.string }) == ["192.0.2.7", "127.0.0.1"])
    }

    @Test func behindTheProxyEachSenderIsCountedAlone() throws {
        let desk = try Desk(proxies: TrustedProxies(["10.0.0.0/8"]))
        _ = try desk.browser()
        for _ in 0..<5 { #expect(tryIn(desk, "wrong", from: proxy, claiming: "203.0.113.1").status == 401) }
        #expect(tryIn(desk, Desk.password, from: proxy, claiming: "203.0.113.1").status == 429)
        #expect(tryIn(desk, Desk.password, from: proxy, claiming: "203.0.113.2").status == 200)
        let newest = desk.ask(.get, "/api/v1/audit?action=session.create&actor=ann&limit=1").json
        #expect(newest.at("items.0.address") == "203.0.113.2")
    }

    /// Everybody behind a proxy that nobody declared is one address: whoever looks after the server is told, once, and it is no illness.
    @Test func aProxyThatNobodyDeclaredIsNoticed() throws {
        let desk = try Desk(proxies: TrustedProxies(["10.0.0.0/8"]))
        func health(_ path: String) -> JSONObject { desk.ask(.get, path).json.at("health")?.object ?? [:] }
        _ = desk.ask(.get, "/api/v1/status", headers: ["X-Forwarded-For": "203.0.113.9"], peer: proxy)
        #expect(health("/api/v1/status").names == ["state", "reasons"])
        let outside = PeerAddress(bytes: [192, 0, 2, 7])
        for number in 0..<3 { _ = tryIn(desk, "wrong", from: outside, claiming: "203.0.113.\(number)") }
        _ = tryIn(desk, "wrong", from: PeerAddress(bytes: [192, 0, 2, 8]), claiming: "203.0.113.9")
        for path in ["/api/v1/status", "/api/v1/events?after=0"] {
            let health = health(path)
            #expect(health["state"] == "ok" && health["reasons"] == .array([]))
            let notices = health["notices"]?.array?.compactMap(\.string) ?? []
            #expect(notices.count == 1 && notices[0].contains("--trusted-proxy 192.0.2.7"), "\(notices)")
        }
        #expect(desk.logged.all.count == 1)
        // Whose address it is is nothing for whoever is not signed in.
        #expect(!desk.ask(.get, "/healthz/ready", as: .nobody).text.contains("192.0.2.7"))
    }

    @Test func nobodyIsSetUpThroughAProxy() throws {
        let desk = try Desk(proxies: TrustedProxies(["127.0.0.0/8"]))
        let code = try desk.access.setupCode().unwrapped()
        let body = #"{"code":"\#(code)","username":"ann","password":"\#(Desk.password)"}"#
        for headers in [
            ["X-Forwarded-For": "127.0.0.1"], ["X-Forwarded-For": "203.0.113.9"], ["X-Forwarded-Proto": "https"],
            ["Forwarded": "for=127.0.0.1"],
        ] as [HTTPHeaders] {
            #expect(desk.ask(.post, "/api/v1/setup", body, as: .nobody, headers: headers).summary == "403 setup_not_local")
        }
        #expect(desk.ask(.post, "/api/v1/setup", body, as: .nobody).status == 201)
    }

    /// The browser speaks https to the proxy, so its cookie is the one that only https carries, and its origin is https.
    @Test func theCookieIsThatOfTheBrowsersScheme() throws {
        let desk = try Desk(proxies: TrustedProxies(["10.0.0.0/8"]))
        _ = try desk.browser()
        let body = #"{"username":"ann","password":"\#(Desk.password)"}"#
        let forwarded: HTTPHeaders = [
            "X-Forwarded-For": "203.0.113.1", "X-Forwarded-Proto": "https", "Host": "gate.test", "Origin": "https://gate.test",
        ]
        let answer = desk.ask(.post, "/api/v1/session", body, as: .nobody, headers: forwarded, peer: proxy)
        let browser = try desk.browser(from: answer)
        #expect(browser.cookie.hasPrefix("__Host-gh_session="))
        #expect(answer.headers["Set-Cookie"]?.contains("Secure") == true)
        var headers = forwarded
        headers.append("Cookie", browser.cookie)
        #expect(desk.ask(.get, "/api/v1/session", as: .nobody, headers: headers, peer: proxy).status == 200)
        #expect(
            desk.ask(
                .post,
                "/api/v1/session",
                body,
                as: .nobody,
                headers: ["X-Forwarded-Proto": "http", "Host": "gate.test", "Origin": "https://gate.test"],
                peer: proxy
            ).status == 403
        )
    }
}
