import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

@Suite struct FeedLintTests {
    /// A change with the findings that it must give, as `code` for warnings, `code!` for overridable refusals, `code!!` for others.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        var platform = "ios"
        var scheme: VersionScheme? = nil
        var releases = ["4.1.0", "4.2.0", "4.3.0"]
        var before = "{}"
        let after: String
        var previousAlert: String? = nil
        /// The gate with the last optional update.
        var previousUpdate = "{}"
        let findings: [String]

        var testDescription: String { name }
    }

    private static func required(_ version: String, _ message: String = "m") -> String {
        #""requiredUpdate":{"minimumVersion":"\#(version)","message":"\#(message)"}"#
    }

    private static func optional(_ version: String, _ message: String = "m") -> String {
        #""optionalUpdate":{"optionalVersion":"\#(version)","message":"\#(message)"}"#
    }

    private static func alert(_ message: String, _ blocking: Bool = false) -> String {
        #""alert":{"message":"\#(message)","blocking":\#(blocking)}"#
    }

    private static let kill = #""killSwitch":{"message":"m","retryInterval":30}"#
    private static let force = #""forceUpdate":{"message":"m"}"#
    private static let codes = ["41", "42", "43"]

    static let cases: [Case] = [
        Case(name: "nothing", after: "{}", findings: []),
        Case(name: "plain minimum", after: "{\(required("4.2.0"))}", findings: []),
        Case(name: "plain optional", after: "{\(optional("4.3.0"))}", findings: []),

        Case(
            name: "12: wrongly let through",
            releases: ["1.8", "1.9", "1.10"],
            after: "{\(required("1.10"))}",
            findings: ["text_order! [1.8 1.9]"]
        ),
        Case(
            name: "12: wrongly blocked",
            releases: ["1.8", "1.9", "1.10"],
            after: "{\(required("1.9"))}",
            findings: ["text_order! [1.10]"]
        ),
        Case(name: "12: optional too", releases: ["1.9", "1.10"], after: "{\(optional("1.10"))}", findings: ["text_order! [1.9]"]),
        Case(name: "12: not for Gandalf", platform: "android", releases: ["9", "10"], after: "{\(required("10"))}", findings: []),
        Case(
            name: "12: codes of ios are compared as text too",
            scheme: .code,
            releases: ["9", "10"],
            after: "{\(required("10"))}",
            findings: ["text_order! [9]", "compared_with_shown_version"]
        ),
        Case(
            name: "12: dotted platform of another name",
            platform: "web",
            releases: ["1.9", "1.10"],
            after: "{\(required("1.10"))}",
            findings: ["text_order! [1.9]"]
        ),
        Case(name: "12: a forced update warns", releases: ["1.9", "1.10"], after: "{\(force)}", findings: ["text_order [1.9]"]),
        Case(name: "13: fewer components", releases: ["4.2.0"], after: "{\(required("4.2"))}", findings: ["component_count!"]),
        Case(
            name: "13: more components",
            releases: ["4.2"],
            after: "{\(required("4.2.0"))}",
            findings: ["text_order! [4.2]", "component_count!"]
        ),
        Case(name: "13: any of the known counts", releases: ["4.1", "4.2.0"], after: "{\(required("4.2.0"))}", findings: []),
        Case(
            name: "12, 13: an untouched rule refuses nothing",
            releases: ["1.9", "1.10"],
            before: "{\(required("1.10"))}",
            after: "{\(required("1.10", "other"))}",
            findings: ["text_order [1.9]"]
        ),
        Case(
            name: "12: nothing of a rule that the kill hides",
            releases: ["1.9", "1.10"],
            before: "{\(required("1.10"))}",
            after: "{\(kill),\(required("1.10"))}",
            findings: ["prince_has_no_kill", "relaunch_after_blocking_alert"]
        ),
        Case(
            name: "12: a new release is on the wrong side of an old rule",
            releases: ["1.9", "1.10"],
            before: "{\(required("1.9"))}",
            after: "{\(required("1.9"))}",
            findings: ["text_order [1.10]"]
        ),
        Case(
            name: "12: a forced update that is on",
            releases: ["1.9", "1.10"],
            before: "{\(force)}",
            after: "{\(force)}",
            findings: ["text_order [1.9]"]
        ),
        Case(name: "12, 13, 23: unknown releases", releases: [], after: "{\(required("9.9"))}", findings: ["no_known_releases"]),
        Case(
            name: "unknown releases say it once",
            releases: [],
            after: "{\(required("9.8")),\(optional("9.9"))}",
            findings: ["no_known_releases", "masked_optional"]
        ),
        Case(
            name: "unknown releases of an untouched rule",
            releases: [],
            before: "{\(required("9.9"))}",
            after: "{\(required("9.9", "other"))}",
            findings: []
        ),

        Case(name: "23: above the newest", after: "{\(required("4.4.0"))}", findings: ["above_newest_release! [4.3.0]"]),
        Case(
            name: "23: above the newest code",
            platform: "android",
            releases: codes,
            after: "{\(required("44"))}",
            findings: ["above_newest_release! [43]"]
        ),
        Case(name: "23: the newest itself", after: "{\(required("4.3.0"))}", findings: []),
        Case(name: "23: optional only warns", after: "{\(optional("4.4.0"))}", findings: ["above_newest_release [4.3.0]"]),
        Case(
            name: "23: an old rule does not refuse an alert",
            before: "{\(required("4.4.0"))}",
            after: "{\(required("4.4.0")),\(alert("a", true))}",
            findings: ["above_newest_release [4.3.0]", "masked_required", "relaunch_after_blocking_alert"]
        ),
        Case(
            name: "23: an old rule under a kill",
            before: "{\(required("4.4.0"))}",
            after: "{\(kill),\(required("4.4.0"))}",
            findings: ["prince_has_no_kill", "relaunch_after_blocking_alert"]
        ),
        Case(name: "23: a forced update is at the newest", after: "{\(force)}", findings: []),

        Case(
            name: "24: equal",
            platform: "android",
            releases: codes,
            after: "{\(required("42")),\(optional("42"))}",
            findings: ["optional_not_above_required!! [42]"]
        ),
        Case(
            name: "24: below",
            platform: "android",
            releases: codes,
            before: "{\(optional("42"))}",
            after: "{\(required("43")),\(optional("42"))}",
            findings: ["optional_not_above_required!! [42]"]
        ),
        Case(
            name: "24: above by number",
            platform: "android",
            releases: ["9", "10"],
            after: "{\(required("9")),\(optional("10"))}",
            findings: []
        ),
        Case(
            name: "24: untouched",
            platform: "android",
            releases: codes,
            before: "{\(required("43")),\(optional("42"))}",
            after: "{\(required("43")),\(optional("42")),\(alert("a"))}",
            findings: []
        ),

        Case(
            name: "required masks optional",
            before: "{\(optional("4.3.0"))}",
            after: "{\(required("4.2.0")),\(optional("4.3.0"))}",
            findings: ["masked_optional"]
        ),
        Case(
            name: "required masks alert",
            before: "{\(alert("a"))}",
            after: "{\(required("4.2.0")),\(alert("a"))}",
            findings: ["masked_alert"]
        ),
        Case(name: "optional masks alert", after: "{\(optional("4.3.0")),\(alert("a"))}", findings: ["masked_alert"]),
        Case(
            name: "required masks both",
            after: "{\(required("4.2.0")),\(optional("4.3.0")),\(alert("a"))}",
            findings: ["masked_optional", "masked_alert"]
        ),
        Case(
            name: "blocking alert masks required",
            after: "{\(required("4.2.0")),\(alert("a", true))}",
            findings: ["masked_required", "relaunch_after_blocking_alert"]
        ),
        Case(
            name: "masking is repeated while it lasts",
            before: "{\(required("4.2.0")),\(alert("a"))}",
            after: "{\(required("4.1.0")),\(alert("a"))}",
            findings: ["masked_alert"]
        ),
        Case(
            name: "a kill outranks for everybody",
            before: "{\(required("4.2.0")),\(alert("a"))}",
            after: "{\(kill),\(required("4.2.0")),\(alert("a"))}",
            findings: ["prince_has_no_kill", "relaunch_after_blocking_alert"]
        ),
        Case(
            name: "Gandalf masks nothing",
            platform: "android",
            releases: codes,
            after: "{\(required("42")),\(optional("43")),\(alert("a"))}",
            findings: []
        ),

        Case(name: "17: the last alert again", after: "{\(alert("a"))}", previousAlert: "a", findings: ["alert_text_repeated"]),
        Case(name: "17: another alert", after: "{\(alert("b"))}", previousAlert: "a", findings: []),
        Case(
            name: "17: blocking is never remembered",
            after: "{\(alert("a", true))}",
            previousAlert: "a",
            findings: ["relaunch_after_blocking_alert"]
        ),
        Case(
            name: "17: only a language changes",
            before: #"{"alert":{"message":{"default":"a","de":"b"},"blocking":false}}"#,
            after: #"{"alert":{"message":{"default":"a","de":"c"},"blocking":false}}"#,
            findings: ["not_in_static_feeds", "alert_text_repeated"]
        ),
        Case(
            name: "17: the optional update's text alone",
            before: "{\(optional("4.3.0"))}",
            after: "{\(optional("4.3.0", "other"))}",
            findings: ["optional_message_only"]
        ),
        Case(
            name: "17: the optional update's version",
            before: "{\(optional("4.2.0"))}",
            after: "{\(optional("4.3.0", "other"))}",
            findings: []
        ),
        Case(
            name: "17: the last optional update again, in other words",
            after: "{\(optional("4.3.0", "other"))}",
            previousUpdate: "{\(optional("4.3.0"))}",
            findings: ["optional_message_only"]
        ),
        Case(
            name: "17: the last optional update again, word for word",
            after: "{\(optional("4.3.0"))}",
            previousUpdate: "{\(optional("4.3.0"))}",
            findings: []
        ),
        Case(
            name: "17: an optional update of another version than the last one",
            after: "{\(optional("4.3.0", "other"))}",
            previousUpdate: "{\(optional("4.2.0"))}",
            findings: []
        ),
        Case(name: "a live alert's wording", before: "{\(alert("a"))}", after: "{\(alert("b"))}", findings: ["alert_shown_again"]),
        Case(
            name: "18: a blocking alert",
            before: "{\(alert("a"))}",
            after: "{\(alert("a", true))}",
            findings: ["relaunch_after_blocking_alert"]
        ),
        Case(name: "18: not once more for its wording", before: "{\(alert("a", true))}", after: "{\(alert("b", true))}", findings: []),
        Case(
            name: "18: not for a kill over it",
            before: "{\(alert("a", true))}",
            after: "{\(kill),\(alert("a", true))}",
            findings: ["prince_has_no_kill", "relaunch_after_blocking_alert"]
        ),
        Case(
            name: "18: not for an alert under a kill",
            before: "{\(kill)}",
            after: "{\(kill),\(alert("a", true))}",
            findings: ["prince_has_no_kill"]
        ),
        Case(name: "18: not for an alert in place of a kill", before: "{\(kill)}", after: "{\(alert("a", true))}", findings: []),
        Case(name: "opening warns of nothing", before: "{\(kill)}", after: "{}", findings: []),

        Case(name: "a kill on ios", after: "{\(kill)}", findings: ["prince_has_no_kill", "relaunch_after_blocking_alert"]),
        Case(
            name: "a kill on android",
            platform: "android",
            releases: codes,
            after: "{\(kill)}",
            findings: ["prince_has_no_kill", "relaunch_after_blocking_alert"]
        ),
        Case(
            name: "a kill where Prince of Versions is unknown",
            platform: "web",
            after: "{\(kill)}",
            findings: ["relaunch_after_blocking_alert"]
        ),
        Case(
            name: "a kill over a forced update",
            before: "{\(force)}",
            after: "{\(kill),\(force)}",
            findings: ["force_suspended_by_kill", "prince_has_no_kill", "relaunch_after_blocking_alert"]
        ),
        Case(name: "a forced update without releases", releases: [], after: "{\(force)}", findings: ["force_without_release"]),

        Case(
            name: "blocked versions",
            after: #"{"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.2.1"],"message":"m"}}"#,
            findings: ["not_in_static_feeds [4.2.1]"]
        ),
        Case(name: "languages", after: #"{"forceUpdate":{"message":{"default":"a","de":"b"}}}"#, findings: ["not_in_static_feeds"]),
        Case(name: "a default alone is no language", after: #"{"forceUpdate":{"message":{"default":"a"}}}"#, findings: []),

        Case(
            name: "dotted versions on android",
            platform: "android",
            scheme: .dotted,
            after: "{\(required("4.2.0")),\(optional("4.3.0")),\(force)}",
            findings: ["not_published_gandalf", "not_published_gandalf", "not_published_gandalf"]
        ),
        Case(name: "an alert on dotted android", platform: "android", scheme: .dotted, after: "{\(alert("a"))}", findings: []),
        Case(name: "four components", releases: ["4.2.0.1"], after: "{\(required("4.2.0.1"))}", findings: ["truncated_for_prince"]),
        Case(
            name: "four components where Prince of Versions is unknown",
            platform: "web",
            releases: ["4.2.0.1"],
            after: "{\(required("4.2.0.1"))}",
            findings: []
        ),
        Case(
            name: "25: a long text on android",
            platform: "android",
            releases: codes,
            after: "{\(alert(String(repeating: "ü", count: 400)))}",
            findings: ["gandalf_cache"]
        ),
        Case(name: "25: a long text on ios", after: "{\(alert(String(repeating: "ü", count: 400)))}", findings: []),
        Case(
            name: "25: a short text on android",
            platform: "android",
            releases: codes,
            after: "{\(required("42", String(repeating: "a", count: 200))),\(alert("a"))}",
            findings: []
        ),
    ]

    /// 25: what Gandalf fetches has the objects of all platforms of the app, so a text of one of them is in the other's way.
    @Test(arguments: [(300, [ClientLibrary]?.none, true), (300, [.gandalf], true), (300, [.princeOfVersions], false), (10, nil, false)])
    func theWholeDocumentHasToFitIntoGandalfsCache(bytes: Int, clients: [ClientLibrary]?, isTold: Bool) throws {
        var android = SampleApp.settings(.android, releases: Self.codes)
        android.clients = clients
        let text = String(repeating: "a", count: bytes)
        let beside = SampleApp.target(.android, try SampleApp.gate("{\(Self.alert(text))}", android), settings: android)
        var ios = SampleApp.settings(.ios)
        ios.clients = [.launchgate]
        let after = try SampleApp.gate("{\(Self.alert(String(repeating: "b", count: 350)))}", ios)
        let target = TargetKey(app: SampleApp.key, platform: .ios)
        let findings = FeedLint.findings(before: .open, after: after, target: target, settings: ios, beside: [beside])
        #expect(findings.map(\.code).contains("gandalf_cache") == isTold, "\(findings)")
        // By itself it fits.
        #expect(FeedLint.findings(before: .open, after: after, target: target, settings: ios).isEmpty)
    }

    @Test(arguments: cases)
    func changeGivesExactlyTheseFindings(_ item: Case) throws {
        let (target, settings) = try platform(item)
        let before = try SampleApp.gate(item.before, settings)
        let after = try SampleApp.gate(item.after, settings)
        let findings = FeedLint.findings(
            before: before,
            after: after,
            target: target,
            settings: settings,
            previous: PreviousNotices(
                alert: item.previousAlert,
                optionalUpdate: try SampleApp.gate(item.previousUpdate, settings).optionalUpdate
            )
        )
        #expect(findings.map(\.inShort) == item.findings)
        for finding in findings {
            #expect(finding.detail.contains("shop/\(item.platform)"), "the sentence names the target: \(finding.detail)")
            #expect(finding.detail.hasSuffix(".") && !finding.detail.dropLast().contains(". "), "one sentence: \(finding.detail)")
            let rule = finding.field.split(separator: "/").first.flatMap { Rule(rawValue: String($0)) }
            #expect(rule.map(after.isOn) == true, "\(finding.field) is a field of the gate")
            #expect(finding.warning == Warning(code: finding.code, detail: finding.detail, versions: finding.versions))
        }
    }

    /// Gandalf's cache holds 1,024 bytes and not one more; 384 of them are taken for the headers.
    @Test func aDocumentThatJustFitsGandalfsCacheIsNoFinding() throws {
        let target = TargetKey("shop/android")!
        let settings = SampleApp.settings(.android)
        // A hundred letters of two bytes, because a message has 500 characters at most.
        func gate(_ length: Int) throws -> Gate {
            let text = String(repeating: "ü", count: 100) + String(repeating: "a", count: length - 200)
            return try SampleApp.gate("{\(Self.alert(text))}", settings)
        }
        func size(_ gate: Gate) throws -> Int {
            try FeedRenderer.render(SampleApp.app(SampleApp.target(.android, gate, settings: settings))).feed(.launchgate).bytes.count
        }
        let length = 1_024 - 384 - (try size(gate(201)) - 201)
        for (length, codes) in [(length, []), (length + 1, ["gandalf_cache"])] {
            let gate = try gate(length)
            #expect(try size(gate) == (codes.isEmpty ? 640 : 641))
            #expect(FeedLint.findings(before: .open, after: gate, target: target, settings: settings).map(\.code) == codes)
        }
    }

    /// An old rule must never keep anybody from an unrelated act, least of all from letting people in.
    @Test func whatDoesNotTouchAVersionIsNeverRefused() throws {
        var gates = GeneratedGates(seed: 12)
        for _ in 0..<1_000 {
            let target = gates.target(gates.chance(1, of: 2) ? .ios : .android)
            let before = target.gate
            var after = gates.gate(target.settings)
            // Only the texts and flags of version rules may differ, and rules may go.
            after.requiredUpdate = before.requiredUpdate.flatMap { gates.chance(1, of: 2) ? $0 : nil }
            after.optionalUpdate = before.optionalUpdate.flatMap { gates.chance(1, of: 2) ? $0 : nil }
            after.requiredUpdate?.message = .text("other")
            let findings = FeedLint.findings(before: before, after: after, target: target.key, settings: target.settings)
            let refusals = findings.filter(\.isRefusal)
            #expect(refusals.isEmpty, "\(before.json.text) to \(after.json.text)")
        }
    }

    @Test func refusalsComeFirst() throws {
        var gates = GeneratedGates(seed: 13)
        var refused = 0
        for _ in 0..<500 {
            let target = gates.target(.ios)
            let findings = FeedLint.findings(before: .open, after: target.gate, target: target.key, settings: target.settings)
            let refusals = findings.prefix(while: \.isRefusal).count
            let all = findings.filter(\.isRefusal).count
            #expect(refusals == all)
            refused += refusals
        }
        #expect(refused > 50)
    }

    /// The lint's answer is the client model's: every release that it calls wrong is one that LaunchGate treats wrongly, and no other is.
    @Test func textOrderNamesTheReleasesThatLaunchGateGetsWrong() throws {
        var generator = SeededGenerator(seed: 14)
        func version() -> String { (0..<2).map { _ in String(Int.random(in: 0...30, using: &generator)) }.joined(separator: ".") }
        for _ in 0..<300 {
            var settings = PlatformSettings(versionScheme: .dotted)
            for _ in 0..<6 { settings.releases.append(version()) }
            let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: version(), message: .text("m")))
            let target = SampleApp.target(.ios, gate, settings: settings)
            let feed = try FeedRenderer.render(SampleApp.app(target)).feed(.launchgate).bytes
            let wrong = settings.releases.filter { release in
                LaunchGateClient.decide(feed, installed: release).letsIn
                    == settings.versionScheme.isOlder(release, than: gate.requiredUpdate?.minimumVersion ?? "")
            }
            let findings = FeedLint.findings(before: .open, after: gate, target: target.key, settings: settings)
            #expect(findings.first { $0.code == "text_order" }?.versions ?? [] == wrong)
        }
    }

    private func platform(_ item: Case) throws -> (TargetKey, PlatformSettings) {
        let platform = try #require(PlatformKey(item.platform))
        var settings = PlatformSettings.standard(for: platform)
        settings.versionScheme = item.scheme ?? settings.versionScheme
        settings.releases = item.releases
        return (TargetKey(app: SampleApp.key, platform: platform), settings)
    }
}

extension Finding {
    fileprivate var inShort: String {
        let mark =
            switch severity {
            case .warning: ""
            case .refusal(overridable: true): "!"
            case .refusal(overridable: false): "!!"
            }
        return code + mark + (versions.isEmpty ? "" : " [\(versions.joined(separator: " "))]")
    }
}
