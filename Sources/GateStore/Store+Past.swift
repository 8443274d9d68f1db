import GRDB
package import GateJSON
package import GateModel

extension Store {
    /// What was in force on a target at a moment: what the newest change until then left behind, that moment included.
    ///
    /// Walks back over the target's changes since then, one by one. Where a clock was put back, the newest change that bears the moment or an
    /// earlier one is taken.
    /// - Returns: nil before the target's first change, and for one that never had any.
    package func past(of target: TargetKey, at moment: Timestamp) throws(StoreError) -> StoredPast? {
        try read("Reading the past of a target") { db in
            // CROSS JOIN keeps SQLite from walking all changes; the index goes by the target's own revisions.
            let sql = """
                SELECT t.* FROM change_targets t CROSS JOIN changes c ON c.sequence = t.sequence
                WHERE t.app = :app AND t.platform = :platform AND c.at <= :at ORDER BY t.revision DESC LIMIT 1
                """
            return try Self.past(of: target, sql, ["at": moment.milliseconds], in: db)
        }
    }

    /// What a revision of a target left in force; nil when there is no such revision.
    package func past(of target: TargetKey, revision: Int) throws(StoreError) -> StoredPast? {
        try read("Reading a revision") { db in
            let sql = "SELECT * FROM change_targets WHERE app = :app AND platform = :platform AND revision = :revision"
            return try Self.past(of: target, sql, ["revision": revision], in: db)
        }
    }

    /// The first change of a target that there ever was; nil where there is none.
    package func firstChange(of target: TargetKey) throws(StoreError) -> Change? {
        try read("Reading the past of a target") { db in
            let sql = "SELECT sequence FROM change_targets WHERE app = ? AND platform = ? ORDER BY revision LIMIT 1"
            let sequence = try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [target.app.text, target.platform.text])
            var documents = DocumentReader()
            return try sequence.flatMap { try Self.change($0, of: target, in: db, &documents) }
        }
    }

    private static func past(of target: TargetKey, _ sql: String, _ others: StatementArguments, in db: Database) throws -> StoredPast? {
        let names: StatementArguments = ["app": target.app.text, "platform": target.platform.text]
        guard let row = try Row.fetchOne(db.cachedStatement(sql: sql), arguments: names &+ others) else { return nil }
        let (sequence, revision) = (try row.stored("sequence") as Int, try row.stored("revision") as Int)
        var documents = DocumentReader()
        guard let change = try Self.change(sequence, of: target, in: db, &documents), let changed = change.targets.first else {
            throw StoreError(.corrupt, "changes row \(sequence) is missing from its table")
        }
        var isDeleted = false
        var salvage = Salvage()
        let settings: PlatformSettings? = salvage.take("settings_after", or: nil) {
            let sql = """
                SELECT settings_after FROM change_targets
                WHERE app = ? AND platform = ? AND revision <= ? AND settings_after IS NOT NULL ORDER BY revision DESC LIMIT 1
                """
            let text = try String.fetchOne(
                db.cachedStatement(sql: sql),
                arguments: [target.app.text, target.platform.text, revision]
            )
            guard let text else { return nil }
            isDeleted = text == "null"
            return try documents.settings(text, platform: target.platform)
        }
        let next = "SELECT sequence FROM change_targets WHERE app = ? AND platform = ? AND revision > ? ORDER BY revision LIMIT 1"
        let after = try Int.fetchOne(db.cachedStatement(sql: next), arguments: [target.app.text, target.platform.text, revision])
        return StoredPast(
            change: change,
            gate: changed.fault == nil ? changed.after : nil,
            settings: settings,
            isDeleted: isDeleted,
            next: try after.flatMap { try Self.change($0, of: target, in: db, &documents) }
        )
    }
}

/// What a change of a target left in force until the next one.
package struct StoredPast: Sendable, Hashable {
    /// As far as it is about the target.
    package let change: Change
    /// Nil when it cannot be read any more.
    package let gate: Gate?
    /// As the change left them, or as an earlier one did; nil when they cannot be read any more, and for a target that the change deleted.
    package let settings: PlatformSettings?
    /// Whether the change deleted the target.
    package let isDeleted: Bool
    /// The change of the target that came next; nil for the newest.
    package let next: Change?

    package var revision: Int { change.targets.first?.revision ?? 0 }
}
