import GRDB
package import GateModel

extension Store {
    /// The change with that sequence, or nil.
    package func change(sequence: Int) throws(StoreError) -> Change? {
        try read("Reading a change") { db in
            try Row.fetchOne(db, sql: "SELECT * FROM changes WHERE sequence = ?", arguments: [sequence]).map {
                try ChangeRows.change($0, in: db)
            }
        }
    }

    /// The changes that `query` asks for, newest first.
    /// - Precondition: the limit is positive.
    package func changes(_ query: ChangeQuery = ChangeQuery()) throws(StoreError) -> [Change] {
        precondition(query.limit > 0, "A page of changes has at least one.")
        return try read("Reading the history") { db in
            let select = ChangeQuerySQL(query)
            let sequences = try Int.fetchAll(db.cachedStatement(sql: select.sql), arguments: select.arguments)
            let change = try db.cachedStatement(sql: "SELECT * FROM changes WHERE sequence = ?")
            return try sequences.map { sequence in
                guard let row = try Row.fetchOne(change, arguments: [sequence]) else {
                    throw StoreError(.corrupt, "changes row \(sequence) is missing from its table")
                }
                return try ChangeRows.change(row, in: db)
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
            return try row.map { row in
                StoredRevision(
                    sequence: try row.stored("sequence"),
                    gate: try ChangeRows.gate(row.stored("after")),
                    settings: try (row.storedIfAny("settings_after") as String?).flatMap {
                        try ChangeRows.settings($0, platform: target.platform)
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
