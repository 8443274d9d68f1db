import GateFeeds
import Testing

@Suite struct LaunchGateClientTests {
    private static func required(_ version: String) -> [UInt8] {
        Array(#"{"ios":{"requiredUpdate":{"minimumVersion":"\#(version)","message":"m"}}}"#.utf8)
    }

    /// Wire formats table 5.1, column LaunchGate.
    static let versions: [(row: Int, app: String, feed: String, isTold: Bool)] = [
        (1, "1.0", "1.1", true), (2, "1.1", "1.1", false), (3, "1.2", "1.1", false), (4, "1.9", "1.10", false), (5, "1.10", "1.9", true),
        (6, "9.0", "10.0", false), (7, "10.0", "9.0", true), (8, "1.2.3", "1.2.10", false), (9, "1.2.10", "1.2.3", true),
        (10, "1.0", "1.0.0", true),
        (11, "1.0.0", "1.0", false), (12, "2", "2.0", true), (13, "1.01", "1.1", true), (14, "1.1", "1.01", false),
        (15, "1.0", "1.00", true),
        (16, "99", "100", false), (17, "100", "2", true), (18, "10.4", "10.14", false), (19, "2024.1", "24.2", true),
        (20, "2.0.0", "2.0.0.1", true),
        (21, "1.0-beta", "1.0", false), (22, "1.0", "1.0-beta", true), (23, "1.0-beta", "1.0.1", true),
        (24, "1.0.0-rc.1", "1.0.0-rc.2", true),
        (25, "1.0b2", "1.0.1", false), (26, "1.0+7", "1.0", false), (27, "v1.0", "1.9", false), (28, "1.9", "v1.0", true),
        (29, "1.0", " 1.0", false),
        (30, "1.0", "", false),
    ]

    @Test(arguments: versions)
    func versionsAreComparedAsText(row: Int, app: String, feed: String, isTold: Bool) {
        let decision = LaunchGateClient.decide(Self.required(feed), installed: app)
        #expect(decision == (isTold ? .requiredUpdate(version: feed, message: "m") : .proceed), "row \(row)")
    }

    /// Wire formats table 1.1: what each rule comes to; nil where the whole feed is thrown away.
    static let documents: [(json: String, rules: LaunchGateClient.Rules?)] = [
        ("", nil), ("null", nil), ("[]", nil), ("1", nil), ("<html>", nil), ("{}", nil), (#"{"IOS":{}}"#, nil), ("{\"ios\":{}} x", nil),
        ("// c\n{\"ios\":{}}", nil),
        (#"{"ios":{"alert":{"message":"\ud800","blocking":true}}}"#, nil),
        (#"{"ios":null}"#, .none()), (#"{"ios":"x"}"#, .none()), (#"{"ios":1}"#, .none()), (#"{"ios":[]}"#, .none()),
        (#"{"ios":{}}"#, .none()),
        ("\u{FEFF}{\"ios\":{}}", .none()), (#"{"android":[],"ios":{"x":1},"ios2":0,"meta":{}}"#, .none()),
        (#"{"ios":{"alert":null,"optionalUpdate":null,"requiredUpdate":null}}"#, .none()),
        (#"{"ios":{"alert":"x","optionalUpdate":1,"requiredUpdate":[]}}"#, .none()),
        (#"{"ios":{"alert":{}}}"#, nil), (#"{"ios":{"optionalUpdate":{}}}"#, nil), (#"{"ios":{"requiredUpdate":{}}}"#, nil),
        (#"{"ios":{"alert":{"blocking":true}}}"#, nil), (#"{"ios":{"alert":{"message":null,"blocking":true}}}"#, nil),
        (#"{"ios":{"alert":{"message":1,"blocking":true}}}"#, nil), (#"{"ios":{"alert":{"message":"m"}}}"#, nil),
        (#"{"ios":{"alert":{"message":"m","blocking":null}}}"#, nil), (#"{"ios":{"alert":{"message":"m","blocking":2}}}"#, nil),
        (#"{"ios":{"alert":{"message":"m","blocking":"true"}}}"#, nil),
        (#"{"ios":{"alert":{"message":"m","blocking":1}}}"#, .alert("m", true)),
        (#"{"ios":{"alert":{"message":"m","blocking":0}}}"#, .alert("m", false)),
        (#"{"ios":{"alert":{"message":"m","blocking":true}}}"#, .alert("m", true)),
        (#"{"ios":{"alert":{"message":" ","blocking":false}}}"#, .alert(" ", false)),
        (#"{"ios":{"alert":{"message":"","blocking":true},"requiredUpdate":{"minimumVersion":"1","message":"m"}}}"#, .required("1", "m")),
        (#"{"ios":{"requiredUpdate":{"minimumVersion":2,"message":"m"}}}"#, nil),
        (#"{"ios":{"requiredUpdate":{"minimumVersion":2.4,"message":"m"}}}"#, nil),
        (#"{"ios":{"requiredUpdate":{"minimumVersion":null,"message":"m"}}}"#, nil), (#"{"ios":{"requiredUpdate":{"message":"m"}}}"#, nil),
        (#"{"ios":{"requiredUpdate":{"minimumVersion":"1"}}}"#, nil),
        (#"{"ios":{"requiredUpdate":{"minimumVersion":"1","message":1}}}"#, nil),
        (#"{"ios":{"requiredUpdate":{"minimumVersion":"","message":"m"}}}"#, .none()),
        (#"{"ios":{"requiredUpdate":{"minimumVersion":"1","message":""}}}"#, .none()),
        (#"{"ios":{"optionalUpdate":{"optionalVersion":"","message":"m"}}}"#, .none()),
        (#"{"ios":{"optionalUpdate":{"optionalVersion":5,"message":"m"}}}"#, nil),
        (#"{"ios":{"alert":{"message":"m","blocking":true},"optionalUpdate":{"optionalVersion":"2"}}}"#, nil),
    ]

    @Test(arguments: documents)
    func oneMalformedRuleThrowsTheWholeFeedAway(json: String, rules: LaunchGateClient.Rules?) {
        switch (LaunchGateClient.read(Array(json.utf8)), rules) {
        case (.rejected, nil): break
        case (.accepted(let read), let rules?): #expect(read == rules)
        default: Issue.record("\(json) was read as \(LaunchGateClient.read(Array(json.utf8)))")
        }
    }

    @Test func utf16IsReadToo() throws {
        let text = #"{"ios":{}}"#
        let bytes: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(LaunchGateClient.read(bytes) == .accepted(.none()))
    }

    @Test func emptyRulesOfTheOldestReleasesAreOff() {
        let off =
            #"{"ios":{"alert":{"message":"","blocking":false},"optionalUpdate":{"optionalVersion":"","message":""},"requiredUpdate":{"minimumVersion":"","message":""}}}"#
        #expect(LaunchGateClient.decide(Array(off.utf8), installed: "1.0") == .proceed)
    }

    @Test func unknownInstalledVersionSeesAlertsOnly() {
        let feed = Array(#"{"ios":{"requiredUpdate":{"minimumVersion":"9","message":"m"},"alert":{"message":"a","blocking":false}}}"#.utf8)
        #expect(LaunchGateClient.decide(feed, installed: nil) == .alert(message: "a", blocking: false))
        #expect(LaunchGateClient.decide(feed, installed: "9") == .proceed, "a satisfied required update hides the alert")
    }

    @Test func optionalUpdateIsShownOncePerVersionAndAlertOncePerText() {
        var memory = LaunchGateClient.Memory()
        let optional = Array(
            #"{"ios":{"optionalUpdate":{"optionalVersion":"1.2","message":"m"},"alert":{"message":"a","blocking":true}}}"#.utf8
        )
        let shown = LaunchGateClient.decide(optional, installed: "1.0", memory: memory)
        #expect(shown == .optionalUpdate(version: "1.2", message: "m"))
        memory.remember(shown)
        #expect(
            LaunchGateClient.decide(optional, installed: "1.0", memory: memory) == .proceed,
            "a seen optional update hides even a blocking alert"
        )

        func alert(_ text: String) -> [UInt8] { Array(#"{"ios":{"alert":{"message":"\#(text)","blocking":false}}}"#.utf8) }
        for text in ["A", "B", "A"] {
            let shown = LaunchGateClient.decide(alert(text), installed: "1.0", memory: memory)
            #expect(shown == .alert(message: text, blocking: false), "one slot: A, B, A shows A again")
            memory.remember(shown)
            #expect(LaunchGateClient.decide(alert(text), installed: "1.0", memory: memory) == .proceed)
        }
    }

    @Test func blockingAlertIsNeverRemembered() {
        var memory = LaunchGateClient.Memory()
        let feed = Array(#"{"ios":{"alert":{"message":"a","blocking":true}}}"#.utf8)
        for _ in 0..<2 {
            let shown = LaunchGateClient.decide(feed, installed: "1.0", memory: memory)
            #expect(shown == .alert(message: "a", blocking: true))
            memory.remember(shown)
        }
        #expect(memory == LaunchGateClient.Memory())
    }
}

extension LaunchGateClient.Rules {
    fileprivate static func none() -> Self { read("{}") }
    fileprivate static func alert(_ message: String, _ blocking: Bool) -> Self {
        read(#"{"alert":{"message":"\#(message)","blocking":\#(blocking)}}"#)
    }
    fileprivate static func required(_ version: String, _ message: String) -> Self {
        read(#"{"requiredUpdate":{"minimumVersion":"\#(version)","message":"\#(message)"}}"#)
    }

    private static func read(_ rules: String) -> Self {
        guard case .accepted(let rules) = LaunchGateClient.read(Array("{\"ios\":\(rules)}".utf8)) else {
            preconditionFailure("a well-formed feed was rejected")
        }
        return rules
    }
}
