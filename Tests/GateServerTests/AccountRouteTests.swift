import GateAPI
import GateCrypto
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// People, accounts and audit as the API tells of them.
@Suite struct AccountRouteTests {
    @Test func aPersonIsAddedEditedAndRemoved() throws {
        let desk = try Desk()
        _ = try desk.browser("ann", .admin)
        let made = desk.ask(
            .post,
            "/api/v1/users",
            #"{"username":"otto","role":"operator","apps":["shop"],"password":"\#(Desk.password)"}"#
        )
        try made.expect(201)
        #expect(made.json.names == ["id", "username", "role", "apps", "disabled", "totp", "createdAt", "passwordChangedAt"])
        #expect(!made.text.contains(Desk.password))
        let browser = try desk.browser("otto", .operator)
        let edited = desk.ask(.patch, "/api/v1/users/otto", #"{"role":"viewer","apps":null}"#)
        #expect((edited.status, edited.json["role"], edited.json["apps"]) == (200, "viewer", .null))
        #expect(desk.ask(.get, "/api/v1/session", in: browser).status == 401)
        #expect(
            desk.ask(.post, "/api/v1/users", #"{"username":"Otto","role":"viewer","password":"\#(Desk.password)"}"#).summary
                == "409 exists /username"
        )
        #expect(desk.ask(.patch, "/api/v1/users/ann", #"{"disabled":true}"#).summary == "409 last_administrator")
        let id = try made.json["id"]?.integer.unwrapped() ?? 0
        #expect(desk.ask(.delete, "/api/v1/users/\(id)").status == 204)
        #expect(desk.ask(.delete, "/api/v1/users/\(id)").summary == "404 user_not_found")
        #expect(
            desk.ask(.post, "/api/v1/session", #"{"username":"otto","password":"\#(Desk.password)"}"#, as: .nobody).summary
                == "401 wrong_credentials"
        )
    }

    @Test func listsComeInPages() throws {
        let desk = try Desk()
        _ = try desk.browser("ann", .admin)
        for name in ["bob", "cleo", "dan"] { _ = try desk.browser(name, .viewer) }
        for (path, member) in [("/api/v1/users", "username"), ("/api/v1/tokens", "name"), ("/api/v1/audit", "sequence")] {
            let all = desk.ask(.get, path + "?limit=500").json["items"]?.array ?? []
            var found: [JSONValue] = []
            var cursor: String?
            var pages = 0
            repeat {
                let page = desk.ask(.get, path + "?limit=3" + (cursor.map { "&cursor=\($0)" } ?? "")).json
                found += page["items"]?.array ?? []
                cursor = page["next"]?.string
                if let cursor { #expect(cursor.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil) }
                pages += 1
                try #require(pages <= all.count, "\(path) has no end")
            } while cursor != nil
            #expect(all.count > 3)
            #expect(found == all, "\(path)")
            #expect(Set(found.compactMap { $0.object?[member]?.text }).count == found.count)
            #expect(desk.ask(.get, path + "?limit=0").status == 400)
            #expect(desk.ask(.get, path + "?cursor=!").status == 400)
            #expect(desk.ask(.get, path + "?page=2").summary == "400 malformed page")
        }
    }

    @Test func aSecondFactorIsSetUpAskedForAndTakenAway() throws {
        let desk = try Desk()
        let browser = try desk.browser("ann", .admin)
        let started = desk.ask(.post, "/api/v1/account/totp", "{}", in: browser)
        try started.expect(200)
        #expect(started.json.names == ["secret", "uri"])
        func code(_ away: Int64 = 0) throws -> String {
            let bits = try started.json["secret"]?.string.unwrapped() ?? ""
            return TOTP(secret: try Base32Reader.decode(bits)).text(
                step: TOTP.step(atSeconds: desk.clock.now.milliseconds / 1_000) + away
            )
        }
        #expect(desk.ask(.post, "/api/v1/account/totp/confirm", #"{"code":"000000"}"#, in: browser).summary == "422 wrong_totp /code")
        let confirmed = desk.ask(.post, "/api/v1/account/totp/confirm", #"{"code":"\#(try code())"}"#, in: browser)
        try confirmed.expect(200)
        let recovery = confirmed.json["recoveryCodes"]?.array?.compactMap(\.string) ?? []
        #expect(recovery.count == 10)
        #expect(desk.ask(.get, "/api/v1/account", in: browser).json["recoveryCodes"] == .integer(10))

        func signIn(_ totp: String?) -> HTTPResponse {
            let member = totp.map { #","totp":"\#($0)""# } ?? ""
            return desk.ask(.post, "/api/v1/session", #"{"username":"ann","password":"\#(Desk.password)"\#(member)}"#, as: .nobody)
        }
        #expect(signIn(nil).summary == "401 totp_required /totp")
        #expect(signIn(nil).headers["Set-Cookie"] == nil)
        desk.clock.advance(seconds: 60)
        let now = try code()
        #expect(signIn(now).status == 200)
        #expect(signIn(now).summary == "401 wrong_totp /totp")
        #expect(signIn(recovery[0]).status == 200)
        #expect(signIn(recovery[0]).summary == "401 wrong_totp /totp")
        #expect(desk.ask(.get, "/api/v1/users").json.at("items.0.totp") == .bool(true))
        #expect(desk.ask(.delete, "/api/v1/account/totp", in: browser).status == 204)
        #expect(signIn(nil).status == 200)
    }

    @Test func onesOwnPasswordIsChangedAndTheBrowserStaysSignedIn() throws {
        let desk = try Desk()
        let browser = try desk.browser("ann", .admin)
        let there = try desk.browser("ann", .admin)
        let body = #"{"currentPassword":"\#(Desk.password)","newPassword":"another long pass phrase"}"#
        #expect(
            desk.ask(.post, "/api/v1/account/password", #"{"currentPassword":"x","newPassword":"another long pass phrase"}"#, in: browser)
                .summary
                == "403 wrong_password /currentPassword"
        )
        let answer = desk.ask(.post, "/api/v1/account/password", body, in: browser)
        let renewed = try desk.browser(from: answer)
        #expect(desk.ask(.get, "/api/v1/session", in: renewed).status == 200)
        for old in [browser, there] { #expect(desk.ask(.get, "/api/v1/session", in: old).status == 401) }
    }

    @Test func onesOwnSessionsAreListedAndEnded() throws {
        let desk = try Desk()
        let here = try desk.browser("ann", .admin)
        let there = try desk.browser("ann", .admin)
        let items = desk.ask(.get, "/api/v1/account/sessions", in: here).json["items"]?.array ?? []
        #expect(items.count == 2)
        let other = try items.first { $0["current"] == .bool(false) }?["id"]?.string.unwrapped() ?? ""
        #expect(desk.ask(.delete, "/api/v1/account/sessions/\(other)", in: here).status == 204)
        #expect(desk.ask(.get, "/api/v1/session", in: there).status == 401)
        _ = try desk.browser("ann", .admin)
        #expect(desk.ask(.delete, "/api/v1/account/sessions", in: here).status == 204)
        #expect(desk.ask(.get, "/api/v1/account/sessions", in: here).json["items"]?.array?.count == 1)
        let own = try items.first { $0["current"] == .bool(true) }?["id"]?.string.unwrapped() ?? ""
        let ended = desk.ask(.delete, "/api/v1/account/sessions/\(own)", in: here)
        #expect(ended.status == 204)
        #expect(ended.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(desk.ask(.get, "/api/v1/session", in: here).status == 401)
    }

    /// Whoever knows most about a refusal counts it, and nobody else does.
    @Test func aRefusalIsCountedOnce() throws {
        let desk = try Desk()
        _ = desk.ask(.post, "/api/v1/setup", #"{"code":"x","username":"eve","password":"\#(Desk.password)"}"#, as: .nobody)
        let browser = try desk.browser("ann", .admin)
        _ = desk.ask(.post, "/api/v1/session", #"{"username":"ann","password":"wrong"}"#, as: .nobody)
        _ = desk.ask(.post, "/api/v1/session/reauthenticate", #"{"password":"wrong"}"#, in: browser)
        _ = desk.ask(
            .post,
            "/api/v1/account/password",
            #"{"currentPassword":"wrong","newPassword":"another long pass phrase"}"#,
            in: browser
        )
        _ = desk.ask(.get, "/api/v1/account")
        let rows = desk.ask(.get, "/api/v1/audit").json["items"]?.array?.filter { $0["outcome"] == "refused" } ?? []
        let told = rows.map { row in
            [row["action"]?.string ?? "", row["subject"]?.string ?? "", row["detail.code"]?.string ?? "", row["detail.count"]?.text ?? ""]
                .joined(separator: " ")
        }
        #expect(
            told.sorted() == [
                "account.password ann wrong_credentials 1", "request.refused GET /api/v1/account session_required 1",
                "request.refused POST /api/v1/setup setup_code 1", "session.create ann wrong_credentials 1",
                "session.reauthenticate ann wrong_credentials 1",
            ]
        )
    }

    /// R47: who, what, from where, in which request; refusals as one row with a count.
    @Test func theAuditTellsWhoWasKeptOutAndIsFiltered() throws {
        let desk = try Desk().furnished()
        let browser = try desk.browser("vera", .viewer)
        for _ in 0..<3 { _ = desk.ask(.get, "/api/v1/users", in: browser) }
        _ = desk.ask(.get, "/api/v1/apps", as: .nobody, headers: ["Authorization": "Bearer gate_nonsense"])
        // A browser that only asks whether it is signed in tries nothing.
        _ = desk.ask(.get, "/api/v1/session", as: .nobody)
        let refused = desk.ask(.get, "/api/v1/audit?action=request.refused").json["items"]?.array ?? []
        #expect(refused.count == 2)
        #expect(refused.compactMap { $0["subject"]?.string }.sorted() == ["GET /api/v1/apps", "GET /api/v1/users"])
        let vera = refused.first { $0["actor.name"] == "vera" }
        #expect(vera?["detail.count"] == .integer(3))
        #expect(vera?["detail.code"] == "forbidden")
        #expect(vera?["address"] == "127.0.0.1")
        #expect(vera?["requestId"]?.string?.count == 16)

        let byVera = desk.ask(.get, "/api/v1/audit?actor=vera").json["items"]?.array ?? []
        #expect(byVera.compactMap { $0["action"]?.string } == ["request.refused", "session.create"])
        let newest = desk.ask(.get, "/api/v1/audit?limit=1").json.at("items.0.sequence")?.integer ?? 0
        #expect(desk.ask(.get, "/api/v1/audit?after=\(newest)").json["items"] == .array([]))
        desk.clock.advance(seconds: 1)
        #expect(desk.ask(.get, "/api/v1/audit?since=\(desk.clock.now)").json["items"] == .array([]))
        #expect(desk.ask(.get, "/api/v1/audit?until=2001-01-01T00:00:00Z").json["items"] == .array([]))
        #expect(desk.ask(.get, "/api/v1/audit?since=today").status == 400)
    }
}
