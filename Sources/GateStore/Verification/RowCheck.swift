import GateModel

/// Reads every row of a table the way the server does, to find unreadable ones.
///
/// Current apps and targets are not included: ``StateLoader`` reads all of them at every start.
enum RowCheck: String, CaseIterable {
    case changes, audit, windows, users, sessions, tokens
    case throttles
    case idempotencyRecords = "idempotency_records"

    /// The result of reading a part of the rows.
    struct Part {
        /// The faults, each with the place of its row.
        fileprivate(set) var found: [(fault: StoreFault, place: [SQLValue])] = []
        /// The place of the last row read; nil when that was the table's last row.
        fileprivate(set) var position: [SQLValue]?

        var faults: [StoreFault] { found.map(\.fault) }
    }

    /// The columns that identify each row's place and order the walk: SQLite's row number, since a key may be unreadable; otherwise the
    /// key.
    func placeColumns(in db: SQLConnection) -> [String] {
        if let number = db.rowNumber { return [number] }
        return switch self {
        case .changes, .audit: ["sequence"]
        case .windows, .users, .sessions, .tokens: ["id"]
        case .throttles: ["scope"]
        case .idempotencyRecords: ["actor", "key"]
        }
    }

    /// The SQL condition for the row at a place, or for those after it.
    func condition(_ comparison: String, in db: SQLConnection) -> String {
        let columns = placeColumns(in: db)
        return "(\(columns.joined(separator: ", "))) \(comparison) (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    }

    /// - Parameters:
    ///   - position: where to continue; nil for the beginning.
    ///   - limit: the most rows to read.
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

    /// Why a row cannot be read completely, or nil.
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

    /// The name that people know: a token's public part, otherwise the row's place.
    private func name(of row: SQLRow, _ place: [SQLValue]) -> String {
        // If the name cannot be read, its place is used.
        guard self == .tokens, let id = try? row.stored("id") as String else { return SQLValue.name(ofKey: place) }
        return id
    }
}
