import GateAPI
import Testing

struct EndpointTests {
    @Test func everyEndpointIsListedOnceAndIsBelowTheBase() {
        #expect(Set(Endpoint.all).count == Endpoint.all.count)
        #expect(Set(Endpoint.all.map(\.description)).count == Endpoint.all.count)
        for endpoint in Endpoint.all { #expect(endpoint.pattern.hasPrefix("/api/v1/")) }
    }

    @Test func thePathsAreThoseOfTheContract() {
        let paths = Endpoint.all.map(\.description)
        let contract = [
            "POST /api/v1/setup", "POST /api/v1/session", "GET /api/v1/session", "DELETE /api/v1/session", "GET /api/v1/status",
            "POST /api/v1/apps", "GET /api/v1/apps", "GET /api/v1/apps/{app}", "PATCH /api/v1/apps/{app}", "DELETE /api/v1/apps/{app}",
            "PUT /api/v1/apps/{app}/platforms/{platform}", "DELETE /api/v1/apps/{app}/platforms/{platform}",
            "GET /api/v1/targets", "GET /api/v1/targets/{app}/{platform}",
            "POST /api/v1/changes", "GET /api/v1/changes", "GET /api/v1/changes/{sequence}", "GET /api/v1/events", "POST /api/v1/import",
            "GET /api/v1/audit",
        ]
        #expect(contract.filter { !paths.contains($0) } == [])
    }

    @Test func aValueStaysOneSegment() {
        #expect(Endpoint.target.path("shop", "ios") == "/api/v1/targets/shop/ios")
        #expect(Endpoint.target.path("a/b ü?", "..%") == "/api/v1/targets/a%2Fb%20%C3%BC%3F/..%25")
    }

    @Test func theQueryIsEscapedAndNilIsLeftOut() {
        let path = Endpoint.listChanges.path(query: [("app", "shop"), ("platform", nil), ("since", "2026-04-02T09:00:00+02:00"), ("limit", "20")])
        #expect(path == "/api/v1/changes?app=shop&since=2026-04-02T09%3A00%3A00%2B02%3A00&limit=20")
    }

    @Test func whatWritesIsNotForViewers() {
        for endpoint in Endpoint.all where endpoint.method != .get && ![.setUp, .signIn, .signOut].contains(endpoint) {
            #expect(endpoint.access == .operatorRole || endpoint.access == .admin, "\(endpoint)")
        }
    }
}
