import GateHTTP
import GateJSON
import Testing

@testable import GateServer

/// What stands in the query of a write is in the wrong place: `?dryRun=true` must not be a change.
@Suite struct QueryTests {
    @Test func aWriteRefusesAQueryThatItDoesNotKnow() throws {
        let desk = try Desk().furnished()
        let writes: [(HTTPMethod, String, String)] = [
            (.delete, "/api/v1/apps/shop/platforms/ios", #"{"confirm":"delete shop/ios"}"#),
            (.patch, "/api/v1/apps/shop", #"{"name":"Other"}"#),
            (.put, "/api/v1/apps/shop/platforms/ios", #"{"releases":["1.0"]}"#), (.post, "/api/v1/apps", #"{"key":"new","name":"New"}"#),
            (.post, "/api/v1/changes", #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"a"}}}"#),
            (.post, "/api/v1/tokens", #"{"name":"ci"}"#),
        ]
        let before = desk.ask(.get, "/api/v1/export").json
        for (method, path, body) in writes {
            let refused = desk.ask(method, path + "?dryRun=true", body)
            #expect(refused.summary == "400 malformed dryRun", "\(method) \(path)")
            #expect(refused.json.at("detail")?.string?.contains("body") == true, "\(refused.text)")
        }
        #expect(desk.ask(.get, "/api/v1/export").json == before)
    }

    /// A pair that is left out when the query is read: what it asked for must not be left out silently.
    @Test(arguments: [
        ("POST", "/api/v1/changes", "dryRun=%FF", 0), ("GET", "/api/v1/export", "app=%FF", 0), ("GET", "/api/v1/export", "app=shop&=x", 1),
        ("GET", "/api/v1/changes", String(repeating: "limit=1&", count: 256) + "app=bank", 256),
    ]) func aQueryThatCannotBeReadIsRefused(method: String, path: String, raw: String, count: Int) throws {
        let desk = try Desk().furnished()
        let before = desk.ask(.get, "/api/v1/export").json
        let first = raw.split(separator: "&")[0].split(separator: "=").map(String.init)
        func ask(_ raw: String) throws -> HTTPResponse {
            desk.admin.response(
                to: HTTPRequest(
                    method: method == "GET" ? .get : .post,
                    path: path,
                    query: Array(repeating: (name: first[0], value: first[1]), count: count),
                    rawQuery: Array(raw.utf8),
                    headers: ["Authorization": "Bearer \(try desk.token(.admin).unwrapped())", "Content-Type": "application/json"],
                    body: Array(
                        #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{"killSwitch":{"message":"a"}}}"#.utf8
                    )
                )
            )
        }
        let refused = try ask(raw)
        #expect(refused.summary == "400 malformed" && refused.text.contains("cannot be read"), "\(refused.text)")
        #expect(desk.ask(.get, "/api/v1/export").json == before)
        if count > 0 {
            let readable = raw.split(separator: "&").prefix(count).joined(separator: "&") + "&"
            // What can be read is asked of the endpoint, for which 256 times the same is too often.
            #expect(try ask(readable).summary == (count == 1 ? "200" : "400 malformed limit"))
        }
    }

    /// The answer would be to one of two questions, and nobody knows to which.
    @Test(arguments: [
        ("/api/v1/changes", "app=shop&app=bank", "app"), ("/api/v1/changes", "app=shop&limit=5&app=shop", "app"),
        ("/api/v1/windows", "state=pending&state=missed", "state"), ("/api/v1/audit", "limit=1&limit=2", "limit"),
        ("/api/v1/events", "after=1&after=2", "after"), ("/api/v1/export", "app=shop&app=bank", "app"),
    ]) func aParameterThatIsGivenTwiceIsRefused(path: String, query: String, name: String) throws {
        let desk = try Desk().furnished()
        let refused = desk.ask(.get, "\(path)?\(query)")
        #expect(refused.summary == "400 malformed \(name)")
        #expect(refused.json.at("detail")?.string?.hasPrefix("The query parameter \(name) is given more than once") == true)
    }
}
