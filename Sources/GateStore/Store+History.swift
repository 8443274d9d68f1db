import GRDB
package import GateModel

extension Store {
    /// The change with that sequence, or nil.
    package func change(sequence: Int) throws(StoreError) -> Change? {
        try read("Reading a change") { db in
            var documents = DocumentReader()
            return try ChangeRows.change(sequence: sequence, in: db, &documents)
        }
    }

    /// The changes that `query` asks for, newest first.
    /// - Precondition: the limit is positive.
    package func changes(_ query: ChangeQuery = ChangeQuery()) throws(StoreError) -> [Change] {
        precondition(query.limit > 0, "A page of changes has at least one.")
        return try read("Reading the history") { db in
            let select = ChangeQuerySQL(query)
            let sequences = try Int.fetchAll(db.cachedStatement(sql: select.sql), arguments: select.arguments)
            var documents = DocumentReader()
            return try sequences.map { sequence in
                guard let change = try ChangeRows.change(sequence: sequence, in: db, &documents) else {
                    throw StoreError(.corrupt, "changes row \(sequence) is missing from its table")
                }
                return change
            }
        }
    }

    /// The gate that a revision of a target left in force, and the settings where that change touched them; nil when there is no such revision.
    package func gate(of target: TargetKey, revision: Int) throws(StoreError) -> StoredRevision? {
        try read("Reading a revision") { db in
            let row = try Row.fetchOne(
                db,
                sql: "SELECT sequence, after, settings_after FROM change_targets WHERE app = ? AND platform = ? AND revision = ?",
                arguments: [target.app.text, target.platform.text, revision]
            )
            var documents = DocumentReader()
            return try row.map { row in
                StoredRevision(
                    sequence: try row.stored("sequence"),
                    gate: try documents.gate(row.stored("after")),
                    settings: try (row.storedIfAny("settings_after") as String?).flatMap {
                        try documents.settings($0, platform: target.platform)
                    }
                )
            }
        }
    }
}

/// What one revision of a target left behind.
package struct StoredRevision: Sendable, Hashable {
    /// The change that made it.
    package let sequence: Int
    package let gate: Gate
    /// The settings, when that change touched them.
    package let settings: PlatformSettings?
}
