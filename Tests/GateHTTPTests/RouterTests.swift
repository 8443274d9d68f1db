import GateHTTP
import Testing

struct RouterTests {
    static func router() throws -> Router<String> {
        try Router([
            Route(.get, "/", "root"),
            Route(.get, "/apps", "list"),
            Route(.post, "/apps", "create"),
            Route(.get, "/apps/{app}", "show"),
            Route(.patch, "/apps/{app}", "rename"),
            Route(.post, "/apps/import", "import"),
            Route(.put, "/apps/{app}/platforms/{platform}", "platform"),
            Route(.get, "/changes/{sequence}", "change"),
        ])
    }

    static let found: [(HTTPMethod, String, String, [String: String])] = [
        (.get, "/", "root", [:]),
        (.get, "/apps", "list", [:]),
        (.head, "/apps", "list", [:]),
        (.post, "/apps", "create", [:]),
        (.get, "/apps/shop", "show", ["app": "shop"]),
        (.get, "/apps/import", "show", ["app": "import"]),
        (.post, "/apps/import", "import", [:]),
        (.get, "/apps/a%20b", "show", ["app": "a b"]),
        (.get, "/apps/a%2520b", "show", ["app": "a%20b"]),
        (.get, "/%61pps/shop", "show", ["app": "shop"]),
        (.get, "/apps/%C3%A9", "show", ["app": "é"]),
        (.put, "/apps/shop/platforms/ios", "platform", ["app": "shop", "platform": "ios"]),
    ]

    @Test(arguments: found)
    func aPathFindsItsHandler(_ row: (HTTPMethod, String, String, [String: String])) throws {
        guard case .found(let handler, let parameters) = try Self.router().match(row.0, row.1) else {
            Issue.record("\(row.0) \(row.1) was not found")
            return
        }
        #expect(handler == row.2)
        #expect(parameters.values == row.3)
    }

    @Test
    func theMatchCarriesItsPattern() throws {
        guard case .found(_, let parameters) = try Self.router().match(.get, "/apps/shop") else {
            Issue.record("not found")
            return
        }
        #expect(parameters.pattern == "/apps/{app}")
        #expect(parameters["app"] == "shop")
    }

    static let notFound = [
        "/none", "/apps/", "/apps//", "//apps", "/apps/shop/", "/apps/shop/platforms", "", "apps", "*",
        "/apps/.", "/apps/..", "/apps/%2e", "/apps/%2e%2e", "/apps/.%2E", "/apps/../apps", "/./apps",
        "/apps/a%2Fb", "/apps/a%2fb", "/apps/%2F", "/apps/%00", "/apps/a%00b", "/apps/%", "/apps/%4", "/apps/%zz",
        "/apps/%ff", "/apps/%C3", "/apps/%C0%AF", "/apps/%0a", "/apps/%7f", "/APPS", "/apps/\u{0}",
    ]

    @Test(arguments: notFound)
    func aPathThatIsNoneIsNotFound(_ path: String) throws {
        guard case .notFound = try Self.router().match(.get, path) else {
            Issue.record("\(path) was found")
            return
        }
    }

    static let refused: [(HTTPMethod, String, [HTTPMethod])] = [
        (.delete, "/apps", [.get, .head, .post]),
        (.get, "/apps/shop/platforms/ios", [.put]),
        (.delete, "/apps/shop", [.get, .head, .patch]),
        (.delete, "/apps/import", [.get, .head, .post, .patch]),
        (.head, "/apps/shop/platforms/ios", [.put]),
    ]

    @Test(arguments: refused)
    func anotherMethodIsToldWhichAreAllowed(_ row: (HTTPMethod, String, [HTTPMethod])) throws {
        guard case .methodNotAllowed(let allow) = try Self.router().match(row.0, row.1) else {
            Issue.record("\(row.0) \(row.1) was not refused for its method")
            return
        }
        #expect(allow == row.2)
    }

    static let faulty: [(RouterError.Code, [Route<Int>])] = [
        (.duplicate, [Route(.get, "/a", 1), Route(.get, "/a", 2)]),
        (.duplicate, [Route(.get, "/a/{x}", 1), Route(.get, "/a/{y}", 2)]),
        (.ambiguous, [Route(.get, "/a/{x}/c", 1), Route(.get, "/a/b/{y}", 2)]),
        (.ambiguous, [Route(.get, "/{x}/b", 1), Route(.put, "/a/{y}", 2)]),
        (.headRoute, [Route(.head, "/a", 1)]),
        (.malformed, [Route(.get, "", 1)]),
        (.malformed, [Route(.get, "a", 1)]),
        (.malformed, [Route(.get, "/a/", 1)]),
        (.malformed, [Route(.get, "/a//b", 1)]),
        (.malformed, [Route(.get, "/a/{}", 1)]),
        (.malformed, [Route(.get, "/a/{x", 1)]),
        (.malformed, [Route(.get, "/a/x}", 1)]),
        (.malformed, [Route(.get, "/a/{x}{y}", 1)]),
        (.malformed, [Route(.get, "/{x}/{x}", 1)]),
        (.malformed, [Route(.get, "/a b", 1)]),
        (.malformed, [Route(.get, "/a?b", 1)]),
        (.malformed, [Route(.get, "/..", 1)]),
    ]

    @Test(arguments: faulty)
    func aFaultyTableIsRefused(_ row: (RouterError.Code, [Route<Int>])) {
        #expect {
            _ = try Router(row.1)
        } throws: { error in
            (error as? RouterError)?.code == row.0
        }
    }

    @Test
    func theFaultNamesBothRoutes() {
        #expect {
            _ = try Router([Route(.get, "/a/{x}", 1), Route(.get, "/a/{y}", 2)])
        } throws: { error in
            "\(error)" == "route GET /a/{y} is in the table twice: also as GET /a/{x}"
        }
    }

    @Test
    func theTablePrintsInItsOwnOrder() throws {
        #expect(
            try Self.router().table == """
                GET     /
                GET     /apps
                POST    /apps
                GET     /apps/{app}
                PATCH   /apps/{app}
                POST    /apps/import
                PUT     /apps/{app}/platforms/{platform}
                GET     /changes/{sequence}

                """
        )
    }
}
