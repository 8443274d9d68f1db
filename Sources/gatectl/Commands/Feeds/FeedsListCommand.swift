import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct FeedsListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The feeds of own shapes, of one app or of all.",
        discussion: """
            EXAMPLES
              gatectl feeds list
              gatectl feeds list shop --json
            """
    )

    @Argument(help: "Only this app.", completion: LiveNames.apps) var app: String?
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let apps: [AppBody]
        if let app {
            apps = [try await TargetLookup(client: session.client).app(app)]
        } else {
            apps = try await session.client.apps()
        }
        let rows = apps.flatMap { app in app.ownFeeds.map { (app.key, $0) } }
        switch console.format {
        case .json:
            console.json(
                Document.list(
                    rows.map { app, feed in
                        var object: JSONObject = ["app": .string(app.text)]
                        object.add(feed.json.object ?? [:])
                        return .object(object)
                    }
                )
            )
        case .plain:
            for (app, feed) in rows { console.data([app.text, feed.name, feed.platform?.text ?? "", feed.path].joined(separator: "\t")) }
        case .table, .wide:
            guard !rows.isEmpty else {
                let command = Invocation.sameServer("feeds set \(app ?? "shop") status -f template.json")
                return console.data("No feeds of own shapes. Make one: \(command)")
            }
            var table = Table(["APP", "NAME", "PLATFORM", "PATH"], flexible: [3])
            table.rows = rows.map { app, feed in
                [.init(app.text), .init(Style.safe(feed.name)), .init(feed.platform?.text ?? "all"), .init(Style.safe(feed.path))]
            }
            console.table(table)
        }
    }
}
