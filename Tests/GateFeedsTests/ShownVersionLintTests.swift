import GateFeeds
import GateModel
import Testing

/// Version codes where a library compares the version that people see.
@Suite struct ShownVersionLintTests {
    private static let code = "compared_with_shown_version"
    private static let required = #""requiredUpdate":{"minimumVersion":"42","message":"m"}"#
    private static let optional = #""optionalUpdate":{"optionalVersion":"43","message":"m"}"#
    private static let force = #""forceUpdate":{"message":"m"}"#
    private static let alert = #""alert":{"message":"m","blocking":true}"#

    private func fields(_ before: String, _ after: String, _ target: TargetKey, _ settings: PlatformSettings) throws -> [String] {
        let gates = try [before, after].map { try SampleApp.gate($0, settings) }
        let findings = FeedLint.findings(before: gates[0], after: gates[1], target: target, settings: settings)
        #expect(findings.allSatisfy { $0.code != Self.code || !$0.isRefusal })
        return findings.filter { $0.code == Self.code }.map(\.field)
    }

    /// Each rule with a version is named, also an old one; on Android the same rule is what its libraries count in.
    @Test(arguments: [
        ("ios", "{}", "{\(required),\(optional)}", ["/requiredUpdate", "/optionalUpdate"]),
        ("ios", "{\(required)}", "{\(required)}", ["/requiredUpdate"]), ("ios", "{}", "{\(force)}", ["/forceUpdate"]),
        ("macos", "{}", "{\(required)}", ["/requiredUpdate"]), ("ios", "{\(required)}", "{\(alert)}", []),
        ("android", "{}", "{\(required)}", []), ("tvos", "{}", "{\(required)}", []),
    ])
    func everyRuleWithACodeIsNamed(platform: String, before: String, after: String, fields: [String]) throws {
        let settings = PlatformSettings(versionScheme: .code, releases: ["42", "43"])
        #expect(try self.fields(before, after, #require(TargetKey("shop/\(platform)")), settings) == fields)
    }

    @Test func whatNamesNoCodeIsNoFinding() throws {
        let target = try #require(TargetKey("shop/ios"))
        #expect(try fields("{}", "{\(Self.required)}", target, PlatformSettings(versionScheme: .dotted, releases: ["42"])) == [])
        #expect(try fields("{}", "{\(Self.force)}", target, PlatformSettings(versionScheme: .code)) == [])
    }

    /// Findings about libraries that no app uses are of no interest.
    @Test(arguments: [
        ([ClientLibrary.launchgate], true), ([.gatekit, .princeOfVersions], true), ([.gatekit], false), ([.bellerophon], false),
    ])
    func onlyWhoComparesIsTold(clients: [ClientLibrary], isTold: Bool) throws {
        var settings = PlatformSettings(versionScheme: .code, releases: ["42"])
        settings.clients = clients
        let target = try #require(TargetKey("shop/ios"))
        #expect(try fields("{}", "{\(Self.required)}", target, settings).isEmpty != isTold)
    }

    /// What the sentence says is what the libraries do.
    @Test(arguments: ["1", "2", "9", "10", "42", "2147483647"])
    func theVersionInTheSentenceIsShutOutWhateverItsBuild(minimum: String) throws {
        let settings = PlatformSettings(versionScheme: .code, releases: [minimum])
        let gate = Gate(requiredUpdate: RequiredUpdate(minimumVersion: minimum, message: .text("m")))
        let target = SampleApp.target(.ios, gate, settings: settings)
        let findings = FeedLint.findings(before: .open, after: gate, target: target.key, settings: settings)
        let installed = minimum == "1" ? "0.9.0" : "1.0.0"
        #expect(findings.first { $0.code == Self.code }?.detail.contains(" \(installed), ") == true)
        let feeds = try FeedRenderer.render(SampleApp.app(target))
        let object = LaunchGateClient.decide(try feeds.feed(.launchgate).bytes, installed: installed)
        let list = PrinceOfVersionsAppleClient.decide(try feeds.feed(.princeOfVersions).bytes, installed: "\(installed)-2147483647")
        #expect(!object.letsIn && !list.letsIn)
    }
}
