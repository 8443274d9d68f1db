import Foundation
import GateKit
import Testing

/// Wire formats 6.2 items 4 to 8.
@Suite struct ReadingTests {
    @Test(
        "6.2.4 every shape is told from the document",
        arguments: [
            (Documents.native(Documents.kill), GateShape.native, GateDecision.Kind.blocked),
            (#"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"Closed"}"#, .bellerophon, .blocked),
            (#"{"apiInactive":false,"forceUpdate":true,"retryInterval":15,"userMessage":"Force"}"#, .bellerophon, .forced),
            (#"{"ios":{"requiredUpdate":{"minimumVersion":"4.2","message":"m"}}}"#, .platformObjects, .required),
            (#"{"android":{"requiredUpdate":{"minimumVersion":"42","message":"m"}}}"#, .platformObjects, .required),
            (#"{"ios":{},"android":{}}"#, .platformObjects, .open),
            (#"{"ios2":[{"required_version":"4.2"}]}"#, .princeOfVersions, .required),
            (#"{"android2":[{"required_version":42}]}"#, .princeOfVersions, .required),
            (#"{"android":{"required_version":42}}"#, .princeOfVersions, .required),
            (#"{"macos":[{"last_version_available":"4.3"}]}"#, .princeOfVersions, .optional),
            (
                #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"userMessage":"","ios":{"optionalUpdate":{"optionalVersion":"4.3","message":"m"}}}"#,
                .combined, .optional
            ),
            (
                #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"","ios":{},"ios2":[{"required_version":"0"}]}"#,
                .combined, .blocked
            ),
        ] as [(String, GateShape, GateDecision.Kind)]
    )
    func shapes(text: String, shape: GateShape, kind: GateDecision.Kind) throws {
        let document = try Documents.read(text)
        #expect(document.shape == shape)
        #expect(document.decide("4.0", build: "40").kind == kind)
        #expect(document.diagnostics == [])
    }

    @Test("6.2.4 the platform can be chosen, and a name of the app's own") func platform() throws {
        let text = #"{"ios":{"alert":{"message":"i","blocking":false}},"android":{"alert":{"message":"a","blocking":false}},"tv":{}}"#
        #expect(try Documents.read(text).decide("1").message == "i")
        #expect(try Documents.read(text, platform: "android").decide("1").message == "a")
        #expect(try Documents.read(text, platform: "tv").decide("1").kind == .open)
    }

    @Test(
        "6.2.4 a platform may have the name of a member of the native document",
        arguments: [
            (#"{"ios":{"alert":{"message":"Stop","blocking":true}},"gate":{}}"#, GateShape.platformObjects),
            (#"{"ios":{"alert":{"message":"Stop","blocking":true}},"schema":{},"gate":{}}"#, .platformObjects),
            (
                #"{"apiInactive":true,"forceUpdate":false,"retryInterval":15,"userMessage":"","ios":{},"gate":{},"schema":{}}"#,
                .combined
            ),
        ]
    )
    func platformsCalledAsNativeMembers(text: String, shape: GateShape) throws {
        let document = try Documents.read(text)
        #expect(document.shape == shape)
        #expect(document.decide("4.0").kind == .blocked)
        let own = #"{"ios":{},"gate":{"alert":{"message":"g","blocking":true}},"schema":{"alert":{"message":"s","blocking":true}}}"#
        #expect(try Documents.read(own, platform: "gate").decide("4.0").message == "g")
        #expect(try Documents.read(own, platform: "schema").decide("4.0").message == "s")
    }

    @Test(
        "6.2.5 a malformed or blank rule is left out and said; the others apply",
        arguments: [
            (#""requiredUpdate":{}"#, "/ios/requiredUpdate/minimumVersion"),
            (#""requiredUpdate":{"minimumVersion":"9"}"#, "/ios/requiredUpdate/message"),
            (#""requiredUpdate":{"minimumVersion":"9","message":"  "}"#, "/ios/requiredUpdate/message"),
            (#""requiredUpdate":{"minimumVersion":"x","message":"m"}"#, "/ios/requiredUpdate/minimumVersion"),
            (#""requiredUpdate":{"minimumVersion":[],"message":"m"}"#, "/ios/requiredUpdate/minimumVersion"),
            (#""requiredUpdate":"9""#, "/ios/requiredUpdate"),
            (#""optionalUpdate":{"optionalVersion":"9","message":1}"#, "/ios/optionalUpdate/message"),
        ]
    )
    func lenient(rule: String, path: String) throws {
        let document = try Documents.read(#"{"ios":{\#(rule),"alert":{"message":"Stop","blocking":true},"other":1},"x":[]}"#)
        #expect(document.diagnostics.contains { $0.path == path }, "\(document.diagnostics)")
        #expect(document.decide("4.0").message == "Stop")
    }

    @Test("6.2.5 the app is told what was left out, until nothing is") func diagnostics() async throws {
        let bench = Bench(Documents.native(#""requiredUpdate":{"minimumVersion":"5,0","message":"Update"}"#))
        #expect(await bench.monitor.start().diagnostics.map(\.path) == ["/gate/requiredUpdate/minimumVersion"])
        bench.transport.answer(Documents.native(Documents.required, sequence: 11))
        #expect(await bench.monitor.check(forced: true).diagnostics == [])
    }

    @Test("6.2.5 null is absent, in every shape") func nulls() throws {
        for text in [
            #"{"ios":{"requiredUpdate":null,"optionalUpdate":null,"alert":null}}"#,
            Documents.native(#""killSwitch":null,"forceUpdate":null,"alert":null"#),
            #"{"ios2":[{"required_version":null,"requirements":null,"meta":null}],"meta":null}"#,
        ] {
            let document = try Documents.read(text)
            #expect(document.decide("4.0").kind == .open)
            #expect(document.diagnostics == [])
        }
    }

    @Test(
        "6.2.5 an alert blocks nobody where blocking is null or missing",
        arguments: [#"{"message":"m","blocking":null}"#, #"{"message":"m"}"#]
    )
    func alertWithoutBlocking(alert: String) throws {
        for text in [Documents.native(#""alert":\#(alert)"#), #"{"ios":{"alert":\#(alert)}}"#] {
            let document = try Documents.read(text)
            #expect(document.decide("4.0").kind == .alert)
            #expect(document.diagnostics == [])
        }
    }

    @Test(
        "6.2.5 a native rule that blocks everybody stands also without a text that can be read",
        arguments: [
            (#""killSwitch":{}"#, GateDecision.Kind.blocked),
            (#""killSwitch":{"message":null,"retryInterval":"x","until":"soon"}"#, .blocked),
            (#""killSwitch":{"message":{"de":"Zu"}}"#, .blocked), (#""forceUpdate":{"message":7,"percent":"all"}"#, .forced),
        ] as [(String, GateDecision.Kind)]
    )
    func killWithoutText(rule: String, kind: GateDecision.Kind) throws {
        let document = try Documents.read(Documents.native(rule))
        #expect(document.decide("4.0").kind == kind)
        #expect(document.decide("4.0").message == nil)
        #expect(document.decide("4.0").retryInterval == 15)
        #expect(!document.diagnostics.isEmpty)
    }

    @Test("6.2.6 flags are true and false; 0 and 1 only on demand") func flags() throws {
        let text = #"{"apiInactive":1,"forceUpdate":false,"retryInterval":15,"userMessage":""}"#
        #expect(try Documents.read(text).decide("4").kind == .open)
        #expect(try Documents.read(text).diagnostics.map(\.path) == ["/apiInactive"])
        #expect(try Documents.read(text, numbersAsFlags: true).decide("4").kind == .blocked)
        let alert = #"{"ios":{"alert":{"message":"m","blocking":1}}}"#
        #expect(try Documents.read(alert).decide("4").kind == .open)
        #expect(try Documents.read(alert, numbersAsFlags: true).decide("4").kind == .blocked)
        #expect(try Documents.read(#"{"ios":{"alert":{"message":"m","blocking":"true"}}}"#, numbersAsFlags: true).decide("4").kind == .open)
    }

    @Test(
        "6.2.6 the interval is held to 5 to 3600, and is 15 where there is none",
        arguments: [
            ("0", 5), ("-1", 5), ("4", 5), ("5", 5), ("15", 15), ("30.7", 30), ("3600", 3600), ("99999999999999999999", 3600), ("null", 15),
            (#""30""#, 15),
            ("true", 15),
        ]
    )
    func interval(json: String, seconds: Int) throws {
        let status = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":\#(json),"userMessage":""}"#
        #expect(try Documents.read(status).decide("4").retryInterval == seconds)
        let native = Documents.native(#""killSwitch":{"message":"m","retryInterval":\#(json)}"#)
        #expect(try Documents.read(native).decide("4").retryInterval == seconds)
    }

    @Test("6.2.6 no text, null and an empty one are all no message", arguments: ["", #","userMessage":null"#, #","userMessage":"""#])
    func messages(member: String) throws {
        let decision = try Documents.read(#"{"apiInactive":true,"forceUpdate":false,"retryInterval":15\#(member)}"#).decide("4")
        #expect(decision.kind == .blocked)
        #expect(decision.message == nil)
    }

    @Test(
        "6.2.7 what cannot be read is an error and never the all-clear",
        arguments: [
            "", " ", "null", "[]", "1", #""x""#, "{}", "{", #"{"ios":{}} x"#, #"{"ios":{},}"#, "<html>", #"{"error":{"code":1}}"#,
            #"{"error":"down"}"#,
            #"{"ios":null}"#, #"{"ios":"x"}"#, #"{"ios":{},"ios":{}}"#, #"{"retryInterval":15,"userMessage":""}"#, #"{"apiInactive":null}"#,
            #"{"schema":"gatehouse/v2","gate":{}}"#, #"{"gate":{}}"#, #"{"schema":"gatehouse/v1"}"#,
            #"{"schema":"gatehouse/v1","app":"shop","platform":"ios","sequence":1,"revision":1,"issuedAt":"2026-03-20T09:00:00.000Z"}"#,
            #"{"schema":"gatehouse/v1","app":"shop","platform":"ios","sequence":"1","revision":1,"issuedAt":"2026-03-20T09:00:00.000Z","gate":{}}"#,
        ]
    )
    func errors(text: String) {
        #expect { try Documents.read(text) } throws: { ($0 as? GateKitError)?.code == .malformed }
    }

    @Test("6.2.7 a platform that is asked for and is not there is an error") func missingPlatform() throws {
        #expect(throws: GateKitError.self) { try Documents.read(#"{"ios":{}}"#, platform: "android") }
        #expect(throws: GateKitError.self) { try Documents.read(#"{"apiInactive":false,"forceUpdate":false,"ios":7}"#, platform: "ios") }
        #expect(try Documents.read(#"{"apiInactive":false,"forceUpdate":false}"#, platform: "ios").shape == .bellerophon)
    }

    @Test("6.2.7 what is too large is not read") func tooLarge() {
        let text = #"{"ios":{}}"# + String(repeating: " ", count: 262_144)
        #expect { try Documents.read(text) } throws: { ($0 as? GateKitError)?.code == .tooLarge }
    }

    /// The models are the server's own; that they are right is tested with them. Here: that each verdict arrives.
    @Test(
        "6.2.8 the old libraries' verdicts can be asked for",
        arguments: [
            (LegacyLibrary.bellerophon, #"{"apiInactive":true,"retryInterval":15,"userMessage":null}"#, LegacyLibrary.Verdict.proceeds),
            (.bellerophon, #"{"apiInactive":true,"retryInterval":15,"userMessage":"Zu"}"#, .blocks(message: "Zu")),
            (.bellerophon, "[]", .hangs(reason: "the root is no object")),
            (.bellerophon, "x", .rejects(reason: "not JSON")),
            (
                .launchGate, #"{"ios":{"alert":{},"requiredUpdate":{"minimumVersion":"9","message":"m"}}}"#,
                .rejects(reason: "the alert is malformed")
            ),
            (.launchGate, #"{"ios":{"requiredUpdate":{"minimumVersion":"10.0","message":"m"}}}"#, .proceeds),
            (.launchGate, #"{"ios":{"alert":{"message":"m","blocking":1}}}"#, .blocks(message: "m")),
            (
                .gandalf, #"{"android":{"requiredUpdate":{"minimumVersion":"7.3.1","message":"m"}}}"#,
                .crashes(reason: "\"7.3.1\" is no version code")
            ),
            (.gandalf1_4_1, #"{"android":{"requiredUpdate":{"minimumVersion":"7.3.1","message":"m"}}}"#, .proceeds),
            (.gandalf, #"{"android":{"alert":{"message":"m","blocking":1}}}"#, .rejects(reason: "syntax error")),
            (
                .gandalfUpTo1_3_1,
                #"{"android":{"optionalUpdate":{"optionalVersion":"99","message":"o"},"alert":{"message":"m","blocking":true}}}"#,
                .offers(version: "99", message: "o")
            ),
            (
                .gandalf, #"{"android":{"optionalUpdate":{"optionalVersion":"99","message":"o"},"alert":{"message":"m","blocking":true}}}"#,
                .blocks(message: "m")
            ),
            (.princeOfVersionsAndroid, #"{"android2":[{"required_version":"99"}]}"#, .rejects(reason: "a version is no 32-bit integer")),
            (.princeOfVersions, #"{"ios2":[{"required_version":"9.0"}]}"#, .requires(version: "9.0", message: "")),
        ] as [(LegacyLibrary, String, LegacyLibrary.Verdict)]
    )
    func strict(library: LegacyLibrary, text: String, verdict: LegacyLibrary.Verdict) {
        #expect(library.verdict(on: Data(text.utf8), for: GatePhone(version: "4.0", build: "40")) == verdict)
    }
}
