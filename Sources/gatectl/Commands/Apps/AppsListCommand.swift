import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct AppsListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The apps, their platforms and aliases.",
        discussion: """
            EXAMPLE
              gatectl apps list --json
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let apps = try await session.client.apps()
        switch console.format {
        case .json: console.json(Document.list(apps.map(\.json)))
        case .plain:
            for app in apps {
                console.data([app.key.text, Style.safe(app.name), Self.platforms(app), Self.aliases(app)].joined(separator: "\t"))
            }
        case .table, .wide:
            guard !apps.isEmpty else {
                return console.data("No apps yet. Add one: \(Invocation.sameServer("apps add shop --name Shop --platforms ios,android"))")
            }
            var table = Table(["APP", "NAME", "PLATFORMS", "ALIASES"], flexible: [1])
            table.rows = apps.map { app in
                [
                    .init(app.key.text), .init(Style.safe(app.name)), .init(Self.platforms(app)),
                    .init(app.aliases.isEmpty ? "–" : Self.aliases(app)),
                ]
            }
            console.table(table)
        }
    }

    static func platforms(_ app: AppBody) -> String { app.platforms.keys.sorted().map(\.text).joined(separator: ",") }

    static func aliases(_ app: AppBody) -> String { app.aliases.map(AliasArgument.text).joined(separator: ",") }
}
