import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct WatchCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "watch",
        abstract: "One line for each change, as it happens; JSON Lines with --json.",
        discussion: """
            EXAMPLES
              gatectl watch
              gatectl watch shop ios --json
              gatectl watch shop ios,android
            """
    )

    @OptionGroup var filter: TargetFilter
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let filter = filter.inProject(console)
        let status = try await session.client.status()
        let lookup = TargetLookup(client: session.client)
        // A mistyped name would be watched in silence for ever.
        if let app = filter.app { _ = try await lookup.targets(app, filter.platform ?? "all") }
        let selection = try await lookup.selection(filter)
        console.note(session.contextLine(status))
        console.note("Watching from change \(status.sequence) on; Ctrl-C ends.")
        let list = ChangeList(console: console, selection: selection)
        try await EventFeed(session: session).run(after: status.sequence) { change in
            if selection.concerns(change) { list.event(change) }
        }
    }
}
