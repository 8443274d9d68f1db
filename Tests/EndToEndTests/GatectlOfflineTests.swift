import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// What works while the server is down.
struct GatectlOfflineTests {
    /// Everything that a server has, as an export.
    private func export(_ server: Server) async throws -> ExportBody {
        let client = try server.client()
        let targets = try await client.targets()
        let apps = try await client.apps().map { body in
            let own = targets.map(\.target).filter { $0.key.app == body.key }
            return App(
                key: body.key,
                name: body.name,
                aliases: body.aliases,
                platforms: Dictionary(uniqueKeysWithValues: own.map { ($0.key.platform, $0) })
            )
        }
        return ExportBody(apps: apps, environment: "development")
    }

    @Test func renderedFeedsAreByteForByteTheServers() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("apps", "add", "bank", "--name", "Bank", "--platforms", "ios,macos")
        _ = try await gatectl("apps", "set", "shop", "--alias", "/config.json=launchgate", "--alias", "/status=ios/bellerophon")
        _ = try await gatectl(
            "apps",
            "set",
            "shop",
            "--platform",
            "ios",
            "--store-url",
            "https://example.com/app",
            "--add-release",
            "4.2.0"
        )
        _ = try await gatectl("kill", "shop", "ios", "-m", "Zurück um 9:30 – „bald“.", "--retry", "30s", "-y")
        _ = try await gatectl("require", "shop", "android", "41", "-m", "Update.", "-y")
        _ = try await gatectl("alert", "bank", "macos", "-m", "Slow <today> & tomorrow.")
        let file = try gatectl.home.file("gates.json", try await export(gatectl.server).json.text)
        let out = gatectl.home.path + "/site"
        let outcome = try await gatectl("render", "-f", file, "--out", out, "--json", with: ["GATECTL_SERVER": "", "GATECTL_TOKEN": ""])
        #expect(outcome.status == 0, "\(outcome)")
        let paths = try outcome.json()["items"]?.array?.compactMap { $0["path"]?.string } ?? []
        #expect(paths.count == 18)
        #expect(
            Set(paths).isSuperset(of: [
                "/config.json", "/status", "/feeds/shop/launchgate.json", "/feeds/bank/macos/gate.json",
                "/feeds/bank/prince-of-versions.json",
            ])
        )
        for path in paths {
            let rendered = try #require(FileManager.default.contents(atPath: out + path))
            #expect(try await Array(rendered) == gatectl.server.feed(path).body, "\(path)")
        }
    }

    @Test func aFaultInTheFileIsNamedAndNothingIsWritten() async throws {
        let gatectl = try await Gatectl.withShop()
        func document(_ platforms: String) -> String {
            #"{"schema":"gatehouse/export/v1","apps":[{"key":"shop","name":"Shop","platforms":\#(platforms)}]}"#
        }
        let cases = [
            ("", "not JSON"), ("{}", "/schema"), (#"{"schema":"gatehouse/export/v1","apps":[]"#, "not JSON"),
            (document(#"{"ios":{"gate":{"killSwitch":{"message":""}}}}"#), "/apps/0/platforms/ios/gate/killSwitch/message"),
            (
                document(#"{"android":{"gate":{"requiredUpdate":{"minimumVersion":"1.1","message":"x"}}}}"#),
                "/apps/0/platforms/android/gate/requiredUpdate/minimumVersion"
            ),
            (document(#"{"ios":{"gates":{}}}"#), "/apps/0/platforms/ios/gates"),
            (document(#"{"ios2":{}}"#), "/apps/0/platforms/ios2"),
            (
                #"{"schema":"gatehouse/export/v1","apps":[{"key":"a","name":"A","platforms":{}},{"key":"a","name":"B","platforms":{}}]}"#,
                "/apps/1/key"
            ),
        ]
        let out = gatectl.home.path + "/site"
        for (text, words) in cases {
            let checked = try await gatectl("validate", "-f", "-", input: text)
            #expect(checked.status == 8, "\(text): \(checked)")
            #expect(checked.err.contains(words), "\(text): \(checked)")
            #expect(try await gatectl("render", "-f", "-", "--out", out, input: text).status == 8)
        }
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    /// A server has both; a folder cannot.
    @Test func anAliasBelowAnotherIsRefusedBeforeTheFirstByte() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("apps", "set", "shop", "--alias", "/config=launchgate", "--alias", "/config/old/ios.json=ios/bellerophon")
        let text = try await export(gatectl.server).json.text
        let out = gatectl.home.path + "/site"
        let refused = try await gatectl("render", "-f", "-", "--out", out, input: text)
        #expect(refused.status == 8, "\(refused)")
        #expect(refused.err.contains("/config and /config/old/ios.json"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    @Test func anAliasThatNoFileCanHaveIsRefusedBeforeTheFirstByte() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try await gatectl("apps", "set", "shop", "--alias", "/legacy/=launchgate")
        let out = gatectl.home.path + "/site"
        let refused = try await gatectl("render", "-f", "-", "--out", out, input: try await export(gatectl.server).json.text)
        #expect(refused.status == 8, "\(refused)")
        #expect(refused.err.contains("let the web server answer it with /feeds/shop/launchgate.json"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: out))
    }

    /// Prince of Versions does not run on the platform, so the server answers 404; everything else is wanted all the same.
    @Test func anAliasOfAFeedThatTheServerLacksIsLeftOutAndTold() async throws {
        let gatectl = try await Gatectl.withShop()
        #expect(try await gatectl("apps", "add", "radio", "tvos", "-y").status == 0)
        #expect(try await gatectl("apps", "set", "radio", "--alias", "/old.json=prince-of-versions", "-y").status == 0)
        #expect(try await gatectl.server.feed("/old.json").status == 404)
        let out = gatectl.home.path + "/site"
        let outcome = try await gatectl("render", "-f", "-", "--out", out, input: try await export(gatectl.server).json.text)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.err.contains("radio: /old.json is not written") && outcome.err.contains("[alias_without_feed]"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: out + "/old.json"))
        #expect(FileManager.default.fileExists(atPath: out + "/feeds/radio/tvos/gate.json"))
    }

    @Test func aFileIsCheckedWithoutAServer() async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("gates.json", try await export(gatectl.server).json.text)
        let outcome = try await gatectl("validate", "-f", file, "--json", with: ["GATECTL_SERVER": "", "GATECTL_TOKEN": ""])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try outcome.json()["targets"]?.integer == 2)
    }
}
