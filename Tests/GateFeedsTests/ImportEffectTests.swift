import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateFeeds

/// What taking a file over does to phones: the file that is hosted today, against the feed of tomorrow.
@Suite struct ImportEffectTests {
    private static let versions: [PlatformKey: [String]] = [
        .ios: ["1.0", "1.1", "1.2", "1.3", "1.1.0", "1.9.0", "1.10.0", "2.0.0", "4.1.9", "4.2.0", "9.9.0", "10.0.0"],
        .android: ["1", "7", "9", "10", "40", "41", "42", "99"],
        .macos: ["1.0.0", "2.0.0", "1.9.0", "1.10.0"],
    ]

    private static let app = SampleApp.app(
        [.ios, .android, .macos].map { platform in
            SampleApp.target(
                platform,
                settings: SampleApp.settings(platform, releases: platform == .android ? ["40", "41"] : ["1.9.0", "1.10.0"])
            )
        }
    )

    /// Compares a file's effects with what the models make of the file and of the feeds that are published after it.
    private func check(_ document: String, _ name: String) throws {
        let proposal: ImportProposal
        // Nothing is taken over.
        do { proposal = try ImportReader.read(document, format: .auto, app: Self.app, platform: nil) } catch { return }
        var app = Self.app
        for (platform, target) in Self.app.platforms {
            var target = target
            if let settings = proposal.settings[platform] { try target.settings.apply(json: settings) }
            if let edit = proposal.edits[platform] { try target.gate.apply(edit, settings: target.settings) }
            app.platforms[platform] = target
        }
        // A gate of many rules may be one that is never published.
        guard let feeds = try? FeedRenderer.render(app) else { return }
        for (platform, readers) in proposal.readers {
            guard let target = app.platforms[platform], let before = Self.app.platforms[platform] else { continue }
            let file = Array(document.utf8)
            let effects = EffectFinder.allEffects(
                of: target.key,
                before: EffectFinder.Side(before.gate, before.settings),
                after: EffectFinder.Side(target.gate, target.settings),
                hosted: Dictionary(uniqueKeysWithValues: readers.map { ($0, file) })
            )
            for library in ClientLibrary.reading(platform, scheme: target.settings.versionScheme) {
                for version in Self.versions[platform] ?? [] {
                    let phone = try SimulatedPhone(library, on: platform, version: version)
                    let feed = try feeds.feed(library.feed, platform).bytes
                    let hosted = readers.contains(library) ? file : try FeedRenderer.render(Self.app).feed(library.feed, platform).bytes
                    let (one, other) = (Effect.Shown(phone.decide(hosted)), Effect.Shown(phone.decide(feed)))
                    let meant = GateMeaning(target.gate, scheme: target.settings.versionScheme).shown(to: version)
                    let seen = phone.shown(hosted)
                    let (later, again) = (Effect.Shown(seen.decide(hosted)), Effect.Shown(seen.decide(feed)))
                    if one == other, later != again {
                        let isTold = effects.contains { ($0.client, $0.before, $0.after, $0.meant) == (library, later, again, meant) }
                        #expect(isTold, "\(name): \(library) \(version) on \(platform), put away: \(later) → \(again)\n\(document)")
                    }
                    guard one != other || other != meant else { continue }
                    let isTold = effects.contains { ($0.client, $0.before, $0.after, $0.meant) == (library, one, other, meant) }
                    #expect(isTold, "\(name): \(library) \(version) on \(platform) \(one) → \(other), meant \(meant)\n\(document)")
                }
            }
        }
    }

    @Test func whatTheFixturesDoIsTold() throws {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".json") }
        #expect(!files.isEmpty)
        for file in files { try check(String(contentsOf: folder.appending(path: file), encoding: .utf8), file) }
    }

    /// The fixtures of the libraries' own repositories, re-made.
    @Test(arguments: [
        #"{"ios":{"alert":{"message":"Maintenance.","blocking":true},"optionalUpdate":{"optionalVersion":"1.2","message":"Try it."},"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#,
        #"{"ios":{"alert":{"message":"Maintenance.","blocking":true}}}"#,
        #"{"ios":{"optionalUpdate":{"optionalVersion":"1.2","message":"Try it."}}}"#,
        #"{"ios":{"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#, #"{"ios":{}}"#, #"{"ios":{"alert":{}}}"#,
        #"{"ios":{"optionalUpdate":{}}}"#,
        #"{"ios":{"requiredUpdate":{}}}"#,
        #"{"android":{"requiredUpdate":{"minimumVersion":"7","message":"Update."},"alert":{"message":"Hello.","blocking":false}}}"#,
        #"{"android":{"optionalUpdate":{"optionalVersion":"8","message":"Update."},"alert":{"message":"Hello.","blocking":true}}}"#,
        #"{"android":{"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#,
        #"{"android":{"alert":{"message":"Hello.","blocking":1}}}"#,
        #"{"apiInactive":true,"forceUpdate":false,"userMessage":"Back soon."}"#,
        #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":null}"#,
        #"{"apiInactive":true,"forceUpdate":true,"retryInterval":30,"userMessage":"Update."}"#,
        #"{"ios2":[{"required_version":"1.9.0","last_version_available":"2.0.0","notify_last_version_frequency":"ALWAYS"}]}"#,
        #"{"android2":[{"required_version":10,"last_version_available":20,"notify_last_version_frequency":420}]}"#,
        #"{"android2":[{"required_version":"10"}]}"#,
        #"{"ios2":[{"required_version":"1.9.0","requirements":{"region":"hr"}},{"last_version_available":"2.0.0"}]}"#,
    ])
    func whatTheLibrariesOwnFilesDoIsTold(_ document: String) throws { try check(document, "a fixture") }

    /// Phones between a build of a version and the next version, which no rule here can name.
    @Test func whatABuildInAFileDoesIsTold() throws {
        let settings = SampleApp.settings(.ios, releases: ["1.0", "1.1", "1.2", "2.0"])
        let document =
            #"{"ios":{"requiredUpdate":{"minimumVersion":"1.2","message":"m"}},"ios2":[{"required_version":"1.1-5","last_version_available":"1.2"}]}"#
        let effects = EffectFinder.allEffects(
            of: TargetKey(app: SampleApp.key, platform: .ios),
            before: EffectFinder.Side(.open, settings),
            after: EffectFinder.Side(Gate(requiredUpdate: RequiredUpdate(minimumVersion: "1.2", message: .text("m"))), settings),
            hosted: [.princeOfVersions: Array(document.utf8)]
        )
        let row = effects.first { ($0.client, $0.before, $0.after) == (.princeOfVersions, .optional, .required) }
        #expect(row?.versions.contains("1.1.1") == true, "\(effects)")
    }

    /// An alert that LaunchGate never looks at, a kill switch behind a forced update, and rules in files that are dropped.
    @Test(arguments: [
        #"{"ios":{"alert":{"message":"Maintenance.","blocking":true},"optionalUpdate":{"optionalVersion":"1.2","message":"Try it."},"requiredUpdate":{"minimumVersion":"1.1","message":"Update."}}}"#,
        #"{"ios":{"requiredUpdate":{"minimumVersion":"1.10.0","message":"Update."},"alert":{}}}"#,
        #"{"android":{"requiredUpdate":{"minimumVersion":"41","message":"Update."},"alert":{"message":"Hello.","blocking":1}}}"#,
        #"{"android":{"requiredUpdate":{"minimumVersion":"7.3.1","message":"Update."},"alert":{"message":"Hello.","blocking":true}}}"#,
        #"{"apiInactive":true,"forceUpdate":false,"userMessage":"Down."}"#,
        #"{"apiInactive":true,"forceUpdate":true,"retryInterval":"30","userMessage":"Down."}"#,
        #"{"apiInactive":true,"forceUpdate":true,"retryInterval":30,"userMessage":"Update."}"#,
    ])
    func whatNobodySeesTodayShutsNobodyOutTomorrow(document: String) throws {
        let proposal = try ImportReader.read(document, format: .auto, app: Self.app, platform: nil)
        for (platform, edit) in proposal.edits {
            let before = try #require(Self.app.platforms[platform])
            var after = before
            try after.gate.apply(edit, settings: after.settings)
            let readers = proposal.readers[platform] ?? []
            let effects = EffectFinder.allEffects(
                of: before.key,
                before: EffectFinder.Side(before.gate, before.settings),
                after: EffectFinder.Side(after.gate, after.settings),
                hosted: Dictionary(uniqueKeysWithValues: readers.map { ($0, Array(document.utf8)) })
            )
            #expect(!effects.contains { readers.contains($0.client) && !$0.before.shutsOut && $0.after == .blocked }, "\(effects)")
            #expect(!after.gate.isOn(.alert) && !after.gate.isOn(.killSwitch))
        }
    }

    /// 300 files that hold what people have put into such files.
    @Test func whatRandomFilesDoIsTold() throws {
        let seed = ProcessInfo.processInfo.environment["GATEHOUSE_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0 ... .max)
        print("ImportEffectTests: GATEHOUSE_SEED=\(seed)")
        var generator = SeededGenerator(seed: seed)
        func one(_ values: [String]) -> String { values.randomElement(using: &generator)! }
        func rule(_ version: String) -> String {
            let versions = [
                #""1.1""#, #""1.10.0""#, #""2.0.0""#, #""41""#, #""7""#, #""10""#, #""v1""#, #""1.1.1.1.1""#, "41", "null", #""""#,
            ]
            return #"{"\#(version)":\#(one(versions)),"message":\#(one([#""Update.""#, #"" Update. ""#, #""""#, "null", #""a\r\nb""#]))}"#
        }
        for number in 0..<300 {
            var root: [String] = []
            for platform in ["ios", "android"] where Bool.random(using: &generator) {
                var rules: [String] = []
                if Bool.random(using: &generator) {
                    rules.append(#""requiredUpdate":"# + one([rule("minimumVersion"), rule("minimumVersion"), "{}", "null"]))
                }
                if Bool.random(using: &generator) {
                    rules.append(#""optionalUpdate":"# + one([rule("optionalVersion"), rule("optionalVersion"), "{}"]))
                }
                if Bool.random(using: &generator) {
                    rules.append(
                        #""alert":{"message":\#(one([#""Slow today.""#, #"" Slow today.""#, #""a\r\nb""#, #""e\u0301""#, #""""#, #""  ""#])),"blocking":\#(one(["true", "false", "1", #""true""#]))}"#
                    )
                }
                root.append(#""\#(platform)":{\#(rules.joined(separator: ","))}"#)
            }
            if Bool.random(using: &generator) {
                for name in ["apiInactive", "forceUpdate"] { root.append(#""\#(name)":\#(one(["true", "false", "null", "1"]))"#) }
                if Bool.random(using: &generator) { root.append(#""retryInterval":"# + one(["30", "1", "true", #""30""#])) }
                root.append(#""userMessage":"# + one([#""Back soon.""#, "null", #""""#]))
            }
            for name in ["ios2", "android2"] where Int.random(in: 0..<3, using: &generator) == 0 {
                let version = one(name == "ios2" ? [#""1.9.0""#, #""1.10""#, #""2""#, #""x""#] : ["10", "41", #""10""#, "1.5"])
                root.append(
                    #""\#(name)":[{"required_version":\#(version),"notify_last_version_frequency":\#(one([#""ONCE""#, #""ALWAYS""#, "420"]))}]"#
                )
            }
            try check("{" + root.joined(separator: ",") + "}", "\(seed) \(number)")
        }
    }

    /// An object of Prince of Versions 1 to 3 has nothing of LaunchGate's, and lifts nothing.
    @Test func aFileOfAnOldPrinceOfVersionsIsNotTakenForAnEmptyOne() {
        let document = #"{"ios":{"minimum_version":"1.2.3","optional_update":{"version":"2.4.5","notification_type":"ALWAYS"}}}"#
        #expect(throws: ImportError.self) { try ImportReader.read(document, format: .auto, app: Self.app, platform: nil) }
    }

    /// A text that is trimmed, composed or has its line ends changed is another one to a library that remembers texts: who put it away sees
    /// it again. LaunchGate compares as people do, Gandalf byte for byte.
    @Test(arguments: [
        (#"Slow today."#, false, false), (#" Slow today."#, true, true), (#"a\r\nb"#, true, true), (#"e\u0301"#, false, true),
    ])
    func aTextThatIsSpelledAnewIsSeenAgain(text: String, onApple: Bool, onAndroid: Bool) throws {
        for (platform, library, isSeen) in [(PlatformKey.ios, ClientLibrary.launchgate, onApple), (.android, .gandalf, onAndroid)] {
            let document = #"{"\#(platform)":{"alert":{"message":"\#(text)","blocking":false}}}"#
            let proposal = try ImportReader.read(document, format: .auto, app: Self.app, platform: nil)
            var target = try #require(Self.app.platforms[platform])
            let before = EffectFinder.Side(target.gate, target.settings)
            try target.gate.apply(try #require(proposal.edits[platform]), settings: target.settings)
            let effects = EffectFinder.allEffects(
                of: target.key,
                before: before,
                after: EffectFinder.Side(target.gate, target.settings),
                hosted: [library: Array(document.utf8)]
            ).filter { $0.client == library }
            #expect(
                effects.contains { $0.before == .nothing && $0.after == .alert && $0.detail.contains("had dismissed") } == isSeen,
                "\(effects)"
            )
        }
    }

    @Test(arguments: [
        (
            "{\n \"ios\": {\n  \"requiredUpdate\": { \"minimumVersion\": \"v1\",\n \"message\": \"m\" } } }",
            "ios.requiredUpdate.minimumVersion", 3, 41
        ),
        ("{\"android2\":[\n{\"required_version\":\"10\"}]}", "android2.0.required_version", 2, 21),
        ("{\"ios\":{\n\"alert\":{\"message\":5}},\n\"ios.alert\":{\"message\":1},\n\"ios.alert.message\":1}", "ios.alert.message", 2, 20),
        ("{\n\"watch\": {\"alert\":{\"message\":\"m\",\"blocking\":false}},\"ios\":{}}", "watch", 2, 10),
    ])
    func aRefusedValueIsToldByLineAndColumn(document: String, path: String, line: Int, column: Int) throws {
        let refused = try ImportReader.read(document, format: .auto, app: Self.app, platform: nil).refused
        let value = try #require(refused.first { $0.path == path }, "\(refused)")
        #expect((value.line, value.column) == (line, column))
    }

    /// Two thousand refusals, names as long as the file, paths of a hundred thousand parts: the work goes with the file's length, once.
    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            "{\"ios2\":[" + Array(repeating: #"{"required_version":"1","requirements":{"a":1}}"#, count: 400).joined(separator: ",") + "]"
                + String(repeating: " ", count: 240_000) + "}",
            "{" + String(repeating: "\n", count: 240_000) + "\"ios2\":["
                + Array(repeating: #"{"required_version":"1","requirements":{"a":1}}"#, count: 400).joined(separator: ",") + "]}",
            #"{"ios\u002e"# + String(repeating: "a.", count: 60_000)
                + #"":{"requiredUpdate":{"minimumVersion":"1","message":"m"}},"ios":{}}"#,
            #"{""# + String(repeating: "a", count: 150_000) + #"":{"requiredUpdate":{"minimumVersion":"1","message":"m"},"b":["#
                + Array(repeating: "1", count: 1_900).joined(separator: ",") + #"]},"ios":{}}"#,
        ]
    )
    func placesAreFoundInOnePass(document: String) throws {
        let places = DocumentPlaces(document)
        // As many as a document can have members.
        let paths = (0..<2_000).map { "ios2.\($0 % 400).requirements" } + ["x." + String(repeating: "a.", count: 60_000)]
        let found = places.places(of: paths)
        #expect(found.count == paths.count)
        #expect(found.last.map { $0 == nil } == true)
    }

    @Test func aFaultIsToldByLineAndColumn() {
        let error = #expect(throws: ImportError.self) {
            try ImportReader.read("{\n  \"ios\": {},\n  }", format: .auto, app: Self.app, platform: nil)
        }
        #expect(error?.detail.contains("in line 3, column 3") == true, "\(error?.detail ?? "")")
    }
}
