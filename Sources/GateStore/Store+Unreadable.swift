import GateModel

extension Store {
    /// Reads a portion of all rows the way the server does, and reports those that cannot be read; rows that a repair has noted are left
    /// out.
    ///
    /// Call it again with the position that it returns until there is none. Meant for the background: it holds the reader for one portion.
    /// - Parameters:
    ///   - position: where to continue; nil for the beginning.
    ///   - limit: the most rows to read.
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

    /// The faults that no repair has noted.
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
