import GateHTTP
import GateJSON
import GateModel
import Testing

@testable import GateServer

@Suite struct FeedsResponderTests {
    private static let paths = [
        "/feeds/shop/launchgate.json", "/feeds/shop/prince-of-versions.json", "/feeds/shop/ios/bellerophon.json",
        "/feeds/shop/ios/combined.json",
        "/feeds/shop/ios/gate.json", "/feeds/shop/android/bellerophon.json", "/feeds/shop/android/combined.json",
        "/feeds/shop/android/gate.json",
    ]

    private func prepared(_ responder: some HTTPResponder, _ path: String) -> PreparedResponse? {
        var path = path
        return path.withUTF8 { responder.prepared(path: UnsafeRawBufferPointer($0)) }
    }

    @Test(arguments: paths) func everyFeedIsAnsweredReadyMadeAndIsTheSameAtTheAdminListener(path: String) throws {
        let desk = try Desk().furnished()
        let feed = try prepared(desk.feeds, path).unwrapped()
        #expect(desk.poll(path).prepared === feed)
        #expect(desk.shows(feed, at: path))
        // A ready-made answer would have the headers of phones alone.
        #expect(prepared(desk.admin, path) == nil)
        #expect(desk.ask(.get, path, as: .nobody).prepared == nil)
        #expect(feed.etag.wholeMatch(of: /"[0-9a-f]{32}"/) != nil)
    }

    @Test func aChangeIsInTheFeedsWhenItIsAnswered() throws {
        let desk = try Desk().furnished()
        let idle = Dictionary(uniqueKeysWithValues: Self.paths.map { ($0, desk.poll($0)) })
        #expect(idle["/feeds/shop/launchgate.json"]?.text == #"{"ios":{},"android":{}}"#)
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"killSwitch":{"message":"Back at 09:30."}}"#).expect(200)
        #expect(
            desk.poll("/feeds/shop/launchgate.json").text == #"{"ios":{"alert":{"message":"Back at 09:30.","blocking":true}},"android":{}}"#
        )
        #expect(desk.poll("/feeds/shop/prince-of-versions.json").text == idle["/feeds/shop/prince-of-versions.json"]?.text)
        try desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, #""set":{"killSwitch":null}"#).expect(200)
        for path in Self.paths where path != "/feeds/shop/ios/gate.json" {
            #expect(desk.poll(path).text == idle[path]?.text)
            #expect(desk.poll(path).headers == idle[path]?.headers)
        }
    }

    @Test(arguments: ["?version=4.2.0", "?os=17&locale=de", "?utm_source=a&b", "?version=%00&version=%FF&platform=", "?"])
    func parametersThatNameNothingChangeNothing(query: String) throws {
        let desk = try Desk().furnished()
        for path in Self.paths { #expect(desk.poll(path + query).prepared === desk.poll(path).prepared) }
    }

    /// Wire formats 6.1 item 8: LaunchGate and Gandalf obey a JSON body whatever the status.
    @Test(arguments: [
        "/feeds", "/feeds/", "/feeds/shop", "/feeds/none/launchgate.json", "/feeds/shop/tv/bellerophon.json",
        "/feeds/shop/ios/launchgate.json",
        "/feeds/shop/bellerophon.json", "/feeds/shop/launchgate.json/", "/feeds//shop/launchgate.json",
        "/feeds/shop/../shop/launchgate.json",
        "/feeds/shop/%6Caunchgate.json", "/feeds/SHOP/launchgate.json",
    ])
    func errorsOnFeedAddressesAreTextAndNoJSON(path: String) throws {
        let desk = try Desk().furnished()
        for (method, response) in [
            ("GET", desk.poll(path)), ("HEAD", desk.poll(path, .head)), ("GET on admin", desk.ask(.get, path, as: .nobody)),
        ] {
            if path == "/feeds", method == "GET on admin" { continue }
            #expect(response.status == 404, "\(method)")
            #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8", "\(method)")
            #expect((try? JSONReader.read(response.body)) == nil, "\(method)")
            #expect(!response.body.isEmpty)
        }
    }

    /// What is refused before any responder sees it is about a feed too, when its target is one's; however the target is spelled.
    @Test(arguments: [
        "/feeds/shop/launchgate.json", "/feeds/%00", "/feeds/", "http://gate.test/feeds/shop/launchgate.json", "https://evil.test/feeds/a",
    ])
    func refusalsOfTheEdgeOnFeedAddressesAreTextAndNoJSON(target: String) throws {
        let desk = try Desk()
        for refusal in [
            EdgeRefusal.unknownMethod, .badTarget, .badHost, .lengthAndTransferEncoding, .foreignTarget, .bodyTooLarge(limit: 5),
            .unsendable,
        ] {
            for response in [desk.admin.response(to: refusal, of: target, id: "1"), desk.feeds.response(to: refusal, of: target, id: "1")] {
                #expect(response.status == refusal.status)
                #expect(response.headers["Content-Type"] == "text/plain; charset=utf-8")
                #expect(response.headers["Cache-Control"] == "no-store")
                #expect(response.headers["Access-Control-Allow-Origin"] == "*")
                #expect((response.headers["Allow"] == "GET, HEAD, OPTIONS") == (refusal == .unknownMethod))
                #expect((try? JSONReader.read(response.body)) == nil)
                #expect(!response.body.isEmpty)
            }
        }
    }

    @Test(arguments: [
        "/api/v1/changes", "/feeds", "/", "*", "http://gate.test/api/feeds/", "http://feeds/api", "://", "feeds/a", "http:///feedsx",
    ])
    func refusalsOfTheEdgeElsewhereAreProblems(target: String) throws {
        let response = try Desk().admin.response(to: .badTarget, of: target, id: "1")
        #expect(response.headers["Content-Type"] == "application/problem+json")
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete]) func aFeedIsOnlyRead(method: HTTPMethod) throws {
        let desk = try Desk().furnished()
        for response in [
            desk.poll("/feeds/shop/launchgate.json", method), desk.ask(method, "/feeds/shop/launchgate.json", "{}", as: .nobody),
        ] {
            #expect(response.status == 405)
            #expect(response.headers["Allow"] == "GET, HEAD, OPTIONS")
            #expect((try? JSONReader.read(response.body)) == nil)
        }
        #expect(desk.poll("/none", method).status == 404)
    }

    @Test(arguments: ["/feeds/shop/launchgate.json", "/feeds/none/launchgate.json", "/config.json", "*"]) func optionsAreAnsweredWith200(
        path: String
    ) throws {
        let response = try Desk().furnished().poll(path, .options)
        #expect(response.status == 200)
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
        #expect(response.headers["Access-Control-Allow-Methods"] == "GET, HEAD, OPTIONS")
        #expect(response.headers["Access-Control-Allow-Headers"]?.contains("If-None-Match") == true)
    }

    @Test func anAliasIsServedByTheFeedsListenerAlone() throws {
        let desk = try Desk().furnished()
        try desk.ask(
            .patch,
            "/api/v1/apps/shop",
            #"{"aliases":[{"path":"/app.js","feed":"launchgate.json"},{"path":"/v1/config","feed":"bellerophon.json","platform":"ios"}]}"#
        ).expect(200)
        #expect(desk.poll("/app.js").prepared === desk.poll("/feeds/shop/launchgate.json").prepared)
        #expect(desk.poll("/v1/config").prepared === desk.poll("/feeds/shop/ios/bellerophon.json").prepared)
        #expect(prepared(desk.feeds, "/v1/config") != nil)
        #expect(desk.ask(.get, "/app.js", as: .nobody).text == "export {}")
        #expect(prepared(desk.admin, "/v1/config") == nil)
        #expect(desk.ask(.get, "/v1/config", as: .nobody).status == 404)

        try desk.ask(.patch, "/api/v1/apps/shop", #"{"aliases":[]}"#).expect(200)
        #expect(desk.poll("/app.js").status == 404)
        #expect(desk.poll("/feeds/shop/launchgate.json").status == 200)
    }

    @Test func theFeedsListenerHasNothingOfTheAdminSide() throws {
        let desk = try Desk().furnished()
        for path in ["/", "/index.html", "/app.js", "/api/v1/status", "/api/v1/session", "/healthz/ready", "/metrics", "/openapi.json"] {
            #expect(desk.poll(path).status == 404, "\(path)")
            #expect(prepared(desk.feeds, path) == nil)
        }
        #expect(desk.poll("/healthz/live").text == "ok\n")
    }

    @Test func aDeletedAppsFeedsEnd() throws {
        let desk = try Desk().furnished()
        try desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":"delete shop"}"#).expect(200)
        for path in Self.paths { #expect(desk.poll(path).status == 404) }
        #expect(desk.poll("/feeds/bank/launchgate.json").status == 200)
    }

    @Test func aFeedThatDidNotChangeKeepsItsTag() throws {
        let desk = try Desk().furnished()
        let before = desk.poll("/feeds/bank/launchgate.json").headers["ETag"]
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{"killSwitch":{"message":"a"}}"#).expect(200)
        #expect(desk.poll("/feeds/bank/launchgate.json").headers["ETag"] == before)
    }
}
