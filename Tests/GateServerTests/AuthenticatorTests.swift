import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// R35 and the credentials of R34: what a browser must show, and what a page of another origin cannot.
@Suite struct AuthenticatorTests {
    private static let body = #"{"key":"new","name":"New"}"#

    private func create(_ desk: Desk, _ browser: Desk.Browser?, _ alter: (inout HTTPHeaders) -> Void = { _ in }) -> HTTPResponse {
        var headers = browser?.headers ?? [:]
        alter(&headers)
        return desk.ask(.post, "/api/v1/apps", Self.body, as: .nobody, headers: headers)
    }

    @Test func aBrowserThatSignedInMayWriteWithItsToken() throws {
        let desk = try Desk()
        let response = create(desk, try desk.browser()) {
            $0.append("Origin", "http://gate.test")
            $0.append("Sec-Fetch-Site", "same-origin")
        }
        #expect(response.status == 201)
        let change = desk.ask(.get, "/api/v1/changes/1").json
        #expect(change.at("source") == "dashboard")
        #expect(change.at("actor.kind") == "user")
        #expect(change.at("actor.name") == "ann")
    }

    @Test(arguments: [
        ("no token", "csrf"), ("an empty token", "csrf"), ("another session's token", "csrf"), ("a token with a letter more", "csrf"),
        ("a foreign origin", "foreign_origin"), ("a null origin", "foreign_origin"), ("https instead of http", "foreign_origin"),
        ("another port", "foreign_origin"),
        ("a cross-site fetch", "foreign_origin"), ("a same-site fetch", "foreign_origin"),
        ("a fetch of nobody knows where", "foreign_origin"),
    ])
    func aRequestThatTheOwnPageDidNotSendIsRefusedWithoutEffect(name: String, code: String) throws {
        let desk = try Desk()
        let browser = try desk.browser()
        let other = try desk.browser()
        let before = try desk.state()
        let response = create(desk, browser) { headers in
            switch name {
            case "no token": headers.remove("X-Gatehouse-CSRF")
            case "an empty token": headers.set("X-Gatehouse-CSRF", "")
            case "another session's token": headers.set("X-Gatehouse-CSRF", other.csrf)
            case "a token with a letter more": headers.set("X-Gatehouse-CSRF", browser.csrf + "a")
            case "a foreign origin": headers.set("Origin", "http://evil.test")
            case "a null origin": headers.set("Origin", "null")
            case "https instead of http": headers.set("Origin", "https://gate.test")
            case "another port": headers.set("Origin", "http://gate.test:81")
            case "a cross-site fetch": headers.set("Sec-Fetch-Site", "cross-site")
            case "a same-site fetch": headers.set("Sec-Fetch-Site", "same-site")
            default: headers.set("Sec-Fetch-Site", "none")
            }
        }
        #expect(response.summary == "403 \(code)")
        #expect(try desk.state() == before)
    }

    /// A form of another page can send text, but neither JSON nor a header of ours.
    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a"]) func aFormIsNotRead(
        type: String
    ) throws {
        let desk = try Desk()
        let before = try desk.state()
        #expect(create(desk, try desk.browser()) { $0.set("Content-Type", type) }.status == 415)
        #expect(try desk.state().stored == before.stored)
    }

    /// R35 as a browser of a page elsewhere would do it: with the cookie, and a body that is JSON under a form's type.
    @Test(arguments: [
        "text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", nil,
    ])
    func aFormWithoutTheTokenIsRefusedAsSuch(type: String?) throws {
        let desk = try Desk().furnished()
        let cookie = try desk.browser().cookie
        let before = try desk.state()
        var headers: HTTPHeaders = ["Cookie": cookie, "Host": "gate.test"]
        if let type { headers.append("Content-Type", type) }
        let body = Array(#"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Owned."}}}"#.utf8)
        for (method, path) in [
            (HTTPMethod.post, "/api/v1/changes"), (.post, "/api/v1/import"), (.post, "/api/v1/users"), (.post, "/api/v1/tokens"),
            (.post, "/api/v1/windows"),
        ] {
            let request = desk.request(method, path, headers, body, PeerAddress(bytes: [127, 0, 0, 1]))
            #expect(desk.admin.response(to: request).summary == "403 csrf", "\(path)")
            // And before its body is even taken.
            #expect(
                desk.admin.admission(of: desk.request(method, path, headers, [], PeerAddress(bytes: [127, 0, 0, 1])), hasBody: true)
                    .refusal?.summary == "403 csrf",
                "\(path)"
            )
        }
        #expect(try desk.state() == before)
    }

    /// Who somebody is was asked when the head came; what is written asks in its own transaction whether they still are. A body that comes
    /// slowly, from a browser or a tool that has been shut out meanwhile, changes nothing.
    @Test(arguments: ["session", "token"]) func whoIsShutOutWhileTheBodyComesChangesNothing(credential: String) throws {
        let desk = try Desk().furnished()
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        let end: () throws -> Void
        if credential == "session" {
            let browser = try desk.browser()
            for field in browser.headers.fields { headers.append(field.name, field.value) }
            end = { try desk.ask(.delete, "/api/v1/session", as: .nobody, headers: browser.headers).expect(204) }
        } else {
            let made = desk.ask(.post, "/api/v1/tokens", #"{"name":"tool","role":"operator","expiresAt":"2026-04-01T00:00:00Z"}"#)
            try made.expect(201)
            headers.append("Authorization", "Bearer \(try made.json["token"]?.string.unwrapped() ?? "")")
            let id = try made.json["id"]?.string.unwrapped() ?? ""
            end = { try desk.ask(.delete, "/api/v1/tokens/\(id)").expect(204) }
        }
        let head = desk.request(.post, "/api/v1/changes", headers, [], PeerAddress(bytes: [127, 0, 0, 1]))
        let admission = desk.admin.admission(of: head, hasBody: true)
        #expect(admission.refusal == nil)
        try end()
        let before = try desk.state()
        let body = Array(#"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Owned."}}}"#.utf8)
        #expect(admission.response(to: head.with(body: body)).status == 401)
        #expect(try desk.state() == before)
    }

    /// What has no transaction of its own is done for nobody who was shut out a second ago, and nothing is told to them.
    @Test(
        arguments: [
            ("/rehearsals", #"{"app":"shop","platform":"ios","gate":{"killSwitch":{"message":"Owned."}}}"#, true),
            ("/simulate", #"{"app":"shop","platform":"ios","client":"launchgate","version":"1.0"}"#, true),
            ("/backups", "{}", true),
            (
                "/changes",
                #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Owned."}},"dryRun":true}"#, true
            ),
            // Those that write are refused at once.
            ("/rehearsals", #"{"app":"shop","platform":"ios","gate":{"killSwitch":{"message":"Owned."}}}"#, false),
            ("/backups", "{}", false),
        ] as [(String, String, Bool)]
    )
    func whoIsShutOutWhileTheBodyComesIsToldNothing(path: String, body: String, isLate: Bool) throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser()
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        for field in browser.headers.fields { headers.append(field.name, field.value) }
        let head = desk.request(.post, "/api/v1" + path, headers, [], PeerAddress(bytes: [127, 0, 0, 1]))
        let stood = desk.admin.admission(of: head, hasBody: true)
        let ended = desk.admin.admission(of: head, hasBody: true)
        #expect((200...201).contains(stood.response(to: head.with(body: Array(body.utf8))).status))
        try desk.ask(.delete, "/api/v1/session", as: .nobody, headers: browser.headers).expect(204)
        if isLate { desk.clock.advance(seconds: 1) }
        let answer = ended.response(to: head.with(body: Array(body.utf8)))
        #expect((answer.status, answer.code) == (401, "unauthenticated"))
    }

    /// What was answered to somebody is not told again to those who have been shut out since.
    @Test func whoIsShutOutGetsNoEarlierAnswerEither() throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser()
        var headers: HTTPHeaders = ["Content-Type": "application/json", "Idempotency-Key": "once"]
        for field in browser.headers.fields { headers.append(field.name, field.value) }
        let body = Array(#"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"Back."}}}"#.utf8)
        let head = desk.request(.post, "/api/v1/changes", headers, [], PeerAddress(bytes: [127, 0, 0, 1]))
        func asked() -> HTTPResponse { desk.admin.admission(of: head, hasBody: true).response(to: head.with(body: body)) }
        let first = asked()
        #expect(first.status == 200)
        #expect(asked().text == first.text)
        let again = desk.admin.admission(of: head, hasBody: true)
        try desk.ask(.delete, "/api/v1/session", as: .nobody, headers: browser.headers).expect(204)
        #expect(again.response(to: head.with(body: body)).status == 401)
    }

    @Test func readingNeedsNoToken() throws {
        let desk = try Desk()
        let browser = try desk.browser()
        #expect(desk.ask(.get, "/api/v1/targets", as: .nobody, headers: ["Cookie": browser.cookie]).status == 200)
        #expect(desk.ask(.get, "/api/v1/session", as: .nobody, headers: ["Cookie": browser.cookie]).json["csrf"]?.string == browser.csrf)
    }

    @Test func aSignInFromAnotherOriginIsRefused() throws {
        let desk = try Desk()
        _ = try desk.browser()
        let body = #"{"username":"ann","password":"\#(Desk.password)"}"#
        #expect(
            desk.ask(.post, "/api/v1/session", body, as: .nobody, headers: ["Origin": "http://evil.test", "Host": "gate.test"]).summary
                == "403 foreign_origin"
        )
        #expect(
            desk.ask(.post, "/api/v1/session", body, as: .nobody, headers: ["Origin": "http://gate.test", "Host": "gate.test"]).status
                == 200
        )
    }

    /// Behind a proxy the Host is not what browsers see; then `--origin` says it.
    @Test func aConfiguredOriginCountsInsteadOfTheHost() throws {
        let desk = try Desk(secure: true, origin: "https://gate.example.com")
        let browser = try desk.browser()
        #expect(create(desk, browser) { $0.set("Origin", "https://gate.test") }.summary == "403 foreign_origin")
        #expect(create(desk, browser) { $0.set("Origin", "https://gate.example.com") }.status == 201)
    }

    /// What comes through a proxy sets nothing up, so the link leads past it.
    @Test func theServersOwnMachineIsAnOriginBesideTheConfiguredOne() throws {
        // As the server has it behind an address with https.
        let desk = try Desk(secure: true, origin: "https://gate.example.com")
        _ = try desk.browser()
        let body = #"{"username":"ann","password":"\#(Desk.password)"}"#
        for (origin, host, status) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080", 200), ("http://localhost:8080", "localhost:8080", 200),
            ("http://[::1]:8080", "[::1]:8080", 200),
            ("https://gate.example.com", "127.0.0.1:8080", 200), ("http://127.0.0.1:9000", "127.0.0.1:8080", 403),
            ("http://evil.test", "127.0.0.1:8080", 403),
            ("http://localhost.evil.test", "localhost.evil.test", 403), ("http://gate.example.com", "gate.example.com", 403),
        ] {
            let answer = desk.ask(.post, "/api/v1/session", body, as: .nobody, headers: ["Origin": origin, "Host": host])
            #expect(answer.status == status, "\(origin) at \(host): \(answer.summary)")
        }
    }

    // MARK: Credentials

    @Test func twoProofsAtOnceAreRefused() throws {
        let desk = try Desk()
        let browser = try desk.browser()
        let token = try desk.token(.admin).unwrapped()
        #expect(desk.ask(.get, "/api/v1/status", headers: ["Cookie": browser.cookie]).summary == "400 two_credentials")
        #expect(
            desk.ask(
                .get,
                "/api/v1/status",
                as: .nobody,
                headers: ["Authorization": "Bearer \(token)", "authorization": "Bearer \(token)"]
            ).summary == "400 two_credentials"
        )
        // Another program's cookie is no proof of ours.
        #expect(desk.ask(.get, "/api/v1/status", headers: ["Cookie": "theme=dark"]).status == 200)
    }

    @Test(arguments: ["", "Bearer", "Bearer ", "Basic YTpi", "gate_x", "Bearer x", "bearer  ", "Token gate_x"]) func whatIsNoTokenIsNobody(
        header: String
    ) throws {
        #expect(try Desk().ask(.get, "/api/v1/status", as: .nobody, headers: ["Authorization": header]).summary == "401 unauthenticated")
    }

    @Test func theSchemeOfATokenHasNoCase() throws {
        let desk = try Desk()
        #expect(
            desk.ask(.get, "/api/v1/status", as: .nobody, headers: ["Authorization": "bEARER \(try desk.token(.viewer).unwrapped())"])
                .status == 200
        )
    }

    @Test(arguments: [
        "gh_session=", "gh_session=x", "session=%@", "gh_session=%@; gh_session=%@", "__Host-gh_session=%@", "xgh_session=%@",
        "gh_session=%@x",
    ])
    func whatIsNotExactlyTheCookieIsNobody(cookie: String) throws {
        let desk = try Desk()
        let secret = try desk.browser().cookie.dropFirst("gh_session=".count)
        #expect(
            desk.ask(.get, "/api/v1/status", as: .nobody, headers: ["Cookie": cookie.replacing("%@", with: secret)]).summary
                == "401 unauthenticated"
        )
        #expect(desk.ask(.get, "/api/v1/status", as: .nobody, headers: ["Cookie": "a=b; gh_session=\(secret);c=d"]).status == 200)
    }

    @Test func theCookieIsForThisHostAloneAndNotForScripts() throws {
        for (isSecure, expected) in [
            (true, #/__Host-gh_session=[A-Za-z0-9_-]{43}; Path=/; Secure; HttpOnly; SameSite=Strict/#),
            (false, #/gh_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict/#),
        ] {
            let desk = try Desk(secure: isSecure)
            _ = try desk.browser()
            let response = desk.ask(.post, "/api/v1/session", #"{"username":"ann","password":"\#(Desk.password)"}"#, as: .nobody)
            let cookies = response.headers.values(of: "Set-Cookie")
            // The session's first: clients that keep one alone take that.
            #expect(try cookies.first.unwrapped().wholeMatch(of: expected) != nil)
            let device = try cookies.last.unwrapped()
            #expect(device.hasPrefix(isSecure ? "__Host-gh_device=" : "gh_device="))
            #expect(device.contains("; Path=/;") && device.contains("; HttpOnly; SameSite=Strict; Max-Age=34560000"))
            #expect(device.contains("; Secure;") == isSecure)
            #expect(cookies.count == 2)
        }
    }

    /// By what it keeps, a browser is known while its person's name is under attack; nobody else's is of any use.
    @Test func aBrowserThatSignedInBeforeIsKnown() throws {
        let desk = try Desk()
        _ = try desk.browser("ann", .admin)
        func signIn(_ password: String = Desk.password, cookie: String? = nil) -> HTTPResponse {
            let body = #"{"username":"ann","password":"\#(password)"}"#
            return desk.ask(
                .post,
                "/api/v1/session",
                body,
                as: .nobody,
                headers: cookie.map { ["Cookie": $0] } ?? [:],
                peer: PeerAddress(bytes: [192, 0, 2, 7])
            )
        }
        let device = String(try signIn().headers.values(of: "Set-Cookie").last.unwrapped().prefix { $0 != ";" })
        for _ in 0..<5 { #expect(signIn("wrong").status == 401) }
        #expect(signIn().summary == "429 too_many_tries")
        for cookie in [device.replacing("gh_device=", with: "__Host-gh_device="), "\(device)x", "\(device); \(device)", "gh_device="] {
            #expect(signIn(cookie: cookie).status == 429, "\(cookie)")
        }
        #expect(signIn(cookie: "a=b; \(device)").status == 200)
    }

    @Test func signingOutEndsTheSessionAndTheCookie() throws {
        let desk = try Desk(secure: true)
        let browser = try desk.browser()
        #expect(browser.cookie.hasPrefix("__Host-gh_session="))
        #expect(desk.ask(.delete, "/api/v1/session", as: .nobody, headers: ["Cookie": browser.cookie]).summary == "403 csrf")
        let response = desk.ask(.delete, "/api/v1/session", as: .nobody, headers: browser.headers)
        #expect(response.headers["Set-Cookie"] == "__Host-gh_session=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0")
        #expect(desk.ask(.get, "/api/v1/session", as: .nobody, headers: browser.headers).status == 401)
    }

    @Test func anEndedSessionIsNobody() throws {
        let desk = try Desk()
        let browser = try desk.browser()
        desk.clock.advance(seconds: 1_800)
        #expect(create(desk, browser).status == 401)
    }

    @Test func theSessionSaysWhoIsSignedIn() throws {
        let desk = try Desk()
        let browser = try desk.browser()
        let session = desk.ask(.get, "/api/v1/session", as: .nobody, headers: browser.headers).json
        #expect(session.at("user.username") == "ann")
        #expect(session.at("user.role") == "admin")
        #expect(session.at("user.apps") == .null)
        #expect(session.at("expiresAt")?.string == desk.clock.now.advanced(bySeconds: 43_200).description)
        let token = desk.ask(.get, "/api/v1/session", as: .banker).json
        #expect(token.at("user.role") == "operator")
        #expect(token.at("user.apps") == .array(["bank"]))
    }

    // MARK: Set-up

    @Test func theFirstAdministratorIsMadeWithTheCodeAndFromHere() throws {
        let desk = try Desk()
        let code = try desk.access.setupCode().unwrapped()
        let body = #"{"code":"\#(code)","username":"ann","password":"\#(Desk.password)"}"#
        #expect(desk.ask(.get, "/api/v1/setup", as: .nobody).json["needed"] == .bool(true))
        let far = PeerAddress(bytes: [192, 0, 2, 7])
        #expect(desk.ask(.post, "/api/v1/setup", body, as: .nobody, peer: far).summary == "403 setup_not_local")
        #expect(desk.ask(.post, "/api/v1/setup", body.replacing(code, with: "x"), as: .nobody).summary == "403 setup_code")
        let response = desk.ask(.post, "/api/v1/setup", body, as: .nobody)
        #expect(response.status == 201)
        #expect(response.json.at("user.role") == "admin")
        #expect(desk.ask(.post, "/api/v1/setup", body, as: .nobody).summary == "403 setup_code")
        #expect(desk.ask(.get, "/api/v1/setup", as: .nobody).json["needed"] == .bool(false))
        #expect(desk.ask(.post, "/api/v1/session", #"{"username":"ann","password":"\#(Desk.password)"}"#, as: .nobody).status == 200)
    }

    /// R37: one answer for a name that is not there and a password that is wrong.
    @Test func aRefusedSignInDoesNotSayWhatWasWrong() throws {
        let desk = try Desk()
        _ = try desk.browser()
        let answers = [#"{"username":"ann","password":"x"}"#, #"{"username":"eve","password":"x"}"#].map { body in
            var json = desk.ask(.post, "/api/v1/session", body, as: .nobody).json
            json["requestId"] = nil
            return json
        }
        #expect(answers[0] == answers[1])
        #expect(answers[0]["code"] == "wrong_credentials")
    }
}
