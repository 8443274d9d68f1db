import Foundation
import GateFeeds
import GateJSON
import GateModel
import Testing

@Suite struct ImportReaderTests {
    /// What an import is expected to say, in short: an edit is its rules as JSON, a refusal `path = value: code`, a warning its code.
    struct Outcome: Equatable, Sendable {
        var format: ImportFormat
        var edits: [String: String] = [:]
        var settings: [String: String] = [:]
        var refused: [String] = []
        var warnings: [String] = []
    }

    private static let app = SampleApp.app(SampleApp.target(.ios), SampleApp.target(.android))

    private func read(_ document: String, _ format: ImportFormat = .auto, app: App = app, platform: PlatformKey? = nil) throws -> Outcome {
        let proposal = try ImportReader.read(document, format: format, app: app, platform: platform)
        for (platform, edit) in proposal.edits {
            var gate = Gate.open
            try gate.apply(edit, settings: try #require(app.platforms[platform]?.settings))
        }
        for value in proposal.refused { #expect(!value.detail.isEmpty) }
        return Outcome(
            format: proposal.format,
            edits: Dictionary(uniqueKeysWithValues: proposal.edits.map { ($0.key.text, $0.value.json.text) }),
            settings: Dictionary(uniqueKeysWithValues: proposal.settings.map { ($0.key.text, $0.value.text) }),
            refused: proposal.refused.map { "\($0.path) = \($0.value.text): \($0.code)" },
            warnings: proposal.warnings.map(\.code)
        )
    }

    private static func fixture(_ name: String) throws -> String {
        try String(contentsOf: #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json")), encoding: .utf8)
    }

    private static let update = "Please get the new version from the store."

    static let fixtures: [(name: String, outcome: Outcome)] = [
        (
            "launchgate-required",
            Outcome(
                format: .launchgate,
                edits: ["ios": #"{"requiredUpdate":{"minimumVersion":"4.2","message":"\#(update)"},"optionalUpdate":null,"alert":null}"#]
            )
        ),
        (
            "launchgate-optional",
            Outcome(
                format: .launchgate,
                edits: [
                    "ios":
                        #"{"requiredUpdate":null,"optionalUpdate":{"optionalVersion":"4.3","message":"Version 4.3 is faster."},"alert":null}"#
                ]
            )
        ),
        (
            "launchgate-alert-blocking",
            Outcome(
                format: .launchgate,
                edits: [
                    "ios":
                        #"{"requiredUpdate":null,"optionalUpdate":null,"alert":{"message":"The shop is closed for stocktaking.","blocking":true}}"#
                ]
            )
        ),
        (
            "launchgate-alert-passing",
            Outcome(
                format: .launchgate,
                edits: [
                    "ios":
                        #"{"requiredUpdate":null,"optionalUpdate":null,"alert":{"message":"Deliveries take a day longer this week.","blocking":false}}"#
                ]
            )
        ),
        (
            "cross-platform-dotted-android",
            Outcome(
                format: .launchgate,
                edits: [
                    "ios": #"{"requiredUpdate":{"minimumVersion":"4.2","message":"\#(update)"},"optionalUpdate":null,"alert":null}"#,
                    "android": #"{"optionalUpdate":null,"alert":null}"#,
                ],
                refused: [#"android.requiredUpdate.minimumVersion = "4.2": invalid_version"#]
            )
        ),
        (
            "gandalf-all-rules",
            Outcome(
                format: .launchgate,
                edits: [
                    "android":
                        #"{"requiredUpdate":{"minimumVersion":"42","message":"Please update."},"optionalUpdate":{"optionalVersion":"43","message":"A new build is out."},"alert":{"message":"Deliveries take a day longer this week.","blocking":false}}"#
                ]
            )
        ),
        (
            "bellerophon-idle-null-message",
            Outcome(
                format: .bellerophon,
                edits: ["ios": #"{"killSwitch":null,"forceUpdate":null}"#],
                settings: ["ios": #"{"defaultRetryInterval":20}"#]
            )
        ),
        (
            "bellerophon-killed",
            Outcome(
                format: .bellerophon,
                edits: ["ios": #"{"killSwitch":{"message":"Closed for stocktaking.","retryInterval":60},"forceUpdate":null}"#],
                settings: ["ios": #"{"defaultRetryInterval":60}"#]
            )
        ),
        (
            "prince-of-versions",
            Outcome(
                format: .princeOfVersions,
                edits: [
                    "ios":
                        #"{"requiredUpdate":{"minimumVersion":"4.0.0","message":"Please update the app to continue."},"optionalUpdate":{"optionalVersion":"4.3.0","message":"A new version is available."}}"#,
                    "android":
                        #"{"requiredUpdate":{"minimumVersion":"41","message":"Please update the app to continue."},"optionalUpdate":{"optionalVersion":"43","message":"A new version is available."}}"#,
                ],
                refused: [#"ios2.0.requirements = {"required_os_version":"15.0.0"}: requirements_unsupported"#],
                warnings: [
                    "default_message", "default_message", "default_message", "default_message", "shown_once", "ignored_member",
                    "ignored_member",
                ]
            )
        ),
        (
            "combined-killed",
            Outcome(
                format: .auto,
                edits: [
                    "ios":
                        #"{"killSwitch":{"message":"Closed for stocktaking.","retryInterval":60},"forceUpdate":null,"requiredUpdate":{"minimumVersion":"4.2.0","message":"Please update the app to continue."},"optionalUpdate":null}"#,
                    "android":
                        #"{"requiredUpdate":{"minimumVersion":"42","message":"Please update."},"optionalUpdate":{"optionalVersion":"43","message":"A new version is available."},"alert":null}"#,
                ],
                settings: ["ios": #"{"defaultRetryInterval":60}"#],
                warnings: ["default_message", "default_message"]
            )
        ),
    ]

    @Test(arguments: fixtures)
    func documentedFileIsTakenOver(name: String, outcome: Outcome) throws {
        #expect(try read(Self.fixture(name)) == outcome)
    }

    @Test func everyFixtureIsRead() throws {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == Self.fixtures.map { $0.name + ".json" }.sorted())
    }

    // MARK: LaunchGate and Gandalf

    /// One platform's object, and what becomes of it. Rules that the object lacks are cleared in every case.
    static let objects: [(platform: String, object: String, edit: String, refused: [String], warnings: [String])] = [
        ("ios", "{}", #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [], []),
        ("ios", "null", #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [], []),
        ("android", "{}", #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [], []),
        ("ios", #"{"alert":null,"requiredUpdate":null}"#, #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [], []),
        ("ios", #"{"alert":{}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#, ["ios.alert.message = null: malformed"], []),
        ("ios", #"{"alert":"x"}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#, [#"ios.alert = "x": malformed"#], []),
        (
            "ios", #"{"alert":{"message":"m","blocking":1}}"#,
            #"{"requiredUpdate":null,"optionalUpdate":null,"alert":{"message":"m","blocking":true}}"#, [], []
        ),
        (
            "ios", #"{"alert":{"message":"m","blocking":2}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            ["ios.alert.blocking = 2: malformed"], []
        ),
        (
            "ios", #"{"alert":{"message":"m","blocking":"true"}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            [#"ios.alert.blocking = "true": malformed"#], []
        ),
        (
            "ios", #"{"alert":{"message":"m"}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            ["ios.alert.blocking = null: malformed"], []
        ),
        (
            "ios", #"{"alert":{"message":"","blocking":true}}"#, #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [],
            ["empty_rule_is_off"]
        ),
        (
            "ios", #"{"alert":{"message":" ","blocking":true}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            [#"ios.alert.message = " ": invalid_message"#], []
        ),
        (
            "ios", #"{"alert":{"message":"a\u202eb","blocking":true}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            ["ios.alert.message = \"a\u{202E}b\": invalid_message"], []
        ),
        (
            "ios", #"{"requiredUpdate":{"minimumVersion":"","message":"m"}}"#,
            #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [], ["empty_rule_is_off"]
        ),
        (
            "ios", #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":""}}"#,
            #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [], ["empty_rule_is_off"]
        ),
        (
            "ios", #"{"requiredUpdate":{"minimumVersion":4.2,"message":"m"}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            ["ios.requiredUpdate.minimumVersion = 4.2: malformed"], []
        ),
        (
            "ios", #"{"requiredUpdate":{"minimumVersion":"v4.2","message":"m"}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            [#"ios.requiredUpdate.minimumVersion = "v4.2": invalid_version"#], []
        ),
        (
            "ios", #"{"requiredUpdate":{"minimumVersion":"4.2.0"}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            ["ios.requiredUpdate.message = null: malformed"], []
        ),
        (
            "ios", #"{"optionalUpdate":{"optionalVersion":"4.2.0","message":" Hello ","x":1},"y":2}"#,
            #"{"requiredUpdate":null,"optionalUpdate":{"optionalVersion":"4.2.0","message":"Hello"},"alert":null}"#, [], ["ignored_member"]
        ),
        (
            "ios",
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"},"optionalUpdate":{"optionalVersion":"4.2.0","message":"m"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"},"optionalUpdate":null,"alert":null}"#, [], ["optional_for_nobody"]
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":42,"message":"m"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"42","message":"m"},"optionalUpdate":null,"alert":null}"#, [], []
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":42.0,"message":"m"}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            ["android.requiredUpdate.minimumVersion = 42.0: invalid_version"], []
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":"042","message":"m"}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            [#"android.requiredUpdate.minimumVersion = "042": invalid_version"#], []
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":{},"message":"m"}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            ["android.requiredUpdate.minimumVersion = {}: malformed"], []
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":" ","message":"m"}}"#,
            #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [], ["empty_rule_is_off"]
        ),
        (
            // Java's white space does not include it: Gandalf takes it for a version, and crashes.
            "android", #"{"requiredUpdate":{"minimumVersion":"\u00a0","message":"m"}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            ["android.requiredUpdate.minimumVersion = \"\u{A0}\": invalid_version"], []
        ),
        (
            "android", #"{"requiredUpdate":{"message":"m"}}"#, #"{"requiredUpdate":null,"optionalUpdate":null,"alert":null}"#, [],
            ["empty_rule_is_off"]
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":"42","message":""}}"#, #"{"optionalUpdate":null,"alert":null}"#,
            [#"android.requiredUpdate.message = "": invalid_message"#], []
        ),
        (
            "android", #"{"alert":{"message":"","blocking":true}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            [#"android.alert.message = "": invalid_message"#], []
        ),
        (
            "android", #"{"alert":{"message":null}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            ["android.alert.message = null: malformed"], []
        ),
        (
            "android", #"{"alert":{"message":"m"}}"#,
            #"{"requiredUpdate":null,"optionalUpdate":null,"alert":{"message":"m","blocking":false}}"#, [], []
        ),
        (
            "android", #"{"alert":{"message":5,"blocking":"True"}}"#,
            #"{"requiredUpdate":null,"optionalUpdate":null,"alert":{"message":"5","blocking":true}}"#, [], []
        ),
        (
            "android", #"{"alert":{"message":"m","blocking":1}}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            ["android.alert.blocking = 1: malformed"], []
        ),
    ]

    @Test(arguments: objects)
    func platformObjectIsReadAsItsLibraryReadsIt(platform: String, object: String, edit: String, refused: [String], warnings: [String])
        throws
    {
        let outcome = Outcome(format: .launchgate, edits: [platform: edit], refused: refused, warnings: warnings)
        #expect(try read("{\"\(platform)\":\(object)}") == outcome)
    }

    private static let blocking = #"{"message":"m","blocking":true}"#

    static let unread: [(platform: String, object: String, edit: String, refused: [String])] = [
        // LaunchGate's own fixture.
        (
            "ios",
            #"{"alert":\#(blocking),"optionalUpdate":{"optionalVersion":"1.2","message":"o"},"requiredUpdate":{"minimumVersion":"1.1","message":"r"}}"#,
            #"{"requiredUpdate":{"minimumVersion":"1.1","message":"r"},"optionalUpdate":{"optionalVersion":"1.2","message":"o"}}"#,
            ["ios.alert = \(blocking): hidden_in_file"]
        ),
        (
            "ios", #"{"optionalUpdate":{"optionalVersion":"1.2","message":"o"},"alert":\#(blocking)}"#,
            #"{"requiredUpdate":null,"optionalUpdate":{"optionalVersion":"1.2","message":"o"}}"#,
            ["ios.alert = \(blocking): hidden_in_file"]
        ),
        // The whole object is dropped, for whichever rule.
        (
            "ios", #"{"requiredUpdate":{"minimumVersion":"1.1","message":"r"},"alert":{}}"#, #"{"optionalUpdate":null}"#,
            ["ios.alert.message = null: malformed", #"ios.requiredUpdate = {"minimumVersion":"1.1","message":"r"}: hidden_in_file"#]
        ),
        (
            "ios", #"{"requiredUpdate":{"minimumVersion":""},"alert":\#(blocking)}"#, #"{"requiredUpdate":null,"optionalUpdate":null}"#,
            ["ios.alert = \(blocking): hidden_in_file"]
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":"41","message":"r"},"alert":{"message":"m","blocking":1}}"#,
            #"{"optionalUpdate":null}"#,
            ["android.alert.blocking = 1: malformed", #"android.requiredUpdate = {"minimumVersion":"41","message":"r"}: hidden_in_file"#]
        ),
        (
            "android", #"{"requiredUpdate":{"minimumVersion":"7.3.1","message":"r"},"alert":\#(blocking)}"#, #"{"optionalUpdate":null}"#,
            [#"android.requiredUpdate.minimumVersion = "7.3.1": invalid_version"#, "android.alert = \(blocking): hidden_in_file"]
        ),
        // Gandalf looks at the alert although an update is there, and LaunchGate if the update is off.
        (
            "android", #"{"requiredUpdate":{"minimumVersion":"41","message":"r"},"alert":\#(blocking)}"#,
            #"{"requiredUpdate":{"minimumVersion":"41","message":"r"},"optionalUpdate":null,"alert":\#(blocking)}"#, []
        ),
        (
            "ios", #"{"requiredUpdate":null,"optionalUpdate":"x","alert":\#(blocking)}"#, #"{"requiredUpdate":null,"alert":\#(blocking)}"#,
            [#"ios.optionalUpdate = "x": malformed"#]
        ),
    ]

    /// What a library does not look at today must not be shown tomorrow.
    @Test(arguments: unread)
    func whatTheLibraryDoesNotLookAtIsRefused(platform: String, object: String, edit: String, refused: [String]) throws {
        let outcome = try read("{\"\(platform)\":\(object)}")
        #expect(outcome.edits == [platform: edit])
        #expect(outcome.refused == refused)
    }

    @Test func whatIsInForceIsNotRefusedForBeingHidden() throws {
        let gate = try SampleApp.gate(#"{"alert":\#(Self.blocking)}"#, SampleApp.settings(.ios))
        let file = #"{"ios":{"requiredUpdate":{"minimumVersion":"4.2.0","message":"r"},"alert":\#(Self.blocking)}}"#
        let outcome = try read(file, app: SampleApp.app(SampleApp.target(.ios, gate)))
        #expect(outcome.refused == [])
        #expect(outcome.edits["ios"]?.contains(#""alert":\#(Self.blocking)"#) == true)
    }

    @Test(arguments: [
        (#"{"ios":"x"}"#, [#"ios = "x": malformed"#]), (#"{"ios":1}"#, ["ios = 1: malformed"]),
        (#"{"android":"x"}"#, [#"android = "x": malformed"#]),
        (#"{"web":{"alert":{"message":"m","blocking":true}}}"#, [#"web = {"alert":{"message":"m","blocking":true}}: unknown_platform"#]),
    ])
    func whatIsNoObjectOfAKnownPlatformIsRefusedWhole(document: String, refused: [String]) throws {
        #expect(try read(document) == Outcome(format: .launchgate, refused: refused))
    }

    @Test func platformsAreTheAppsOwn() throws {
        let web = try #require(PlatformKey("web"))
        let app = SampleApp.app(SampleApp.target(web))
        let rule = #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"}}"#
        #expect(
            try read("{\"web\":\(rule)}", app: app).edits == [
                "web": #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"},"optionalUpdate":null,"alert":null}"#
            ]
        )
        let other = try read("{\"ios\":\(rule),\"web\":{}}", app: app)
        #expect(other.refused == ["ios = \(rule): unknown_platform"])
        #expect(other.edits.keys.sorted() == ["web"])
    }

    @Test func onePlatformCanBeTakenAlone() throws {
        let document = try Self.fixture("cross-platform-dotted-android")
        let outcome = try read(document, platform: .ios)
        #expect(outcome.edits.keys.sorted() == ["ios"])
        #expect(outcome.refused == [])
        #expect(outcome.warnings == ["ignored_member"])
    }

    @Test func dottedAndroidTakesDottedVersions() throws {
        var settings = SampleApp.settings(.android)
        (settings.versionScheme, settings.releases) = (.dotted, [])
        let app = SampleApp.app(SampleApp.target(.ios), SampleApp.target(.android, settings: settings))
        #expect(try read(Self.fixture("cross-platform-dotted-android"), app: app).refused == [])
    }

    // MARK: Bellerophon

    static let statuses: [(status: String, edit: String?, settings: String?, refused: [String], warnings: [String])] = [
        (
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15,"userMessage":""}"#, #"{"killSwitch":null,"forceUpdate":null}"#,
            #"{"defaultRetryInterval":15}"#, [], []
        ),
        (
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15}"#, #"{"killSwitch":null,"forceUpdate":null}"#,
            #"{"defaultRetryInterval":15}"#, [], []
        ),
        (
            #"{"apiInactive":false,"forceUpdate":false,"userMessage":"m"}"#, #"{"killSwitch":null,"forceUpdate":null}"#, nil, [],
            ["unused_message"]
        ),
        (#"{"apiInactive":null,"retryInterval":15}"#, #"{"killSwitch":null,"forceUpdate":null}"#, #"{"defaultRetryInterval":15}"#, [], []),
        (
            #"{"apiInactive":1,"forceUpdate":0,"retryInterval":30,"userMessage":"m"}"#,
            #"{"killSwitch":{"message":"m","retryInterval":30},"forceUpdate":null}"#, #"{"defaultRetryInterval":30}"#, [], []
        ),
        (
            #"{"apiInactive":false,"forceUpdate":true,"retryInterval":30,"userMessage":"m"}"#,
            #"{"killSwitch":null,"forceUpdate":{"message":"m"}}"#, #"{"defaultRetryInterval":30}"#, [], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":true,"retryInterval":30,"userMessage":"m"}"#, #"{"forceUpdate":{"message":"m"}}"#,
            #"{"defaultRetryInterval":30}"#, ["apiInactive = true: hidden_in_file"], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":null}"#, #"{"forceUpdate":null}"#,
            #"{"defaultRetryInterval":30}"#, ["userMessage = null: invalid_message"], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30}"#, #"{"forceUpdate":null}"#, #"{"defaultRetryInterval":30}"#,
            ["userMessage = null: invalid_message"], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":" "}"#, #"{"forceUpdate":null}"#,
            #"{"defaultRetryInterval":30}"#, [#"userMessage = " ": invalid_message"#], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":5}"#, #"{"forceUpdate":null}"#,
            #"{"defaultRetryInterval":30}"#, ["userMessage = 5: malformed"], []
        ),
        (
            #"{"apiInactive":"true","forceUpdate":false,"retryInterval":30,"userMessage":"m"}"#, #"{"forceUpdate":null}"#,
            #"{"defaultRetryInterval":30}"#, [#"apiInactive = "true": malformed"#], ["unused_message"]
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":0,"userMessage":"m"}"#,
            #"{"killSwitch":{"message":"m","retryInterval":15},"forceUpdate":null}"#, nil, ["retryInterval = 0: invalid_retry_interval"], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"userMessage":"m"}"#, #"{"forceUpdate":null}"#, nil,
            ["retryInterval = null: invalid_retry_interval", "apiInactive = true: hidden_in_file"], []
        ),
        (
            #"{"apiInactive":false,"forceUpdate":true,"retryInterval":null,"userMessage":"m"}"#, #"{"killSwitch":null}"#, nil,
            ["retryInterval = null: invalid_retry_interval", "forceUpdate = true: hidden_in_file"], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":false,"retryInterval":1e999,"userMessage":"m"}"#, #"{"forceUpdate":null}"#, nil,
            ["retryInterval = 1e999: invalid_retry_interval", "apiInactive = true: hidden_in_file"], []
        ),
        (
            #"{"apiInactive":true,"forceUpdate":1,"retryInterval":"30","userMessage":"m"}"#, "{}", nil,
            [
                #"retryInterval = "30": invalid_retry_interval"#, "apiInactive = true: hidden_in_file",
                "forceUpdate = 1: hidden_in_file",
            ], []
        ),
        (#"{"apiInactive":false,"forceUpdate":false,"userMessage":""}"#, #"{"killSwitch":null,"forceUpdate":null}"#, nil, [], []),
        (
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":"15","userMessage":""}"#, #"{"killSwitch":null,"forceUpdate":null}"#,
            nil, [#"retryInterval = "15": invalid_retry_interval"#], []
        ),
        (
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":15.5,"userMessage":""}"#, #"{"killSwitch":null,"forceUpdate":null}"#,
            nil, ["retryInterval = 15.5: invalid_retry_interval"], []
        ),
        (
            #"{"apiInactive":false,"forceUpdate":false,"retryInterval":null,"userMessage":""}"#, #"{"killSwitch":null,"forceUpdate":null}"#,
            nil, ["retryInterval = null: invalid_retry_interval"], []
        ),
    ]

    @Test(arguments: statuses)
    func statusSetsAndClearsItsTwoRules(status: String, edit: String?, settings: String?, refused: [String], warnings: [String]) throws {
        var outcome = Outcome(format: .bellerophon, refused: refused, warnings: warnings)
        outcome.edits["ios"] = edit
        outcome.settings["ios"] = settings
        #expect(try read(status) == outcome)
        (outcome.edits, outcome.settings) = (edit.map { ["android": $0] } ?? [:], settings.map { ["android": $0] } ?? [:])
        #expect(try read(status, .bellerophon, platform: .android) == outcome)
    }

    @Test func statusForAPlatformThatTheAppHasNotIsRefused() throws {
        let status = #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":"m"}"#
        #expect(try read(status, platform: .macos) == Outcome(format: .bellerophon, refused: ["apiInactive = true: unknown_platform"]))
    }

    // MARK: Prince of Versions

    static let lists: [(document: String, edits: [String: String], refused: [String], warnings: [String])] = [
        (
            #"{"ios2":[{"required_version":"0"}],"android2":[{"required_version":1}]}"#,
            ["ios": #"{"requiredUpdate":null,"optionalUpdate":null}"#, "android": #"{"requiredUpdate":null,"optionalUpdate":null}"#], [], []
        ),
        (
            #"{"ios2":[{"required_version":"0.0.0","last_version_available":null}]}"#,
            ["ios": #"{"requiredUpdate":null,"optionalUpdate":null}"#], [], []
        ),
        (
            #"{"ios2":[{"last_version_available":"4.3.0","notify_last_version_frequency":"ALWAYS"}]}"#,
            ["ios": #"{"requiredUpdate":null,"optionalUpdate":{"optionalVersion":"4.3.0","message":"A new version is available."}}"#], [],
            ["default_message", "shown_once"]
        ),
        (
            #"{"android":{"required_version":42}}"#,
            [
                "android":
                    #"{"requiredUpdate":{"minimumVersion":"42","message":"Please update the app to continue."},"optionalUpdate":null}"#
            ], [], ["default_message"]
        ),
        (
            #"{"android":[{"required_version":0}],"ios":[{"required_version":"0"}]}"#,
            ["ios": #"{"requiredUpdate":null,"optionalUpdate":null}"#, "android": #"{"requiredUpdate":null,"optionalUpdate":null}"#], [], []
        ),
        (
            #"{"ios":[{"required_version":"4.1.0"}],"ios2":[{"required_version":"4.2.0"}]}"#,
            ["ios": #"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Please update the app to continue."},"optionalUpdate":null}"#],
            [], ["default_message", "ignored_member"]
        ),
        // A list that does not decode is skipped for the other.
        (
            #"{"ios":[{"required_version":42}],"ios2":[{"required_version":"4.2.0"}]}"#,
            ["ios": #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Please update the app to continue."},"optionalUpdate":null}"#],
            [], ["default_message", "ignored_member"]
        ),
        // Nobody is offered what everybody must have.
        (
            #"{"ios2":[{"required_version":"2.0.0","last_version_available":"2.0.0"}],"android2":[{"required_version":42,"last_version_available":41}]}"#,
            [
                "ios":
                    #"{"requiredUpdate":{"minimumVersion":"2.0.0","message":"Please update the app to continue."},"optionalUpdate":null}"#,
                "android":
                    #"{"requiredUpdate":{"minimumVersion":"42","message":"Please update the app to continue."},"optionalUpdate":null}"#,
            ],
            [],
            ["default_message", "optional_for_nobody", "default_message", "optional_for_nobody"]
        ),
        (
            #"{"android2":[{"required_version":42}],"android":{"required_version":41}}"#,
            [
                "android":
                    #"{"requiredUpdate":{"minimumVersion":"42","message":"Please update the app to continue."},"optionalUpdate":null}"#
            ], [], ["default_message", "ignored_member"]
        ),
        (
            #"{"android2":[{"required_version":"42"}]}"#, [:],
            [#"android2.0.required_version = "42": invalid_version"#], []
        ),
        (
            #"{"android2":[{"required_version":2147483648}]}"#, [:],
            ["android2.0.required_version = 2147483648: invalid_version"], []
        ),
        (#"{"ios2":[{"required_version":4}]}"#, [:], ["ios2.0.required_version = 4: invalid_version"], []),
        (
            #"{"ios2":[{"required_version":""}]}"#, [:],
            [#"ios2.0.required_version = "": invalid_version"#], []
        ),
        // What the library drops the whole list for lets everybody in today.
        (
            #"{"ios2":[{"required_version":"4.2.0","notify_last_version_frequency":"always"}]}"#, [:],
            [#"ios2.0.notify_last_version_frequency = "always": malformed"#], []
        ),
        (
            #"{"ios2":[{"required_version":"4.2.0","meta":{"a":[]}}]}"#, [:],
            [#"ios2.0.meta = {"a":[]}: malformed"#], []
        ),
        (
            #"{"ios2":[{"required_version":"4.2.0"},{"required_version":5,"requirements":[]}]}"#, [:],
            [#"ios2.1.required_version = 5: invalid_version"#, "ios2.1.requirements = []: malformed"], ["ignored_member"]
        ),
        (#"{"ios2":[{"required_version":"4.2.0"},7]}"#, [:], ["ios2.1 = 7: malformed"], []),
        (
            #"{"android2":[{"required_version":42,"notify_last_version_frequency":420}]}"#, [:],
            ["android2.0.notify_last_version_frequency = 420: malformed"], []
        ),
        (#"{"android2":["x",{"required_version":42}]}"#, [:], [#"android2.0 = "x": malformed"#], []),
        // The Android library reads no further than the config that it takes.
        (
            #"{"android2":[{"required_version":42},{"required_version":"43"}]}"#,
            [
                "android":
                    #"{"requiredUpdate":{"minimumVersion":"42","message":"Please update the app to continue."},"optionalUpdate":null}"#
            ],
            [], ["ignored_member", "default_message"]
        ),
        (
            #"{"ios2":[{"required_version":"4.2.0-17"}]}"#, ["ios": #"{"optionalUpdate":null}"#],
            [#"ios2.0.required_version = "4.2.0-17": invalid_version"#], ["default_message"]
        ),
        (#"{"ios2":[]}"#, [:], ["ios2 = []: malformed"], []),
        (#"{"ios2":{"required_version":"4.2.0"}}"#, [:], [#"ios2 = {"required_version":"4.2.0"}: malformed"#], []),
        (#"{"ios2":[4]}"#, [:], ["ios2.0 = 4: malformed"], []),
        (
            #"{"ios2":[{"required_version":"4.2.0","requirements":{"region":"hr"}}]}"#, [:],
            [#"ios2.0.requirements = {"region":"hr"}: requirements_unsupported"#], []
        ),
        (#"{"ios2":[{"required_version":"0","requirements":{}}]}"#, ["ios": #"{"requiredUpdate":null,"optionalUpdate":null}"#], [], []),
        // What null asks is one thing on Android and another on Apple's systems.
        (
            #"{"ios2":[{"last_version_available":"1.0.0","requirements":{"beta":null}},{"required_version":"2.0.0"}]}"#,
            ["ios": #"{"requiredUpdate":{"minimumVersion":"2.0.0","message":"Please update the app to continue."},"optionalUpdate":null}"#],
            [#"ios2.0.requirements = {"beta":null}: requirements_unsupported"#], ["default_message"]
        ),
        (
            #"{"android2":[{"required_version":42,"requirements":{"beta":null}},{"required_version":43}]}"#,
            [
                "android":
                    #"{"requiredUpdate":{"minimumVersion":"42","message":"Please update the app to continue."},"optionalUpdate":null}"#
            ],
            [], ["ignored_member", "default_message"]
        ),
        (
            #"{"ios2":[{"required_version":"2.0.0","requirements":{"required_os_version":15}}]}"#,
            ["ios": #"{"requiredUpdate":{"minimumVersion":"2.0.0","message":"Please update the app to continue."},"optionalUpdate":null}"#],
            [], ["default_message", "ignored_member"]
        ),
        (
            #"{"ios2":[{"required_version":"2.0.0","requirements":{"required_os_version":null}}]}"#,
            ["ios": #"{"requiredUpdate":{"minimumVersion":"2.0.0","message":"Please update the app to continue."},"optionalUpdate":null}"#],
            [], ["default_message"]
        ),
        (
            #"{"android2":[{"required_version":42,"requirements":{"required_os_version":"x"}}]}"#, [:],
            [#"android2.0.requirements = {"required_os_version":"x"}: requirements_unsupported"#], []
        ),
        (
            #"{"ios2":[{"required_version":"0"},{"required_version":"4.2.0"}]}"#,
            ["ios": #"{"requiredUpdate":null,"optionalUpdate":null}"#], [], ["ignored_member"]
        ),
        (#"{"macos2":[{"required_version":"4.2.0"}]}"#, [:], [#"macos2 = [{"required_version":"4.2.0"}]: unknown_platform"#], []),
    ]

    @Test(arguments: lists)
    func listIsReadAsItsLibraryReadsIt(document: String, edits: [String: String], refused: [String], warnings: [String]) throws {
        #expect(try read(document) == Outcome(format: .princeOfVersions, edits: edits, refused: refused, warnings: warnings))
    }

    @Test func textsOfTheTargetAreKeptWhereTheFileHasNone() throws {
        let gate = try SampleApp.gate(#"{"requiredUpdate":{"minimumVersion":"4.1.0","message":"Ours."}}"#, SampleApp.settings(.ios))
        let outcome = try read(#"{"ios2":[{"required_version":"4.2.0"}]}"#, app: SampleApp.app(SampleApp.target(.ios, gate)))
        #expect(outcome.edits["ios"] == #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Ours."},"optionalUpdate":null}"#)
        #expect(outcome.warnings == [])
    }

    // MARK: Combined documents and formats

    @Test func partsThatDisagreeSaySo() throws {
        let document = #"{"ios":{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"}},"ios2":[{"required_version":"4.1.0"}]}"#
        let outcome = try read(document)
        #expect(outcome.edits["ios"] == #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"m"},"optionalUpdate":null,"alert":null}"#)
        #expect(outcome.warnings == ["versions_differ"])
    }

    @Test func forcedUpdateOfACombinedDocumentIsTakenOnce() throws {
        let forced = Gate(forceUpdate: ForceUpdate(message: .text("Please update.")))
        let feeds = try FeedRenderer.render(SampleApp.app(SampleApp.target(.ios, forced)))
        let outcome = try read(feeds.text(.combined))
        #expect(
            outcome.edits["ios"] == #"{"killSwitch":null,"forceUpdate":{"message":"Please update."},"optionalUpdate":null,"alert":null}"#
        )
        #expect(outcome.warnings == [])

        let own =
            #"{"apiInactive":false,"forceUpdate":true,"retryInterval":15,"userMessage":"a","ios":{"requiredUpdate":{"minimumVersion":"4.2.0","message":"a"}},"ios2":[{"required_version":"4.2.0"}]}"#
        #expect(
            try read(own).edits["ios"]?.contains(#""requiredUpdate":{"minimumVersion":"4.2.0""#) == true,
            "an older minimum is a rule of its own"
        )
    }

    @Test func offInOnePartDoesNotClearWhatTheOtherRefused() throws {
        let outcome = try read(#"{"ios":{"requiredUpdate":{"minimumVersion":"v4","message":"m"}},"ios2":[{"required_version":"0"}]}"#)
        #expect(outcome.edits["ios"] == #"{"optionalUpdate":null,"alert":null}"#)
        #expect(outcome.refused.count == 1)
        // What was refused whole may have named any rule.
        let whole = try read(#"{"ios":"off","ios2":[{"required_version":"0"}]}"#)
        #expect(whole.edits["ios"] == nil)
        #expect(whole.refused == [#"ios = "off": malformed"#])
    }

    @Test func namedFormatTakesItsPartOnly() throws {
        let document = try Self.fixture("combined-killed")
        #expect(try read(document, .bellerophon).edits.keys.sorted() == ["ios"])
        #expect(
            try read(document, .launchgate).edits["ios"]
                == #"{"requiredUpdate":null,"optionalUpdate":null,"alert":{"message":"Closed for stocktaking.","blocking":true}}"#
        )
        let outcome = try read(document, .princeOfVersions)
        #expect(outcome.format == .princeOfVersions)
        #expect(
            outcome.edits["ios"]
                == #"{"requiredUpdate":{"minimumVersion":"4.2.0","message":"Please update the app to continue."},"optionalUpdate":null}"#
        )
        #expect(outcome.warnings.last == "ignored_member")
    }

    @Test(
        arguments: [
            ("", ImportFormat.auto, "invalid_json", 0), ("{\"ios\":{}} x", .auto, "invalid_json", 11),
            ("\u{FEFF}{\"ios\":{}}", .auto, "invalid_json", 0),
            ("// licence\n{\"android\":{}}", .auto, "invalid_json", 0), ("{\"ios\":{},\"ios\":{}}", .auto, "invalid_json", 15),
            ("<html>", .auto, "invalid_json", 0),
            (#"{"ios":{"alert":{"message":"\ud800","blocking":true}}}"#, .auto, "invalid_json", 34),
            ("{}", .auto, "unrecognised_document", nil), ("[]", .auto, "unrecognised_document", nil),
            ("null", .auto, "unrecognised_document", nil),
            (#"{"hello":"world"}"#, .auto, "unrecognised_document", nil),
            (#"{"web":{"colour":"red"}}"#, .auto, "unrecognised_document", nil),
            (#"{"ios":{}}"#, .bellerophon, "unrecognised_document", nil), (#"{"ios":{}}"#, .princeOfVersions, "unrecognised_document", nil),
            (#"{"apiInactive":true}"#, .launchgate, "unrecognised_document", nil),
        ] as [(String, ImportFormat, String, Int?)]
    )
    func whatIsNoFileIsAnErrorThatNamesWhatWasLookedFor(document: String, format: ImportFormat, code: String, offset: Int?) {
        #expect { try ImportReader.read(document, format: format, app: Self.app, platform: nil) } throws: { error in
            let error = error as? ImportError
            let isNamed =
                error?.offset.map { error?.detail.contains("byte \($0)") == true } ?? (error?.detail.contains("nothing of") == true)
            return error?.code == code && error?.offset == offset && isNamed
        }
    }

    @Test func platformThatTheFileLacksIsAnError() {
        #expect { try ImportReader.read(#"{"android":{}}"#, format: .auto, app: Self.app, platform: .ios) } throws: {
            ($0 as? ImportError)?.detail.contains("ios") == true
        }
    }

    // MARK: Our own feeds

    /// An optional version that the required one has reached is none, and no change can make such a gate.
    private static func takeAwayOffersToNobody(_ app: inout App) {
        for (key, target) in app.platforms {
            guard let required = target.gate.requiredUpdate, let optional = target.gate.optionalUpdate,
                !target.settings.versionScheme.isOlder(required.minimumVersion, than: optional.optionalVersion)
            else { continue }
            app.platforms[key]?.gate.optionalUpdate = nil
        }
    }

    @Test func ownLaunchGateFeedBringsBackTheRulesThatItShows() throws {
        var gates = GeneratedGates(seed: 99)
        for _ in 0..<200 {
            var app = gates.app()
            Self.takeAwayOffersToNobody(&app)
            let feeds = try FeedRenderer.render(app)
            guard let feed = feeds.first(where: { $0.name == .launchgate }) else { continue }  // an app without platforms
            let proposal = try ImportReader.read(String(decoding: feed.bytes, as: UTF8.self), format: .auto, app: app, platform: nil)
            #expect(proposal.refused == [] && proposal.warnings == [])
            var shown = app
            for (platform, edit) in proposal.edits {
                shown.platforms[platform]?.gate = .open
                try shown.platforms[platform]?.gate.apply(edit, settings: #require(app.platforms[platform]?.settings))
            }
            #expect(proposal.edits.count == app.platforms.count)
            let again = try FeedRenderer.render(shown).first { $0.name == .launchgate }
            #expect(again?.bytes == feed.bytes)
        }
    }

    @Test func ownBellerophonFeedBringsBackItsRules() throws {
        var gates = GeneratedGates(seed: 98)
        for _ in 0..<200 {
            let target = gates.target(.ios)
            let app = SampleApp.app(target)
            let feed = try FeedRenderer.render(app).feed(.bellerophon).bytes
            let proposal = try ImportReader.read(String(decoding: feed, as: UTF8.self), format: .auto, app: app, platform: nil)
            #expect(proposal.refused == [])
            var gate = target.gate
            try gate.apply(#require(proposal.edits[.ios]), settings: target.settings)
            let again = try FeedRenderer.render(SampleApp.app(SampleApp.target(.ios, gate, settings: target.settings))).feed(.bellerophon)
                .bytes
            #expect(again == feed)
        }
    }

    @Test func ownCombinedFeedChangesNothingForAnyLibrary() throws {
        var gates = GeneratedGates(seed: 97)
        for _ in 0..<300 {
            var app = gates.app()
            // A forced update shows as a required one, which the file cannot tell from the operator's own.
            for key in app.platforms.keys { app.platforms[key]?.gate.forceUpdate = nil }
            Self.takeAwayOffersToNobody(&app)
            guard app.platforms[.ios] != nil else { continue }
            let feed = try FeedRenderer.render(app).feed(.combined).bytes
            let proposal = try ImportReader.read(String(decoding: feed, as: UTF8.self), format: .auto, app: app, platform: nil)
            #expect(proposal.refused == [])
            var taken = app
            for (platform, edit) in proposal.edits {
                try taken.platforms[platform]?.gate.apply(edit, settings: #require(app.platforms[platform]?.settings))
            }
            for key in taken.platforms.keys {
                guard let json = proposal.settings[key] else { continue }
                try taken.platforms[key]?.settings.apply(json: json)
            }
            let again = try FeedRenderer.render(taken).feed(.combined).bytes
            #expect(String(decoding: again, as: UTF8.self) == String(decoding: feed, as: UTF8.self))
        }
    }
}
