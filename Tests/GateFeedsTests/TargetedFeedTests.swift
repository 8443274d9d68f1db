import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateFeeds

/// A feed that is asked for with the phone's version: the server decides, and each library decides the same (design section 9, wire formats
/// 6).
@Suite struct TargetedFeedTests {
    // MARK: All libraries, all gates

    static let seed = ProcessInfo.processInfo.environment["GATEHOUSE_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000_000)

    /// Ten thousand gates and phones: what each library does with its feed is what the rules alone say, wherever it has a word for it.
    @Test func eachLibraryDecidesAsTheRulesDo() throws {
        let seed = UInt64.random(in: 0..<1 << 32)
        print("TargetedFeedTests: seed \(seed)")
        var gates = GeneratedGates(seed: seed)
        let platforms = [PlatformKey.ios, .android, .macos, try #require(PlatformKey("huawei"))]
        var seen: [String: Int] = [:]
        for number in 0..<2_500 {
            let target = gates.target(platforms[number % platforms.count])
            let phone = Phone(version: version(for: target, &gates), languages: gates.chance(1, of: 2) ? ["de-AT"] : [])
            let app = SampleApp.app(target)
            let feeds = TargetedFeeds(app)
            for library in ClientLibrary.reading(target.key.platform, scheme: target.settings.versionScheme) {
                guard let shown = try shown(library, feeds, target, phone), let wanted = wanted(library, target, phone) else { continue }
                #expect(shown == wanted, "seed \(seed), \(library), \(phone.version ?? "-"), \(target.settings), \(target.gate)")
                seen["\(library) \(wanted.prefix { $0 != ":" })", default: 0] += 1
            }
        }
        // Each word of each library came up.
        #expect(seen.count == 3 + 2 * 5 + 3, "\(seen)")
    }

    private func version(for target: Target, _ gates: inout GeneratedGates) -> String {
        guard target.settings.versionScheme == .dotted else {
            return gates.chance(1, of: 10) ? ["1", "9", "100", "2147483646"][gates.number(below: 4)] : gates.version(.code)
        }
        let version = gates.version(.dotted)
        return switch gates.number(below: 8) {
        case 0: String(version.dropLast(2))
        case 1: version + ".1"
        case 2: version + "-beta"
        case 3: "1" + version
        case 4: version + "0"
        case 5: version + "+7"
        default: version
        }
    }

    /// What the library's model does with the feed of that phone, in one word and its text; nil where no phone with that library is one.
    private func shown(_ library: ClientLibrary, _ feeds: TargetedFeeds, _ target: Target, _ phone: Phone) throws -> String? {
        let platform = target.key.platform
        guard let version = phone.version, let simulated = try? SimulatedPhone(library, on: platform, version: version) else { return nil }
        // Its integers hold no more, so an app of that version has no such library.
        if library == .princeOfVersions, platform != .android, PrinceOfVersionsAppleClient.Version(version) == nil { return nil }
        let answer = try #require(feeds.answer(library.feed, to: phone, on: platform))
        let bytes = try feeds.bytes(of: answer)
        #expect((try? JSONReader.read(bytes, limits: .own))?.object != nil)
        let combined = try feeds.bytes(of: try #require(feeds.answer(.combined, to: phone, on: platform)))
        #expect(simulated.decide(combined) == simulated.decide(bytes), "\(library) in combined.json")
        return word(simulated.decide(bytes))
    }

    private func word(_ decision: ClientDecision) -> String {
        switch decision {
        case .proceed: "nothing"
        case .killed(let text, _): "killed: \(text)"
        case .forced(let text, _): "forced: \(text)"
        case .requiredUpdate(_, let text): "required: \(text)"
        case .optionalUpdate(_, let text): "optional: \(text)"
        case .alert(let text, let blocking): "\(blocking ? "blocked" : "alert"): \(text)"
        case .failed, .stuck, .crash: "broken: \(decision)"
        }
    }

    private func wanted(_ library: ClientLibrary, _ target: Target, _ phone: Phone) -> String? {
        var gate = target.gate
        if library == .princeOfVersions {
            gate.killSwitch = nil
            gate.alert = nil
        }
        let decision = GateMeaning(gate, settings: target.settings).decision(for: phone)
        let text = library == .princeOfVersions ? "" : decision.text ?? ""
        let countsCodes = library == .gandalf || library == .princeOfVersions && target.key.platform == .android
        switch decision.kind {
        case .open: return "nothing"
        case .forced where library == .bellerophon, .required where library == .bellerophon: return "forced: \(text)"
        case .blocked where library == .bellerophon && decision.rule == .killSwitch: return "killed: \(text)"
        case _ where library == .bellerophon: return "nothing"
        case .forced where countsCodes && target.settings.versionScheme != .code,
            .required where countsCodes && target.settings.versionScheme != .code,
            .optional where countsCodes && target.settings.versionScheme != .code:
            // Its versions are none that the library counts in.
            return "nothing"
        case .forced, .required: return "required: \(text)"
        case .optional: return "optional: \(text)"
        case .blocked: return "blocked: \(text)"
        case .alert: return "alert: \(text)"
        }
    }

    // MARK: Table 5.1

    static let dotted: [(app: String, feed: String, updates: Bool)] = [
        ("1.0", "1.1", true), ("1.1", "1.1", false), ("1.2", "1.1", false), ("1.9", "1.10", true), ("1.10", "1.9", false),
        ("9.0", "10.0", true), ("10.0", "9.0", false), ("1.2.3", "1.2.10", true), ("1.2.10", "1.2.3", false), ("1.0", "1.0.0", false),
        ("1.0.0", "1.0", false), ("2", "2.0", false), ("1.01", "1.1", false), ("1.1", "1.01", false), ("1.0", "1.00", false),
        ("99", "100", true), ("100", "2", false), ("10.4", "10.14", true), ("2024.1", "24.2", false), ("2.0.0", "2.0.0.1", true),
        ("1.0-beta", "1.0", true), ("1.0-beta", "1.0.1", true), ("1.0+7", "1.0", false), ("v1.0", "1.9", true),
    ]

    @Test(arguments: dotted) func textOrderIsCuredForLaunchGate(row: (app: String, feed: String, updates: Bool)) throws {
        for rule in [Rule.requiredUpdate, .optionalUpdate] {
            var gate = Gate.open
            if rule == .requiredUpdate { gate.requiredUpdate = RequiredUpdate(minimumVersion: row.feed, message: .text("m")) }
            if rule == .optionalUpdate { gate.optionalUpdate = OptionalUpdate(optionalVersion: row.feed, message: .text("m")) }
            let decision = LaunchGateClient.decide(try bytes(.launchgate, gate, row.app), installed: row.app)
            #expect((decision != .proceed) == row.updates, "\(decision)")
            let prince = PrinceOfVersionsAppleClient.decide(try bytes(.princeOfVersions, gate, row.app), installed: row.app)
            // Which takes a `v` for an error, whatever it is sent (table 5.1, row 27).
            if !row.app.hasPrefix("v") { #expect((prince != .proceed) == row.updates, "\(prince)") }
        }
    }

    @Test(arguments: [
        ("1.9", "1.10", "1.9.1.10"), ("1.0", "1.10", "1.10"), ("2.0.0", "2.0.0.1", "2.0.0.1"), ("9.0", "10.0", "9.0.10.0"),
        ("1.0-beta", "1.0", "1.0-beta.1.0"), ("1.9+7", "1.10", "1.9.1.10"),
    ])
    func theVersionThatIsSentIsTheRulesOwnWhereThatWorks(app: String, minimum: String, sent: String) throws {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: minimum, message: .text("m")))
        let text = String(decoding: try bytes(.launchgate, gate, app), as: UTF8.self)
        #expect(text == #"{"ios":{"requiredUpdate":{"minimumVersion":"\#(sent)","message":"m"}}}"#)
    }

    /// Who reads the feed and compares numbers, as GateKit does, is told the same.
    @Test(arguments: [
        ("1.9", "1.10"), ("1.9+7", "1.10"), ("1.0-beta", "1.0"), ("2.0", "0.0.0"), ("2.0.0+build", "0"), ("4.10.0", "4.9.0"),
        ("10.0.0", "4.11.0"),
    ])
    func theVersionThatIsSentIsAboveThePhonesAsTextAndAsNumbers(app: String, minimum: String) throws {
        let sent = TargetedVersion.text(minimum, above: app)
        #expect(app < sent)
        #expect(try #require(AppVersion(app)) < #require(AppVersion(sent)), "\(sent)")
    }

    /// 4.10.0 is above the minimum, and as a text below it.
    @Test func aBlockedVersionThatSortsBelowTheMinimumAsTextIsToldByNumbersToo() throws {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "4.9.0", blockedVersions: ["4.10.0"], message: .text("m")))
        let text = String(decoding: try bytes(.launchgate, gate, "4.10.0"), as: UTF8.self)
        #expect(text == #"{"ios":{"requiredUpdate":{"minimumVersion":"4.10.0.4.9.0","message":"m"}}}"#)
    }

    @Test func blockedVersionsReachEveryLibrary() throws {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "4.0.0", blockedVersions: ["4.3.1"], message: .text("m")))
        for (version, isBlocked) in [("4.3.1", true), ("4.3.0", false), ("4.3.2", false), ("3.9", true)] {
            #expect((LaunchGateClient.decide(try bytes(.launchgate, gate, version), installed: version) != .proceed) == isBlocked)
            #expect((BellerophonClient.decide(try bytes(.bellerophon, gate, version)) != .proceed) == isBlocked)
            #expect(
                (PrinceOfVersionsAppleClient.decide(try bytes(.princeOfVersions, gate, version), installed: version) != .proceed)
                    == isBlocked
            )
        }
    }

    // MARK: Table 5.2

    @Test(arguments: [
        (6, "7", true), (6, "6", false), (6, "5", false), (9, "10", true), (10, "9", false), (6, "2147483647", true),
        (2_147_483_646, "2147483647", true), (2_147_483_647, "2147483647", false),
    ])
    func versionCodesAreComparedAsNumbers(installed: Int32, minimum: String, updates: Bool) throws {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: minimum, message: .text("m")))
        for release in GandalfRelease.allCases {
            let feed = try bytes(.launchgate, gate, String(installed), on: .android)
            #expect((GandalfClient.decide(feed, installed: installed, release: release) != .proceed) == updates)
        }
        let list = try bytes(.princeOfVersions, gate, String(installed), on: .android)
        #expect((PrinceOfVersionsAndroidClient.decide(list, installed: Int(installed)) != .proceed) == updates)
    }

    // MARK: Table 5.3

    /// What stands in the way of LaunchGate and of old Gandalf in a feed for everybody does not in one for a phone.
    @Test(
        arguments: [
            ("satisfied required + optional", "5", true, nil, "optional"),
            ("satisfied required + blocking alert", "5", false, true, "blocked"),
            ("needed required + blocking alert", "6", false, true, "required"), ("optional + blocking alert", nil, true, true, "blocked"),
            ("optional + non-blocking alert", nil, true, false, "optional"), ("nothing", nil, false, nil, "nothing"),
        ] as [(String, String?, Bool, Bool?, String)]
    )
    func precedenceIsTheRulesOwn(name: String, required: String?, hasOptional: Bool, blocking: Bool?, wanted: String) throws {
        let gate = Gate(
            requiredUpdate: required.map { RequiredUpdate(minimumVersion: $0, message: .text("m")) },
            optionalUpdate: hasOptional ? OptionalUpdate(optionalVersion: "7", message: .text("m")) : nil,
            alert: blocking.map { Alert(message: .text("m"), blocking: $0) }
        )
        let launchGate = LaunchGateClient.decide(try bytes(.launchgate, gate, "5"), installed: "5")
        #expect(word(launchGate).prefix { $0 != ":" } == wanted, "LaunchGate: \(name)")
        for release in GandalfRelease.allCases {
            let gandalf = GandalfClient.decide(try bytes(.launchgate, gate, "5", on: .android), installed: 5, release: release)
            #expect(word(gandalf).prefix { $0 != ":" } == wanted, "Gandalf \(release): \(name)")
        }
    }

    @Test func aKillHidesNoForceAndAForceReachesEveryVersion() throws {
        let both = Gate(killSwitch: KillSwitch(message: .text("k"), retryInterval: 30), forceUpdate: ForceUpdate(message: .text("f")))
        #expect(
            String(decoding: try bytes(.bellerophon, both, "4.3.0"), as: UTF8.self)
                == #"{"apiInactive":true,"forceUpdate":false,"retryInterval":30,"userMessage":"k"}"#
        )
        let forced = Gate(forceUpdate: ForceUpdate(message: .text("f")))
        for version in ["4.2.0", "4.3.0", "99"] {
            #expect(LaunchGateClient.decide(try bytes(.launchgate, forced, version), installed: version) != .proceed, "\(version)")
            #expect(PrinceOfVersionsAppleClient.decide(try bytes(.princeOfVersions, forced, version), installed: version) != .proceed)
        }
    }

    // MARK: Versions that Gandalf cannot be sent

    /// A rule that cannot be told must not hide one that can: the feed for everybody keeps people out here, and so does the one for a
    /// phone.
    @Test(arguments: [
        Gate(
            requiredUpdate: RequiredUpdate(minimumVersion: "2.0.0", message: .text("r")),
            alert: Alert(message: .text("a"), blocking: true)
        ),
        Gate(forceUpdate: ForceUpdate(message: .text("f")), alert: Alert(message: .text("a"), blocking: true)),
        Gate(
            optionalUpdate: OptionalUpdate(optionalVersion: "2.0.0", message: .text("o")),
            alert: Alert(message: .text("a"), blocking: false)
        ),
    ])
    func whatNeedsNoVersionIsToldWhereVersionsAreDotted(gate: Gate) throws {
        var settings = SampleApp.settings(.android, releases: [])
        settings.versionScheme = .dotted
        let app = SampleApp.app(SampleApp.target(.android, gate, settings: settings))
        let everybody = try #require(try FeedRenderer.documents(of: gate, settings, .android)[.launchgate])
        let feeds = TargetedFeeds(app)
        let answer = try #require(feeds.answer(.launchgate, to: Phone(version: "1.0.0"), on: .android))
        #expect(try feeds.bytes(of: answer) == everybody)
    }

    @Test func aPhoneOfTheHighestCodeIsToldWhatNeedsNoVersion() throws {
        let gate = Gate(
            requiredUpdate: RequiredUpdate(minimumVersion: "42", blockedVersions: ["2147483647"], message: .text("r")),
            alert: Alert(message: .text("a"), blocking: true)
        )
        #expect(
            String(decoding: try bytes(.launchgate, gate, "2147483647", on: .android), as: UTF8.self)
                == #"{"android":{"alert":{"message":"a","blocking":true}}}"#
        )
    }

    // MARK: Version and build

    /// GateKit tells the version that people see and the code that Android counts in; the platform says which of them is compared.
    @Test(arguments: [
        ("12", "1200", "1200"), ("9.0.0", "900", "900"), ("9.0.0", "1000", "1000"), ("1200", "x", "1200"), ("900", "", "900"),
    ])
    func whereCodesAreCountedTheBuildIsTheVersion(version: String, build: String, counted: String) throws {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "1000", message: .text("r")))
        let feeds = TargetedFeeds(
            SampleApp.app(SampleApp.target(.android, gate, settings: SampleApp.settings(.android, releases: ["1000"])))
        )
        let phone = Phone(version: version, build: build)
        for feed in [FeedName.bellerophon, .launchgate, .princeOfVersions, .combined] {
            let bytes = try feeds.bytes(of: try #require(feeds.answer(feed, to: phone, on: .android)))
            let text = String(decoding: bytes, as: UTF8.self)
            let words = [#""forceUpdate":true"#, "requiredUpdate", #""required_version":1000"#]
            #expect(words.contains(where: text.contains) == (counted == "900"), "\(text)")
        }
        #expect(feeds.version(of: phone, on: .android) == counted)
    }

    /// The server decides by the build; what is sent has to be above the version that the library compares.
    @Test(arguments: [("7.0", "41", true), ("60.0", "41", true), ("7.0", "50", false), ("1.0", "51", false)])
    func anAppleLibraryIsSentAVersionAboveTheOneItCompares(version: String, build: String, isRequired: Bool) throws {
        var settings = SampleApp.settings(.ios, releases: ["50"])
        settings.versionScheme = .code
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "50", message: .text("r")))
        let feeds = TargetedFeeds(SampleApp.app(SampleApp.target(.ios, gate, settings: settings)))
        let phone = Phone(version: version, build: build)
        func isToUpdate(_ decision: ClientDecision) -> Bool { if case .requiredUpdate = decision { true } else { false } }
        let object = try feeds.bytes(of: try #require(feeds.answer(.launchgate, to: phone, on: .ios)))
        #expect(isToUpdate(LaunchGateClient.decide(object, installed: version)) == isRequired)
        let list = try feeds.bytes(of: try #require(feeds.answer(.princeOfVersions, to: phone, on: .ios)))
        #expect(isToUpdate(PrinceOfVersionsAppleClient.decide(list, installed: "\(version)-\(build)")) == isRequired)
    }

    @Test func whereVersionsAreDottedTheBuildIsNothing() throws {
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "2.0", message: .text("r")))
        let feeds = TargetedFeeds(SampleApp.app(SampleApp.target(.ios, gate)))
        #expect(feeds.version(of: Phone(version: "1.0", build: "300"), on: .ios) == "1.0")
        #expect(feeds.answer(.launchgate, to: Phone(build: "300"), on: .ios) == nil)
    }

    // MARK: Words that mean nothing

    @Test(arguments: ["", "1.0b2", "latest", "1.0 ", "٧", "1..0", String(repeating: "1", count: 33), "-1", "1.0;"])
    func aVersionThatIsNoneIsAbsent(version: String) {
        let feeds = TargetedFeeds(SampleApp.app(SampleApp.target(.ios, Gate(forceUpdate: ForceUpdate(message: .text("f"))))))
        for feed in FeedName.allCases { #expect(feeds.answer(feed, to: Phone(version: version), on: .ios) == nil) }
    }

    @Test func whoTellsOnlyTheLanguageGetsTheFeedOfEverybodyInIt() throws {
        let message = Message.localized(["default": "Back soon.", "de": "Bald zurück.", "pt-BR": "Voltamos já."])
        let gate = Gate(
            requiredUpdate: RequiredUpdate(minimumVersion: "4.0.0", blockedVersions: ["4.2.0"], message: message),
            alert: Alert(message: message, blocking: true)
        )
        let app = SampleApp.app(SampleApp.target(.ios, gate))
        let feeds = TargetedFeeds(app)
        for (locale, text) in [
            ("de-AT", "Bald zurück."), ("de", "Bald zurück."), ("pt-BR", "Voltamos já."), ("pt", "Back soon."), ("fr", "Back soon."),
        ] {
            let answer = try #require(feeds.answer(.launchgate, to: Phone(languages: [locale]), on: .ios))
            #expect(
                String(decoding: try feeds.bytes(of: answer), as: UTF8.self) == #"{"ios":{"alert":{"message":"\#(text)","blocking":true}}}"#
            )
        }
        let native = try #require(feeds.answer(.gate, to: Phone(languages: ["de"]), on: .ios))
        let document = try #require(try JSONReader.read(try feeds.bytes(of: native), limits: .own).object?["gate"])
        #expect(document.object?["requiredUpdate"]?.object?["message"]?.string == "Bald zurück.")
        #expect(document.object?["requiredUpdate"]?.object?["blockedVersions"]?.array == [.string("4.2.0")])
    }

    @Test func theNativeFeedSendsTheRuleThatSpeaks() throws {
        let gate = Gate(
            requiredUpdate: RequiredUpdate(minimumVersion: "4.0.0", blockedVersions: ["4.2.0"], message: .text("r")),
            optionalUpdate: OptionalUpdate(optionalVersion: "4.3.0", message: .text("o"))
        )
        for (version, rules) in [("3.0", ["requiredUpdate"]), ("4.2", ["requiredUpdate"]), ("4.1.0", ["optionalUpdate"]), ("4.3.0", [])] {
            let document = try #require(try JSONReader.read(try bytes(.gate, gate, version), limits: .own).object)
            #expect(document["gate"]?.object?.names == rules)
            #expect(document["revision"]?.integer == 42)
        }
    }

    @Test func otherPlatformsOfADocumentAreAsForEverybody() throws {
        let gate = Gate(optionalUpdate: OptionalUpdate(optionalVersion: "4.3.0", message: .text("o")))
        let android = Gate(requiredUpdate: RequiredUpdate(minimumVersion: "41", message: .text("r")))
        let feeds = TargetedFeeds(SampleApp.app(SampleApp.target(.ios, gate), SampleApp.target(.android, android)))
        #expect(feeds.onlyPlatform == nil)
        let answer = try #require(feeds.answer(.launchgate, to: Phone(version: "4.3.0"), on: .ios))
        #expect(
            String(decoding: try feeds.bytes(of: answer), as: UTF8.self)
                == #"{"ios":{},"android":{"requiredUpdate":{"minimumVersion":"41","message":"r"}}}"#
        )
        #expect(feeds.answer(.launchgate, to: Phone(version: "4.3.0"), on: .macos) == nil)
    }

    private func bytes(_ feed: FeedName, _ gate: Gate, _ version: String, on platform: PlatformKey = .ios) throws -> [UInt8] {
        let feeds = TargetedFeeds(SampleApp.app(SampleApp.target(platform, gate)))
        return try feeds.bytes(of: try #require(feeds.answer(feed, to: Phone(version: version), on: platform)))
    }
}
