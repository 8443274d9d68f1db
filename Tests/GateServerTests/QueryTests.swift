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
}
