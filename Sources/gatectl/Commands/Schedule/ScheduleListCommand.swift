import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct ScheduleListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The windows that wait, run, or were missed; the next one first.",
        discussion: """
            EXAMPLES
              gatectl schedule list
              gatectl schedule list shop --all --json
            """
    )

    @Argument(help: "Only this app.", completion: .custom { _, _, _ async in await LiveNames.apps() }) var app: String?
    @Flag(name: .long, help: "Also those that are over, newest first.") var all = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        async let status = session.client.status()
        var windows = try await session.client.windows(app: app, states: all ? [] : [.pending, .running, .missed])
        // A quiet app and a mistyped one must not look alike.
        if let app, windows.isEmpty, try await found({ try await session.client.app(app) }) == nil {
            throw try await TargetLookup(client: session.client).missing(app, nil)
        }
        if !all { windows.sort { ($0.due ?? $0.start.at, $0.id) < ($1.due ?? $1.start.at, $1.id) } }
        let now = try await status.serverTime
        let outlook = try await Outlook(windows, session.client)
        switch console.format {
        case .json: console.json(Document.list(windows.map { json($0, outlook) }, ["serverTime": .string(now.description)]))
        case .plain:
            for window in windows {
                let targets = window.targets.map(\.key.description).joined(separator: ",")
                console.data(
                    [
                        "\(window.id)", window.state.rawValue, window.due?.description ?? "", targets, window.start.at.description,
                        window.end?.at.description ?? "", WindowView.what(window),
                    ]
                    .joined(separator: "\t")
                )
            }
        case .table, .wide:
            guard !windows.isEmpty else { return console.data(all ? "No windows." : "No windows wait or run.") }
            var table = Table(["ID", "STATE", "TARGETS", "WHAT", "FROM", "UNTIL", "NEXT", "BY", "REASON"], flexible: [8, 3, 2])
            table.rows = windows.map { window in
                [
                    .init("\(window.id)"), .init(window.state.rawValue.uppercased()),
                    .init(window.targets.map(\.key.description).joined(separator: ", ")),
                    .init(WindowView.what(window)), .init(WindowView.short(WindowView.beginning(of: window))),
                    .init(WindowView.ending(of: window).map(WindowView.short) ?? "–"),
                    .init(next(window, outlook, now)), .init(window.actor.said),
                    .init(window.reason.map(Style.safe) ?? "–"),
                ]
            }
            console.data(table.lines(style: console.out, width: console.format == .wide ? nil : console.width))
        }
    }
    private func json(_ window: Window, _ outlook: Outlook) -> JSONValue {
        guard outlook.willFail(window), var object = window.json.object else { return window.json }
        object["willFail"] = .bool(true)
        return .object(object)
    }

    private func next(_ window: Window, _ outlook: Outlook, _ now: Timestamp) -> String {
        guard let due = window.due else { return "–" }
        return "in " + Words.age(from: now, to: due) + (outlook.willFail(window) ? ", will fail" : "")
    }
}
