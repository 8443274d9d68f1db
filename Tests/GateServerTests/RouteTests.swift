import GateAPI
import GateHTTP
import GateModel
import GateService
import GateTesting
import Testing

@testable import GateServer

/// R33: who may call what, generated from the route table; and what is in the table at all.
@Suite struct RouteTests {
    private func routes(_ desk: Desk) throws -> [Endpoint] {
        let router = try Routes(desk.services, FeedTable()).router
        return Endpoint.allCases.filter { endpoint in
            if case .found(let route, _) = router.match(HTTPMethod(rawValue: endpoint.method.rawValue), path(endpoint)) {
                return route.endpoint == endpoint
            }
            return false
        }
    }

    /// The pattern with the app `shop` and plausible values.
    private func path(_ endpoint: Endpoint) -> String {
        endpoint.path(endpoint.parameterNames.map { ["app": "shop", "platform": "ios", "sequence": "2"][$0] ?? "1" })
    }

    /// A body that reaches the app `shop` where the path does not say the app.
    private func body(_ endpoint: Endpoint) -> String? {
        switch endpoint {
        case .commitChange: #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{}}"#
        case .createWindow:
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":null},"start":"2027-01-01T00:00:00Z","dryRun":true}"#
        case .importFile: #"{"app":"shop","document":"{\"ios\":{}}","dryRun":true}"#
        case .simulate: #"{"app":"shop","platform":"ios","version":"4.1.0"}"#
        case .beginRehearsal: #"{"app":"shop","platform":"ios"}"#
        case .createToken: #"{"name":"more"}"#
        case _ where endpoint.method == .get: nil
        default: "{}"
        }
    }

    /// Which app they are about stands in the body.
    private static let ofBody: [Endpoint] = [.commitChange, .createWindow, .importFile, .simulate, .beginRehearsal]

    private func expected(_ endpoint: Endpoint, _ who: Desk.Who) -> Int? {
        let isOfShop =
            endpoint.pattern.contains("{app}") || Self.ofBody.contains(endpoint) || endpoint == .change
        switch (endpoint.access, who) {
        case (.anyone, _): return nil
        case (_, .nobody): return 401
        case (.operatorRole, .viewer), (.admin, .viewer), (.admin, .operator), (.admin, .banker): return 403
        // Reading what is hidden is not found: its existence is none of their business.
        case (_, .banker) where isOfShop: return endpoint.method == .get || endpoint == .simulate ? 404 : 403
        // What concerns a person's own account is no matter for a token.
        default: return [.session, .freshSession].contains(endpoint.proof) ? 403 : nil
        }
    }

    /// The feed of an own shape that ``path(_:)`` names.
    private func makeOwnFeed(_ desk: Desk) {
        #expect(desk.ask(.put, "/api/v1/apps/shop/own-feeds/1", #"{"template":"{}"}"#).status == 200)
    }

    /// What somebody who may call the endpoint is not told; that a person or token of that number is not there is no refusal of the route.
    private func isLetThrough(_ response: HTTPResponse, _ endpoint: Endpoint) -> Bool {
        let isAboutNobody = endpoint.pattern.contains("{user}") || endpoint.pattern.contains("{id}")
        return response.status == 404 ? isAboutNobody : ![401, 403, 405, 500].contains(response.status)
    }

    @Test(arguments: Desk.Who.allCases) func everyRouteIsClosedToEverybodyBelowItsAccess(who: Desk.Who) throws {
        let desk = try Desk().furnished()
        makeOwnFeed(desk)
        for endpoint in try routes(desk) {
            let response = desk.ask(HTTPMethod(rawValue: endpoint.method.rawValue), path(endpoint), body(endpoint), as: who)
            if let expected = expected(endpoint, who) {
                #expect(response.status == expected, "\(endpoint) as \(who): \(response.text)")
            } else {
                // A leaked token must not breed: only an administrator's makes others.
                let isBreeding = endpoint == .createToken && who != .admin
                #expect(isBreeding ? response.status == 403 : isLetThrough(response, endpoint), "\(endpoint) as \(who): \(response.text)")
            }
        }
    }

    /// What only a fresh sign-in may do, and that an older one still may do the rest.
    @Test(arguments: [true, false]) func aSignInOfLongAgoMustBeProvenAnew(isFresh: Bool) throws {
        for endpoint in try routes(try Desk().furnished()) where endpoint.access != .anyone && endpoint != .signOut {
            let desk = try Desk().furnished()
            makeOwnFeed(desk)
            let browser = try desk.browser()
            desk.clock.advance(seconds: isFresh ? Endpoint.freshSeconds - 1 : Endpoint.freshSeconds)
            let response = desk.ask(
                HTTPMethod(rawValue: endpoint.method.rawValue),
                path(endpoint),
                body(endpoint),
                as: .nobody,
                headers: browser.headers
            )
            if !isFresh, [.fresh, .freshSession].contains(endpoint.proof) {
                #expect(response.summary == "403 fresh_sign_in_required", "\(endpoint)")
            } else {
                #expect(isLetThrough(response, endpoint), "\(endpoint): \(response.text)")
            }
        }
    }

    /// Who may not send a body is told before it is taken, with the same answer.
    @Test(arguments: Desk.Who.allCases) func theHeadIsRefusedAsTheWholeRequestIs(who: Desk.Who) throws {
        let desk = try Desk().furnished()
        for endpoint in try routes(desk) where endpoint.method != .get {
            var headers: HTTPHeaders = ["Content-Type": "application/json"]
            if let token = desk.token(who) { headers.append("Authorization", "Bearer \(token)") }
            let head = desk.request(
                HTTPMethod(rawValue: endpoint.method.rawValue),
                path(endpoint),
                headers,
                [],
                PeerAddress(bytes: [127, 0, 0, 1])
            )
            // Which app a change or an import is about stands in the body.
            let isOfBody = Self.ofBody.contains(endpoint) && who == .banker
            #expect(
                desk.admin.admission(of: head, hasBody: true).refusal?.status == (isOfBody ? nil : expected(endpoint, who)),
                "\(endpoint) as \(who)"
            )
        }
    }

    /// Refused or not, none of it may have written anything for those below an administrator but the empty change of an operator.
    @Test func nobodyBelowTheAccessHasWrittenAnything() throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        for who in [Desk.Who.nobody, .viewer, .banker, .operator] {
            for endpoint in try routes(desk) where endpoint.method != .get && expected(endpoint, who) != nil {
                _ = desk.ask(HTTPMethod(rawValue: endpoint.method.rawValue), path(endpoint), body(endpoint), as: who)
            }
        }
        #expect(try desk.state() == before)
    }

    /// An endpoint without a route would be a door painted on a wall.
    @Test func everyEndpointHasItsRoute() throws {
        #expect(try routes(Desk()).map(\.description) == Endpoint.allCases.map(\.description))
    }

    @Test func theRouteTableIsThis() throws {
        let desk = try Desk()
        let table = try Routes(desk.services, FeedTable()).router.table
        #expect(
            table.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }.sorted()
                == """
                DELETE /api/v1/account/sessions
                DELETE /api/v1/account/sessions/{id}
                DELETE /api/v1/account/totp
                DELETE /api/v1/apps/{app}
                DELETE /api/v1/apps/{app}/own-feeds/{name}
                DELETE /api/v1/apps/{app}/platforms/{platform}
                DELETE /api/v1/rehearsals/{id}
                DELETE /api/v1/session
                DELETE /api/v1/tokens/{id}
                DELETE /api/v1/users/{user}
                DELETE /api/v1/windows/{id}
                GET /api/v1/account
                GET /api/v1/account/sessions
                GET /api/v1/apps
                GET /api/v1/apps/{app}
                GET /api/v1/apps/{app}/own-feeds/{name}
                GET /api/v1/audit
                GET /api/v1/backups
                GET /api/v1/changes
                GET /api/v1/changes/{sequence}
                GET /api/v1/events
                GET /api/v1/export
                GET /api/v1/rehearsals
                GET /api/v1/rehearsals/{id}
                GET /api/v1/session
                GET /api/v1/setup
                GET /api/v1/status
                GET /api/v1/targets
                GET /api/v1/targets/{app}/{platform}
                GET /api/v1/targets/{app}/{platform}/versions
                GET /api/v1/tokens
                GET /api/v1/users
                GET /api/v1/windows
                GET /api/v1/windows/{id}
                GET /healthz/live
                GET /healthz/ready
                GET /metrics
                GET /openapi.json
                PATCH /api/v1/apps/{app}
                PATCH /api/v1/users/{user}
                POST /api/v1/account/password
                POST /api/v1/account/totp
                POST /api/v1/account/totp/confirm
                POST /api/v1/apply
                POST /api/v1/apps
                POST /api/v1/backups
                POST /api/v1/changes
                POST /api/v1/import
                POST /api/v1/invitations
                POST /api/v1/rehearsals
                POST /api/v1/session
                POST /api/v1/session/reauthenticate
                POST /api/v1/setup
                POST /api/v1/simulate
                POST /api/v1/tokens
                POST /api/v1/users
                POST /api/v1/users/{user}/invitation
                POST /api/v1/windows
                POST /api/v1/windows/{id}/run
                PUT /api/v1/apps/{app}/own-feeds/{name}
                PUT /api/v1/apps/{app}/platforms/{platform}
                PUT /api/v1/rehearsals/{id}
                PUT /api/v1/windows/{id}
                """.split(separator: "\n").map(String.init)
        )
    }

    @Test(arguments: [
        "/api/v1", "/api/v1/", "/api/v2/apps", "/api/v1/app", "/api/v1/apps/", "/api/v1/apps/shop/", "/api/v1/apps//platforms/ios",
        "/api/v1/apps/shop/platforms",
        "/api/v1/apps/shop%2Fios", "/api/v1/../v1/apps", "/api/v1/apps/%00", "/api/v1/changes/1/2", "/api/", "/api/v1/APPS",
    ])
    func whatIsNotInTheTableDoesNotExist(path: String) throws {
        let desk = try Desk()
        for who in [Desk.Who.nobody, .admin] {
            let response = desk.ask(.get, path, as: who)
            #expect(response.summary == "404 not_found")
            #expect(response.headers["Content-Type"] == "application/problem+json")
        }
    }

    @Test(arguments: [
        ("/api/v1/apps", HTTPMethod.delete, "GET, HEAD, POST"), ("/api/v1/apps/shop", .post, "GET, HEAD, PATCH, DELETE"),
        ("/api/v1/changes", .patch, "GET, HEAD, POST"), ("/api/v1/apps/shop/platforms/ios", .get, "PUT, DELETE"),
        ("/api/v1/status", .options, "GET, HEAD"),
        ("/api/v1/import", .get, "POST"), ("/", .post, "GET, HEAD"), ("/app.js", .delete, "GET, HEAD"),
        ("/healthz/live", .post, "GET, HEAD"),
    ])
    func anotherMethodIsToldWhichThereAre(path: String, method: HTTPMethod, allow: String) throws {
        let response = try Desk().ask(method, path, as: .nobody)
        #expect(response.summary == "405 method_not_allowed")
        #expect(response.headers["Allow"] == allow)
    }

    @Test(
        arguments: [
            nil, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "text/json", "application/jsonp",
            "application/json, text/plain",
        ] as [String?]
    )
    func aBodyOfAnotherTypeIsNotRead(type: String?) throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        for (method, path) in [
            (HTTPMethod.post, "/api/v1/changes"), (.post, "/api/v1/apps"), (.patch, "/api/v1/apps/shop"),
            (.put, "/api/v1/apps/shop/platforms/tv"), (.delete, "/api/v1/apps/shop"),
        ] {
            var headers: HTTPHeaders = ["Authorization": "Bearer \(try desk.token(.admin).unwrapped())"]
            if let type { headers.append("Content-Type", type) }
            let response = desk.admin.response(
                to: desk.request(method, path, headers, Array("{}".utf8), PeerAddress(bytes: [127, 0, 0, 1]))
            )
            #expect(response.summary == "415 unsupported_media_type", "\(method) \(path)")
        }
        #expect(try desk.state() == before)
    }

    @Test(arguments: ["application/json", "application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"])
    func jsonIsJSONHoweverItIsSpelled(type: String) throws {
        let desk = try Desk()
        #expect(desk.ask(.post, "/api/v1/apps", #"{"key":"shop","name":"Shop"}"#, headers: ["Content-Type": type]).status == 201)
    }

    @Test func whatNeedsNoBodyNeedsNoType() throws {
        let desk = try Desk().furnished()
        #expect(desk.ask(.put, "/api/v1/apps/shop/platforms/tv").status == 201)
        #expect(desk.ask(.delete, "/api/v1/apps/shop").summary == "422 confirmation_required /confirm")
    }

    @Test func headIsAnsweredAsGet() throws {
        let desk = try Desk().furnished()
        for path in [
            "/api/v1/status", "/api/v1/targets", "/api/v1/apps/shop", "/healthz/live", "/healthz/ready", "/", "/feeds/shop/launchgate.json",
        ] {
            let (get, head) = (desk.ask(.get, path), desk.ask(.head, path))
            #expect(get.status == 200)
            #expect((head.status, head.headers) == (get.status, get.headers))
        }
    }
}
