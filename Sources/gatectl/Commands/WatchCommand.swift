import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct WatchCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "One line for each change, as it happens; JSON Lines with --json.",
        discussion: """
            EXAMPLES
              gatectl watch
              gatectl watch shop ios --json
            """
    )

    @OptionGroup var filter: TargetFilter
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let status = try await session.client.status()
        if let app = filter.app {
            // A mistyped name would be watched in silence for ever.
            let lookup = TargetLookup(client: session.client)
            _ = try await lookup.targets(app, filter.platform ?? "all")
        }
        console.note(session.contextLine(status))
        console.note("Watching from change \(status.sequence) on; Ctrl-C ends.")
        let list = ChangeList(console: console, app: filter.app, platform: filter.platform)
        try await EventFeed(session: session).run(after: status.sequence) { change in
            guard let app = filter.app else { return list.event(change) }
            let concerns = change.targets.contains {
                $0.target.app.text == app && (filter.platform == nil || $0.target.platform.text == filter.platform)
            }
            if concerns { list.event(change) }
        }
    }
}
