import GateHTTP
import GateJSON
import GateModel
import Testing

@testable import GateServer

/// R43 and the issue's "Bad input": 4xx with code and field, nothing written.
@Suite struct MalformedBodyTests {
    /// A text where the JSON of a body should be, for every route with a body.
    struct Text: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        var testDescription: String { name }

        init(_ name: String, _ text: String) { (self.name, bytes) = (name, Array(text.utf8)) }

        init(_ name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
    }

    static let texts: [Text] = [
        Text("nothing", " "),
        Text("no JSON", "kill it"),
        Text("cut", #"{"reason":"a"#),
        Text("text after the end", "{} {}"),
        Text("trailing comma", #"{"reason":"a",}"#),
        Text("comment", "{} // yes"),
        Text("single quotes", "{'reason':'a'}"),
        Text("byte order mark", bytes: [0xEF, 0xBB, 0xBF] + Array("{}".utf8)),
        Text("UTF-16", bytes: Array("{}".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] })),
        Text("bad UTF-8", bytes: Array(#"{"reason":""#.utf8) + [0xC3, 0x28] + Array(#""}"#.utf8)),
        Text("overlong UTF-8", bytes: Array(#"{"reason":""#.utf8) + [0xC0, 0xAF] + Array(#""}"#.utf8)),
        Text("surrogate in UTF-8", bytes: Array(#"{"reason":""#.utf8) + [0xED, 0xA0, 0x80] + Array(#""}"#.utf8)),
        Text("lone high surrogate", #"{"reason":"\ud83d"}"#),
        Text("lone low surrogate", #"{"reason":"\udc0c"}"#),
        Text("control character", "{\"reason\":\"a\u{1}\"}"),
        Text("duplicate key", #"{"reason":"a","reason":"a"}"#),
        Text("duplicate key, escaped", #"{"reason":"a","\u0072eason":"a"}"#),
        Text("depth 17", String(repeating: #"{"a":"#, count: 17) + "1" + String(repeating: "}", count: 17)),
        Text("depth 100,000", String(repeating: "[", count: 100_000)),
        Text("2,001 members", "{" + (0..<2_001).map { "\"m\($0)\":0" }.joined(separator: ",") + "}"),
        Text("2,001 elements", #"{"a":["# + (0..<2_001).map { "\($0)" }.joined(separator: ",") + "]}"),
        Text("262,145 bytes", #"{"reason":""# + String(repeating: "a", count: 262_145 - 13) + #""}"#),
        Text("NaN", #"{"reason":NaN}"#),
        Text("leading zero", #"{"reason":007}"#),
        Text("an array", "[]"),
        Text("a string", #""kill""#),
        Text("null", "null"),
    ]

    static let routes: [(HTTPMethod, String)] = [
        (.post, "/api/v1/setup"), (.post, "/api/v1/session"), (.post, "/api/v1/invitations"), (.post, "/api/v1/users"),
        (.post, "/api/v1/users/1/invitation"), (.post, "/api/v1/apps"), (.patch, "/api/v1/apps/shop"), (.delete, "/api/v1/apps/shop"),
        (.put, "/api/v1/apps/shop/platforms/ios"), (.delete, "/api/v1/apps/shop/platforms/ios"), (.post, "/api/v1/changes"),
        (.post, "/api/v1/import"),
        (.post, "/api/v1/apply"),
        (.post, "/api/v1/simulate"),
    ]

    @Test(arguments: texts) func whatIsNoStrictJSONObjectIsRefusedEverywhere(text: Text) throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        for (method, path) in Self.routes {
            let response = desk.ask(method, path, bytes: text.bytes)
            #expect(response.status == 400, "\(method) \(path): \(response.text)")
            #expect(response.code == "malformed")
            #expect(response.field != nil)
        }
        #expect(try desk.state() == before)
    }

    struct Body: Sendable, CustomTestStringConvertible {
        let method: HTTPMethod
        let path: String
        let body: String
        let summary: String
        var testDescription: String { "\(method) \(path) \(body.prefix(120))" }

        init(_ method: HTTPMethod, _ path: String, _ body: String, _ summary: String) {
            (self.method, self.path, self.body, self.summary) = (method, "/api/v1" + path, body, summary)
        }

        /// A change of shop/ios at its revision.
        init(set: String, _ summary: String) {
            self.init(.post, "/changes", #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":\#(set)}"#, summary)
        }
    }

    static let long = String(repeating: "a", count: 501)

    static let bodies: [Body] = [
        // The change itself
        Body(.post, "/changes", "{}", "400 malformed /targets"),
        Body(.post, "/changes", #"{"targets":[],"set":{}}"#, "400 malformed /targets"),
        Body(.post, "/changes", #"{"targets":{},"set":{}}"#, "400 malformed /targets"),
        Body(.post, "/changes", #"{"targets":[1],"set":{}}"#, "400 malformed /targets/0"),
        Body(.post, "/changes", #"{"targets":[{"app":"shop","platform":"ios","revision":1}]}"#, "400 malformed /set"),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{},"revertTo":1}"#,
            "400 malformed /revertTo"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1,"set":{}}],"set":{}}"#,
            "400 malformed /targets/0/set"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1,"set":{}},{"app":"bank","platform":"ios","revision":1}]}"#,
            "400 malformed /targets/1/set"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1},{"app":"shop","platform":"ios","revision":1}],"set":{}}"#,
            "400 malformed /targets/1"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1},{"app":"bank","platform":"ios","revision":1}],"revertTo":1}"#,
            "400 malformed /targets"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":"1"}],"set":{}}"#,
            "400 malformed /targets/0/revision"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1.0}],"set":{}}"#,
            "400 malformed /targets/0/revision"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1e400}],"set":{}}"#,
            "400 malformed /targets/0/revision"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":99999999999999999999}],"set":{}}"#,
            "400 malformed /targets/0/revision"
        ),
        Body(.post, "/changes", #"{"targets":[{"app":"shop","revision":1}],"set":{}}"#, "400 malformed /targets/0/platform"),
        Body(.post, "/changes", #"{"targets":[{"app":5,"platform":"ios","revision":1}],"set":{}}"#, "400 malformed /targets/0/app"),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1,"why":"a"}],"set":{}}"#,
            "400 malformed /targets/0/why"
        ),
        Body(.post, "/changes", #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{},"note":"a"}"#, "400 malformed /note"),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{},"dryRun":1}"#,
            "400 malformed /dryRun"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{},"reason":{}}"#,
            "400 malformed /reason"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{},"accept":"text_order"}"#,
            "400 malformed /accept"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1}],"set":{},"accept":[1]}"#,
            "400 malformed /accept/0"
        ),
        // Rules
        Body(set: "[]", "400 malformed /set"),
        Body(set: #"{"kill":{}}"#, "400 malformed /set/kill"),
        Body(set: #"{"killSwitch":true}"#, "400 malformed /set/killSwitch"),
        Body(set: #"{"killSwitch":{}}"#, "400 malformed /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":5}}"#, "400 malformed /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":"a","retry":30}}"#, "400 malformed /set/killSwitch/retry"),
        Body(set: #"{"killSwitch":{"message":"a","retryInterval":"30"}}"#, "400 malformed /set/killSwitch/retryInterval"),
        Body(set: #"{"killSwitch":{"message":"a","retryInterval":1e400}}"#, "422 invalid_retry_interval /set/killSwitch/retryInterval"),
        Body(set: #"{"killSwitch":{"message":"a","retryInterval":30.5}}"#, "422 invalid_retry_interval /set/killSwitch/retryInterval"),
        Body(set: #"{"killSwitch":{"message":"a","retryInterval":4}}"#, "422 invalid_retry_interval /set/killSwitch/retryInterval"),
        Body(set: #"{"killSwitch":{"message":"a","retryInterval":3601}}"#, "422 invalid_retry_interval /set/killSwitch/retryInterval"),
        Body(set: #"{"killSwitch":{"message":"a","retryInterval":-1}}"#, "422 invalid_retry_interval /set/killSwitch/retryInterval"),
        Body(set: #"{"killSwitch":{"message":"a","until":5}}"#, "400 malformed /set/killSwitch/until"),
        Body(set: #"{"killSwitch":{"message":""}}"#, "422 invalid_message /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":" \n\t "}}"#, "422 invalid_message /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":"\#(long)"}}"#, "422 invalid_message /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":"a\u0000b"}}"#, "422 invalid_message /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":"a\u202eb"}}"#, "422 invalid_message /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":{"de":"a"}}}"#, "422 invalid_message /set/killSwitch/message"),
        Body(set: #"{"killSwitch":{"message":{"default":"a","d e":"b"}}}"#, "422 invalid_language /set/killSwitch/message/d e"),
        Body(set: #"{"requiredUpdate":{"minimumVersion":4,"message":"a"}}"#, "400 malformed /set/requiredUpdate/minimumVersion"),
        Body(set: #"{"requiredUpdate":{"minimumVersion":"v4","message":"a"}}"#, "422 invalid_version /set/requiredUpdate/minimumVersion"),
        Body(set: #"{"requiredUpdate":{"minimumVersion":"4.01","message":"a"}}"#, "422 invalid_version /set/requiredUpdate/minimumVersion"),
        Body(
            set: #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["x"],"message":"a"}}"#,
            "422 invalid_version /set/requiredUpdate/blockedVersions/0"
        ),
        Body(set: #"{"alert":{"message":"a"}}"#, "400 malformed /set/alert/blocking"),
        Body(set: #"{"alert":{"message":"a","blocking":1}}"#, "400 malformed /set/alert/blocking"),
        Body(set: #"{"alert":{"message":"a","blocking":null}}"#, "400 malformed /set/alert/blocking"),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"android","revision":1}],"set":{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}}"#,
            "422 invalid_version /set/requiredUpdate/minimumVersion"
        ),
        Body(
            .post,
            "/changes",
            #"{"targets":[{"app":"shop","platform":"ios","revision":1,"set":{"alert":{"message":"","blocking":true}}}]}"#,
            "422 invalid_message /targets/0/set/alert/message"
        ),
        // Apps and platforms
        Body(.post, "/apps", #"{"key":"Shop","name":"Shop"}"#, "422 invalid_app_key /key"),
        Body(.post, "/apps", #"{"key":"-shop","name":"Shop"}"#, "422 invalid_app_key /key"),
        Body(.post, "/apps", #"{"key":"new"}"#, "400 malformed /name"),
        Body(.post, "/apps", #"{"key":"new","name":" "}"#, "422 invalid_name /name"),
        Body(.post, "/apps", #"{"key":"new","name":"a\nb"}"#, "422 invalid_name /name"),
        Body(.post, "/apps", #"{"key":"new","name":"New","colour":"red"}"#, "400 malformed /colour"),
        Body(.patch, "/apps/shop", #"{"key":"shop2"}"#, "400 malformed /key"),
        Body(.patch, "/apps/shop", #"{"aliases":{}}"#, "400 malformed /aliases"),
        Body(.patch, "/apps/shop", #"{"aliases":[{"path":"/a"}]}"#, "400 malformed /aliases/0/feed"),
        Body(.patch, "/apps/shop", #"{"aliases":[{"path":"a","feed":"launchgate.json"}]}"#, "422 invalid_alias /aliases/0/path"),
        Body(.patch, "/apps/shop", #"{"aliases":[{"path":"/a","feed":"own/gate.json"}]}"#, "422 invalid_alias /aliases/0/feed"),
        Body(.patch, "/apps/shop", #"{"aliases":[{"path":"/a","feed":"gate.json"}]}"#, "422 invalid_alias /aliases/0/platform"),
        Body(.put, "/apps/shop/platforms/ios", #"{"colour":"red"}"#, "400 malformed /colour"),
        Body(.put, "/apps/shop/platforms/ios", #"{"releases":"4.2.0"}"#, "400 malformed /releases"),
        Body(.put, "/apps/shop/platforms/ios", #"{"releases":["4.2"," 4.3"]}"#, "422 invalid_version /releases/1"),
        Body(.put, "/apps/shop/platforms/ios", #"{"versionScheme":"semver"}"#, "422 invalid_version_scheme /versionScheme"),
        Body(.put, "/apps/shop/platforms/ios", #"{"storeURL":"http://apps.example.com/"}"#, "422 invalid_store_url /storeURL"),
        Body(.put, "/apps/shop/platforms/ios", #"{"storeURL":"https://a:b@apps.example.com/"}"#, "422 invalid_store_url /storeURL"),
        Body(.put, "/apps/shop/platforms/ios", #"{"storeURL":"javascript:alert(1)"}"#, "422 invalid_store_url /storeURL"),
        Body(.put, "/apps/shop/platforms/ios", #"{"defaultRetryInterval":0}"#, "422 invalid_retry_interval /defaultRetryInterval"),
        Body(.put, "/apps/shop/platforms/ios2", "{}", "422 invalid_platform_key"),
        Body(.put, "/apps/shop/platforms/IOS", "{}", "422 invalid_platform_key"),
        Body(.delete, "/apps/shop", #"{"force":true}"#, "400 malformed /force"),
        // Import
        Body(.post, "/import", #"{"document":"{}"}"#, "400 malformed /app"),
        Body(.post, "/import", #"{"app":"shop","document":{}}"#, "400 malformed /document"),
        Body(.post, "/import", #"{"app":"shop","document":"{}","format":"yaml"}"#, "400 malformed /format"),
        Body(.post, "/import", #"{"app":"shop","document":"{}","revisions":{"ios":"1"}}"#, "400 malformed /revisions/ios"),
        Body(.post, "/import", #"{"app":"shop","document":"kill"}"#, "422 invalid_document /document"),
        Body(.post, "/import", #"{"app":"shop","document":"{\"a\":1}"}"#, "422 invalid_document /document"),
        // Simulation
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios"}"#, "400 malformed /version"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":4}"#, "400 malformed /version"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0","client":"safari"}"#, "400 malformed /client"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0","seen":"yes"}"#, "400 malformed /seen"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0","at":"nine"}"#, "400 malformed /at"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0","dryRun":true}"#, "400 malformed /dryRun"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0","set":{"kill":{}}}"#, "400 malformed /set/kill"),
        Body(
            .post,
            "/simulate",
            #"{"app":"shop","platform":"ios","version":"4.1.0","set":{"alert":{"message":"","blocking":true}}}"#,
            "422 invalid_message /set/alert/message"
        ),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0","locale":"d e"}"#, "422 invalid_language /locale"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":""}"#, "422 invalid_version /version"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0 beta"}"#, "422 invalid_version /version"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"android","version":"4.1.0"}"#, "422 invalid_version /version"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"41","client":"gandalf"}"#, "422 invalid_client /client"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","version":"4.1.0","at":"2020-01-01T00:00:00Z"}"#, "422 past_time /at"),
        Body(
            .post,
            "/simulate",
            #"{"app":"shop","platform":"ios","version":"4.1.0","set":{"killSwitch":{"message":"a","until":"2020-01-01T00:00:00Z"}}}"#,
            "422 past_time /set/killSwitch/until"
        ),
        Body(.post, "/simulate", #"{"app":"shop","platform":"tvos","version":"4.1.0"}"#, "404 target_not_found"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","versions":{}}"#, "400 malformed /versions"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","versions":[null]}"#, "400 malformed /versions/0"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","versions":[],"version":"1"}"#, "400 malformed /versions"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","versions":[],"revision":"1"}"#, "400 malformed /revision"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"ios","versions":["4.1.0 beta"]}"#, "422 invalid_version /versions/0"),
        Body(.post, "/simulate", #"{"app":"shop","platform":"tvos","versions":[]}"#, "404 target_not_found"),
        // Signing in
        Body(.post, "/session", #"{"username":"ann"}"#, "400 malformed /password"),
        Body(.post, "/session", #"{"username":"ann","password":5}"#, "400 malformed /password"),
        Body(.post, "/session", #"{"username":"ann","password":"a","remember":true}"#, "400 malformed /remember"),
        Body(.post, "/setup", #"{"code":"a","username":"ann"}"#, "400 malformed /password"),
        Body(.post, "/invitations", #"{"invitation":"a"}"#, "400 malformed /password"),
        Body(.post, "/invitations", #"{"password":"a long pass phrase"}"#, "400 malformed /invitation"),
        Body(.post, "/invitations", #"{"invitation":"a","password":"a long pass phrase","username":"ann"}"#, "400 malformed /username"),
        Body(.post, "/invitations", #"{"invitation":"a","password":"short"}"#, "403 invitation /invitation"),
        Body(.post, "/users", #"{"username":"cid","role":"viewer","password":5}"#, "400 malformed /password"),
        Body(.post, "/users", #"{"username":"cid","role":"viewer","password":""}"#, "422 invalid_password /password"),
        Body(.post, "/users", #"{"username":"c d","role":"viewer"}"#, "422 invalid_username /username"),
        Body(.post, "/users/nobody/invitation", #"{"password":"a long pass phrase"}"#, "400 malformed /password"),
        Body(.post, "/users/nobody/invitation", "{}", "404 user_not_found"),
    ]

    @Test(arguments: bodies) func whatIsWrongIsNamedByCodeAndField(body: Body) throws {
        let desk = try Desk().furnished()
        let before = try desk.state()
        let response = desk.ask(body.method, body.path, body.body)
        #expect(response.summary == body.summary, "\(response.text)")
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(try desk.state() == before)
    }

    /// At the limits the same bodies are taken.
    @Test func whatReachesTheLimitsIsTaken() throws {
        let desk = try Desk().furnished()
        let message = String(repeating: "ü", count: 500)
        #expect(
            desk.change(
                #"{"app":"shop","platform":"ios","revision":1}"#,
                #""set":{"killSwitch":{"message":"\#(message)","retryInterval":3600}}"#
            ).status == 200
        )
        #expect(
            desk.change(
                #"{"app":"shop","platform":"ios","revision":2}"#,
                #""set":{"killSwitch":{"message":"\ud83d\udc0c","retryInterval":5}}"#
            ).status == 200
        )
        let padded = #"{"key":"new","name":"New"}"# + String(repeating: " ", count: 262_144 - 26)
        #expect(desk.ask(.post, "/api/v1/apps", padded).status == 201)
    }

    /// R44: every code point that could disguise or break a dialog, in every text field.
    @Test func noTextFieldTakesADisguise() throws {
        let desk = try Desk().furnished()
        let ranges: [ClosedRange<UInt32>] = [
            0...9, 0xB...0x1F, 0x7F...0x9F, 0x61C...0x61C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFDD0...0xFDEF,
            0xFFFE...0xFFFF, 0xE0000...0xE007F,
        ]
        let ios = #"{"app":"shop","platform":"ios","revision":1}"#
        let before = try desk.state()
        for value in ranges.flatMap({ Array($0) }) {
            let text = JSONValue.string("a" + String(Unicode.Scalar(value)!) + "b").text
            let file = JSONValue.string(#"{"ios":{"alert":{"message":\#(text),"blocking":true}}}"#).text
            let later = #""start":"2099-01-01T00:00:00Z""#
            let fields: [(String, HTTPResponse)] = [
                ("message", desk.change(ios, #""set":{"alert":{"message":\#(text),"blocking":true}}"#)),
                ("message in a language", desk.change(ios, #""set":{"alert":{"message":{"default":"a","de":\#(text)},"blocking":true}}"#)),
                (
                    "message of a target",
                    desk.ask(
                        .post,
                        "/api/v1/changes",
                        #"{"targets":[{"app":"shop","platform":"ios","revision":1,"set":{"killSwitch":{"message":\#(text)}}}]}"#
                    )
                ),
                ("reason", desk.change(ios, #""set":{"alert":{"message":"a","blocking":true}},"reason":\#(text)"#)),
                ("name of a new app", desk.ask(.post, "/api/v1/apps", #"{"key":"new","name":\#(text)}"#)),
                ("name of an app", desk.ask(.patch, "/api/v1/apps/shop", #"{"name":\#(text)}"#)),
                (
                    "reason of settings",
                    desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"defaultRetryInterval":30,"reason":\#(text)}"#)
                ),
                ("reason of a deletion", desk.ask(.delete, "/api/v1/apps/shop", #"{"confirm":"delete shop","reason":\#(text)}"#)),
                (
                    "store address",
                    desk.ask(.put, "/api/v1/apps/shop/platforms/ios", #"{"storeURL":"https://store.test/\#(text.dropFirst().dropLast())"}"#)
                ),
                (
                    "alias",
                    desk.ask(
                        .patch,
                        "/api/v1/apps/shop",
                        #"{"aliases":[{"path":"/\#(text.dropFirst().dropLast())","feed":"launchgate.json"}]}"#
                    )
                ),
                ("message of a file", desk.ask(.post, "/api/v1/import", #"{"app":"shop","revisions":{"ios":1},"document":\#(file)}"#)),
                (
                    "message of a window",
                    desk.ask(.post, "/api/v1/windows", #"{"targets":[\#(ios)],"set":{"killSwitch":{"message":\#(text)}},\#(later)}"#)
                ),
                (
                    "reason of a window",
                    desk.ask(
                        .post,
                        "/api/v1/windows",
                        #"{"targets":[\#(ios)],"set":{"killSwitch":{"message":"a"}},\#(later),"reason":\#(text)}"#
                    )
                ),
                ("name of a token", desk.ask(.post, "/api/v1/tokens", #"{"name":\#(text)}"#)),
                (
                    "name of a person",
                    desk.ask(.post, "/api/v1/users", #"{"username":\#(text),"role":"viewer","password":"\#(Desk.password)"}"#)
                ),
            ]
            for (field, response) in fields {
                #expect(response.status == 422, "U+\(String(value, radix: 16)) in \(field): \(response.text)")
            }
        }
        #expect(try desk.state() == before)
    }
}
