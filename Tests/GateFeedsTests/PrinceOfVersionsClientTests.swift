import GateFeeds
import GateModel
import Testing

@Suite struct PrinceOfVersionsClientTests {
    enum Outcome { case update, no, error }

    /// Wire formats table 5.1, column PoV iOS.
    static let dotted: [(row: Int, app: String, feed: String, outcome: Outcome)] = [
        (1, "1.0", "1.1", .update), (2, "1.1", "1.1", .no), (3, "1.2", "1.1", .no), (4, "1.9", "1.10", .update), (5, "1.10", "1.9", .no),
        (6, "9.0", "10.0", .update), (7, "10.0", "9.0", .no), (8, "1.2.3", "1.2.10", .update), (9, "1.2.10", "1.2.3", .no),
        (10, "1.0", "1.0.0", .no),
        (11, "1.0.0", "1.0", .no), (12, "2", "2.0", .no), (13, "1.01", "1.1", .no), (14, "1.1", "1.01", .no), (15, "1.0", "1.00", .no),
        (16, "99", "100", .update), (17, "100", "2", .no), (18, "10.4", "10.14", .update), (19, "2024.1", "24.2", .no),
        (20, "2.0.0", "2.0.0.1", .no),
        (21, "1.0-beta", "1.0", .no), (22, "1.0", "1.0-beta", .no), (23, "1.0-beta", "1.0.1", .update),
        (24, "1.0.0-rc.1", "1.0.0-rc.2", .no),
        (25, "1.0b2", "1.0.1", .update), (26, "1.0+7", "1.0", .no), (27, "v1.0", "1.9", .error), (28, "1.9", "v1.0", .error),
        (29, "1.0", " 1.0", .error),
        (30, "1.0", "", .error),
    ]

    @Test(arguments: dotted)
    func appleVersionsAreThreeNumbersAndABuild(row: Int, app: String, feed: String, outcome: Outcome) {
        let decision = PrinceOfVersionsAppleClient.decide(Array(#"{"ios2":[{"required_version":"\#(feed)"}]}"#.utf8), installed: app)
        check(decision, outcome, "row \(row)")
    }

    /// Wire formats table 5.2, column PoV Android, with version code 6.
    static let codes: [(row: Int, json: String, outcome: Outcome)] = [
        (1, #""7""#, .error), (2, "7", .update), (3, #""6""#, .error), (3, "6", .no), (4, #""5""#, .error), (7, #""07""#, .error),
        (8, #""+7""#, .error),
        (9, #""-1""#, .error), (10, #""7 ""#, .error), (11, #""7.0""#, .error), (11, "7.0", .error), (12, #""1.2.3""#, .error),
        (13, "7e0", .error),
        (14, #""0x10""#, .error), (15, #""2147483647""#, .error), (15, "2147483647", .update), (16, #""2147483648""#, .error),
        (16, "2147483648", .error),
        (17, #""""#, .error), (17, #""  ""#, .error), (17, "null", .error), (18, "true", .error), (19, "{}", .error), (19, "[]", .error),
        (20, #""٧""#, .error),
    ]

    @Test(arguments: codes)
    func androidVersionsAreJSONIntegers(row: Int, json: String, outcome: Outcome) {
        check(
            PrinceOfVersionsAndroidClient.decide(Array(#"{"android2":[{"required_version":\#(json)}]}"#.utf8), installed: 6),
            outcome,
            "row \(row)"
        )
        let both = Array(#"{"android2":[{"required_version":\#(json),"last_version_available":1}]}"#.utf8)
        let isIgnored = json == "null"
        check(PrinceOfVersionsAndroidClient.decide(both, installed: 6), isIgnored ? .no : outcome, "row \(row), beside a good one")
    }

    private func check(_ decision: ClientDecision, _ outcome: Outcome, _ comment: Comment) {
        switch (decision, outcome) {
        case (.requiredUpdate, .update), (.proceed, .no), (.failed, .error): break
        default: Issue.record("\(comment): \(decision), not \(outcome)")
        }
    }

    /// What Android's `org.json` takes beyond JSON, and what it does not.
    static let loose: [(json: String, outcome: Outcome)] = [
        (#"{"android2":{"required_version":7}} and more"#, .update), (#"{"android2":{"required_version":7}},"#, .update),
        ("\u{FEFF}{\"android2\":{\"required_version\":7}}", .update),
        (#"# note\#n{android2:{'required_version'=7;}}"#, .error), ("# note\n{android2:{'required_version'=7}}", .update),
        ("{android2=>{required_version=>7}}", .update),
        (#"{"android2":{"required_version":7,}}"#, .error), (#"{"android2":[{"required_version":7},]}"#, .update),
        (#"{"android2":[,{"required_version":7}]}"#, .error),
        (#"{"android2":{"required_version":0x7}}"#, .update), (#"{"android2":{"required_version":010}}"#, .update),
        (#"{"android2":{"required_version":08}}"#, .error),
        (#"{"android2":{"required_version":+7}}"#, .update), (#"{"android2":{"required_version":7f}}"#, .error),
        (#"{"android2":{"required_version":seven}}"#, .error),
        (#"{"android2":{"required_version":1,"required_version":7}}"#, .update),
        (#"{"android2":{"required_version":7,"required_version":1}}"#, .no),
        (#"{"android2":{"required_version":7},7:1}"#, .error), (#"{"android2":{"required_version":7},null:1}"#, .error),
        (#"{"android2":{"required_version":NULL,"last_version_available":1}}"#, .no),
        (#"{"android2":{"required_version":7}"#, .error), (#"{"android2":{"required_version":7 /* */}}"#, .update),
        (#"{"android2":{"required_version":7 /* }}"#, .error),
    ]

    @Test(arguments: loose) func androidReadsAsOrgJSONDoes(json: String, outcome: Outcome) {
        check(PrinceOfVersionsAndroidClient.decide(Array(json.utf8), installed: 6), outcome, "\(json)")
    }

    /// Wire formats table 4.1.
    static let documents: [(json: String, apple: Outcome, android: Outcome)] = [
        ("", .error, .error), ("[]", .error, .error), ("{}", .error, .error), (#"{"ios2":[],"android2":[]}"#, .error, .error),
        (#"{"ios2":null,"android2":null}"#, .error, .error),
        (#"{"ios":[],"ios2":[{"required_version":"9"}],"android2":null,"android":{"required_version":9}}"#, .error, .update),
        (
            #"{"ios":{"alert":null},"ios2":[{"required_version":"9"}],"android":{"alert":null},"android2":[{"required_version":9}]}"#,
            .update, .update
        ),
        (
            #"{"ios":[{"required_version":"1"}],"ios2":[{"required_version":"9"}],"android":{"required_version":1},"android2":{"required_version":9}}"#,
            .no, .update
        ),
        (#"{"ios2":[{"required_version":9}],"android2":[9]}"#, .error, .error),
        (#"{"ios2":{"required_version":"9"},"android2":{}}"#, .error, .error),
        (#"{"ios2":[{}],"android2":[{}]}"#, .error, .error),
        (
            #"{"ios2":[{"required_version":null,"last_version_available":"1"}],"android2":[{"last_version_available":1,"required_version":null}]}"#,
            .no, .no
        ),
        (
            #"{"ios2":[{"required_version":"9","notify_last_version_frequency":"always"}],"android2":[{"required_version":9,"notify_last_version_frequency":"sometimes"}]}"#,
            .error, .update
        ),
        (
            #"{"ios2":[{"required_version":"9","notify_last_version_frequency":"ALWAYS"}],"android2":[{"required_version":9,"notify_last_version_frequency":1}]}"#,
            .update, .error
        ),
        (
            #"{"ios2":[{"required_version":"9","requirements":{"required_os_version":"15"}}],"android2":[{"required_version":9,"requirements":{"required_os_version":"26"}}]}"#,
            .update, .update
        ),
        (
            #"{"ios2":[{"required_version":"9","requirements":{"required_os_version":"100"}}],"android2":[{"required_version":9,"requirements":{"required_os_version":100}}]}"#,
            .error, .error
        ),
        (
            #"{"ios2":[{"required_version":"9","requirements":{"required_os_version":26}}],"android2":[{"required_version":9,"requirements":{"required_os_version":null,"x":null}}]}"#,
            .update, .update
        ),
        (
            #"{"ios2":[{"required_version":"1","requirements":{"x":1}},{"required_version":"9"}],"android2":[{"required_version":1,"requirements":{"x":1}},{"required_version":9}]}"#,
            .update, .update
        ),
        (
            #"{"ios2":[{"required_version":"9","meta":{"a":1}}],"android2":[{"required_version":9,"requirements":"x","meta":{"a":[]}}]}"#,
            .update, .update
        ),
        (#"{"ios2":[{"required_version":"9","meta":{"a":[]}}]}"#, .error, .error),
        (
            #"{"ios2":[{"required_version":"9"},{"required_version":"x"}],"android2":[{"required_version":9},{"required_version":"x"}]}"#,
            .error, .update
        ),
    ]

    @Test(arguments: documents)
    func documentIsReadAsEachSystemReadsIt(json: String, apple: Outcome, android: Outcome) {
        check(PrinceOfVersionsAppleClient.decide(Array(json.utf8), installed: "6"), apple, "iOS of \(json)")
        check(PrinceOfVersionsAndroidClient.decide(Array(json.utf8), installed: 6), android, "Android of \(json)")
    }

    @Test func macOSReadsItsOwnList() {
        let feed = Array(#"{"ios2":[{"required_version":"9"}],"macos2":[{"required_version":"1"}]}"#.utf8)
        #expect(PrinceOfVersionsAppleClient.decide(feed, installed: "6", platform: .macos) == .proceed)
    }

    @Test func installedBuildMakesTheVersionNewer() {
        let feed = Array(#"{"ios2":[{"required_version":"4.2.0"}]}"#.utf8)
        #expect(PrinceOfVersionsAppleClient.decide(feed, installed: "4.2.0-17") == .proceed)
        #expect(PrinceOfVersionsAppleClient.decide(feed, installed: "4.1.9-9999") == .requiredUpdate(version: "4.2.0", message: ""))
    }

    @Test func onceIsRememberedPerVersionOnAppleAndInOneSlotOnAndroid() {
        var apple = PrinceOfVersionsAppleClient.Memory()
        func ios(_ last: String, _ frequency: String) -> ClientDecision {
            let feed = #"{"ios2":[{"last_version_available":"\#(last)","notify_last_version_frequency":"\#(frequency)"}]}"#
            let decision = PrinceOfVersionsAppleClient.decide(Array(feed.utf8), installed: "6", memory: apple)
            apple.remember(decision)
            return decision
        }
        #expect(ios("7", "ONCE") == .optionalUpdate(version: "7", message: ""))
        #expect(ios("8", "ONCE") == .optionalUpdate(version: "8", message: ""))
        #expect(ios("7", "ONCE") == .proceed)
        #expect(ios("7", "ALWAYS") == .optionalUpdate(version: "7", message: ""))

        var slot = PrinceOfVersionsAndroidClient.Memory()
        func android(_ config: String, installed: Int = 6) -> ClientDecision {
            let decision = PrinceOfVersionsAndroidClient.decide(
                Array(#"{"android2":[\#(config)]}"#.utf8),
                installed: installed,
                memory: slot
            )
            slot.remember(decision)
            return decision
        }
        #expect(android(#"{"last_version_available":7}"#) == .optionalUpdate(version: "7", message: ""))
        #expect(android(#"{"last_version_available":7}"#) == .proceed)
        #expect(android(#"{"last_version_available":8}"#) == .optionalUpdate(version: "8", message: ""))
        #expect(android(#"{"last_version_available":7}"#) == .optionalUpdate(version: "7", message: ""))
        #expect(
            android(#"{"required_version":9,"last_version_available":10}"#) == .requiredUpdate(version: "10", message: ""),
            "the larger is reported"
        )
        #expect(
            android(#"{"required_version":9,"last_version_available":10}"#, installed: 9) == .proceed,
            "a required update is remembered too"
        )
    }
}
