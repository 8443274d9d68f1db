import GateModel

/// Reads every row of a table with its reader, to find those that nobody can read.
///
/// Apps and targets as they stand are not among them: ``StateLoader`` reads all of them at every start.
enum RowCheck: String, CaseIterable {
    case changes, audit, windows, users, sessions, tokens
    case throttles
    case idempotencyRecords = "idempotency_records"

    /// What a walk over a part of the rows has found.
    struct Part {
        let faults: [StoreFault]
        /// The place of the last row that was read; nil when that was the table's last.
        let position: Int64?
    }

    /// - Parameters:
    ///   - position: where to go on; nil for the beginning.
    ///   - limit: rows to read at most.
    func run(in db: SQLConnection, after position: Int64?, limit: Int) throws -> Part {
        var faults: [StoreFault] = []
        var documents = DocumentReader()
        var last = position
        var count = 0
        let rows = try db.cursor(
            sql: "SELECT rowid AS position, * FROM \(rawValue) WHERE rowid > ? ORDER BY rowid LIMIT ?",
            arguments: [position ?? .min, limit]
        )
        while let row = try rows.next() {
            count += 1
            let place: Int64 = try row.stored("position")
            last = place
            if let fault = try fault(of: row, in: db, &documents) { faults.append(.unreadable(rawValue, row: name(of: row, place), fault)) }
        }
        return Part(faults: faults, position: count < limit ? nil : last)
    }

    /// What keeps a row from being read as a whole, or nil.
    private func fault(of row: SQLRow, in db: SQLConnection, _ documents: inout DocumentReader) throws -> String? {
        func check(_ read: () throws -> Void) throws -> String? {
            try Salvage.read { () throws -> String? in
                try read()
                return nil
            } or: {
                Salvage.fault($0, "a value of it")
            }
        }
        switch self {
        case .changes:
            let change = try ChangeRows.change(row, in: db, &documents)
            if let fault = change.fault ?? change.targets.lazy.compactMap(\.fault).first { return fault }
            return try check { try ChangeRows.checkFacts(row) }
        case .audit: return try AuditRows.entry(row).fault
        case .windows: return try check { _ = try WindowRows.record(row, PeopleRows.justWritten) }
        case .users: return try check { _ = try PeopleRows.user(row, PeopleRows.justWritten) }
        case .sessions: return try check { _ = try PeopleRows.session(row) }
        case .tokens: return try check { _ = try PeopleRows.token(row, PeopleRows.justWritten) }
        case .throttles:
            return try check {
                _ = try row.storedTime("first_failure_at")
                _ = try row.storedTime("not_before")
            }
        case .idempotencyRecords: return try check { _ = try IdempotencyRows.record(row) }
        }
    }

    /// As people know it: a token by its public part, anything else by its number.
    private func name(of row: SQLRow, _ position: Int64) -> String {
        // One without a name has its place.
        guard self == .tokens, let id = try? row.stored("id") as String else { return String(position) }
        return id
    }
}
