import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct AuditCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "audit",
        abstract: "Sign-ins, refusals, and changes of people and tokens, newest first.",
        discussion: """
            For administrators. What changed gates is in gatectl history. Refusals that are alike share a row: "refused ×12 in 41s" has \
            the time of the last one.

            EXAMPLES
              gatectl audit
              gatectl audit --since 24h --actor admin
              gatectl audit --action token.create --json
            """
    )

    @Option(name: .long, help: "Since a time (2026-03-30T09:00:00Z) or for a span (24h).") var since: String?
    @Option(name: .long, help: "At most this many, newest first.") var limit = 20
    @Option(name: .long, help: "Only what this person did, with any token of theirs, or this token.") var actor: String?
    @Option(name: .long, help: "Only this kind, such as session.create.") var action: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if limit < 1 || limit > 10_000 { throw ValidationError("--limit is 1 to 10000.") }
        try SinceArgument.validate(since)
    }

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let start = try await SinceArgument.time(since) { try await session.client.status().serverTime }
        var entries: [RecordedAuditEntry] = []
        var cursor: String?
        repeat {
            let page = try await session.client.audit([
                ("actor", actor), ("action", action), ("since", start), ("limit", String(min(500, limit - entries.count))),
                ("cursor", cursor),
            ])
            entries += page.items
            cursor = page.next
        } while cursor != nil && entries.count < limit
        switch console.format {
        case .json: console.json(Document.list(entries.map(\.json)))
        case .plain:
            for recorded in entries {
                let entry = recorded.entry
                console.data(
                    (["\(recorded.sequence)", entry.at.description] + Self.words(entry, by: entry.actor?.name)).joined(separator: "\t")
                )
            }
        case .table, .wide:
            guard !entries.isEmpty else { return console.data("Nothing in the audit.") }
            console.table(Self.table(entries.map(\.entry)))
        }
    }

    static func table(_ entries: [AuditEntry]) -> Table {
        var table = Table(["TIME", "WHO", "WHAT", "OUTCOME", "OF", "FROM"], flexible: [4, 1])
        table.expendable = [5]
        table.rows = entries.map { entry in
            let tint: Style.Tint? = entry.outcome == .refused ? .blocked : nil
            let last = last(entry)
            var words = words(entry, by: entry.actor?.inWords)
            if last.milliseconds - entry.at.milliseconds >= 1_000 { words[2] += " in \(Words.age(from: entry.at, to: last))" }
            return [Table.Cell(Words.time(last, inUTC: true))] + words.map { Table.Cell($0.isEmpty ? "–" : $0, tint) }
        }
        return table
    }

    /// When the last of those happened that an entry with a count stands for, since it has its place after that one. Without a count
    /// `until` is something else, such as the end of a rehearsal.
    private static func last(_ entry: AuditEntry) -> Timestamp {
        guard let detail = entry.detail, detail["count"] != nil, let until = detail["until"]?.string.flatMap(Timestamp.init(_:)) else {
            return entry.at
        }
        return max(until, entry.at)
    }

    private static func words(_ entry: AuditEntry, by actor: String?) -> [String] {
        let count = entry.detail?["count"]?.integer.map { " ×\($0)" } ?? ""
        return [actor ?? "", entry.action, entry.outcome.rawValue + count, entry.subject ?? "", entry.address ?? ""].map(
            Style.safe
        )
    }
}
