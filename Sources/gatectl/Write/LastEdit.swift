import GateAPI
import GateAdminClient
import GateModel

/// The last change of a target's gate: what `rollback --last` takes back. Changes of settings count as revisions too, but have left the
/// gate as it was.
struct LastEdit {
    /// Its place among all changes.
    let sequence: Int
    /// The revision that it made.
    let revision: Int
    /// The one before, whose gate it replaced.
    let previous: Int

    /// How many changes are looked at; whoever needs an older one can name its revision.
    static let most = 1_000

    /// Looks for it from a revision backwards.
    /// - Throws: input refused (8), if there is none, or none among the last ``most``.
    static func find(of target: TargetBody, from seen: Int, _ client: AdminClient) async throws -> LastEdit {
        let key = target.target.key
        // Nearly always the last change of all.
        var search = Search(key: key, from: seen)
        if let last = target.lastChange, last.targets.first?.revision == seen { search.look(at: [last]) }
        var (cursor, count) = (String?.none, 0)
        while search.found == nil, !search.isOver, count < most {
            let page = try await client.changes([
                ("app", key.app.text), ("platform", key.platform.text), ("limit", "200"), ("cursor", cursor),
            ])
            search.look(at: page.items)
            count += page.items.count
            cursor = page.next
            if cursor == nil { search.isOver = true }
        }
        if let found = search.found { return found }
        let history = ("next", Invocation.sameServer("history \(key.app) \(key.platform)") + ", then name a revision with --to")
        throw Failure(
            .refused,
            "nothing_before",
            search.isOver
                ? "nothing up to revision \(seen) has changed the gate of \(key), so there is nothing to undo"
                : "none of the last \(most) changes has changed the gate of \(key)",
            next: [history]
        )
    }

    /// Goes through the history, the newest change first.
    struct Search {
        let key: TargetKey
        /// The revision of the next change that is looked at, if none is missing.
        private var next: Int
        private(set) var found: LastEdit?
        /// Whether there is nothing older.
        var isOver = false

        init(key: TargetKey, from seen: Int) {
            self.key = key
            next = seen
        }

        mutating func look(at changes: [Change]) {
            for change in changes where found == nil && !isOver {
                guard let mine = change.targets.first(where: { $0.target == key }), mine.fault == nil else {
                    // Left out of a long answer, or unreadable: whether its gate was another shows when it is asked for.
                    if change.omitted > 0 || change.isUnreadable, next > 1 {
                        found = LastEdit(sequence: change.sequence, revision: next, previous: next - 1)
                    }
                    continue
                }
                guard mine.revision <= next else { continue }
                next = mine.previous
                if mine.previous < 1 {
                    isOver = true
                } else if mine.before != mine.after {
                    found = LastEdit(sequence: change.sequence, revision: mine.revision, previous: mine.previous)
                }
            }
        }
    }
}
