import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ScheduleShowCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "One window: its times, what it does, and what happened to it.",
        discussion: """
            EXAMPLE
              gatectl schedule show 12
            """
    )

    @Argument(help: "The window's number, as in gatectl schedule list.") var id: Int
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let window = try await session.client.window(id)
        guard !console.isJSON else { return console.json(Document.of(["window": window.json])) }
        WindowView.lines(window, now: try await session.client.status().serverTime).forEach(console.data)
    }
}
