import GateAPI
import GateJSON
import GateModel
import Testing

/// The bodies about windows: what stands here is read, and written back as the same document.
struct WindowBodyTests {
    private static let window =
        #"{"id":12,"revision":1,"state":"pending","due":"2026-03-30T06:30:00.000Z","targets":[{"app":"shop","platform":"ios","revision":41,"expected":{"killSwitch":null},"before":null}],"set":{"killSwitch":{"message":"Back at nine."}},"start":{"at":"2026-03-30T06:30:00.000Z","wallTime":"2026-03-30T08:30:00","zone":"Europe/Berlin","offset":"+02:00"},"end":{"at":"2026-03-30T07:00:00.000Z","wallTime":"2026-03-30T09:00:00","zone":"Europe/Berlin","offset":"+02:00"},"then":"open","actor":{"kind":"user","name":"ann"},"source":"dashboard","reason":"Sale starts at nine","accept":[],"events":[{"at":"2026-03-27T10:00:00.000Z","what":"made","actor":{"kind":"user","name":"ann"},"detail":null,"sequence":null}]}"#
    private static let plan =
        #"{"tier":2,"confirm":"shop/ios","reasonRequired":true,"diff":[],"effects":[],"warnings":[{"code":"window_overlap","detail":"d","versions":[]}]}"#

    @Test func answersComeBackByteForByte() throws {
        for text in [#"{"window":\#(Self.window),"plan":\#(Self.plan)}"#, #"{"window":\#(Self.window)}"#] {
            #expect(try WindowResultBody(json: JSONReader.read(text)).json.text == text)
            #expect(
                try WindowResultBody(json: JSONReader.read(text.replacing(#""id":12"#, with: #""id":12,"mood":"good""#))).json.text == text
            )
        }
        let page = #"{"items":[\#(Self.window)],"next":"s12"}"#
        #expect(try PageBody<Window>(json: JSONReader.read(page)).json.text == page)
        let events = #"{"items":[],"sequence":3,"serverTime":"2026-03-27T10:00:00.000Z","schedule":7,"health":{"state":"ok","reasons":[]}}"#
        #expect(try EventsBody(json: JSONReader.read(events)).json.text == events)
    }

    @Test func aProblemWithATimeBringsTheChoices() throws {
        let text =
            #"{"type":"about:blank","title":"Unprocessable Content","status":422,"code":"ambiguous_time","detail":"d","field":"/start/wallTime","requestId":"r","choices":[{"at":"2026-10-25T00:30:00.000Z","wallTime":"2026-10-25T02:30:00","zone":"Europe/Berlin","offset":"+02:00"},{"at":"2026-10-25T01:30:00.000Z","wallTime":"2026-10-25T02:30:00","zone":"Europe/Berlin","offset":"+01:00"}]}"#
        #expect(try ProblemBody(json: JSONReader.read(text)).json.text == text)
    }

    @Test func aRequestComesBackAsItIsMeant() throws {
        let text =
            #"{"targets":[{"app":"shop","platform":"ios","revision":41}],"set":{"killSwitch":{"message":"m"}},"start":{"wallTime":"2026-03-30T08:30","zone":"Europe/Berlin"},"end":"2026-03-30T07:00:00Z","reason":"r","confirm":"shop/ios","dryRun":true}"#
        let request = try WindowRequest(json: JSONReader.read(text))
        #expect(request.then == .open)
        #expect(request.start.at.description == "2026-03-30T06:30:00.000Z")
        #expect(try WindowRequest(json: request.json) == request)
    }

    @Test(arguments: [
        ("[]", "malformed", ""), ("{}", "malformed", "/targets"),
        (#"{"targets":[],"set":{},"start":"x"}"#, "malformed", "/targets"),
        (#"{"targets":[{"app":"shop","platform":"ios"},{"app":"shop","platform":"ios"}],"set":{},"start":"x"}"#, "malformed", "/targets/1"),
        (#"{"targets":[{"app":"shop","platform":"ios","set":{}}],"set":{},"start":"x"}"#, "malformed", "/targets/0/set"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"start":"x"}"#, "malformed", "/set"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{}}"#, "malformed", "/start"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"start":"x","then":"close"}"#, "malformed", "/then"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"start":"x","until":"y"}"#, "malformed", "/until"),
        (#"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"start":"09:00"}"#, "invalid_time", "/start"),
        (
            #"{"targets":[{"app":"shop","platform":"ios"}],"set":{},"start":"2026-03-30T07:00:00Z","end":{"wallTime":"2026-03-29T02:30","zone":"Europe/Berlin"}}"#,
            "skipped_time", "/end/wallTime"
        ),
    ])
    func whatIsNoWindowIsRefusedAtItsField(text: String, code: String, field: String) {
        let error = #expect(throws: ModelError.self) { try WindowRequest(json: JSONReader.read(text)) }
        #expect(error?.code == code)
        #expect(error?.field == field)
    }

    @Test func runsAndCancellationsRefuseWhatTheyDoNotKnow() throws {
        #expect(throws: ModelError.self) { try WindowRunRequest(json: ["now": .bool(true)]) }
        #expect(throws: ModelError.self) { try WindowCancelRequest(json: ["dryRun": .bool(true)]) }
        #expect(try WindowRunRequest(json: WindowRunRequest(terms: WriteTerms(confirm: "x")).json).terms.confirm == "x")
        #expect(try WindowCancelRequest(json: WindowCancelRequest(reason: "r").json).reason == "r")
        #expect(try WindowCancelRequest(json: WindowCancelRequest(confirm: "x").json).confirm == "x")
    }
}
