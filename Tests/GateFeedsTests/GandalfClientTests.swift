import Foundation
import GateJSON
import GateModel
import Testing

@testable import GateFeeds

@Suite struct GandalfClientTests {
    private static let releases = GandalfRelease.allCases

    private static func required(_ json: String) -> [UInt8] {
        Array(#"{"android":{"requiredUpdate":{"minimumVersion":\#(json),"message":"m"}}}"#.utf8)
    }

    private static func optional(_ json: String) -> [UInt8] {
        Array(#"{"android":{"optionalUpdate":{"optionalVersion":\#(json),"message":"m"}}}"#.utf8)
    }

    enum Outcome { case update, no, bad }

    /// Wire formats table 5.2, columns Gandalf.
    static let versions: [(row: Int, json: String, installed: Int32, outcome: Outcome)] = [
        (1, #""7""#, 6, .update), (2, "7", 6, .update), (3, #""6""#, 6, .no), (3, "6", 6, .no), (4, #""5""#, 6, .no),
        (5, #""10""#, 9, .update), (6, #""9""#, 10, .no),
        (7, #""07""#, 6, .update), (8, #""+7""#, 6, .update), (9, #""-1""#, 6, .no), (10, #""7 ""#, 6, .bad), (10, #"" 7""#, 6, .bad),
        (11, #""7.0""#, 6, .bad),
        (11, "7.0", 6, .bad), (12, #""1.2.3""#, 6, .bad), (13, "7e0", 6, .bad), (14, #""0x10""#, 6, .bad), (14, #""7a""#, 6, .bad),
        (14, #""1_000""#, 6, .bad),
        (15, #""2147483647""#, 6, .update), (16, #""2147483648""#, 6, .bad), (16, "2147483648", 6, .bad), (17, #""""#, 6, .no),
        (17, #""  ""#, 6, .no),
        (17, "null", 6, .no), (18, "true", 6, .bad), (20, #""٧""#, 6, .update),
    ]

    @Test(arguments: versions)
    func versionCodesAreComparedAsIntegers(row: Int, json: String, installed: Int32, outcome: Outcome) {
        for release in Self.releases {
            for (feed, isRequired) in [(Self.required(json), true), (Self.optional(json), false)] {
                let decision = GandalfClient.decide(feed, installed: installed, release: release)
                switch (outcome, decision) {
                case (.update, .requiredUpdate): #expect(isRequired)
                case (.update, .optionalUpdate): #expect(!isRequired)
                case (.no, .proceed): break
                case (.bad, .crash): #expect(release != .head, "row \(row)")
                case (.bad, .proceed): #expect(release == .head, "row \(row)")
                default: Issue.record("row \(row) on \(release): \(decision)")
                }
            }
        }
    }

    @Test(arguments: ["{}", "[]"])
    func objectOrArrayForAVersionLosesAllRules(json: String) {
        for feed in [Self.required(json), Self.optional(json)] { #expect(GandalfClient.read(feed) == .syntaxError, "row 19") }
    }

    /// `Character.isWhitespace` leaves the no-break spaces out: with one of them alone a version is no blank one, and no number.
    @Test(arguments: [
        ("\u{A0}", true), ("\u{2007}", true), ("\u{202F}", true), ("\u{2003}", false), ("\u{3000}", false), ("\u{1C}", false),
        ("\u{85}", true), ("\u{200B}", true),
    ])
    func aNoBreakSpaceIsNoBlankVersion(version: String, crashes: Bool) {
        let feed = Self.required(JSONValue.string(version).text)
        let decision = GandalfClient.decide(feed, installed: 6, release: .upTo1_4_0)
        if case .crash = decision { #expect(crashes) } else { #expect(!crashes) }
    }

    @Test(arguments: [String.Encoding.utf16, .utf16BigEndian, .utf16LittleEndian]) func aByteOrderMarkTellsTheEncoding(
        _ encoding: String.Encoding
    ) throws {
        let mark = encoding == .utf16 ? "" : "\u{FEFF}"
        let feed = try #require((mark + #"{"android":{"alert":{"message":"é"}}}"#).data(using: encoding))
        #expect(GandalfClient.decide(Array(feed), installed: 6, release: .head) == .alert(message: "é", blocking: false))
    }

    @Test func missingVersionIsNoRule() {
        let feed = Array(#"{"android":{"requiredUpdate":{"message":"m"},"optionalUpdate":{"message":"m"}}}"#.utf8)
        for release in Self.releases { #expect(GandalfClient.decide(feed, installed: 6, release: release) == .proceed) }
    }

    @Test(arguments: ["", " \n", "null", "{}", #"{"android":null}"#, #"{"Android":{}}"#, #"{"ios":{}}"#])
    func documentWithoutThePlatformTakesTheErrorPath(json: String) {
        #expect(GandalfClient.read(Array(json.utf8)) == .noPlatform)
    }

    @Test(arguments: [
        "[]", "1", "\"x\"", "<html></html>", #"{"android":[]}"#, #"{"android":"x"}"#, #"{"android":{"alert":"x"}}"#,
        #"{"android":{"requiredUpdate":[]}}"#,
        #"{"android":{},}"#, #"{"android":{"#, #"{"android":{}} x"#, #"{"android":{}}{}"#,
        #"{"android":{"alert":{"message":"m","blocking":1}}}"#,
        #"{"android":{"alert":{"message":"m","blocking":0}}}"#, #"{"android":{"alert":{"message":{},"blocking":true}}}"#,
        #"{"android":{"alert":{"message":[],"blocking":true}}}"#, #"{"android":{"alert":{"message":"m"#, #"{"android":/}"#,
        "{\"android\":{}} # c\n", "{\"android\":{}} // c", "{\"android\":{}}/* c */", #"{"android":{};}"#,
    ])
    func syntaxErrorLosesAllRules(json: String) {
        #expect(GandalfClient.read(Array(json.utf8)) == .syntaxError)
    }

    @Test(arguments: [
        #"{"android":{}}"#, "// licence\n{\"android\":{}}", "/* a */ {\"android\" /* b */ : {} } \n", "{android:{}}", "{'android':{}}",
        ")]}'\n{\"android\":{}}",
        "\u{FEFF}{\"android\":{}}", #"{"android"={}}"#, #"{"android"=>{};"x":1}"#,
        #"{"android":{"alert":null,"requiredUpdate":null,"optionalUpdate":null}}"#,
        #"{"android":1,"android":{}}"#, #"{"android":{},"x":[1,,2,]}"#, "{\"android\":{},\"x\":'\\u0041\\n'}",
    ])
    func lenientJSONIsReadAsNoRules(json: String) {
        #expect(GandalfClient.read(Array(json.utf8)) == .accepted(.init()))
    }

    static let alerts: [(json: String, message: String?, blocking: Bool)] = [
        (#"{}"#, nil, false), (#"{"message":null}"#, nil, false), (#"{"message":"m"}"#, "m", false),
        (#"{"message":"m","blocking":null}"#, "m", false),
        (#"{"message":"m","blocking":"TRUE"}"#, "m", true), (#"{"message":"m","blocking":"1"}"#, "m", false),
        (#"{"message":5,"blocking":true}"#, "5", true),
        (#"{"message":true,"blocking":false}"#, "true", false), (#"{"message":5.50,"blocking":false}"#, "5.50", false),
    ]

    @Test(arguments: alerts)
    func alertIsReadAsGsonReadsIt(json: String, message: String?, blocking: Bool) {
        let reading = GandalfClient.read(Array(#"{"android":{"alert":\#(json)}}"#.utf8))
        guard case .accepted(let rules) = reading else { return #expect(Bool(false), "\(reading)") }
        #expect(rules.alert?.message == message)
        #expect(rules.alert?.blocking == blocking)
    }

    @Test func blankAlertIsShownAgainAndAgain() {
        func decide(_ alert: String, _ memory: GandalfClient.Memory = .init()) -> ClientDecision {
            GandalfClient.decide(Array(#"{"android":{"alert":\#(alert)}}"#.utf8), installed: 6, memory: memory, release: .head)
        }
        var memory = GandalfClient.Memory()
        #expect(decide("{}") == .alert(message: "", blocking: false))
        #expect(decide(#"{"message":""}"#) == .proceed, "equals the empty memory of a new install")
        #expect(decide(#"{"message":""}"#, .init(alert: "seen")) == .alert(message: "", blocking: false))
        let shown = decide(#"{"message":"   "}"#)
        #expect(shown == .alert(message: "   ", blocking: false))
        memory.acknowledge(shown)
        #expect(memory == .init(), "blank text is never kept")
        #expect(!decide(#"{"message":" ","blocking":true}"#).letsIn, "a blank dialog locks out")
    }

    @Test func rulesApplyInOrderAndDoNotMaskOneAnother() {
        let feed = Array(
            #"{"android":{"requiredUpdate":{"minimumVersion":"5","message":"r"},"optionalUpdate":{"optionalVersion":"7","message":"o"},"alert":{"message":"a","blocking":false}}}"#
                .utf8
        )
        for release in Self.releases {
            #expect(GandalfClient.decide(feed, installed: 4, release: release) == .requiredUpdate(version: "5", message: "r"))
            var memory = GandalfClient.Memory()
            var shown: [ClientDecision] = []
            for _ in 0..<3 {
                let decision = GandalfClient.decide(feed, installed: 6, memory: memory, release: release)
                shown.append(decision)
                memory.acknowledge(decision)
            }
            let (alert, optional) = (
                ClientDecision.alert(message: "a", blocking: false), ClientDecision.optionalUpdate(version: "7", message: "o")
            )
            #expect(shown == (release == .upTo1_3_1 ? [optional, alert, .proceed] : [alert, optional, .proceed]))
        }
    }

    @Test func badOptionalVersionCrashesOnlyWhenReached() {
        let feed = Array(
            #"{"android":{"optionalUpdate":{"optionalVersion":"1.2","message":"o"},"alert":{"message":"a","blocking":false}}}"#.utf8
        )
        #expect(GandalfClient.decide(feed, installed: 6, release: .upTo1_4_0) == .alert(message: "a", blocking: false))
        #expect(GandalfClient.decide(feed, installed: 6, memory: .init(optionalUpdate: "1.2", alert: "a"), release: .upTo1_4_0) == .proceed)
        guard case .crash = GandalfClient.decide(feed, installed: 6, memory: .init(alert: "a"), release: .upTo1_4_0) else {
            return #expect(Bool(false), "the version was not looked at")
        }
        #expect(GandalfClient.decide(feed, installed: 6, memory: .init(alert: "a"), release: .head) == .proceed)
    }

    @Test func badMinimumVersionTurnsABlockingAlertOffOnHead() {
        let feed = Array(
            #"{"android":{"requiredUpdate":{"minimumVersion":"7.3.1","message":"r"},"alert":{"message":"a","blocking":true}}}"#.utf8
        )
        #expect(GandalfClient.decide(feed, installed: 6, release: .head) == .proceed)
    }

    @Test func memoryIsByTheTextOfTheVersion() {
        let memory = GandalfClient.Memory(optionalUpdate: "7")
        #expect(GandalfClient.decide(Self.optional(#""7""#), installed: 6, memory: memory, release: .head) == .proceed)
        #expect(
            GandalfClient.decide(Self.optional(#""07""#), installed: 6, memory: memory, release: .head)
                == .optionalUpdate(version: "07", message: "m")
        )
    }
}
