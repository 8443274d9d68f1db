import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct HistoryCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "history",
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
        let last = follow ? try await session.client.status().sequence : 0
        let changes = try await read(session)
        if let app = filter.app, changes.isEmpty { try await checkThere(session, app) }
        let list = ChangeList(console: console, app: filter.app, platform: filter.platform)
        if follow {
            changes.reversed().forEach(list.event)
            let feed = EventFeed(session: session)
            try await feed.run(after: changes.first.map { max($0.sequence, last) } ?? last) { change in
                if matches(change) { list.event(change) }
            }
        }
        list.print(changes)
    }

    private func read(_ session: Session) async throws -> [Change] {
        let start = try await SinceArgument.time(since) { try await session.client.status().serverTime }
        var changes: [Change] = []
        var cursor: String?
        repeat {
            let page = try await session.client.changes([
                ("app", filter.app), ("platform", filter.platform), ("actor", actor), ("since", start),
                ("limit", String(min(500, limit - changes.count))), ("cursor", cursor),
            ])
            changes += page.items
            cursor = page.next
        } while cursor != nil && changes.count < limit
        return changes
    }

    /// An empty list must not look like a quiet app when the name is only mistyped. A deleted app has a history, so only an empty one is asked about.
    private func checkThere(_ session: Session, _ app: String) async throws {
        guard since == nil, actor == nil else { return }
        let lookup = TargetLookup(client: session.client)
        if let platform = filter.platform {
            _ = try await lookup.target(app, platform)
        } else if try await found({ try await session.client.app(app) }) == nil {
            throw try await lookup.missing(app, nil)
        }
    }

    private func matches(_ change: Change) -> Bool {
        if let actor, !change.actor.answers(to: actor) { return false }
        guard let app = filter.app else { return true }
        if change.app?.text == app, filter.platform == nil { return true }
        return change.targets.contains {
            $0.target.app.text == app && (filter.platform == nil || $0.target.platform.text == filter.platform)
        }
    }
}
