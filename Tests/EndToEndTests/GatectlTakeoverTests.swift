import GateAPI
import GateAdminClient
import GateFeeds
import GateJSON
import GateModel
import GateTesting
import Testing

/// `gatectl import` of files that no library knows: each becomes a feed of its shape, and stays what phones have polled.
struct GatectlTakeoverTests {
    private static let on: [Rule: String] = [
        .killSwitch: #"{"message":"New kill.","retryInterval":15}"#, .forceUpdate: #"{"message":"New force."}"#,
        .requiredUpdate: #"{"minimumVersion":"42","message":"New require."}"#,
        .optionalUpdate: #"{"optionalVersion":"42","message":"New offer."}"#,
        .alert: #"{"message":"New alert.","blocking":true}"#,
    ]

    /// Equal before, right after each of the five rules goes on and off, equal again.
    @Test(.timeLimit(.minutes(5)), arguments: OwnShape.all) func twelveFilesAreTakenOver(shape: OwnShape) async throws {
        let gatectl = try await Gatectl.withShop()
        let file = try gatectl.home.file("status.json", shape.file)
        let taken = try await gatectl(["import", "shop", "-f", file, "-y", "--confirm", "import 2 targets"] + shape.arguments)
        #expect(taken.status == 0, "\(taken)")
        #expect(taken.err.contains("its feed is the file, byte for byte"), "\(taken)")
        #expect(try await gatectl.server.feedText(shape.path) == shape.file)

        let before = try JSONReader.read(shape.file)
        let client = try gatectl.server.client()
        let meanings = try shape.meanings.map { try TakeoverMeaning($0) }
        for platform in shape.platform.map({ [$0] }) ?? ["ios", "android"] {
            let first = try await client.target("shop", platform).target.gate
            for rule in Rule.allCases {
                for value in [try JSONReader.read(Self.on[rule] ?? ""), JSONValue.null] {
                    let document = try await document(after: rule, value, on: platform, client, at: shape.path, gatectl)
                    let told = meanings.filter {
                        ($0.platform?.text ?? platform) == platform && $0.word.rawValue.hasPrefix(OwnShape.word(ofRule: rule.rawValue))
                    }
                    let places = DocumentDifference.places(before, document)
                    #expect(places.allSatisfy { place in told.contains { $0.place == place } }, "\(rule) turned \(places)")
                    for switching in told where switching.word.rawValue == OwnShape.word(ofRule: rule.rawValue) {
                        let shown = try #require(document.value(at: switching.place))
                        #expect(OwnShape.isOn(shown) == (value.isNull == switching.isInverted), "\(switching.place) with \(rule)")
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
        // Neither has who typed the confirmation with the command seen anything.
        let typed = try await gatectl("import", "shop", "-f", "-", "--confirm", "x", "--platform", "ios", input: text)
        #expect(typed.status == 8 || typed.status == 3, "\(typed)")
        #expect(try await gatectl.server.feed("/feeds/shop/ios/own/status.json").status == 404)
        // What only shares a name with a library's file is not said to be one.
        let nested = try await gatectl("import", "shop", "-f", "-", "--dry-run", input: #"{"ios":{"maintenance":true,"text":"Soon."}}"#)
        #expect(nested.out.contains("A file of a shape of its own"), "\(nested)")
        #expect(!nested.err.contains("Read as"), "\(nested)")
    }
}

extension OwnShape {
    /// Where its feed is served.
    fileprivate var path: String { "/feeds/shop/\(platform.map { "\($0)/" } ?? "")own/status.json" }

    fileprivate var arguments: [String] {
        (platform.map { ["--platform", $0] } ?? []) + meanings.flatMap { ["--map", $0] } + accepts.flatMap { ["--accept", $0] }
    }
}
