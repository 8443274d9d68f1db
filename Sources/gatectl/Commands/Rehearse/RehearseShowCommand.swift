import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct RehearseShowCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "show",
        abstract: "One rehearsal: its addresses, and the polls that came to it.",
        discussion: """
            EXAMPLES
              gatectl rehearse show k3_x9AbZ
              gatectl rehearse show k3_x9AbZ --watch
            """
    )

    @Argument(help: "Its id, as in gatectl rehearse list.") var id: String
    @Flag(name: .long, help: "Show further polls as they come, until Ctrl-C.") var watch = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let rehearsal = try await session.client.rehearsal(id)
        let view = RehearsalView(console: console, session: session)
        view.show(rehearsal, feedsPort: try await session.client.status().feedsPort, "is rehearsed")
        if watch { return try await view.follow(rehearsal) }
        if console.isJSON || console.format == .plain { return }
        console.data("Polls: \(rehearsal.pollCount)")
        for poll in rehearsal.polls.reversed() { view.show(poll) }
    }
}
