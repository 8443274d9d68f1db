package import GateModel

extension Store {
    /// The part of the change with that sequence that is about one target; nil when there is none, or it does not name the target.
    package func change(sequence: Int, of target: TargetKey) throws(StoreError) -> Change? {
        try read("Reading a change") { db in
            var documents = DocumentReader()
            return try Self.change(sequence, of: target, in: db, &documents)
        }
    }

    static func change(_ sequence: Int, of target: TargetKey, in db: SQLConnection, _ documents: inout DocumentReader) throws -> Change? {
        let row = try db.cachedStatement(sql: "SELECT * FROM change_targets WHERE app = ? AND sequence = ? AND platform = ?").row(
            arguments: [target.app.text, sequence, target.platform.text])
        let change = try db.cachedStatement(sql: "SELECT * FROM changes WHERE sequence = ?").row(arguments: [sequence])
        guard let row, let change else { return nil }
        return try ChangeRows.change(change, targets: [ChangeRows.changedTarget(row, target, &documents)])
    }

    /// The changes that `query` asks for, newest first, as many as fit into `bytes` of documents. The first one is always included, however
    /// large, with as many of its targets as fit.
    /// - Parameter apps: targets of other apps are left out as if they did not exist, and so are changes that touch none of these apps.
    /// - Precondition: the limit is positive.
    package func changes(_ query: ChangeQuery, bytes: Int, of apps: AppScope = .all) throws(StoreError) -> HistoryPage {
        precondition(query.limit > 0, "A page of changes has at least one.")
        let doing = "Reading the history"
        let (found, isCut) = try read(doing) { db in try Self.find(query, bytes: bytes, of: apps, in: db) }
        return try decode(doing) { try HistoryPage(found, isCut: isCut) }
    }

    /// The same within a transaction, which stays open while the rows are decoded.
    static func changes(_ query: ChangeQuery, bytes: Int, in db: SQLConnection) throws -> HistoryPage {
        let (found, isCut) = try find(query, bytes: bytes, in: db)
        return try HistoryPage(found, isCut: isCut)
    }

    private static func find(_ query: ChangeQuery, bytes: Int, of apps: AppScope = .all, in db: SQLConnection) throws -> (
        [FoundChange], isCut: Bool
    ) {
        let sequences = try sequences(query, of: apps, in: db)
        let change = try db.cachedStatement(sql: "SELECT * FROM changes WHERE sequence = ?")
        var room = bytes
        var found: [FoundChange] = []
        for sequence in sequences {
            guard let row = try change.row(arguments: [sequence]) else {
                throw StoreError(.corrupt, "changes row \(sequence) is missing from its table")
            }
            guard let change = try FoundChange(row, in: db, room: &room, of: apps, isFirst: found.isEmpty) else {
                return (found, true)
            }
            found.append(change)
        }
        return (found, false)
    }

    /// The sequences of the changes that `query` asks for and that touch an app of `scope`, newest first.
    private static func sequences(_ query: ChangeQuery, of scope: AppScope, in db: SQLConnection) throws -> [Int] {
        func walk(_ query: ChangeQuery) throws -> [Int] {
            let select = ChangeQuerySQL(query, on: db.kind)
            return try db.cachedStatement(sql: select.sql).values(Int.self, arguments: select.arguments)
        }
        guard case .only(let apps) = scope else { return try walk(query) }
        if let app = query.app { return apps.contains(app) ? try walk(query) : [] }
        // One walk per app: a walk over all changes would go back as far as the last change of these apps.
        var query = query
        var newest: [Int] = []
        for app in apps {
            query.app = app
            newest = Array(Set(newest + (try walk(query))).sorted(by: >).prefix(query.limit))
            // For the other apps, only changes newer than all of these still matter.
            if newest.count == query.limit { query.after = newest.last }
        }
        return newest
    }

    /// The changes that `query` asks for, newest first.
    /// - Precondition: the limit is positive.
    package func changes(_ query: ChangeQuery = ChangeQuery()) throws(StoreError) -> [Change] {
        try changes(query, bytes: .max).changes
    }

    /// The gate that a revision of a target left in force, and the settings if that change touched them; nil when there is no such
    /// revision.
    package func gate(of target: TargetKey, revision: Int) throws(StoreError) -> StoredRevision? {
        try read("Reading a revision") { db in
            let row = try db.row(
                sql: "SELECT sequence, after, settings_after FROM change_targets WHERE app = ? AND platform = ? AND revision = ?",
                arguments: [target.app.text, target.platform.text, revision]
            )
            var documents = DocumentReader()
            return try row.map { row in
                var salvage = Salvage()
                return StoredRevision(
                    sequence: try row.stored("sequence"),
                    gate: salvage.take("after", or: nil) { try documents.gate(row.stored("after")) },
                    settings: salvage.take("settings_after", or: nil) {
                        try (row.storedIfAny("settings_after") as String?).flatMap { try documents.settings($0, platform: target.platform) }
                    }
                )
            }
        }
    }
}

/// Some changes of the history, newest first.
package struct HistoryPage: Sendable {
    package let changes: [Change]
    /// Whether the query asks for more changes, which did not fit.
    package let isCut: Bool

    init(_ found: [FoundChange], isCut: Bool) throws {
        var documents = DocumentReader()
        changes = try found.map { try $0.change(&documents) }
        self.isCut = isCut
    }
}

/// What one revision of a target left behind.
package struct StoredRevision: Sendable, Hashable {
    /// The change that made it.
    package let sequence: Int
    /// Nil when it cannot be read any more.
    package let gate: Gate?
    /// The settings, when that change touched them.
    package let settings: PlatformSettings?
}
