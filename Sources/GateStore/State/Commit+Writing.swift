import GateCrypto
import GateJSON
import GateModel

extension Commit {
    /// Writes the change inside an open transaction; see ``Store/commit(_:)``.
    /// - Returns: the change's hash.
    @discardableResult
    func carryOut(
        now: Timestamp,
        quota: IdempotencyRecord.Quota = IdempotencyRecord.Quota(),
        failpoint: ((StoreConfiguration.CommitStep) throws -> Void)?,
        in db: SQLConnection
    ) throws -> SHA256Digest {
        try failpoint?(.begun)
        try checkNames()
        let head = try ChainStore.head(of: .changes, in: db)
        guard change.previousSequence == head.sequence else {
            throw StoreError(.conflict, "Change \(change.sequence) is not the next one after \(head.sequence)")
        }
        for changed in change.targets { try Self.checkRevision(of: changed, skipped: change.skipped, in: db) }
        let targets = Array(zip(change.targets, try newValues()))
        let spelled = try spelledTargets()
        try failpoint?(.checked)

        // Before the history's row, which records what was altered.
        var altered: [AppKey: App?] = Dictionary(uniqueKeysWithValues: removedApps.map { ($0, nil) })
        for app in apps {
            if try Self.write(app, to: db) { altered[app.key] = app }
        }
        for edit in ownFeeds { try OwnFeedRows.write(edit, to: db) }
        let reshaped = Set(ownFeeds.map(\.app))
        for app in apps where reshaped.contains(app.key) { altered[app.key] = app }
        try failpoint?(.appsWritten)

        let row = ChangeRows.row(of: change, apps: altered, ownFeeds: ownFeeds)
        let (hashed, sequence) = (row.hashed, change.sequence)
        let hash =
            spelled.link?.hash(of: hashed, after: head.hash)
            ?? ChainLink.hash(domain: .changes, sequence: sequence, previous: head.hash, rows: [hashed] + spelled.rows.map(\.hashed))
        try row.insert(into: db, hash: hash.bytes)
        try failpoint?(.changeWritten)
        // First what checks the revisions: a change that was overtaken by another is a conflict, not a duplicate.
        try Self.write(targets, spelled, to: db)
        try failpoint?(.gatesWritten)
        try ReadyHistoryRow.insert(spelled.rows, into: db)
        try failpoint?(.targetsWritten)
        for case (let changed, nil) in targets { try Self.remove(changed, from: db) }
        for app in removedApps { try Self.remove(app, from: db) }
        try failpoint?(.removalsWritten)
        if let record = idempotency { try IdempotencyRows.insert(record, now: now, quota: quota, into: db) }
        try failpoint?(.idempotencyWritten)
        for record in windows { try WindowRows.write(record, to: db) }
        for entry in audit { try AuditRows.append(entry, to: db) }
        try failpoint?(.windowsWritten)
        try readBack(apps: altered, in: db)
        return hash
    }

    /// Reads back what the commit has written besides its ``SpelledTargets``, as the next start and all lists will.
    private func readBack(apps: [AppKey: App?], in db: SQLConnection) throws {
        let sequence = change.sequence
        try ReadBack.check("Change \(sequence)", change) {
            let row = try db.cachedStatement(sql: "SELECT * FROM changes WHERE sequence = ?").row(arguments: [sequence])
            let found = try row.map { try ChangeRows.change($0, targets: change.targets) }
            try ReadBack.checkWhole(found?.fault)
            return found
        }
        for case let app? in apps.values { try TargetRows.check(app, in: db) }
        for edit in ownFeeds { try OwnFeedRows.check(edit, in: db) }
    }

    /// Checks that the target is in the state that the change was planned on.
    /// - Parameter skipped: the number of sequences that the change skips; its targets skip as many revisions.
    private static func checkRevision(of changed: ChangedTarget, skipped: Int, in db: SQLConnection) throws {
        // If only the gate changes, the UPDATE itself checks the revision.
        if changed.previous > 0, changed.settings == nil, changed.revision == changed.previous &+ 1 { return }
        let key: SQLArguments = [changed.target.app.text, changed.target.platform.text]
        let current = try db.cachedStatement(sql: "SELECT revision, settings FROM targets WHERE app = ? AND platform = ?").row(
            arguments: key
        )
        let revision: Int = try current?.stored("revision") ?? 0
        guard revision == changed.previous else {
            throw StoreError(.conflict, "\(changed.target) has revision \(revision), not \(changed.previous)")
        }
        let last =
            revision > 0
            ? revision
            : try db.cachedStatement(sql: "SELECT revision FROM retired_targets WHERE app = ? AND platform = ?").value(
                Int.self,
                arguments: key
            ) ?? 0
        guard changed.revision == last &+ 1 &+ skipped else {
            throw StoreError(.conflict, "\(changed.target) goes from revision \(last) to \(last &+ 1), not to \(changed.revision)")
        }
        // Compared as values: an older version may have written fewer settings.
        var documents = DocumentReader()
        if let current, let settings = changed.settings?.before,
            try documents.settings(current.stored("settings"), platform: changed.target.platform) != settings
        {
            throw StoreError.internal("\(changed.target) did not have the settings that the change says were before")
        }
    }

    /// - Returns: whether that altered anything.
    private static func write(_ app: App, to db: SQLConnection) throws -> Bool {
        try db.cachedStatement(
            sql: """
                INSERT INTO apps (key, name, aliases) VALUES (?, ?, ?)
                ON CONFLICT (key) DO UPDATE SET name = excluded.name, aliases = excluded.aliases
                WHERE apps.name IS DISTINCT FROM excluded.name OR apps.aliases IS DISTINCT FROM excluded.aliases
                """
        ).execute(arguments: [app.key.text, app.name, JSONValue.array(app.aliases.map(\.json)).text])
        return db.changesCount > 0
    }

    private static func write(_ targets: [(ChangedTarget, Target?)], _ spelled: SpelledTargets, to db: SQLConnection) throws {
        let update = try db.cachedStatement(
            sql: """
                UPDATE targets SET settings = ?, gate = ?, revision = ?, sequence = ?, since = ?, changed_at = ?
                WHERE app = ? AND platform = ? AND revision = ?
                """
        )
        for case (let changed, .some) in targets {
            let key = changed.target
            guard let state = spelled.states[key] else { throw StoreError.internal("\(key) was not made ready to be written") }
            if changed.previous == 0 {
                try db.cachedStatement(
                    sql:
                        "INSERT INTO targets (settings, gate, revision, sequence, since, changed_at, app, platform) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
                ).execute(arguments: state.arguments)
                try db.cachedStatement(sql: "DELETE FROM retired_targets WHERE app = ? AND platform = ?").execute(arguments: [
                    key.app.text, key.platform.text,
                ])
            } else {
                try update.execute(arguments: state.arguments)
                guard db.changesCount == 1 else { throw StoreError(.conflict, "\(key) does not have revision \(changed.previous)") }
            }
        }
    }

    private static func remove(_ changed: ChangedTarget, from db: SQLConnection) throws {
        let key: SQLArguments = [changed.target.app.text, changed.target.platform.text]
        try db.cachedStatement(sql: "DELETE FROM targets WHERE app = ? AND platform = ? AND revision = ?").execute(
            arguments: key + [changed.previous]
        )
        guard db.changesCount == 1 else { throw StoreError(.conflict, "\(changed.target) does not have revision \(changed.previous)") }
        try db.cachedStatement(sql: "INSERT INTO retired_targets (app, platform, revision) VALUES (?, ?, ?)").execute(
            arguments: key + [changed.revision]
        )
    }

    private static func remove(_ app: AppKey, from db: SQLConnection) throws {
        let left = try db.value(String.self, sql: "SELECT platform FROM targets WHERE app = ?", arguments: [app.text])
        if let left { throw StoreError.internal("\(app) is removed, but the change does not name its platform \(left)") }
        try db.execute(sql: "DELETE FROM own_feeds WHERE app = ?", arguments: [app.text])
        try db.execute(sql: "DELETE FROM apps WHERE key = ?", arguments: [app.text])
        guard db.changesCount == 1 else { throw StoreError(.conflict, "There is no app \(app)") }
    }
}
