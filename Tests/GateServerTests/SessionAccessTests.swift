import GateAPI
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// R33, R41 for people who have signed in: role, scope, freshness and CSRF of every route, generated from the route table.
@Suite struct SessionAccessTests {
    enum Person: String, CaseIterable, Sendable {
        case viewer, `operator`, banker, admin

        var role: Role { self == .banker ? .operator : Role(rawValue: rawValue)! }
        var scope: AppScope { self == .banker ? .only([AppKey("bank")!]) : .all }
    }

    private func path(_ endpoint: Endpoint) -> String {
        endpoint.path(endpoint.parameterNames.map { ["app": "shop", "platform": "ios", "sequence": "2"][$0] ?? "1000" })
    }

    private func body(_ endpoint: Endpoint) -> String? {
        switch endpoint {
        case .commitChange: #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{}}"#
        case .importFile: #"{"app":"shop","document":"{\"ios\":{}}","dryRun":true}"#
        case _ where endpoint.method == .get: nil
        default: "{}"
        }
    }

    private func method(_ endpoint: Endpoint) -> HTTPMethod { HTTPMethod(rawValue: endpoint.method.rawValue) }

    /// What ends the session that asks, or is no question of access.
    private static let left: [Endpoint] = [.setUp, .setupState, .signIn, .signOut, .reauthenticate]

    /// 403 exactly where the role or the scope does not reach, for a fresh session.
    @Test(arguments: Person.allCases) func everyRouteAsksForItsRole(person: Person) throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser(person.rawValue, person.role, person.scope)
        for endpoint in Endpoint.allCases where !Self.left.contains(endpoint) {
            let response = desk.ask(method(endpoint), path(endpoint), body(endpoint), in: browser)
            let isOfShop = endpoint.pattern.contains("{app}") || [.commitChange, .importFile].contains(endpoint)
            let isRefused = person.role < endpoint.access.role || person == .banker && isOfShop && endpoint.method != .get
            #expect((response.status == 403) == isRefused, "\(endpoint) as \(person): \(response.text)")
            #expect(response.status != 401 && response.status < 500, "\(endpoint) as \(person): \(response.text)")
        }
    }

    /// After five minutes, what concerns people, tokens and deletions wants the password again; all else goes on.
    @Test func fiveMinutesAfterSigningInSomeRoutesWantThePasswordAgain() throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser("ann", .admin)
        desk.clock.advance(seconds: 300)
        for endpoint in Endpoint.allCases where !Self.left.contains(endpoint) {
            let response = desk.ask(method(endpoint), path(endpoint), body(endpoint), in: browser)
            let isSensitive = endpoint.proof == .fresh || endpoint.proof == .freshSession
            #expect((response.code == "fresh_sign_in_required") == isSensitive, "\(endpoint): \(response.text)")
            if isSensitive { #expect(response.status == 403) }
        }
        // A tool's token has no password to give again.
        #expect(desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":"delete shop"}"#).status == 200)
    }

    @Test func givingThePasswordAgainMakesTheSessionFreshAndItsCookieNew() throws {
        let desk = try Desk().furnished()
        let old = try desk.browser("ann", .admin)
        desk.clock.advance(seconds: 300)
        #expect(
            desk.ask(.post, "/api/v1/session/reauthenticate", #"{"password":"a wrong pass phrase"}"#, in: old).summary
                == "401 wrong_credentials"
        )
        let answer = desk.ask(.post, "/api/v1/session/reauthenticate", #"{"password":"\#(Desk.password)"}"#, in: old)
        let new = try desk.browser(from: answer)
        #expect(new.cookie != old.cookie)
        #expect(new.csrf != old.csrf)
        #expect(desk.ask(.get, "/api/v1/session", in: old).status == 401)
        #expect(desk.ask(.delete, "/api/v1/apps/bank", #"{"confirm":"delete bank"}"#, in: new).status == 200)
    }

    /// R58: with a session that was left open, the password alone makes nothing fresh where there is a second factor; with its code it
    /// does.
    @Test func whereAPasswordIsGivenTheCodeIsWantedToo() throws {
        let desk = try Desk().furnished()
        var browser = try desk.browser("ann", .admin)
        let factor = try desk.secondFactor(in: browser)
        let password = #""password":"\#(Desk.password)""#
        let (current, new) = (#""currentPassword":"\#(Desk.password)""#, #""newPassword":"another long pass phrase""#)
        let ways: [(path: String, body: String, refusal: Int)] = [
            ("/session", #""username":"ann",\#(password)"#, 401), ("/session/reauthenticate", password, 401),
            ("/account/password", "\(current),\(new)", 403),
        ]
        for way in ways {
            desk.clock.advance(seconds: 300)
            func give(_ code: String?) -> HTTPResponse {
                let body = "{\(way.body)\(code.map { #","totp":"\#($0)""# } ?? "")}"
                return desk.ask(.post, "/api/v1" + way.path, body, in: browser)
            }
            let before = try desk.people()
            for (code, word) in [
                (nil, "totp_required"), ("", "totp_required"), ("000000", "wrong_totp"), ("aaaa-aaaa-aaaa-aaaa-aaaa-aaaa", "wrong_totp"),
            ] {
                let refused = give(code)
                #expect(refused.summary == "\(way.refusal) \(word) /totp", "\(way.path) with \(code ?? "no code")")
                #expect(refused.headers["Set-Cookie"] == nil)
            }
            #expect(try desk.people() == before)
            // Whatever was tried, the session is as stale as it was.
            #expect(desk.ask(.delete, "/api/v1/account/totp", "{}", in: browser).summary == "403 fresh_sign_in_required")
            #expect(desk.ask(.post, "/api/v1/users", "{}", in: browser).summary == "403 fresh_sign_in_required")
            browser = try desk.browser(from: give(factor.code(at: desk.clock.now)))
            #expect(desk.ask(.post, "/api/v1/users", "{}", in: browser).status == 400)
        }
        #expect(desk.ask(.post, "/api/v1/session", #"{"username":"ann",\#(password)}"#, as: .nobody).summary == "401 wrong_credentials")
    }

    /// No other route of a session that was left open takes a password, gives a session, or touches who is who.
    @Test func noOtherRouteMakesAStaleSessionFresh() throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser("ann", .admin)
        let factor = try desk.secondFactor(in: browser)
        _ = try desk.browser("otto", .operator)
        desk.clock.advance(seconds: 300)
        let before = try desk.people()
        let known = #""password":"\#(Desk.password)","currentPassword":"\#(Desk.password)","newPassword":"another long pass phrase""#
        for endpoint in Endpoint.allCases
        where ![.signIn, .signOut, .reauthenticate, .changePassword].contains(endpoint) && endpoint.method != .get {
            let path = endpoint.path(endpoint.parameterNames.map { ["app": "shop", "platform": "ios", "user": "otto"][$0] ?? "1000" })
            for body in [
                "{}", "{\(known)}", #"{\#(known),"totp":"\#(factor.code(at: desk.clock.now))"}"#, #"{"role":"admin"}"#, #"{"totp":false}"#,
            ] {
                let response = desk.ask(method(endpoint), path, body, in: browser)
                #expect(response.headers["Set-Cookie"] == nil, "\(endpoint)")
            }
            #expect(try desk.people() == before, "\(endpoint)")
        }
        #expect(desk.ask(.delete, "/api/v1/users/otto", "{}", in: browser).summary == "403 fresh_sign_in_required")
    }

    /// R35: every route that writes wants the session's own token; another's, or none, does nothing.
    @Test func everyRouteThatWritesWantsTheSessionsOwnToken() throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser("ann", .admin)
        let other = try desk.browser("bob", .admin)
        let before = try desk.state()
        for endpoint in Endpoint.allCases where endpoint.method != .get && endpoint.access != .anyone {
            for csrf in [nil, "", "x", other.csrf] {
                var headers: HTTPHeaders = ["Cookie": browser.cookie, "Host": "gate.test"]
                if let csrf { headers.append("X-Gatehouse-CSRF", csrf) }
                #expect(
                    desk.ask(method(endpoint), path(endpoint), body(endpoint), as: .nobody, headers: headers).summary == "403 csrf",
                    "\(endpoint)"
                )
            }
            let foreign = desk.ask(method(endpoint), path(endpoint), body(endpoint), in: browser, more: ["Origin": "https://evil.test"])
            #expect(foreign.summary == "403 foreign_origin", "\(endpoint)")
        }
        #expect(try desk.state() == before)
        #expect(desk.ask(.get, "/api/v1/session", in: browser).status == 200)
    }

    /// `gatectl auth login`: a client that is no browser signs in, makes a token for its machine, signs out.
    @Test func aToolMakesItsTokenWithNameAndPassword() throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser("otto", .operator)
        let made = desk.ask(.post, "/api/v1/tokens", #"{"name":"otto's laptop"}"#, in: browser)
        try made.expect(201)
        #expect(desk.ask(.delete, "/api/v1/session", "{}", in: browser).status == 204)
        #expect(desk.ask(.get, "/api/v1/session", in: browser).status == 401)
        let bearer: HTTPHeaders = ["Authorization": "Bearer \(made.json["token"]?.string ?? "")"]
        let session = desk.ask(.get, "/api/v1/session", as: .nobody, headers: bearer)
        #expect(session.json.at("user.role") == "operator")
        #expect(session.json["expiresAt"] == made.json["expiresAt"])
        #expect(desk.ask(.get, "/api/v1/account", as: .nobody, headers: bearer).summary == "403 session_required")
        // And `gatectl auth logout` ends it, at once.
        #expect(desk.ask(.delete, "/api/v1/tokens/\(made.json["id"]?.string ?? "")", "{}", as: .nobody, headers: bearer).status == 204)
        #expect(desk.ask(.get, "/api/v1/session", as: .nobody, headers: bearer).status == 401)
    }
}
