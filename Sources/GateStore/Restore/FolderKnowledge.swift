import GateJSON
import GateModel

/// What a data folder, in whatever state it is, knows about the changes that were made in it.
struct FolderKnowledge {
    /// The last change that anything in it names; nil when nothing does.
    private(set) var last: Int?
    /// Whether that is certain: the database is sound, is not behind any other source, and continues the backup's history.
    private(set) var isCertain = false
    /// How many changes were made after the backup; nil when nothing shows that, which does not mean that there were none.
    private(set) var lostCount: Int?
    /// Changes after the backup, the newest first; only the newest if there are many.
    private(set) var lost: [RestoreReport.LostChange] = []
    /// What could not be read, as sentences.
    private(set) var unread: [String] = []

    /// The last change of a database that an interrupted restore has put in place: nobody's that is lost, but phones may know it.
    private let placed: Int?

    /// The most changes that are named one by one.
    private static let mostNamed = 20

    /// - Parameter aside: where an interrupted restore may have the database that is asked.
    init(of request: RestoreRequest, backup: ChainHead, aside: AsideFolder) {
        placed = aside.placed?.changes.sequence
        let directory = aside.former
        let configuration = StoreConfiguration(directory: directory, migrations: request.migrations)
        var others = [request.anchor?.changes.sequence, request.published].compactMap { $0 }
        do throws(StoreError) {
            if let anchor = try ChainAnchor.kept(in: directory) { others.append(anchor.changes.sequence) }
        } catch { unread.append("anchor.json: \(error.detail)") }
        var found: Int?
        if configuration.hasDatabase {
            do { found = try look(configuration, backup, others.max() ?? 0) } catch {
                unread.append("gatehouse.sqlite: \(StoreError(error, doing: "Reading the database that is there").detail)")
            }
        }
        last = (others + [found].compactMap { $0 }).max()
        // Another history, or an older one, knows nothing of this one's end.
        if lostCount == nil, let last, last > backup.sequence { lostCount = last - backup.sequence }
    }

    /// - Returns: the last change of the folder's database.
    private mutating func look(_ configuration: StoreConfiguration, _ backup: ChainHead, _ others: Int) throws -> Int {
        let reader = try Connection.inspector(configuration)
        defer { try? reader.close() }  // nothing was written
        return try reader.read { db in
            let head = try ChainStore.head(of: .changes, in: db)
            let rows = try db.rows(
                sql: "SELECT sequence, at, actor_kind, actor_name FROM changes WHERE sequence > ? ORDER BY sequence DESC LIMIT ?",
                arguments: [backup.sequence, Self.mostNamed]
            )
            lost = try rows.map { row in
                let sequence: Int = try row.stored("sequence")
                let targets = try db.rows(
                    sql: "SELECT app, platform FROM change_targets WHERE sequence = ? ORDER BY position LIMIT 20",
                    arguments: [sequence]
                )
                return RestoreReport.LostChange(
                    sequence: sequence,
                    at: try row.storedTime("at"),
                    actor: Actor(kind: try row.word("actor_kind", Actor.Kind.init(rawValue:)), name: try row.stored("actor_name")),
                    targets: try targets.map(ChangeRows.target)
                )
            }
            let check = ChainCheck(domain: .changes)
            let isSound = try check.run(in: db, from: .empty, limit: .max).fault == nil
            let isOfBackup = try ChainStore.head(of: .changes, sequence: backup.sequence, in: db) == backup
            isCertain = isSound && isOfBackup && head.sequence >= others
            // Counted, since sequences that an earlier restore left out are no changes.
            if isCertain {
                lostCount = try db.value(Int.self, sql: "SELECT count(*) FROM changes WHERE sequence > ?", arguments: [backup.sequence])
            }
            return head.sequence
        }
    }

    /// The sequence that a restore takes: higher than any that may have been handed out to phones or people.
    ///
    /// - If the folder is certain of its last change, none was handed out after it.
    /// - If it is not, it is at most a minute behind, or a second where feeds were published: 10,000 sequences are skipped.
    /// - If nothing is known, a million are skipped, or a hundred for each second since the backup, whichever is more.
    func next(after backup: BackupManifest, now: Timestamp) -> Int {
        let known = max(last ?? 0, backup.sequence, placed ?? 0)
        if isCertain { return known + 1 }
        if let last, last >= backup.sequence { return known + 10_000 + 1 }
        let seconds = max(0, now.milliseconds - backup.at.milliseconds) / 1_000
        return known + max(1_000_000, Int(seconds) * 100) + 1
    }
}
