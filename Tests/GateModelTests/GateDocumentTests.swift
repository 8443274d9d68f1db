import GateJSON
import GateModel
import Testing

@Suite struct GateDocumentTests {
    private static let dotted = PlatformSettings(versionScheme: .dotted, defaultRetryInterval: 45)
    private static let code = PlatformSettings(versionScheme: .code)

    private func read(_ text: String, _ settings: PlatformSettings = dotted) throws -> Gate {
        try Gate(json: JSONReader.read(text), settings: settings)
    }

    @Test(arguments: [
        "{}",
        #"{"killSwitch":{"message":"Back at 09:30.","retryInterval":30}}"#,
        #"{"forceUpdate":{"message":"Please update."}}"#,
        #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.3.1"],"message":"Please update."}}"#,
        #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Please update."}}"#,
        #"{"optionalUpdate":{"optionalVersion":"4.3.0","message":{"de":"4.3 ist da.","default":"4.3 is out."}}}"#,
        #"{"alert":{"message":"Card payments are slow today.","blocking":false}}"#,
        #"{"killSwitch":{"message":"a","retryInterval":5},"forceUpdate":{"message":"b"},"requiredUpdate":{"minimumVersion":"1","message":"c"},"optionalUpdate":{"optionalVersion":"2","message":"d"},"alert":{"message":"e","blocking":true}}"#,
    ])
    func documentComesBackByteForByte(text: String) throws {
        #expect(try read(text).json.text == text)
        #expect(try Gate(stored: JSONReader.read(text)).json.text == text)
    }

    @Test func membersAreOrderedAsTheDesignHasThem() throws {
        let gate = try read(#"{"alert":{"blocking":true,"message":" e "},"killSwitch":{"retryInterval":5,"message":"a"}}"#)
        #expect(gate.json.text == #"{"killSwitch":{"message":"a","retryInterval":5},"alert":{"message":"e","blocking":true}}"#)
    }

    @Test(arguments: [#"{"message":"a"}"#, #"{"message":"a","retryInterval":null}"#, #"{"message":"a","until":null}"#])
    func missingRetryIntervalIsThePlatforms(rule: String) throws {
        #expect(try read("{\"killSwitch\":\(rule)}").killSwitch?.retryInterval == 45)
    }

    @Test(arguments: ["2026-04-02T09:32:14Z", "2026-04-02T11:32:14.000+02:00", "2026-04-02T09:32:14.0Z"])
    func untilIsShownInUTCWithMilliseconds(time: String) throws {
        let gate = try read("{\"killSwitch\":{\"until\":\"\(time)\",\"message\":\"a\",\"retryInterval\":30}}")
        let text = #"{"killSwitch":{"message":"a","retryInterval":30,"until":"2026-04-02T09:32:14.000Z"}}"#
        #expect(gate.json.text == text)
        #expect(try Gate(stored: JSONReader.read(text)) == gate)
        #expect(try Gate(lenient: JSONReader.read(text)) == gate)
    }

    @Test func versionCodesAreStringsToo() throws {
        #expect(try read(#"{"requiredUpdate":{"minimumVersion":"41","message":"a"}}"#, Self.code).requiredUpdate?.minimumVersion == "41")
    }

    static let refusals: [(document: String, scheme: VersionScheme, code: String, kind: ModelError.Kind, field: String)] = [
        ("[]", .dotted, "malformed", .malformed, ""),
        ("null", .dotted, "malformed", .malformed, ""),
        (#"{"kill":{}}"#, .dotted, "malformed", .malformed, "/kill"),
        (#"{"a/b~c":{}}"#, .dotted, "malformed", .malformed, "/a~1b~0c"),
        (#"{"killSwitch":true}"#, .dotted, "malformed", .malformed, "/killSwitch"),
        (#"{"killSwitch":{}}"#, .dotted, "malformed", .malformed, "/killSwitch/message"),
        (#"{"killSwitch":{"message":null}}"#, .dotted, "malformed", .malformed, "/killSwitch/message"),
        (#"{"killSwitch":{"message":""}}"#, .dotted, "invalid_message", .invalid, "/killSwitch/message"),
        (#"{"killSwitch":{"message":"a","colour":"red"}}"#, .dotted, "malformed", .malformed, "/killSwitch/colour"),
        (#"{"killSwitch":{"message":"a","retryInterval":4}}"#, .dotted, "invalid_retry_interval", .invalid, "/killSwitch/retryInterval"),
        (#"{"killSwitch":{"message":"a","retryInterval":0}}"#, .dotted, "invalid_retry_interval", .invalid, "/killSwitch/retryInterval"),
        (#"{"killSwitch":{"message":"a","retryInterval":3601}}"#, .dotted, "invalid_retry_interval", .invalid, "/killSwitch/retryInterval"),
        (#"{"killSwitch":{"message":"a","retryInterval":15.5}}"#, .dotted, "invalid_retry_interval", .invalid, "/killSwitch/retryInterval"),
        (#"{"killSwitch":{"message":"a","retryInterval":1e1}}"#, .dotted, "invalid_retry_interval", .invalid, "/killSwitch/retryInterval"),
        (#"{"killSwitch":{"message":"a","retryInterval":"15"}}"#, .dotted, "malformed", .malformed, "/killSwitch/retryInterval"),
        (#"{"killSwitch":{"message":"a","until":"09:32"}}"#, .dotted, "invalid_time", .invalid, "/killSwitch/until"),
        (#"{"killSwitch":{"message":"a","until":"2026-06-31T09:32:14Z"}}"#, .dotted, "invalid_time", .invalid, "/killSwitch/until"),
        (#"{"killSwitch":{"message":"a","until":1774000000}}"#, .dotted, "malformed", .malformed, "/killSwitch/until"),
        (#"{"forceUpdate":{"message":"a","until":"2026-04-02T09:32:14Z"}}"#, .dotted, "malformed", .malformed, "/forceUpdate/until"),
        (#"{"forceUpdate":{"message":"a","minimumVersion":"1"}}"#, .dotted, "malformed", .malformed, "/forceUpdate/minimumVersion"),
        (#"{"requiredUpdate":{"message":"a"}}"#, .dotted, "malformed", .malformed, "/requiredUpdate/minimumVersion"),
        (#"{"requiredUpdate":{"minimumVersion":"1.0"}}"#, .dotted, "malformed", .malformed, "/requiredUpdate/message"),
        (#"{"requiredUpdate":{"minimumVersion":1,"message":"a"}}"#, .dotted, "malformed", .malformed, "/requiredUpdate/minimumVersion"),
        (
            #"{"requiredUpdate":{"minimumVersion":"v1","message":"a"}}"#, .dotted, "invalid_version", .invalid,
            "/requiredUpdate/minimumVersion"
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"1.1","message":"a"}}"#, .code, "invalid_version", .invalid,
            "/requiredUpdate/minimumVersion"
        ),
        (#"{"requiredUpdate":{"minimumVersion":"0","message":"a"}}"#, .code, "invalid_version", .invalid, "/requiredUpdate/minimumVersion"),
        (
            #"{"requiredUpdate":{"minimumVersion":"1","blockedVersions":"2","message":"a"}}"#, .dotted, "malformed", .malformed,
            "/requiredUpdate/blockedVersions"
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"1","blockedVersions":["2",3],"message":"a"}}"#, .dotted, "malformed", .malformed,
            "/requiredUpdate/blockedVersions/1"
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"1","blockedVersions":["2","x"],"message":"a"}}"#, .dotted, "invalid_version", .invalid,
            "/requiredUpdate/blockedVersions/1"
        ),
        (
            #"{"requiredUpdate":{"minimumVersion":"1","blockedVersions":["2","2"],"message":"a"}}"#, .dotted, "invalid_version", .invalid,
            "/requiredUpdate/blockedVersions/1"
        ),
        (
            #"{"optionalUpdate":{"optionalVersion":null,"message":"a"}}"#, .dotted, "malformed", .malformed,
            "/optionalUpdate/optionalVersion"
        ),
        (
            #"{"optionalUpdate":{"optionalVersion":"01","message":"a"}}"#, .dotted, "invalid_version", .invalid,
            "/optionalUpdate/optionalVersion"
        ),
        (#"{"alert":{"message":"a"}}"#, .dotted, "malformed", .malformed, "/alert/blocking"),
        (#"{"alert":{"message":"a","blocking":1}}"#, .dotted, "malformed", .malformed, "/alert/blocking"),
        (#"{"alert":{"message":"a","blocking":"true"}}"#, .dotted, "malformed", .malformed, "/alert/blocking"),
        (
            #"{"alert":{"message":{"default":"a","de":"\u202e"},"blocking":true}}"#, .dotted, "invalid_message", .invalid,
            "/alert/message/de"
        ),
    ]

    @Test(arguments: refusals)
    func whatTheRulesDoNotAllowIsRefusedByField(document: String, scheme: VersionScheme, code: String, kind: ModelError.Kind, field: String)
    {
        #expect { try read(document, PlatformSettings(versionScheme: scheme)) } throws: { error in
            let error = error as? ModelError
            return error?.code == code && error?.kind == kind && error?.field == field
        }
    }

    /// What was taken once stays readable, byte for byte, whatever has been forbidden since and whatever a newer Unicode says of it.
    @Test(arguments: [
        #"{"killSwitch":{"message":"Back.","retryInterval":30,"until":"10000-01-01T00:00:59.000Z"}}"#,
        #"{"killSwitch":{"message":"Back.","retryInterval":30,"until":"1969-12-31T23:59:59.999Z"}}"#,
        #"{"forceUpdate":{"message":" e\u0301 \n"}}"#.replacing(#"\u0301"#, with: "\u{301}").replacing(#"\n"#, with: "\\n"),
        #"{"alert":{"message":"\#(String(repeating: "x", count: 501))","blocking":true}}"#,
        #"{"alert":{"message":{"default":"a","x":"not a language"},"blocking":true}}"#,
    ])
    func whatIsKeptIsNotJudgedAnew(text: String) throws {
        let json = try JSONReader.read(text)
        #expect(try Gate(stored: json).json.text.utf8.elementsEqual(text.utf8))
        #expect((try? Gate(json: json, settings: Self.dotted))?.json.text.utf8.elementsEqual(text.utf8) != true)
    }

    @Test func editReplacesClearsAndLeavesRules() throws {
        var gate = try read(#"{"killSwitch":{"message":"a","retryInterval":30},"alert":{"message":"b","blocking":false}}"#)
        try gate.apply(GateEdit(json: JSONReader.read(#"{"killSwitch":null,"forceUpdate":{"message":"c"}}"#)), settings: Self.dotted)
        #expect(gate.json.text == #"{"forceUpdate":{"message":"c"},"alert":{"message":"b","blocking":false}}"#)
    }

    @Test func editThatFailsChangesNothing() throws {
        let before = try read(#"{"alert":{"message":"b","blocking":false}}"#)
        var gate = before
        let edit = try GateEdit(json: JSONReader.read(#"{"killSwitch":{"message":"a"},"alert":{"message":"","blocking":true}}"#))
        #expect(throws: ModelError.self) { try gate.apply(edit, settings: Self.dotted) }
        #expect(gate == before)
    }

    @Test func editThatReplacesNamesEveryRule() throws {
        let gate = try read(#"{"alert":{"message":"b","blocking":false}}"#)
        let edit = GateEdit(replacingWith: gate)
        #expect(edit.rules.count == Rule.allCases.count)
        var other = try read(#"{"killSwitch":{"message":"a"}}"#)
        try other.apply(edit, settings: Self.dotted)
        #expect(other == gate)
        #expect(GateEdit([:]).isEmpty)
        #expect(edit == GateEdit(replacingWith: gate))
    }

    @Test func storedGateOfEitherSchemeIsRead() throws {
        for text in [
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}}"#, #"{"requiredUpdate":{"minimumVersion":"41","message":"a"}}"#,
        ] {
            #expect(try Gate(stored: JSONReader.read(text)).json.text == text)
        }
        #expect(throws: ModelError.self) { try Gate(stored: JSONReader.read(#"{"requiredUpdate":{"minimumVersion":"x","message":"a"}}"#)) }
    }
}
