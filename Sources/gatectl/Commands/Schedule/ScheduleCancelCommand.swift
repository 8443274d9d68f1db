import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ScheduleCancelCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Call a window off: what has not happened yet will not. What it has done stays.",
        discussion: """
            EXAMPLE
              gatectl schedule cancel 12 -r "The sale is off"
            """
    )

    @Argument(help: "The window's number, as in gatectl schedule list.") var id: Int
    @Option(name: [.short, .long], help: "Why; kept with the window.") var reason: String?
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let before = try await session.client.window(id)
        Interrupt.now(.writing)
        defer { Interrupt.now(.reading) }
        let window = try await session.client.cancelWindow(id, WindowCancelRequest(reason: reason)).window
        let changed = before.state != .cancelled
        guard !console.isJSON else { return console.json(Document.of(["changed": .bool(changed), "window": window.json])) }
        console.data(changed ? "Cancelled window \(id): \(WindowView.what(window))" : "Window \(id) was cancelled already")
        if before.state == .running { console.note("  What it did stays: gatectl status shows what users face.") }
    }
}
