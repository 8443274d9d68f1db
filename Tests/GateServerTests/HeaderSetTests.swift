import GateHTTP
import GateModel
import Testing

@testable import GateServer

/// R32: every answer has exactly the headers of its class.
@Suite struct HeaderSetTests {
    static let admin = """
        Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        X-Content-Type-Options: nosniff
        Referrer-Policy: no-referrer
        Cross-Origin-Opener-Policy: same-origin
        Cross-Origin-Resource-Policy: same-origin
        Strict-Transport-Security: max-age=31536000; includeSubDomains

        """
    static let api = admin + "Cache-Control: no-store\nContent-Type: application/json; charset=utf-8"
    static let problem = admin + "Cache-Control: no-store\nContent-Type: application/problem+json"
    static let feed = """
        Content-Type: application/json; charset=utf-8
        Cache-Control: public, max-age=0, s-maxage=2, stale-if-error=86400
        Access-Control-Allow-Origin: *
        ETag:
        """
    static let feedError = "Cache-Control: no-store\nAccess-Control-Allow-Origin: *\nContent-Type: text/plain; charset=utf-8"

    private func text(_ response: HTTPResponse) -> String {
        response.headers.map { $0.name == "ETag" ? "ETag:" : "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// In any order: what counts is that none is missing and none too many.
    private func lines(_ headers: String) -> [Substring] { headers.split(separator: "\n").sorted() }

    struct Case: Sendable, CustomTestStringConvertible {
        let method: HTTPMethod
        let path: String
        var who = Desk.Who.admin
        var body: String?
        let status: Int
        let headers: String
        var testDescription: String { "\(method) \(path) as \(who)" }
    }

    static let cases: [Case] = [
        Case(method: .get, path: "/api/v1/status", status: 200, headers: api),
        Case(method: .get, path: "/api/v1/targets", status: 200, headers: api),
        Case(method: .get, path: "/api/v1/events?after=0", status: 200, headers: api),
        Case(method: .get, path: "/api/v1/session", status: 200, headers: api),
        Case(method: .post, path: "/api/v1/apps", body: #"{"key":"new","name":"New"}"#, status: 201, headers: api),
        Case(
            method: .post,
            path: "/api/v1/changes",
            body: #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{}}"#,
            status: 200,
            headers: api
        ),
        Case(
            method: .get,
            path: "/api/v1/status",
            who: .nobody,
            status: 401,
            headers: problem + "\nWWW-Authenticate: Bearer realm=\"gatehouse\""
        ),
        Case(method: .post, path: "/api/v1/apps", who: .viewer, body: "{}", status: 403, headers: problem),
        Case(method: .get, path: "/api/v1/none", status: 404, headers: problem),
        Case(method: .get, path: "/none", status: 404, headers: problem),
        Case(method: .put, path: "/api/v1/apps", body: "{}", status: 405, headers: problem + "\nAllow: GET, HEAD, POST"),
        Case(method: .post, path: "/api/v1/apps", body: "kill", status: 400, headers: problem),
        Case(method: .get, path: "/healthz/ready", who: .nobody, status: 200, headers: api),
        Case(
            method: .get,
            path: "/healthz/live",
            who: .nobody,
            status: 200,
            headers: admin + "Cache-Control: no-store\nContent-Type: text/plain; charset=utf-8"
        ),
        Case(
            method: .get,
            path: "/",
            who: .nobody,
            status: 200,
            headers: admin + "Cache-Control: no-store\nContent-Type: text/html; charset=utf-8\nETag:"
        ),
        Case(
            method: .get,
            path: "/app.js",
            who: .nobody,
            status: 200,
            headers: admin + "Cache-Control: no-cache\nContent-Type: text/javascript; charset=utf-8\nETag:"
        ),
        Case(method: .get, path: "/feeds/shop/launchgate.json", who: .nobody, status: 200, headers: admin + feed),
        Case(method: .get, path: "/feeds/shop/ios/bellerophon.json?version=4.2", who: .nobody, status: 200, headers: admin + feed),
        Case(method: .get, path: "/feeds/none/launchgate.json", who: .nobody, status: 404, headers: admin + feedError),
        Case(
            method: .post,
            path: "/feeds/shop/launchgate.json",
            who: .nobody,
            status: 405,
            headers: admin + feedError + "\nAllow: GET, HEAD, OPTIONS"
        ),
    ]

    @Test(arguments: cases) func answersOfTheAdminListenerHaveTheHeadersOfTheirClass(one: Case) throws {
        let response = try Desk().furnished().ask(one.method, one.path, one.body, as: one.who)
        #expect(response.status == one.status)
        #expect(lines(text(response)) == lines(one.headers))
    }

    @Test(arguments: ["/feeds/shop/launchgate.json", "/feeds/none/launchgate.json"])
    func theFeedsListenerAddsNoneOfThemToAFeed(path: String) throws {
        let desk = try Desk().furnished()
        let own = desk.poll(path)
        #expect(lines(text(own)) == lines(own.status == 200 ? Self.feed : Self.feedError))
        #expect(lines(text(desk.feeds.response(to: .headerTooLarge, of: path, id: "1"))) == lines(Self.feedError))
        #expect(lines(text(desk.admin.response(to: .headerTooLarge, of: path, id: "1"))) == lines(Self.admin + Self.feedError))
    }

    @Test func aSignOutHasNoBodyAndNoType() throws {
        let desk = try Desk()
        let browser = try desk.browser()
        let response = desk.ask(.delete, "/api/v1/session", as: .nobody, headers: browser.headers)
        #expect(response.status == 204)
        #expect(response.body.isEmpty)
        #expect(response.headers["Content-Type"] == nil)
        #expect(response.headers["Cache-Control"] == "no-store")
    }
}
