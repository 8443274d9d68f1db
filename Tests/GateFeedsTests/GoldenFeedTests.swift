import Foundation
import GateFeeds
import GateJSON
import GateModel
import Testing

/// Every feed of a sample app, byte for byte, one file for each state: a line is a feed's path, a space, and its bytes.
///
/// To record the files again after a deliberate change, run the tests once with `GATEHOUSE_RECORD_GOLDEN=1` in the environment, and read
/// the difference line by line before committing it: these bytes are what released apps obey. A recording run fails, so that it cannot
/// be mistaken for a check.
@Suite struct GoldenFeedTests {
    struct State: Sendable, CustomTestStringConvertible {
        let name: String
        /// Gate documents; `$` stands for `4.` on dotted platforms and for `4` where versions are codes, so `$2` is 4.2 or 42.
        let ios: String
        let android: String
        let macos: String
        var releases = true
        /// Platform settings to put over the sample's.
        var settings: [PlatformKey: String] = [:]

        var testDescription: String { name }

        init(_ name: String, _ all: String, releases: Bool = true, settings: [PlatformKey: String] = [:]) {
            self.init(name, ios: all, android: all, macos: all, releases: releases, settings: settings)
        }

        init(
            _ name: String,
            ios: String,
            android: String = "{}",
            macos: String = "{}",
            releases: Bool = true,
            settings: [PlatformKey: String] = [:]
        ) {
            (self.name, self.ios, self.android, self.macos, self.releases, self.settings) = (name, ios, android, macos, releases, settings)
        }
    }

    private static let kill = #""killSwitch":{"message":"Back at 09:30.","retryInterval":30}"#
    private static let force = #""forceUpdate":{"message":"Please update now."}"#
    private static let required = #""requiredUpdate":{"minimumVersion":"$2","message":"Please update."}"#
    private static let optional = #""optionalUpdate":{"optionalVersion":"$3","message":"A new version is out."}"#
    private static let alert = #""alert":{"message":"Card payments are slow today.","blocking":false}"#
    private static let blocking = #""alert":{"message":"We are closed today.","blocking":true}"#

    static let states: [State] = [
        State("open", "{}"),
        State("kill", "{\(kill)}"),
        State("force", "{\(force)}"),
        State("force-without-releases", "{\(force)}", releases: false),
        State("required", "{\(required)}"),
        State("optional", "{\(optional)}"),
        State("alert", "{\(alert)}"),
        State("blocking-alert", "{\(blocking)}"),
        State("required-and-optional", "{\(required),\(optional)}"),
        State("required-and-alert", "{\(required),\(alert)}"),
        State("required-and-blocking-alert", "{\(required),\(blocking)}"),
        State("optional-and-alert", "{\(optional),\(alert)}"),
        State("optional-and-blocking-alert", "{\(optional),\(blocking)}"),
        State("required-optional-and-alert", "{\(required),\(optional),\(alert)}"),
        State("required-optional-and-blocking-alert", "{\(required),\(optional),\(blocking)}"),
        State("force-and-blocking-alert", "{\(force),\(blocking)}"),
        State("force-without-releases-and-all-others", "{\(force),\(required),\(optional),\(alert)}", releases: false),
        State("kill-and-force", "{\(kill),\(force)}"),
        State("kill-and-required", "{\(kill),\(required),\(optional)}"),
        State("all-with-blocking-alert", "{\(kill),\(force),\(required),\(optional),\(blocking)}"),
        State("all-but-kill", "{\(force),\(required),\(optional),\(alert)}"),
        State("kill-on-ios-only", ios: "{\(kill)}", android: "{\(required)}", macos: "{\(alert)}"),
        State(
            "four-components",
            ios:
                #"{"requiredUpdate":{"minimumVersion":"4.2.0.1","message":"a"},"optionalUpdate":{"optionalVersion":"4.3.0.9","message":"b"}}"#
        ),
        State(
            "android-with-dotted-versions",
            ios: "{}",
            android:
                #"{"forceUpdate":{"message":"a"},"requiredUpdate":{"minimumVersion":"4.2.0","message":"b"},"optionalUpdate":{"optionalVersion":"4.3.0","message":"c"},"alert":{"message":"d","blocking":false}}"#,
            settings: [.android: #"{"versionScheme":"dotted","releases":["4.2.0"]}"#]
        ),
        State(
            "macos-with-version-codes",
            ios: "{}",
            macos: #"{"requiredUpdate":{"minimumVersion":"42","message":"a"},"alert":{"message":"b","blocking":false}}"#,
            settings: [.macos: #"{"versionScheme":"code","releases":["42"]}"#]
        ),
        State(
            "languages-and-blocked-versions",
            ios:
                #"{"killSwitch":null,"requiredUpdate":{"minimumVersion":"4.2.0","blockedVersions":["4.2.1"],"message":{"de":"Bitte aktualisieren.","default":"Please update."}}}"#,
            settings: [.ios: #"{"storeURL":"https://apps.apple.com/app/id1"}"#]
        ),
        State(
            "text-that-needs-escaping",
            #"{"killSwitch":{"message":"\"Quoted\" \\ <b>&amp;</b>\nsecond line – ü 日本 😀 /","retryInterval":3600}}"#
        ),
        State("own-default-interval", ios: "{\(force)}", settings: [.ios: #"{"defaultRetryInterval":5}"#]),
    ]

    @Test(arguments: states)
    func feedsAreTheRecordedBytes(state: State) throws {
        let feeds = try FeedRenderer.render(try app(state))
        var lines = ""
        for feed in feeds { lines += "\(feed.path) \(String(decoding: feed.bytes, as: UTF8.self))\n" }
        if ProcessInfo.processInfo.environment["GATEHOUSE_RECORD_GOLDEN"] != nil {
            let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")
            try lines.write(to: folder.appending(path: state.name + ".txt"), atomically: true, encoding: .utf8)
            Issue.record("recorded \(state.name)")
            return
        }
        let file = try #require(
            Bundle.module.url(forResource: "Golden/\(state.name)", withExtension: "txt"),
            "no golden file: see the suite's comment"
        )
        let recorded = try String(contentsOf: file, encoding: .utf8)
        for (new, old) in zip(lines.split(separator: "\n"), recorded.split(separator: "\n")) { #expect(new == old) }
        #expect(lines == recorded)
    }

    @Test func everyGoldenFileIsOfAState() throws {
        let folder = try #require(Bundle.module.url(forResource: "Golden", withExtension: nil))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == Self.states.map { $0.name + ".txt" }.sorted())
    }

    private func app(_ state: State) throws -> App {
        let platforms: [(PlatformKey, String)] = [(.ios, state.ios), (.android, state.android), (.macos, state.macos)]
        return SampleApp.app(
            try platforms.map { platform, document in
                var settings = SampleApp.settings(platform, releases: state.releases ? nil : [])
                if let changes = state.settings[platform] {
                    settings.releases = []
                    try settings.apply(json: JSONReader.read(changes))
                }
                let prefix = settings.versionScheme == .code ? "4" : "4."
                let text = document.replacing("\"$", with: "\"" + prefix)
                let isDotted = settings.versionScheme == .dotted
                let gate = try SampleApp.gate(
                    isDotted ? text.replacing("\"4.2\"", with: "\"4.2.0\"").replacing("\"4.3\"", with: "\"4.3.0\"") : text,
                    settings
                )
                return SampleApp.target(platform, gate, settings: settings)
            }
        )
    }
}
