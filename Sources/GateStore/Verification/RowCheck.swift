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
        /// Each with the place of its row.
        fileprivate(set) var found: [(fault: StoreFault, place: [SQLValue])] = []
        /// The place of the last row that was read; nil when that was the table's last.
        fileprivate(set) var position: [SQLValue]?

        var faults: [StoreFault] { found.map(\.fault) }
    }

    /// The columns that give each row its place, in which the rows are walked: SQLite's number of the row, for a key that nobody can read may
    /// be none; else the key.
    func placeColumns(in db: SQLConnection) -> [String] {
        if let number = db.rowNumber { return [number] }
        return switch self {
        case .changes, .audit: ["sequence"]
        case .windows, .users, .sessions, .tokens: ["id"]
        case .throttles: ["scope"]
        case .idempotencyRecords: ["actor", "key"]
        }
    }

    /// The condition on the row of a place, or on those behind it.
    func condition(_ comparison: String, in db: SQLConnection) -> String {
        let columns = placeColumns(in: db)
        return "(\(columns.joined(separator: ", "))) \(comparison) (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }

    /// - Parameters:
    ///   - position: where to go on; nil for the beginning.
    ///   - limit: rows to read at most.
    func run(in db: SQLConnection, after position: [SQLValue]?, limit: Int) throws -> Part {
        var part = Part()
        var documents = DocumentReader()
        var count = 0
        let columns = placeColumns(in: db)
        let places = columns.indices.map { "place_\($0)" }
        let rows = try db.cursor(
            sql: """
                SELECT \(zip(columns, places).map { "\($0) AS \($1)" }.joined(separator: ", ")), \(rawValue).* FROM \(rawValue)
                \(position == nil ? "" : "WHERE \(condition(">", in: db))") ORDER BY \(columns.joined(separator: ", ")) LIMIT ?
                """,
            arguments: SQLArguments(position ?? []) + [limit]
        )
        while let row = try rows.next() {
            count += 1
            let place = try places.map { try row.stored($0) as SQLValue }
            part.position = place
            guard let fault = try fault(of: row, in: db, &documents) else { continue }
            part.found.append((.unreadable(rawValue, row: name(of: row, place), fault), place))
        }
        if count < limit { part.position = nil }
        return part
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

    /// As people know it: a token by its public part, anything else by its place.
    private func name(of row: SQLRow, _ place: [SQLValue]) -> String {
        // One without a name has its place.
        guard self == .tokens, let id = try? row.stored("id") as String else { return SQLValue.name(ofKey: place) }
        return id
    }
}
