import Foundation
import GateAPI
import GateAdminClient
import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

/// `gatectl import` of files that no library knows: each becomes a feed of its shape, and stays what phones have polled.
struct GatectlTakeoverTests {
    /// The same twelve as those of the templates and of the browser.
    static let shapes: [Shape] = {
        do {
            let path = ProjectFiles.root + "/Tests/Shapes/own-shapes.json"
            let file = try JSONReader.read(String(contentsOfFile: path, encoding: .utf8))
            return try (file.array ?? []).map { try Shape(#require($0.object)) }
        } catch { preconditionFailure("own-shapes.json: \(error)") }
    }()

    struct Shape: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let map: [String]
        let platform: String?
        let accept: [String]

        var testDescription: String { name }

        init(_ object: JSONObject) throws {
            name = try #require(object["name"]?.string)
            file = try #require(object["file"]?.string)
            map = try #require(object["map"]?.array).compactMap(\.string)
            platform = object["platform"]?.string
            accept = object["accept"]?.array?.compactMap(\.string) ?? []
        }

        var path: String { "/feeds/shop/\(platform.map { "\($0)/" } ?? "")own/status.json" }

        var arguments: [String] {
            let platform = platform.map { ["--platform", $0] } ?? []
            return platform + map.flatMap { ["--map", $0] } + accept.flatMap { ["--accept", $0] }
        }
    }

    private static let on: [Rule: String] = [
        .killSwitch: #"{"message":"New kill.","retryInterval":15}"#, .forceUpdate: #"{"message":"New force."}"#,
        .requiredUpdate: #"{"minimumVersion":"42","message":"New require."}"#,
        .optionalUpdate: #"{"optionalVersion":"42","message":"New offer."}"#,
        .alert: #"{"message":"New alert.","blocking":true}"#,
    ]

    /// Equal before, right after each of the five rules goes on and off, equal again.
    @Test(.timeLimit(.minutes(5)), arguments: shapes) func twelveFilesAreTakenOver(shape: Shape) async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("status.json", shape.file)
        let taken = try await gatectl(["import", "shop", "-f", file, "-y", "--confirm", "import 2 targets"] + shape.arguments)
        #expect(taken.status == 0, "\(taken)")
        #expect(taken.err.contains("its feed is the file, byte for byte"), "\(taken)")
        #expect(try await gatectl.server.feedText(shape.path) == shape.file)

        let before = try JSONReader.read(shape.file)
        let client = try gatectl.server.client()
        let meanings = try shape.map.map { try TakeoverMeaning($0) }
        for platform in shape.platform.map({ [$0] }) ?? ["ios", "android"] {
            let first = try await client.target("shop", platform).target.gate
            for rule in Rule.allCases {
                for value in [try JSONReader.read(Self.on[rule] ?? ""), JSONValue.null] {
                    let document = try await document(after: rule, value, on: platform, client, at: shape.path, gatectl)
                    let told = meanings.filter {
                        ($0.platform?.text ?? platform) == platform && $0.word.rawValue.hasPrefix(Self.word(rule))
                    }
                    let places = DocumentDifference.places(before, document)
                    #expect(places.allSatisfy { place in told.contains { $0.place == place } }, "\(rule) turned \(places)")
                    for switching in told where switching.word.rawValue == Self.word(rule) {
                        let shown = try #require(document.value(at: switching.place))
                        #expect(Self.isOn(shown) == (value.isNull == switching.isInverted), "\(switching.place) with \(rule)")
                    }
                }
                _ = try await document(after: rule, first.json(of: rule) ?? .null, on: platform, client, at: shape.path, gatectl)
            }
            #expect(try await gatectl.server.feedText(shape.path) == shape.file)
        }
    }

    private func document(
        after rule: Rule,
        _ value: JSONValue,
        on platform: String,
        _ client: AdminClient,
        at path: String,
        _ gatectl: Gatectl
    ) async throws -> JSONValue {
        let revision = try await client.target("shop", platform).target.revision
        let edit = GateEdit([rule: value.isNull ? nil : value])
        _ = try await client.commit(
            ChangeRequest(
                targets: [TargetRef(app: "shop", platform: platform, revision: revision)],
                content: .set(edit),
                terms: WriteTerms()
            )
        )
        return try JSONReader.read(try await gatectl.server.feedText(path))
    }

    private static func word(_ rule: Rule) -> String {
        switch rule {
        case .killSwitch: "kill"
        case .forceUpdate: "force"
        case .requiredUpdate: "required"
        case .optionalUpdate: "optional"
        case .alert: "alert"
        }
    }

    private static func isOn(_ value: JSONValue) -> Bool {
        switch value {
        case .bool(let flag): flag
        case .number(let text): Double(text) != 0
        case .string(let text): ["true", "on", "yes", "1"].contains(text.lowercased())
        default: false
        }
    }

    /// Whoever knows nothing of maps is met by a proposal, sees its proof and is asked.
    @Test func aPersonIsMetByAProposal() async throws {
        let gatectl = try await Gatectl.withShop()
        let text = #"{"maintenance":false,"message":"","x":1}"#
        let file = try gatectl.home.file("state.json", text)
        let terminal = try gatectl.onTerminal("import", "shop", "-f", file, "--platform", "ios", with: ["NO_COLOR": "1"])
        try terminal.expect("A file of a shape of its own, to be served at /feeds/shop/ios/own/state.json")
        try terminal.expect("--map '$.maintenance=kill'")
        try terminal.expect("its feed is the file, byte for byte")
        try terminal.expect("once ios is killed:")
        try terminal.expect("$.maintenance: false → true")
        try terminal.expect("Import into shop? [y/N] ")
        terminal.type("y\n")
        #expect(try terminal.finish() == 0)
        #expect(try await gatectl.server.feedText("/feeds/shop/ios/own/state.json") == text)
        let killed = try await gatectl("kill", "shop", "ios", "-m", "Works", "-y")
        #expect(killed.status == 0)
        #expect(killed.err.contains("own/state.json $.maintenance: false → true"), "\(killed)")
        #expect(try await gatectl.server.feedText("/feeds/shop/ios/own/state.json") == #"{"maintenance":true,"message":"Works","x":1}"#)
    }

    @Test func whoSaysYesBeforehandSaysWhatItMeans() async throws {
        let gatectl = try await Gatectl.withShop()
        let text = #"{"maintenance":false}"#
        let whose = try await gatectl("import", "shop", "-f", "-", "-y", input: text)
        #expect(whose.status == 8)
        #expect(whose.err.contains("repeat it with --platform, such as --platform ios"), "\(whose)")
        let refused = try await gatectl("import", "shop", "-f", "-", "-y", "--platform", "ios", input: text)
        #expect(refused.status == 8)
        #expect(refused.err.contains("repeat it with --dry-run: it proposes a --map for each value"), "\(refused)")
        #expect(try await gatectl.server.feed("/feeds/shop/ios/own/status.json").status == 404)
        let trial = try await gatectl("import", "shop", "-f", "-", "--dry-run", "--platform", "ios", "--json", input: text)
        #expect(try trial.json()["takeover.match"]?.string == "identical", "\(trial)")
    }
}
