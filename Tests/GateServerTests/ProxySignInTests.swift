import Dispatch
import GateAPI
import GateCrypto
import GateHTTP
import GateJSON
import GateModel
import GateService
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateServer

/// Single sign-on by a proxy in front: whose word is taken, for what, and what ends it.
@Suite struct ProxySignInTests {
    private static let proxy = PeerAddress(bytes: [10, 0, 0, 1])
    private static let stranger = PeerAddress(bytes: [10, 0, 0, 2])
    private static let table = """
        # who may do what
        admins        admin
        release       operator shop
        "bank people" operator bank   # both apps of theirs
        everyone      viewer *
        """

    /// A server behind the proxy, with a local administrator called root.
    private func desk(_ table: String = table, time: String? = nil, signOut: String? = "/out?logout=1", isSetUp: Bool = true) throws -> Desk
    {
        let proxies = try TrustedProxies(["10.0.0.1"])
        let desk = try Desk(
            proxies: proxies,
            proxySignIn: ProxySignIn(
                header: "X-Remote-User",
                groupsHeader: "X-Remote-Groups",
                timeHeader: time,
                groups: SignInGroups(table),
                signOutURL: signOut,
                proxies: proxies
            )
        )
        if isSetUp { try desk.access.createFirstAdministrator(name: "root", password: Desk.password, from: .console) }
        return desk
    }

    private func headers(_ name: String?, _ groups: String?, _ browser: Desk.Browser? = nil) -> HTTPHeaders {
        var headers = browser?.headers ?? ["Host": "gate.test"]
        if let name { headers.append("X-Remote-User", name) }
        if let groups { headers.append("X-Remote-Groups", groups) }
        return headers
    }

    /// A request as the proxy passes it on.
    private func ask(
        _ desk: Desk,
        _ method: HTTPMethod,
        _ path: String,
        _ body: String? = nil,
        as name: String?,
        in groups: String? = "release",
        _ browser: Desk.Browser? = nil,
        from peer: PeerAddress = proxy
    ) -> HTTPResponse {
        desk.ask(method, "/api/v1" + path, body, as: .nobody, headers: headers(name, groups, browser), peer: peer)
    }

    private func signIn(_ desk: Desk, _ name: String = "ann", in groups: String? = "release") throws -> Desk.Browser {
        try desk.browser(from: ask(desk, .get, "/session", as: name, in: groups))
    }

    private func person(_ desk: Desk, _ name: String = "ann") throws -> Person? { try desk.access.listPeople().first { $0.name == name } }

    private func audit(_ desk: Desk, _ action: String) throws -> [JSONObject] {
        let answer = desk.ask(.get, "/api/v1/audit?action=\(action)")
        try answer.expect(200)
        return answer.json["items"]?.array?.compactMap(\.object) ?? []
    }

    /// A body that is held back is not carried out with rights that the proxy has taken away meanwhile.
    @Test func whatWasBegunWithMoreRightsIsNotDone() throws {
        let desk = try desk()
        let browser = try signIn(desk, in: "admins")
        var headers = headers("ann", "admins", browser)
        headers.append("Content-Type", "application/json")
        let head = desk.request(.post, "/api/v1/users", headers, [], Self.proxy)
        func asked(_ name: String) -> HTTPRequest {
            head.with(body: Array(#"{"username":"\#(name)","role":"admin","apps":null,"password":"\#(Desk.password)"}"#.utf8))
        }
        let (stood, held) = (desk.admin.admission(of: head, hasBody: true), desk.admin.admission(of: head, hasBody: true))
        try stood.response(to: asked("before")).expect(201)
        try ask(desk, .get, "/status", as: "ann", in: "everyone", browser).expect(200)
        #expect(held.response(to: asked("after")).status == 401)
        #expect(try desk.access.listPeople().map(\.name).sorted() == ["ann", "before", "root"])
        // What is asked for from now on is judged by what the proxy says now.
        #expect(ask(desk, .post, "/users", "{}", as: "ann", in: "everyone", browser).status == 403)
    }

    // MARK: In

    @Test func whoIsNamedFirstIsMadeAndSignedIn() throws {
        let desk = try desk()
        let answer = ask(desk, .get, "/session", as: "ann@example.com", in: "staff, release ,bank people")
        let browser = try desk.browser(from: answer)
        #expect(answer.json.at("user")?.text == #"{"username":"ann@example.com","role":"operator","apps":["bank","shop"]}"#)
        #expect(answer.json["origin"] == "proxy" && answer.json["signOut"] == "/out?logout=1")
        let person = try person(desk, "ann@example.com").unwrapped()
        #expect(person.origin == .proxy && !person.hasPassword && person.invitedUntil == nil && !person.isDisabled)
        #expect(person.role == .operator && person.scope == .only([AppKey("bank")!, AppKey("shop")!]))
        let made = try audit(desk, "people.create").first.unwrapped()
        #expect(made.at("actor.name") == "sign-in header" && made["subject"] == "ann@example.com")
        #expect(made.at("detail.groups")?.text == #"["bank people","release"]"# && made.at("detail.origin") == "proxy")
        #expect(try audit(desk, "session.create").first?["subject"] == "ann@example.com")

        // From then on cookie and header together, and the CSRF token as everybody.
        for path in ["/session", "/account", "/targets", "/status"] {
            #expect(ask(desk, .get, path, as: "ann@example.com", browser).status == 200, "\(path)")
        }
        #expect(try audit(desk, "people.create").count { $0["subject"] == "ann@example.com" } == 1)
        let again = ask(desk, .get, "/session", as: "ann@example.com", in: "release,bank people", browser)
        #expect(again.headers["Set-Cookie"] == nil && again.json["csrf"]?.string == browser.csrf)
    }

    /// Peers, headers, cookies and tokens, each with each: who one is then.
    @Test(arguments: ["proxy", "stranger", "proxy of a server without the option"], [nil, "ann", "bob"])
    func whoAsks(peer: String, name: String?) throws {
        let desk = peer.hasSuffix("option") ? try Desk(proxies: TrustedProxies(["10.0.0.1"])) : try desk()
        if peer.hasSuffix("option") { try desk.access.createFirstAdministrator(name: "root", password: Desk.password, from: .console) }
        let isTaken = peer == "proxy" && name != nil
        let from = peer == "stranger" ? Self.stranger : Self.proxy
        let own = peer.hasSuffix("option") ? nil : try signIn(desk)
        let local = try desk.browser(from: desk.ask(.post, "/api/v1/session", Self.rootSignIn, as: .nobody))
        let token = desk.token(.viewer) ?? ""
        for (cookie, bearer) in [(nil, false), ("own", false), ("local", false), (nil, true), ("own", true), ("local", true)] {
            let browser = cookie == "own" ? own : cookie == "local" ? local : nil
            guard cookie != "own" || own != nil else { continue }
            var headers = headers(name, name == nil ? nil : "release", browser)
            if bearer { headers.append("Authorization", "Bearer \(token)") }
            let wanted =
                switch (isTaken, cookie, bearer) {
                case (_, .some, true): "400 two_credentials"
                case (true, nil, true): "400 two_credentials"
                case (false, nil, true): "200"
                case (true, nil, false): "401 unauthenticated"
                case (true, "own", false): name == "ann" ? "200" : "403 another_session"
                case (true, _, false): "403 another_session"
                case (false, "local", false): "200"
                // What began with the header is nothing without it.
                case (false, _, false): "401 unauthenticated"
                }
            let label = "\(cookie ?? "no") cookie, token: \(bearer)"
            #expect(desk.ask(.get, "/api/v1/targets", as: .nobody, headers: headers, peer: from).summary == wanted, "\(label)")
            headers.append("Content-Type", "application/json")
            let write = desk.ask(.post, "/api/v1/tokens", #"{"name":"t"}"#, as: .nobody, headers: headers, peer: from)
            #expect(write.summary == (wanted == "200" ? (bearer ? "403 forbidden" : "201") : wanted), "\(label)")
        }
        #expect(try person(desk, "bob") == nil)
    }

    private static let rootSignIn = #"{"username":"root","password":"\#(Desk.password)"}"#

    @Test(arguments: [
        [""], [" "], ["ann", "ann"], ["ann", "bob"], ["ann", ""], ["ann,bob"], ["ann, bob"], ["ann bob"], ["-ann"], ["42"],
        ["ann+x@example.com"], ["änn"],
        ["ann\t"], ["ann\u{0}"], [String(repeating: "a", count: 65)], ["(null)"], ["../root"], ["CN=ann,O=x"], ["ann%00"], ["ａｎｎ"],
    ])
    func whatIsNotOnePlainNameIsNoName(values: [String]) throws {
        let desk = try desk()
        let before = try desk.people()
        var headers: HTTPHeaders = ["Host": "gate.test", "X-Remote-Groups": "release"]
        for value in values { headers.append("x-remote-USER", value) }
        for (method, path) in [
            (HTTPMethod.get, "/session"), (.get, "/setup"), (.get, "/targets"), (.delete, "/session"), (.post, "/session"),
        ] {
            let body = method == .get ? nil : path == "/session" && method == .post ? Self.rootSignIn : "{}"
            let answer = desk.ask(method, "/api/v1" + path, body, as: .nobody, headers: headers, peer: Self.proxy)
            #expect(answer.summary == "401 sign_in_header", "\(method) \(path)")
        }
        // Beside what would have opened, too.
        headers.append("Authorization", "Bearer \(desk.token(.admin) ?? "")")
        #expect(desk.ask(.get, "/api/v1/targets", as: .nobody, headers: headers, peer: Self.proxy).status == 401)
        // Who is not the proxy may send whatever they like.
        #expect(desk.ask(.get, "/api/v1/targets", as: .nobody, headers: headers, peer: Self.stranger).status == 200)
        #expect(try desk.people() == before)
        #expect(try audit(desk, "request.refused").contains { $0.at("detail.code") == "sign_in_header" })
    }

    /// Names that only look alike to whoever takes little care.
    @Test func aFieldOfAnotherNameSaysNothing() throws {
        let desk = try desk()
        for name in ["X_Remote_User", "X-Remote-User-", "X-Remote-Use", "Remote-User", "X-Remote-Username"] {
            let answer = desk.ask(
                .get,
                "/api/v1/session",
                as: .nobody,
                headers: [name: "ann", "X-Remote-Groups": "admins"],
                peer: Self.proxy
            )
            #expect(answer.summary == "401 unauthenticated", "\(name)")
        }
        #expect(
            desk.ask(
                .get,
                "/api/v1/session",
                as: .nobody,
                headers: ["x-remote-user": "ann", "X-REMOTE-GROUPS": "release"],
                peer: Self.proxy
            ).status == 200
        )
    }

    @Test(
        arguments: [
            (nil, nil), ("", nil), (",, ,", nil), ("strangers", nil), ("Release", nil), ("release people", nil), ("*", nil),
            ("admins", "admin *"),
            ("release", "operator shop"), ("release,bank people", "operator bank,shop"), ("everyone,release", "operator shop"),
            ("everyone", "viewer *"),
            ("release,admins,everyone", "admin *"), (" \trelease\t ,release", "operator shop"),
        ] as [(String?, String?)]
    )
    func groupsSayWhatOneMayDo(groups: String?, wanted: String?) throws {
        let desk = try desk()
        let answer = ask(desk, .get, "/session", as: "ann", in: groups)
        guard let wanted else {
            #expect(answer.summary == "403 no_group")
            #expect(answer.text.contains("ann") && answer.headers["Set-Cookie"] == nil)
            #expect(try person(desk) == nil)
            #expect(try audit(desk, "session.create").contains { $0.at("detail.code") == "no_group" && $0["subject"]?.isNull != false })
            return
        }
        let apps = answer.json.at("user.apps")
        let scope = apps?.isNull == true ? "*" : apps?.array?.compactMap(\.string).joined(separator: ",") ?? "?"
        #expect("\(answer.json.at("user.role")?.string ?? "?") \(scope)" == wanted)
        // Two fields of groups: who added which?
        var two = headers("ann", groups)
        two.append("X-Remote-Groups", "admins")
        #expect(desk.ask(.get, "/api/v1/session", as: .nobody, headers: two, peer: Self.proxy).summary == "401 sign_in_header")
    }

    @Test func theLineForEverybodyNeedsNoGroup() throws {
        let desk = try desk("* viewer\nadmins admin")
        #expect(ask(desk, .get, "/session", as: "ann", in: nil).json.at("user.role") == "viewer")
        #expect(ask(desk, .get, "/session", as: "bob", in: "admins").json.at("user.role") == "admin")
    }

    @Test func nobodyIsMadeBeforeThereIsAnAdministratorWithAPassword() throws {
        let desk = try desk(isSetUp: false)
        #expect(ask(desk, .get, "/session", as: "ann", in: "admins").summary == "403 not_set_up")
        #expect(try desk.access.needsSetup())
        try desk.access.createFirstAdministrator(name: "root", password: Desk.password, from: .console)
        _ = try signIn(desk, in: "admins")
        // And the last one with a password stays, however many the proxy brings.
        #expect(desk.ask(.delete, "/api/v1/users/root", "{}").summary == "409 last_administrator")
    }

    @Test func aPageElsewhereCannotHaveSessionsMade() throws {
        let desk = try desk()
        for (name, value) in [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-site"), ("Origin", "http://evil.test")] {
            var headers = headers("ann", "release")
            headers.append(name, value)
            #expect(desk.ask(.get, "/api/v1/session", as: .nobody, headers: headers, peer: Self.proxy).summary == "403 foreign_origin")
        }
        #expect(try person(desk) == nil)
        let browser = try signIn(desk)
        for csrf in ["", "x", nil] {
            var headers = headers("ann", "release", browser)
            headers.remove("X-Gatehouse-CSRF")
            if let csrf { headers.append("X-Gatehouse-CSRF", csrf) }
            #expect(desk.ask(.delete, "/api/v1/session", "{}", as: .nobody, headers: headers, peer: Self.proxy).summary == "403 csrf")
        }
    }

    /// A browser sends many requests at once at its first visit, and two browsers may.
    @Test func twoFirstRequestsAtOnceMakeOnePerson() throws {
        let desk = try desk()
        let answers = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { index in
            let answer = ask(desk, .get, "/session", as: "ann", in: index.isMultiple(of: 2) ? "release" : "everyone")
            answers.withLock { $0.append(answer.summary) }
        }
        #expect(answers.withLock { $0 } == Array(repeating: "200", count: 8))
        #expect(try desk.access.listPeople().map(\.name) == ["ann", "root"])
        #expect(try audit(desk, "people.create").count { $0["subject"] == "ann" } == 1)
    }

    /// Without a cookie each question begins another.
    @Test func sessionsOfOnePersonBeginAtABoundedPace() throws {
        let desk = try desk()
        for number in 1...30 { #expect(ask(desk, .get, "/session", as: "ann").status == 200, "\(number)") }
        let refused = ask(desk, .get, "/session", as: "ann")
        #expect(refused.summary == "429 too_many_tries" && refused.headers["Retry-After"] == "60")
        #expect(ask(desk, .get, "/session", as: "bob").status == 200, "nobody else's")
        #expect(try desk.people().sessions.count == 31)
        desk.clock.advance(seconds: 59)
        #expect(ask(desk, .get, "/session", as: "ann").headers["Retry-After"] == "1")
        desk.clock.advance(seconds: 1)
        #expect(ask(desk, .get, "/session", as: "ann").status == 200)
        desk.clock.advance(seconds: -7_200)
        #expect(ask(desk, .get, "/session", as: "ann").status == 200, "a clock that was put back")
    }

    /// What these answers hold beside the usual is described as it is.
    @Test func theAnswersAreAsDescribed() throws {
        let desk = try desk()
        let witness = Witness(document: APIDescription.document(version: "1"))
        let browser = try signIn(desk, in: "admins")
        let answers: [(Endpoint, HTTPResponse)] = [
            (.setupState, ask(desk, .get, "/setup", as: "ann")), (.session, ask(desk, .get, "/session", as: "ann", in: "admins", browser)),
            (.session, ask(desk, .get, "/session", as: "eve", in: "nobody")),
            (.account, ask(desk, .get, "/account", as: "ann", in: "admins", browser)),
            (.listUsers, ask(desk, .get, "/users", as: "ann", in: "admins", browser)),
            (.editUser, desk.ask(.patch, "/api/v1/users/ann", #"{"role":"viewer"}"#)),
            (.editUser, desk.ask(.patch, "/api/v1/users/ann", #"{"disabled":true}"#)),
        ]
        for (endpoint, answer) in answers { #expect(witness.faults(in: answer, to: endpoint) == [], "\(endpoint)") }
    }

    /// A proxy that signs in with Basic or Negotiate passes that on unless it is told not to.
    @Test func anAuthorizationOfTheProxysOwnIsNamedAsWhatItIs() throws {
        let desk = try desk()
        var headers = headers("ann", "release")
        headers.append("Authorization", "Basic YW5uOnNlY3JldA==")
        let answer = desk.ask(.get, "/api/v1/session", as: .nobody, headers: headers, peer: Self.proxy)
        #expect(answer.summary == "400 two_credentials" && answer.text.contains("remove any Authorization header of its own"))
    }

    /// The proxy lets requests with a token pass without a name: nobody is to try passwords past it with a false one.
    @Test(arguments: ["/session", "/invitations", "/setup"]) func noPasswordIsTriedWithAToken(path: String) throws {
        let desk = try desk()
        let body = path == "/session" ? Self.rootSignIn : "{}"
        for peer in [Self.proxy, Self.stranger] {
            let headers: HTTPHeaders = ["Authorization": "Bearer gate_forged"]
            let answer = desk.ask(.post, "/api/v1" + path, body, as: .nobody, headers: headers, peer: peer)
            #expect(answer.summary == "400 two_credentials")
        }
    }

    // MARK: Who is who

    @Test func aPersonWithAPasswordIsNeverTakenOver() throws {
        let desk = try desk()
        _ = try desk.browser("ann", .operator)
        let before = try desk.people()
        for name in ["ann", "root"] {
            let answer = ask(desk, .get, "/session", as: name, in: "admins")
            #expect(answer.summary == "403 local_person" && answer.text.contains("remove that person"))
        }
        #expect(try desk.people() == before)
        #expect(try audit(desk, "session.create").contains { $0.at("detail.code") == "local_person" && $0["subject"] == "ann" })
        // With the remedy, somebody new comes in.
        let old = try person(desk).unwrapped().id
        try desk.ask(.delete, "/api/v1/users/ann", "{}").expect(204)
        _ = try signIn(desk)
        #expect(try person(desk).unwrapped().id > old)
    }

    @Test(arguments: ["Ann", "ANN", "aNn"]) func lettersOfAnotherCaseMakeNoSecondPerson(name: String) throws {
        let desk = try desk()
        let browser = try signIn(desk)
        #expect(ask(desk, .get, "/session", as: name).summary == "403 name_spelling")
        #expect(ask(desk, .get, "/targets", as: name, browser).summary == "403 another_session")
        #expect(try desk.access.listPeople().map(\.name) == ["ann", "root"])
    }

    /// Somebody else sits down at a browser, or the other way round.
    @Test func anothersSessionBesideTheNameIsRefusedToldAndLetGoOf() throws {
        let desk = try desk()
        let ann = try signIn(desk)
        let local = try desk.browser(from: desk.ask(.post, "/api/v1/session", Self.rootSignIn, as: .nobody))
        for (browser, name) in [(ann, "bob"), (local, "bob"), (local, "root")] {
            for (method, path) in [(HTTPMethod.get, "/session"), (.get, "/targets"), (.delete, "/session"), (.post, "/tokens")] {
                let answer = ask(desk, method, path, method == .get ? nil : #"{"name":"t"}"#, as: name, browser)
                #expect(answer.summary == "403 another_session", "\(name) \(path)")
                #expect(
                    answer.headers["Set-Cookie"]?.hasPrefix("gh_session=;") == true
                        && answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true
                )
            }
        }
        #expect(try person(desk, "bob") == nil)
        let told = try audit(desk, "request.refused").filter { $0.at("detail.code") == "another_session" }
        #expect(told.contains { $0["subject"] == "GET /api/v1/targets" })
        // Without the cookie, which the browser has let go of, the visit begins anew. The other sessions go on where they belong.
        #expect(ask(desk, .get, "/setup", as: "bob", ann).headers["X-Gatehouse-Session"] == "proxy")
        _ = try signIn(desk, "bob")
        #expect(ask(desk, .get, "/targets", as: "ann", ann).status == 200)
        #expect(ask(desk, .get, "/targets", as: nil, in: nil, local).status == 200)
    }

    @Test func noPasswordIsTakenBesideAName() throws {
        let desk = try desk()
        _ = try signIn(desk)
        let before = try desk.people()
        let invitation = #"{"invitation":"\#(String(repeating: "a", count: 43))","password":"a long pass phrase"}"#
        for (path, body) in [
            ("/session", Self.rootSignIn), ("/invitations", invitation),
            ("/setup", #"{"code":"x","username":"eve","password":"a long pass phrase"}"#),
        ] {
            #expect(ask(desk, .post, path, body, as: "ann").summary == "403 signed_in_by_proxy", "\(path)")
        }
        #expect(try desk.people() == before)
        // Break-glass: past the proxy, or through it where it names nobody; and a stranger's name says nothing.
        #expect(ask(desk, .post, "/session", Self.rootSignIn, as: nil).status == 200)
        #expect(ask(desk, .post, "/session", Self.rootSignIn, as: "ann", from: Self.stranger).status == 200)
        for password in ["", Desk.password] {
            #expect(ask(desk, .post, "/session", #"{"username":"ann","password":"\#(password)"}"#, as: nil).status == 401)
        }
    }

    @Test func nothingHereIsThePasswordOfWhomAProxySignsIn() throws {
        let desk = try desk()
        let browser = try signIn(desk)
        let account = ask(desk, .get, "/account", as: "ann", browser)
        #expect(account.json["origin"] == "proxy" && account.json["totp"] == .bool(false))
        for (method, path, body) in [
            (HTTPMethod.post, "/account/password", #"{"currentPassword":"","newPassword":"a new long pass phrase"}"#),
            (.post, "/account/totp", "{}"),
            (.post, "/session/reauthenticate", #"{"password":"a long pass phrase"}"#),
        ] { #expect(ask(desk, method, path, body, as: "ann", browser).summary == "409 proxy_person", "\(path)") }
        // Nor do administrators give one, or other rights than the groups do.
        for body in [
            #"{"password":"a long pass phrase"}"#, #"{"role":"admin"}"#, #"{"apps":null}"#, #"{"totp":false}"#,
            #"{"disabled":true,"role":"admin"}"#,
        ] {
            #expect(desk.ask(.patch, "/api/v1/users/ann", body).summary == "409 proxy_person", "\(body)")
        }
        #expect(desk.ask(.post, "/api/v1/users/ann/invitation", "{}").summary == "409 proxy_person")
        #expect(desk.ask(.post, "/api/v1/users", #"{"username":"ANN","role":"viewer","apps":null}"#).summary == "409 exists /username")
        #expect(throws: ServiceError.self) {
            try desk.access.resetPassword(username: "ann", password: Desk.password, clearTOTP: true, from: .console)
        }
        let listed = desk.ask(.get, "/api/v1/users").json["items"]?.array?.compactMap(\.object) ?? []
        #expect(listed.map { $0["origin"]?.string } == ["proxy", nil])
        #expect(try person(desk)?.hasPassword == false)
    }

    // MARK: Groups that change

    @Test func fewerRightsCountAtOnceAndMoreInTheBrowser() throws {
        let desk = try desk().furnished()
        let browser = try signIn(desk, in: "admins")
        let made = ask(desk, .post, "/tokens", #"{"name":"tool"}"#, as: "ann", in: "admins", browser)
        try made.expect(201)
        let token: HTTPHeaders = ["Authorization": "Bearer \(made.json["token"]?.string ?? "")"]
        func reach() -> String {
            let user = desk.ask(.get, "/api/v1/session", as: .nobody, headers: token).json
            return "\(user.at("user.role")?.string ?? "?") \(user.at("user.apps")?.text ?? "?")"
        }
        func user(_ groups: String) -> String {
            let user = ask(desk, .get, "/session", as: "ann", in: groups, browser).json
            return "\(user.at("user.role")?.string ?? "?") \(user.at("user.apps")?.text ?? "?")"
        }
        #expect(reach() == "admin null")
        #expect(ask(desk, .post, "/apps", #"{"key":"new","name":"New"}"#, as: "ann", in: "admins", browser).status == 201)

        // The very first request with fewer groups: itself, and the person's tokens.
        #expect(ask(desk, .post, "/apps", #"{"key":"newer","name":"Newer"}"#, as: "ann", in: "release", browser).summary == "403 forbidden")
        #expect(reach() == #"operator ["shop"]"#)
        let altered = try audit(desk, "people.update").first.unwrapped()
        #expect(altered.at("actor.name") == "sign-in header" && altered.at("detail.role") == ["before": "admin", "after": "operator"])
        #expect(ask(desk, .get, "/targets/bank/ios", as: "ann", in: "release", browser).status == 404)

        // More: in this browser as the proxy says, for tokens from the next session on.
        #expect(user("admins") == "admin null" && reach() == #"operator ["shop"]"#)
        let more = try audit(desk, "session.rights").first.unwrapped()
        #expect(more["subject"] == "ann" && more.at("detail.role") == ["before": "operator", "after": "admin"])
        #expect(user("everyone") == "viewer null" && reach() == #"viewer ["shop"]"#)
        // Two browsers of which the proxy says different things come to rest.
        let count = try audit(desk, "people.update").count
        for _ in 0..<3 { for groups in ["admins", "release", "everyone"] { _ = user(groups) } }
        #expect(try audit(desk, "people.update").count == count)
        #expect(try audit(desk, "session.rights").count <= 3, "each thing once")
        _ = try signIn(desk, in: "release")
        #expect(reach() == #"operator ["shop"]"#)
        #expect(try audit(desk, "people.update").count == count + 1)
        #expect(ask(desk, .get, "/targets", as: "ann", in: "release", browser).status == 200, "the other browser goes on")
    }

    @Test func whoIsInNoGroupAnyMoreReachesNothing() throws {
        let desk = try desk().furnished()
        let browser = try signIn(desk, in: "admins")
        let made = ask(desk, .post, "/tokens", #"{"name":"tool"}"#, as: "ann", in: "admins", browser)
        let token: HTTPHeaders = ["Authorization": "Bearer \(made.json["token"]?.string ?? "")"]
        for _ in 0..<2 { #expect(ask(desk, .get, "/targets", as: "ann", in: "strangers", browser).status != 200) }
        #expect(desk.ask(.get, "/api/v1/targets", as: .nobody, headers: token).json["items"]?.text == "[]")
        #expect(desk.ask(.post, "/api/v1/apps", #"{"key":"x","name":"X"}"#, as: .nobody, headers: token).status == 403)
        #expect(ask(desk, .get, "/targets", as: "ann", in: "admins", browser).status == 401, "the session has ended")
        #expect(ask(desk, .get, "/session", as: "ann", in: "strangers").summary == "403 no_group")
        #expect(try audit(desk, "people.update").count == 1)
        // Back in a group, they are who they were.
        _ = try signIn(desk, in: "admins")
        #expect(desk.ask(.post, "/api/v1/apps", #"{"key":"x","name":"X"}"#, as: .nobody, headers: token).status == 201)
        #expect(try audit(desk, "people.create").count { $0["subject"] == "ann" } == 1)
    }

    @Test func whoIsDisabledStaysOut() throws {
        let desk = try desk()
        let browser = try signIn(desk)
        let made = ask(desk, .post, "/tokens", #"{"name":"tool"}"#, as: "ann", browser)
        let token: HTTPHeaders = ["Authorization": "Bearer \(made.json["token"]?.string ?? "")"]
        try desk.ask(.patch, "/api/v1/users/ann", #"{"disabled":true}"#).expect(200)
        #expect(ask(desk, .get, "/targets", as: "ann", browser).status == 401)
        for groups in ["release", "admins"] {
            #expect(ask(desk, .get, "/session", as: "ann", in: groups, browser).summary == "403 user_disabled")
        }
        #expect(desk.ask(.get, "/api/v1/targets", as: .nobody, headers: token).status == 401)
        #expect(try person(desk)?.role == .operator)
        try desk.ask(.patch, "/api/v1/users/ann", #"{"disabled":false}"#).expect(200)
        _ = try signIn(desk)
        // Whoever is removed is new at the next sight, and their tokens are gone.
        try desk.ask(.delete, "/api/v1/users/ann", "{}").expect(204)
        _ = try signIn(desk)
        #expect(desk.ask(.get, "/api/v1/targets", as: .nobody, headers: token).status == 401)
    }

    // MARK: Ends

    @Test func signingOutEndsTheSession() throws {
        let desk = try desk()
        let browser = try signIn(desk)
        let answer = ask(desk, .delete, "/session", "{}", as: "ann", browser)
        #expect(answer.status == 204 && answer.headers["Set-Cookie"]?.contains("Max-Age=0") == true)
        #expect(ask(desk, .get, "/targets", as: "ann", browser).status == 401)
        #expect(try desk.people().sessions == [])
        #expect(try audit(desk, "session.delete").first?["subject"] == "ann")
        let other = try self.desk(signOut: nil)
        #expect(ask(other, .get, "/session", as: "ann").json["signOut"] == nil)
    }

    @Test func aSessionOutlivesARestartAndItsTimeDoesNot() throws {
        let desk = try desk()
        let browser = try signIn(desk)
        try desk.reopen()
        #expect(ask(desk, .get, "/targets", as: "ann", browser).status == 200)
        #expect(ask(desk, .get, "/targets", as: nil, in: nil, browser).status == 401)
        desk.clock.advance(seconds: AccessService.idleLifetime)
        #expect(ask(desk, .get, "/targets", as: "ann", browser).status == 401)
        // The dashboard then asks who it is, and goes on.
        let next = try desk.browser(from: ask(desk, .get, "/session", as: "ann", browser))
        #expect(next.cookie != browser.cookie)
        #expect(ask(desk, .get, "/targets", as: "ann", next).status == 200)
    }

    @Test func freshIsWhatBeganAMomentAgo() throws {
        let desk = try desk()
        let browser = try signIn(desk, in: "admins")
        func end() -> HTTPResponse { ask(desk, .delete, "/account/sessions", "{}", as: "ann", in: "admins", browser) }
        #expect(end().status == 204)
        desk.clock.advance(seconds: 299)
        #expect(end().status == 204)
        desk.clock.advance(seconds: 1)
        #expect(end().summary == "403 fresh_sign_in_required")
        #expect(end().text.contains("Sign out and in again"))
        #expect(ask(desk, .get, "/targets", as: "ann", in: "admins", browser).status == 200)
    }

    /// Where the proxy says when somebody gave their password, nothing else is fresh.
    @Test func freshIsWhatTheProxySaysWhereItSaysIt() throws {
        let desk = try desk(time: "X-Remote-Time")
        let now = desk.clock.now.milliseconds / 1_000
        func headers(_ time: [String], _ browser: Desk.Browser?) -> HTTPHeaders {
            var headers = self.headers("ann", "admins", browser)
            for time in time { headers.append("X-Remote-Time", time) }
            return headers
        }
        let browser = try desk.browser(
            from: desk.ask(.get, "/api/v1/session", as: .nobody, headers: headers(["\(now)"], nil), peer: Self.proxy)
        )
        for (time, wanted) in [
            (["\(now)"], "204"), (["\(now - 299)"], "204"), (["\(now - 300)"], "403 fresh_sign_in_required"),
            ([], "403 fresh_sign_in_required"),
            (["\(now + 60)"], "204"), (["\(now + 61)"], "403 fresh_sign_in_required"), (["99999999999"], "403 fresh_sign_in_required"),
            (["0"], "403 fresh_sign_in_required"), ([""], "401 sign_in_header"), (["-1"], "401 sign_in_header"),
            (["1e9"], "401 sign_in_header"),
            (["999999999999"], "401 sign_in_header"), (["\(now)", "\(now)"], "401 sign_in_header"), (["\(now).5"], "401 sign_in_header"),
        ] {
            let answer = desk.ask(.delete, "/api/v1/account/sessions", "{}", as: .nobody, headers: headers(time, browser), peer: Self.proxy)
            #expect(answer.summary == wanted, "\(time)")
        }
    }

    // MARK: Around it

    @Test func theFirstQuestionOfAVisitSaysWhetherTheProxySignsIn() throws {
        let desk = try desk()
        func state(_ name: String?, _ browser: Desk.Browser? = nil) -> String? {
            ask(desk, .get, "/setup", as: name, browser).headers["X-Gatehouse-Session"]
        }
        #expect(state(nil) == "absent" && state("ann") == "proxy")
        #expect(ask(desk, .get, "/setup", as: "ann").text == #"{"needed":false,"signOut":"/out?logout=1"}"#)
        #expect(ask(desk, .get, "/setup", as: nil).text == #"{"needed":false}"#)
        let browser = try signIn(desk)
        #expect(state("ann", browser) == "present" && state(nil, browser) == "absent" && state("bob", browser) == "proxy")
        #expect(ask(desk, .get, "/setup", as: "ann", from: Self.stranger).headers["X-Gatehouse-Session"] == "absent")
    }

    @Test func healthAndPagesAskForNoName() throws {
        let desk = try desk()
        for path in ["/healthz/live", "/healthz/ready", "/openapi.json", "/"] {
            #expect(desk.ask(.get, path, as: .nobody, headers: ["X-Remote-User": "a b"], peer: Self.proxy).status == 200, "\(path)")
        }
        let named = desk.poll("/feeds/shop/launchgate.json", headers: ["X-Remote-User": "ann"])
        #expect(named.status == 404 && desk.poll("/feeds/shop/launchgate.json").text == named.text)
    }

    @Test(
        arguments: [
            ("X-Remote-User", "X-Remote-Groups", nil, "a viewer", ["10.0.0.1"], nil), ("X-Remote-User", nil, nil, "* viewer", ["::1"], nil),
            ("X-Remote-User", nil, nil, "* viewer", ["10.0.0.0/8", "::1"], "https://sso.example.com/out"),
            ("X-Remote-User", nil, nil, "* viewer", [], "--trusted-proxy"),
            ("X-Remote-User", nil, nil, "* viewer", ["0.0.0.0/0"], "--trusted-proxy"),
            ("X-Remote-User", nil, nil, "* viewer", ["10.0.0.1", "::/0"], "--trusted-proxy"),
            ("X-Remote-User", nil, nil, "* viewer", ["128.0.0.0/1", "0.0.0.0/1"], "--trusted-proxy"),
            ("X-Remote-User", nil, nil, "* viewer", ["0.0.0.0/1", "10.0.0.1", "192.0.0.0/2", "128.0.0.0/2"], "--trusted-proxy"),
            ("X-Remote-User", nil, nil, "* viewer", ["8000::/1", "::/1"], "--trusted-proxy"),
            ("X-Remote-User", nil, nil, "* viewer", ["0.0.0.0/1", "8000::/1"], nil),
            ("X-Remote-User", nil, nil, "* viewer", ["0.0.0.0/1", "128.0.0.0/2", "192.0.0.0/3"], nil),
            ("X-Remote-User", nil, nil, "a viewer", ["::1"], "--sign-in-groups-header"),
            ("Cookie", nil, nil, "* viewer", ["::1"], "--sign-in-header"),
            ("x-forwarded-FOR", nil, nil, "* viewer", ["::1"], "--sign-in-header"),
            ("X Remote", nil, nil, "* viewer", ["::1"], "--sign-in-header"),
            ("", nil, nil, "* viewer", ["::1"], "--sign-in-header"), ("X-A", "x-a", nil, "* viewer", ["::1"], "different"),
            ("X-A", "X-B", "x-b", "* viewer", ["::1"], "different"),
            ("X-A", "Authorization", nil, "* viewer", ["::1"], "--sign-in-groups-header"),
            ("X-A", nil, "Host", "* viewer", ["::1"], "--sign-in-time-header"), ("X-A", nil, nil, "* viewer", ["::1"], "//evil.example"),
            ("X-A", nil, nil, "* viewer", ["::1"], "javascript:alert(1)"), ("X-A", nil, nil, "* viewer", ["::1"], "out"),
            ("X-A", nil, nil, "* viewer", ["::1"], "/a b"),
            ("X-A", nil, nil, "* viewer", ["::1"], #"/\evil.example"#), ("X-A", nil, nil, "* viewer", ["::1"], "https://"),
        ] as [(String, String?, String?, String, [String], String?)]
    )
    func settingsThatCannotBeMeantAreRefused(
        header: String,
        groupsHeader: String?,
        timeHeader: String?,
        table: String,
        proxies: [String],
        last: String?
    ) throws {
        // The last is the sign-out address, or what the refusal names.
        let isRemedy = last.map { $0.hasPrefix("--") || $0 == "different" } ?? false
        let isFine = last == nil || last == "https://sso.example.com/out"
        let (groups, peers) = (try SignInGroups(table), try TrustedProxies(proxies))
        do throws(ProxySignIn.Unfit) {
            _ = try ProxySignIn(
                header: header,
                groupsHeader: groupsHeader,
                timeHeader: timeHeader,
                groups: groups,
                signOutURL: isRemedy ? nil : last,
                proxies: peers
            )
            #expect(isFine)
        } catch {
            #expect(!isFine)
            #expect("\(error)".contains(isRemedy ? last ?? "" : "--sign-out-url"), "\(error)")
        }
    }
}
