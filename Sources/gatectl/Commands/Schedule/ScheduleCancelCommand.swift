import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ScheduleCancelCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "cancel",
        abstract: "Call a window off: what has not happened yet will not. What it has done stays.",
        discussion: """
            Cancelling a window that has started leaves things as they are, and nothing opens by itself any more, so you are asked first; where the
            environment is protected, a window that keeps people out needs -r and --confirm then.
            gatectl schedule end takes back what it did.

            EXAMPLE
              gatectl schedule cancel 12 -r "The sale is off"
            """
    )

    @Argument(help: "The window's number, as in gatectl schedule list.") var id: Int
    @Option(name: [.short, .long], help: "Why; kept with the window.") var reason: String?
    @Flag(name: .shortAndLong, help: "Do not ask.") var yes = false
    @Option(name: .long, help: "The text a confirmation asks for, such as shop/ios or \"kill 2 targets\".") var confirm: String?
    @Flag(name: [.customShort("n"), .long], help: "Show what would be called off and write nothing.") var dryRun = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let before = try await session.client.window(id)
        if dryRun {
            try await session.require(.operator)
            guard before.state == .cancelled || Self.mayCancel(before) else {
                throw Failure(.refused, "window_over", "window \(id) is over (\(before.state.rawValue))")
            }
            return plan(before, console)
        }
        if Self.hasEffect(before) { try agree(before, console) }
        let window = try await session.client.cancelWindow(id, WindowCancelRequest(reason: reason, confirm: confirm)).window
        let changed = before.state != .cancelled
        guard !console.isJSON else { return console.json(Document.of(["changed": .bool(changed), "window": window.json])) }
        console.data(changed ? "Cancelled window \(id): \(WindowView.what(window))" : "Window \(id) was cancelled already")
        if Self.hasEffect(before) { console.note("  What it did stays: gatectl status shows what users face.") }
    }

    /// Also one that was missed: it still waits for somebody to carry it out.
    private static func mayCancel(_ window: Window) -> Bool { window.state.isActive || window.state == .missed }

    /// Whether its start was carried out and its end was not: it runs, or its end was missed.
    static func hasEffect(_ window: Window) -> Bool {
        window.state == .running || window.state == .missed && window.hasStarted
    }

    private func plan(_ window: Window, _ console: Console) {
        let changes = Self.mayCancel(window)
        guard !console.isJSON else {
            return console.json(Document.of(["dryRun": .bool(true), "changed": .bool(changes), "window": window.json]))
        }
        console.data(WindowView.lines(window, now: .now))
        console.data("Dry run: nothing was written." + (changes ? " It would be called off." : " It is \(window.state.rawValue) already."))
    }

    /// Whoever calls off a sale must not lock people out for good without knowing it.
    private func agree(_ window: Window, _ console: Console) throws(Failure) {
        let names = window.targets.map(\.key.description).joined(separator: ", ")
        let what = window.state == .running ? "runs" : "has started and not ended"
        let words = "window \(id) \(what), and without it \(Style.safe(names)) stays as it is until somebody changes it"
        if !yes, console.mayAsk {
            console.say("\(words.prefix(1).uppercased() + words.dropFirst()); gatectl schedule end \(id) takes it back.")
        }
        try Consent(console: console, isGiven: yes).require(
            "Cancel window \(id)",
            because: words,
            or: [("take back what it did", "gatectl schedule end \(id)")]
        )
    }
}
