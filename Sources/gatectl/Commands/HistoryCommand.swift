import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct HistoryCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "history",
        abstract: "Who changed what, when and why, newest first.",
        discussion: """
            EXAMPLES
              gatectl history
              gatectl history shop ios --since 24h --actor on-call
              gatectl history shop --follow --json      one document a line
            """
    )

    @OptionGroup var filter: TargetFilter
    @Option(name: .long, help: "Since a time (2026-03-30T09:00:00Z) or for a span (24h).") var since: String?
    @Option(name: .long, help: "At most this many, newest first.") var limit = 20
    @Option(name: .long, help: "Only changes by this person, with any token of theirs, or by this token.") var actor: String?
    @Flag(name: .long, help: "Then stay and show each new change.") var follow = false
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if limit < 1 || limit > 10_000 { throw ValidationError("--limit is 1 to 10000.") }
        try SinceArgument.validate(since)
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let filter = filter.inProject(console)
        let selection = try await TargetLookup(client: session.client).selection(filter)
        let last = follow ? try await session.client.status().sequence : 0
        let changes = try await read(session, selection)
        try await checkThere(session, filter.app, selection, changes)
        let list = ChangeList(console: console, selection: selection)
        if follow {
            changes.reversed().forEach(list.event)
            let feed = EventFeed(session: session)
            try await feed.run(after: changes.first.map { max($0.sequence, last) } ?? last) { change in
                if selection.concerns(change), actor.map(change.actor.answers) ?? true { list.event(change) }
            }
        }
        list.print(changes)
    }

    private func read(_ session: Session, _ selection: TargetSelection) async throws -> [Change] {
        let start = try await SinceArgument.time(since) { try await session.client.status().serverTime }
        return try await changes(of: selection, [("actor", actor), ("since", start)], atMost: limit, session)
    }

    /// - Parameter filters: query parameters besides those that name the targets.
    private func changes(
        of selection: TargetSelection,
        _ filters: [(name: String, value: String?)] = [],
        atMost limit: Int,
        _ session: Session
    ) async throws -> [Change] {
        // The server filters by one platform of one app. For more it is asked for all of them, and changes to others are left out here.
        let one = selection.app != nil && selection.platforms?.count == 1 ? selection.platforms?.first : nil
        let isAnswered = selection.platforms == nil || one != nil
        var changes: [Change] = []
        var cursor: String?
        repeat {
            let page = try await session.client.changes(
                [("app", selection.app), ("platform", one), ("limit", String(min(500, limit - changes.count))), ("cursor", cursor)]
                    + filters
            )
            changes += isAnswered ? page.items : page.items.filter(selection.concerns)
            cursor = page.next
        } while cursor != nil && changes.count < limit
        return changes
    }

    /// A mistyped name must not look like a quiet app, and among several platforms a missing one must not be ignored silently.
    private func checkThere(_ session: Session, _ app: String?, _ selection: TargetSelection, _ changes: [Change]) async throws {
        guard let app else { return }
        let lookup = TargetLookup(client: session.client)
        if let platforms = selection.platforms, platforms.count > 1 || selection.app == nil {
            _ = try await lookup.targets(app, platforms.joined(separator: ","))
        } else if changes.isEmpty, selection.app != nil, try await isWithoutHistory(selection, session) {
            if let platform = selection.platforms?.first {
                _ = try await lookup.target(app, platform)
            } else {
                _ = try await lookup.app(app)
            }
        }
    }

    /// A removed app or platform still has a history, so the history is checked before the names are.
    private func isWithoutHistory(_ selection: TargetSelection, _ session: Session) async throws -> Bool {
        guard since != nil || actor != nil else { return true }
        return try await changes(of: selection, atMost: 1, session).isEmpty
    }
}
