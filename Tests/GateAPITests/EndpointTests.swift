import GateAPI
import GateJSON
import Testing

struct EndpointTests {
    @Test func everyEndpointIsListedOnceAndIsBelowTheBase() {
        #expect(Set(Endpoint.allCases).count == Endpoint.allCases.count)
        #expect(Set(Endpoint.allCases.map(\.description)).count == Endpoint.allCases.count)
        for endpoint in Endpoint.allCases { #expect(endpoint.pattern.hasPrefix("/api/v1/")) }
    }

    @Test func thePathsAreThoseOfTheContract() {
        let paths = Endpoint.allCases.map(\.description)
        let contract = [
            "POST /api/v1/setup", "POST /api/v1/session", "GET /api/v1/session", "DELETE /api/v1/session", "GET /api/v1/status",
            "POST /api/v1/apps", "GET /api/v1/apps", "GET /api/v1/apps/{app}", "PATCH /api/v1/apps/{app}", "DELETE /api/v1/apps/{app}",
            "PUT /api/v1/apps/{app}/platforms/{platform}", "DELETE /api/v1/apps/{app}/platforms/{platform}",
            "GET /api/v1/targets", "GET /api/v1/targets/{app}/{platform}",
            "POST /api/v1/changes", "GET /api/v1/changes", "GET /api/v1/changes/{sequence}", "GET /api/v1/events", "POST /api/v1/import",
            "POST /api/v1/simulate", "GET /api/v1/audit", "POST /api/v1/session/reauthenticate",
            "GET /api/v1/users", "POST /api/v1/users", "PATCH /api/v1/users/{user}", "DELETE /api/v1/users/{user}",
            "GET /api/v1/tokens", "POST /api/v1/tokens", "DELETE /api/v1/tokens/{id}",
            "GET /api/v1/account", "POST /api/v1/account/password", "POST /api/v1/account/totp", "POST /api/v1/account/totp/confirm",
            "DELETE /api/v1/account/totp", "GET /api/v1/account/sessions", "DELETE /api/v1/account/sessions",
            "DELETE /api/v1/account/sessions/{id}", "POST /api/v1/invitations", "POST /api/v1/users/{user}/invitation",
        ]
        #expect(contract.filter { !paths.contains($0) } == [])
    }

    @Test func aValueStaysOneSegment() {
        #expect(Endpoint.target.path("shop", "ios") == "/api/v1/targets/shop/ios")
        #expect(Endpoint.target.path("a/b ü?", "..%") == "/api/v1/targets/a%2Fb%20%C3%BC%3F/..%25")
    }

    @Test func aRequestLeadsToItsEndpoint() {
        for endpoint in Endpoint.allCases {
            let path = endpoint.path(endpoint.parameterNames.map { _ in "a b" })
            #expect(Endpoint(endpoint.method, path) == endpoint)
            #expect(Endpoint(endpoint.method, path + "?a=/b") == endpoint)
        }
        for path in ["", "/", "/api/v1/nothing", "/api/v1/apps/", "/api/v1/apps/shop/ios", "api/v1/apps"] {
            #expect(Endpoint(.get, path) == nil, "\(path)")
        }
    }

    @Test func theQueryIsEscapedAndNilIsLeftOut() {
        let path = Endpoint.listChanges.path(query: [
            ("app", "shop"), ("platform", nil), ("since", "2026-04-02T09:00:00+02:00"), ("limit", "20"),
        ])
        #expect(path == "/api/v1/changes?app=shop&since=2026-04-02T09%3A00%3A00%2B02%3A00&limit=20")
    }

    /// Everybody's own: signing in and out, by an invitation too, their account, tokens that reach no further than they do. A simulation
    /// writes nothing.
    @Test func whatWritesIsNotForViewersButWhatIsTheirOwn() {
        let own = ["/setup", "/session", "/invitations", "/account", "/tokens"].map { Endpoint.base + $0 }
        for endpoint in Endpoint.allCases
        where endpoint.method != .get && endpoint != .simulate && !own.contains(where: endpoint.pattern.hasPrefix) {
            #expect(endpoint.access == .operatorRole || endpoint.access == .admin, "\(endpoint)")
        }
    }

    @Test func peopleTokensAndDeletionsWantAFreshSignInAndOnesOwnAccountASession() {
        for endpoint in Endpoint.allCases {
            let path = endpoint.pattern.dropFirst(Endpoint.base.count)
            let isSensitive = endpoint.method != .get && (path.hasPrefix("/users") || path.hasPrefix("/tokens"))
            if isSensitive || (path.hasPrefix("/apps") && endpoint.method == .delete) { #expect(endpoint.proof == .fresh, "\(endpoint)") }
            if path.hasPrefix("/account") { #expect(endpoint.proof == .session || endpoint.proof == .freshSession, "\(endpoint)") }
        }
    }

    /// What the description says of an endpoint's headers.
    private func headers(of endpoint: Endpoint) throws -> [JSONObject] {
        let paths = try #require(APIDescription.document(version: "1").object?["paths"]?.object)
        let operation = try #require(paths[endpoint.pattern]?.object?[endpoint.method.rawValue.lowercased()]?.object)
        return (operation["parameters"]?.array ?? []).compactMap(\.object).filter { $0["in"]?.string == "header" }
    }

    /// Who makes a client from the description has to learn which requests can be sent again.
    @Test func theDescriptionTellsWhichRequestsTakeAKey() throws {
        for endpoint in Endpoint.allCases {
            let told = try headers(of: endpoint)
            #expect(told.map { $0["name"]?.string } == (endpoint.keepsKeys ? ["Idempotency-Key"] : []), "\(endpoint)")
            #expect(told.allSatisfy { $0["required"]?.bool == false }, "\(endpoint)")
        }
    }

    @Test(arguments: [
        ("k", true), ("!~", true), (String(repeating: "k", count: 255), true), ("", false), (" k", false), ("a b", false),
        ("\u{7F}", false), ("ü", false), (String(repeating: "k", count: 256), false),
    ]) func aKeyIsPrintable(text: String, isKey: Bool) throws {
        #expect(IdempotencyKeyHeader.isKey(text) == isKey)
        // What the description says of it is the same.
        let schema = try #require(headers(of: .commitChange).first?["schema"]?.object)
        let lengths = try #require(schema["minLength"]?.integer)...(try #require(schema["maxLength"]?.integer))
        let pattern = try Regex(try #require(schema["pattern"]?.string))
        #expect((lengths.contains(text.count) && text.contains(pattern)) == isKey)
    }
}
