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

    @Argument(help: "Only this app.", completion: LiveNames.apps) var app: String?
    @Flag(name: .long, help: "Also those that are over, newest first.") var all = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let states: [Window.State] = all ? [] : [.pending, .running, .missed]
        let (listed, status) = try await session.together {
            try await session.client.windows(app: app, states: states)
        } _: {
            try await session.client.status()
        }
        var windows = listed
        // A quiet app and a mistyped one must not look alike.
        if let app, windows.isEmpty { _ = try await TargetLookup(client: session.client).app(app) }
        if !all { windows.sort { ($0.due ?? $0.start.at, $0.id) < ($1.due ?? $1.start.at, $1.id) } }
        let now = status.serverTime
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
            console.data(Self.lines(windows, outlook, now, style: console.out, width: console.tableWidth))
        }
    }

    /// - Parameter width: columns of the terminal. Where zones do not fit, times are shortened and in UTC; nil shortens nothing.
    static func lines(_ windows: [Window], _ outlook: Outlook, _ now: Timestamp, style: Style, width: Int?) -> [String] {
        var table = Table(["ID", "STATE", "TARGETS", "WHAT", "FROM", "UNTIL", "NEXT", "BY", "REASON"], flexible: [8, 3, 2])
        table.rows = windows.map { row($0, outlook, now, time: WindowView.short) }
        let lines = table.lines(style: style, width: width)
        guard let width, lines.contains(where: { $0.count > width }) else { return lines }
        var narrow = Table(["ID", "STATE", "TARGETS", "WHAT", "FROM UTC", "UNTIL UTC", "NEXT", "BY", "REASON"], flexible: [3, 8, 2])
        narrow.expendable = [7, 8]
        narrow.rows = windows.map { row($0, outlook, now, time: minute) }
        return narrow.lines(style: style, width: width)
    }

    private static func row(_ window: Window, _ outlook: Outlook, _ now: Timestamp, time: (ZonedTime) -> String) -> [Table.Cell] {
        [
            "\(window.id)", WindowView.state(window), WindowView.targets(window), WindowView.what(window),
            time(WindowView.beginning(of: window)), WindowView.ending(of: window).map(time) ?? "–",
            next(window, outlook, now), window.actor.said, window.reason.map(Style.safe) ?? "–",
        ].map { .init($0) }
    }

    /// `03-30 06:30`: the month, the day, the minute.
    private static func minute(_ time: ZonedTime) -> String {
        String(time.at.description.dropFirst(5).prefix(11)).replacing("T", with: " ")
    }

    private func json(_ window: Window, _ outlook: Outlook) -> JSONValue {
        guard outlook.willFail(window), var object = window.json.object else { return window.json }
        object["willFail"] = .bool(true)
        return .object(object)
    }

    private static func next(_ window: Window, _ outlook: Outlook, _ now: Timestamp) -> String {
        guard let due = window.due else { return "–" }
        return "in " + Words.age(from: now, to: due) + (outlook.willFail(window) ? ", will fail" : "")
    }
}
