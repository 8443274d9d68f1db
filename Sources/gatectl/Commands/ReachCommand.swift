import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ReachCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "reach",
        abstract: "How far the last change has come, and which versions poll.",
        discussion: """
            Versions come from polls that name one: ?version=4.1.0 after a feed's address, GateKit, OpenFeature.

            EXAMPLES
              gatectl reach shop ios
              gatectl reach shop ios --versions             of the last hour
              gatectl reach shop ios --versions --day --json
            """
    )

    @OptionGroup var target: TargetArguments
    @Flag(name: .long, help: "The versions that polled, the most polled first.") var versions = false
    @Flag(name: .long, help: "With --versions: of the last day instead of the last hour.") var day = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if day, !versions { throw ValidationError("--day says how far --versions looks back; give both.") }
        if versions, target.app == "all" || target.platform == "all" || target.platform.contains(",") {
            throw ValidationError("--versions shows one target: name an app and a platform.")
        }
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let targets = try await TargetLookup(client: session.client).targets(target.app, target.platform)
        guard versions else { return try await show(targets, session, console) }
        let polled = try await session.client.versions(target.app, target.platform, within: day ? "day" : "hour")
        switch console.format {
        case .json: console.json(polled.json)
        case .plain:
            for item in polled.items { console.data([item.version, String(item.polls), Self.percent(item.share)].joined(separator: "\t")) }
        case .table, .wide:
            guard !polled.items.isEmpty else {
                return console.data(
                    "\(target.app)/\(target.platform): no poll of the last \(day ? "day" : "hour") named its version. Phones name it with ?version=4.1.0 after the feed's address."
                )
            }
            var table = Table(["VERSION", "POLLS", "SHARE", ""], flexible: [0])
            table.rows = polled.items.map { item in
                [
                    .init(Style.safe(item.version)), .init(String(item.polls)), .init(Self.percent(item.share)),
                    .init(String(repeating: "█", count: Int((item.share * 30).rounded()))),
                ]
            }
            console.table(table)
            propose(polled, for: targets[0], console)
        }
    }

    /// Lists of targets leave out the reach, so each target is asked for.
    private func show(_ targets: [TargetBody], _ session: Session, _ console: Console) async throws {
        var bodies: [TargetBody] = []
        for target in targets {
            bodies.append(try await session.client.target(target.target.key.app.text, target.target.key.platform.text))
        }
        switch console.format {
        case .json:
            let items = bodies.map { body -> JSONValue in
                .object([
                    "app": .string(body.target.key.app.text), "platform": .string(body.target.key.platform.text),
                    "revision": .integer(body.target.revision), "reach": body.reach?.json ?? .null,
                ])
            }
            console.json(Document.list(items))
        case .plain, .table, .wide:
            for body in bodies { console.data(Words.reach(body.reach, of: body.target.key, revision: body.target.revision)) }
        }
    }

    /// Proposes to add versions that poll but are no known release; only a person can say whether they were shipped.
    private func propose(_ polled: VersionsBody, for target: TargetBody, _ console: Console) {
        let settings = target.target.settings
        let unknown = polled.items.map(\.version).filter { settings.versionScheme.accepts($0) && !settings.releases.contains($0) }
        guard !unknown.isEmpty else { return }
        let options = unknown.map { "--add-release \($0)" }.joined(separator: " ")
        console.note("Not among the known releases: \(unknown.joined(separator: ", ")). If they were shipped:")
        let key = target.target.key
        console.note("  " + Invocation.sameServer("apps set \(key.app) --platform \(key.platform) \(options)"))
    }

    private static func percent(_ share: Double) -> String { share > 0 && share < 0.01 ? "<1 %" : "\(Int(share * 100 + 1e-6)) %" }
}
