import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ScheduleShowCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "show",
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
        let willFail = try await Outlook([window], session.client).willFail(window)
        guard !console.isJSON else {
            var object: JSONObject = ["window": window.json]
            if willFail { object["willFail"] = .bool(true) }
            return console.json(Document.of(object))
        }
        console.data(WindowView.lines(window, now: try await session.client.status().serverTime))
        if willFail {
            let cancel = Invocation.sameServer("schedule cancel \(id)")
            console.data("Will fail at its start: its rules have been changed since it was made. \(cancel), and make it again.")
        }
    }
}
