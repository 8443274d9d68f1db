import GateModel

extension Store {
    /// Reads a part of all rows as their readers do, and says which of them cannot be read; those that a repair has noted are left out.
    ///
    /// Call it again with the position that it returns until there is none. Meant for the background: it holds the reader for one portion.
    /// - Parameters:
    ///   - position: where to go on; nil for the beginning.
    ///   - limit: rows to read at most.
    package func unreadableRows(after position: RowPosition? = nil, limit: Int = 500) throws(StoreError) -> (
        faults: [StoreFault], position: RowPosition?
    ) {
        try read("Reading every row") { db in
            guard let check = RowCheck(rawValue: position?.table ?? "") ?? RowCheck.allCases.first else { return ([], nil) }
            let part = try check.run(in: db, after: position?.row, limit: limit)
            let faults = try part.faults.isEmpty ? [] : RepairRecord.unnoted(part.faults, in: db)
            if let row = part.position { return (faults, RowPosition(table: check.rawValue, row: row)) }
            let next = RowCheck.allCases.drop { $0 != check }.dropFirst().first
            return (faults, next.map { RowPosition(table: $0.rawValue, row: nil) })
        }
    }

    /// Those of the faults of which no repair has taken note.
    package func unnoted(_ faults: [StoreFault]) throws(StoreError) -> [StoreFault] {
        guard !faults.isEmpty else { return [] }
        return try read("Reading what was repaired") { db in try RepairRecord.unnoted(faults, in: db) }
    }
}

/// How far a walk over all rows has come.
package struct RowPosition: Sendable, Hashable {
    let table: String
    let row: [SQLValue]?
}
