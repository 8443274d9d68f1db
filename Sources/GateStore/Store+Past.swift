package import GateJSON
package import GateModel

extension Store {
    /// What was in force on a target at a moment: the outcome of the newest change up to and including that moment.
    ///
    /// A binary search over the target's revisions, for one whose successor came after the moment. Where a clock was set back there are
    /// several such revisions, and one of them is taken.
    /// - Returns: nil before the target's first change, and for a target without changes.
    package func past(of target: TargetKey, at moment: Timestamp) throws(StoreError) -> StoredPast? {
        try read("Reading the past of a target") { db in
            guard let first = try Self.revision(of: target, Self.oldest, 1, in: db), first.at <= moment.milliseconds,
                let newest = try Self.revision(of: target, Self.newest, .max, in: db)
            else { return nil }
            guard newest.at > moment.milliseconds else { return try Self.past(of: target, Self.upTo, newest.number, in: db) }
            var (early, late) = (first.number, newest.number)
            while late - early > 1 {
                let middle = early + (late - early) / 2
                // Revisions have gaps: the one found stands for all from there up to the middle.
                guard let near = try Self.revision(of: target, Self.newest, middle, in: db) else { break }
                if near.at > moment.milliseconds { late = near.number } else { early = middle }
            }
            return try Self.past(of: target, Self.upTo, early, in: db)
        }
    }

    private static let oldest = "t.revision >= ? ORDER BY t.revision"
    private static let newest = "t.revision <= ? ORDER BY t.revision DESC"
    private static let upTo = "revision <= ? ORDER BY revision DESC LIMIT 1"

    /// The first revision in that order, with its moment in milliseconds since 1970.
    private static func revision(of target: TargetKey, _ order: String, _ number: Int, in db: SQLConnection) throws -> (
        number: Int, at: Int64
    )? {
        // CROSS JOIN keeps SQLite from walking all changes: it follows the index of the target's own revisions. The join condition is in
        // WHERE, which PostgreSQL accepts too.
        let sql = """
            SELECT t.revision, c.at FROM change_targets t CROSS JOIN changes c
            WHERE c.sequence = t.sequence AND t.app = ? AND t.platform = ? AND \(order) LIMIT 1
            """
        let row = try db.cachedStatement(sql: sql).row(arguments: [target.app.text, target.platform.text, number])
        return try row.map { (number: try $0.stored("revision"), at: try $0.stored("at")) }
    }

    /// What a revision of a target left in force; nil when there is no such revision.
    package func past(of target: TargetKey, revision: Int) throws(StoreError) -> StoredPast? {
        try read("Reading a revision") { db in
            try Self.past(of: target, "revision = ?", revision, in: db)
        }
    }

    /// The very first change of a target; nil where there is none.
    package func firstChange(of target: TargetKey) throws(StoreError) -> Change? {
        try read("Reading the past of a target") { db in
            let sql = "SELECT sequence FROM change_targets WHERE app = ? AND platform = ? ORDER BY revision LIMIT 1"
            let sequence = try db.cachedStatement(sql: sql).value(Int.self, arguments: [target.app.text, target.platform.text])
            var documents = DocumentReader()
            return try sequence.flatMap { try Self.change($0, of: target, in: db, &documents) }
        }
    }

    private static func past(of target: TargetKey, _ fitting: String, _ wanted: Int, in db: SQLConnection) throws -> StoredPast? {
        let row = try db.cachedStatement(sql: "SELECT * FROM change_targets WHERE app = ? AND platform = ? AND \(fitting)").row(arguments: [
            target.app.text, target.platform.text, wanted,
        ])
        guard let row else { return nil }
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
            let text = try db.cachedStatement(sql: sql).value(String.self, arguments: [target.app.text, target.platform.text, revision])
            guard let text else { return nil }
            isDeleted = text == "null"
            return try documents.settings(text, platform: target.platform)
        }
        let next = "SELECT sequence FROM change_targets WHERE app = ? AND platform = ? AND revision > ? ORDER BY revision LIMIT 1"
        let after = try db.cachedStatement(sql: next).value(Int.self, arguments: [target.app.text, target.platform.text, revision])
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
    /// Only the part about the target.
    package let change: Change
    /// Nil when it cannot be read any more.
    package let gate: Gate?
    /// As this change or an earlier one left them; nil when they can no longer be read, and for a target that the change deleted.
    package let settings: PlatformSettings?
    /// Whether the change deleted the target.
    package let isDeleted: Bool
    /// The change of the target that came next; nil for the newest.
    package let next: Change?

    package var revision: Int { change.targets.first?.revision ?? 0 }
}
