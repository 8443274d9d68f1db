import GateHTTP
import GateJSON
import Testing

@testable import GateServer

/// The OpenFeature Remote Evaluation Protocol on the feeds listener.
@Suite struct EvaluationTests {
    private static let all = "/ofrep/v1/evaluate/flags"
    private static let shop = #""app":"shop","platform":"ios""#

    private func ask(_ desk: Desk, _ path: String, _ context: String, headers: HTTPHeaders = [:]) -> HTTPResponse {
        ask(desk, path, body: #"{"context":{\#(context)}}"#, headers: headers)
    }

    private func ask(_ desk: Desk, _ path: String, body: String, _ method: HTTPMethod = .post, headers: HTTPHeaders = [:]) -> HTTPResponse {
        desk.feeds.response(to: desk.request(method, path, headers, Array(body.utf8), PeerAddress(bytes: [192, 0, 2, 7])))
    }

    private func furnished(_ set: String) throws -> Desk {
        let desk = try Desk().furnished()
        try desk.change(#"{"app":"shop","platform":"ios","revision":1}"#, #""set":{\#(set)}"#).expect(200)
        return desk
    }

    struct Case: Sendable {
        let set: String
        let context: String
        /// The boolean flag that is true; nil for none.
        let on: String?
        let gate: String
        var reason = "STATIC"
    }

    static let cases: [Case] = [
        Case(set: "", context: "", on: nil, gate: #"{"decision":"open"}"#),
        Case(
            set: #""killSwitch":{"message":{"default":"Back.","de":"Zurück."},"retryInterval":30},"alert":{"message":"a","blocking":true}"#,
            context: #","version":"4.1.0","locale":"de-AT","targetingKey":"one""#,
            on: "gate.kill",
            gate: #"{"decision":"blocked","message":"Zurück.","retryInterval":30}"#,
            reason: "TARGETING_MATCH"
        ),
        Case(
            set: #""killSwitch":{"message":"Back.","retryInterval":30}"#,
            context: #","version":"4.1.0","locale":"de-AT""#,
            on: "gate.kill",
            gate: #"{"decision":"blocked","message":"Back.","retryInterval":30}"#
        ),
        Case(
            set: #""forceUpdate":{"message":"f"}"#,
            context: "",
            on: "gate.forceUpdate",
            gate: #"{"decision":"forced","message":"f","retryInterval":15}"#
        ),
        Case(
            set: #""requiredUpdate":{"minimumVersion":"4.2.0","message":"r"}"#,
            context: #","version":"4.1.0""#,
            on: "gate.requiredUpdate",
            gate: #"{"decision":"required","message":"r","minimumVersion":"4.2.0","retryInterval":15}"#,
            reason: "TARGETING_MATCH"
        ),
        Case(
            set: #""requiredUpdate":{"minimumVersion":"4.2.0","message":"r"}"#,
            context: #","version":"4.2.0""#,
            on: nil,
            gate: #"{"decision":"open"}"#,
            reason: "TARGETING_MATCH"
        ),
        Case(
            set: #""requiredUpdate":{"minimumVersion":"4.2.0","message":"r"}"#,
            context: #","version":"latest""#,
            on: nil,
            gate: #"{"decision":"open"}"#
        ),
        Case(
            set: #""optionalUpdate":{"optionalVersion":"4.2.0","message":"o"},"alert":{"message":"a","blocking":false}"#,
            context: #","version":"4.1""#,
            on: "gate.optionalUpdate",
            gate: #"{"decision":"optional","message":"o"}"#,
            reason: "TARGETING_MATCH"
        ),
        Case(
            set: #""alert":{"message":"a","blocking":true}"#,
            context: #","version":4,"os":{"a":[1]},"locale":7"#,
            on: "gate.alert",
            gate: #"{"decision":"blocked","message":"a","retryInterval":15}"#
        ),
        Case(
            set: #""alert":{"message":"a","blocking":false}"#,
            context: "",
            on: "gate.alert",
            gate: #"{"decision":"alert","message":"a"}"#
        ),
    ]

    @Test(arguments: cases) func theFlagsAreWhatThisPhoneFaces(one: Case) throws {
        let desk = one.set.isEmpty ? try Desk().furnished() : try furnished(one.set)
        let response = ask(desk, Self.all, Self.shop + one.context)
        try response.expect(200)
        let flags = try response.json["flags"]?.array.unwrapped() ?? []
        let names = ["gate.kill", "gate.forceUpdate", "gate.requiredUpdate", "gate.optionalUpdate", "gate.alert", "gate"]
        #expect(flags.map { $0.object?["key"]?.string } == names)
        for flag in flags {
            let object = try flag.object.unwrapped()
            let key = try object["key"]?.string.unwrapped() ?? ""
            if key == "gate" {
                #expect(object["value"]?.text == one.gate)
                #expect(object["variant"]?.string == object["value"]?.object?["decision"]?.string)
            } else {
                #expect(object["value"]?.bool == (key == one.on), "\(key)")
                #expect(object["variant"]?.string == (key == one.on ? "on" : "off"))
            }
            #expect(object["reason"]?.string == one.reason)
            #expect(object["metadata"]?.object?["app"]?.string == "shop")
            // The same flag by itself.
            #expect(JSONValue.object(ask(desk, Self.all + "/" + key, Self.shop + one.context).json) == flag)
        }
    }

    @Test(arguments: [
        ("", "", 400, "PARSE_ERROR"), ("", "{", 400, "PARSE_ERROR"), ("", "[]", 400, "PARSE_ERROR"), ("", "{}", 400, "INVALID_CONTEXT"),
        ("", #"{"context":[]}"#, 400, "INVALID_CONTEXT"), ("", #"{"context":{"app":"shop"}}"#, 400, "INVALID_CONTEXT"),
        ("", #"{"context":{"platform":"ios"}}"#, 400, "INVALID_CONTEXT"),
        ("", #"{"context":{"app":1,"platform":"ios"}}"#, 400, "INVALID_CONTEXT"),
        ("", #"{"context":{"app":"none","platform":"ios"}}"#, 400, "FLAG_NOT_FOUND"),
        ("", #"{"context":{"app":"A/B","platform":"ios"}}"#, 400, "FLAG_NOT_FOUND"),
        ("/gate.kill", #"{"context":{"app":"shop","platform":"tv"}}"#, 404, "FLAG_NOT_FOUND"),
        ("/gate.kill", #"{"context":{"app":"none","platform":"ios"}}"#, 404, "FLAG_NOT_FOUND"),
        ("/none", #"{"context":{"app":"shop","platform":"ios"}}"#, 404, "FLAG_NOT_FOUND"), ("/gate.kill", "{", 400, "PARSE_ERROR"),
        ("/gate.kill", "{}", 400, "INVALID_CONTEXT"),
    ])
    func whatCannotBeAnsweredIsSaidInTheProtocolsWords(path: String, body: String, status: Int, code: String) throws {
        let response = ask(try Desk().furnished(), Self.all + path, body: body)
        #expect(response.status == status)
        #expect(response.json["errorCode"]?.string == code)
        #expect(response.json["errorDetails"]?.string?.isEmpty == false)
        #expect(response.json["key"]?.string == (path.isEmpty ? nil : String(path.dropFirst())))
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
    }

    @Test func whoHasTheAnswerIsToldSoUntilItChanges() throws {
        let desk = try furnished(#""alert":{"message":"a","blocking":false}"#)
        for path in [Self.all, Self.all + "/gate.alert"] {
            let first = ask(desk, path, Self.shop)
            let tag = try first.headers["ETag"].unwrapped()
            let second = ask(desk, path, Self.shop, headers: ["If-None-Match": tag])
            #expect((second.status, second.body) == (304, []))
            #expect(second.headers["ETag"] == tag)
        }
        let tag = try ask(desk, Self.all, Self.shop).headers["ETag"].unwrapped()
        try desk.change(#"{"app":"shop","platform":"ios","revision":2}"#, #""set":{"killSwitch":{"message":"Back."}}"#).expect(200)
        let killed = ask(desk, Self.all, Self.shop, headers: ["If-None-Match": tag])
        #expect(killed.status == 200)
        #expect(killed.json.at("flags.0.value")?.bool == true)
    }

    @Test func onlyThisIsTakenAtTheseAddresses() throws {
        let desk = try Desk().furnished()
        #expect(ask(desk, Self.all, body: "", .get).status == 405)
        #expect(ask(desk, Self.all, body: "", .get).headers["Allow"] == "POST, OPTIONS")
        let preflight = ask(desk, Self.all, body: "", .options)
        #expect(preflight.status == 200)
        #expect(preflight.headers["Access-Control-Allow-Headers"]?.contains("If-None-Match") == true)
        for path in ["/ofrep/", "/ofrep/v1", "/ofrep/v2/evaluate/flags", Self.all + "/", Self.all + "/a/b", Self.all + "/%00"] {
            #expect(ask(desk, path, Self.shop).status == 404, "\(path)")
        }
        // The dashboard's listener has the feeds, and not this.
        #expect(desk.ask(.post, Self.all, "{}", as: .nobody).status == 404)
    }

    /// Whoever asks for flags has the gate, and is counted with those who poll it.
    @Test func whoAsksIsCounted() throws {
        let desk = try Desk().furnished()
        let before = try desk.nativePolls("shop", "ios")
        let first = ask(desk, Self.all, Self.shop)
        _ = ask(desk, Self.all, Self.shop, headers: ["If-None-Match": try first.headers["ETag"].unwrapped()])
        _ = ask(desk, Self.all, Self.shop, headers: ["If-None-Match": "\"older\""])
        let after = try desk.nativePolls("shop", "ios").since(before)
        #expect((after.fetched, after.confirmed, after.replaced) == (1, 1, 1))
    }
}
