import GateAPI
import GateAdminClient
import GateModel

/// `status --watch`: redraws on a terminal, appends a line for each change elsewhere; old data is never shown as current.
struct StatusWatch {
    let session: Session
    let filter: TargetFilter

    func run() async throws {
        let status = try await session.client.status()
        let console = session.console
        let redraws = console.isOutTerminal && console.out.colour && console.format == .table
        try await show(status, redraws: redraws)
        let selection = try await TargetLookup(client: session.client).selection(filter)
        let list = ChangeList(console: console, selection: selection)
        try await EventFeed(session: session).run(
            after: status.sequence,
            onPoll: { look in
                guard redraws else { return }
                switch look {
                case .poll: try await show(try await session.client.status(), redraws: true)
                case .lost(let silence):
                    console.bytes(Array("\u{1B}[H\u{1B}[2J".utf8))
                    console.data(console.out.tinted("NOT LIVE for \(silence.components.seconds)s: nothing is known about now.", .blocked))
                }
            },
            onChange: { change in
                if !redraws, selection.concerns(change) { list.event(change) }
            }
        )
    }

    private func show(_ status: StatusBody, redraws: Bool) async throws {
        let targets = try await StatusList.targets(session, filter)
        let outlook = try await Outlook(try await StatusList.windows(session, filter), knowing: targets, session.client)
        let list = StatusList(session: session, status: status, targets: targets, outlook: outlook)
        guard redraws else { return list.print() }
        let head = session.contextLine(status) + "   \(Words.time(status.serverTime, inUTC: true))"
        session.console.bytes(
            Array(("\u{1B}[H\u{1B}[2J" + ([head] + list.lines).map(session.console.out.shown).joined(separator: "\n") + "\n").utf8)
        )
    }
}
