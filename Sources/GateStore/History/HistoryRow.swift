/// A row of an append-only table that is not written yet: its columns without the hash.
struct HistoryRow: Sendable {
    let table: HistoryTable
    /// In the order of ``HistoryTable/columns``.
    let values: [SQLValue]

    var hashed: HashedRow { HashedRow(table: table, values: values.map(\.bytes)) }

    /// - Parameter hash: the value of the column `hash`, for the tables that have one.
    func insert(into db: SQLConnection, hash: [UInt8]? = nil) throws { try ready(hash: hash).insert(into: db) }

    /// The row with everything computed that does not need the database.
    /// - Throws: ``StoreError/Code/internal`` for a text with a NUL.
    func ready(hash: [UInt8]? = nil) throws -> ReadyHistoryRow {
        // SQLite ends a bound text at a NUL, and would store less than what was hashed.
        for case .text(let text) in values where text.utf8.contains(0) {
            throw StoreError.internal("A text for the history holds a NUL character")
        }
        guard let sql = Self.insertions[Insertion(table: table, hasHash: hash != nil)] else {
            throw StoreError.internal("There is no table \(table)")
        }
        var arguments = SQLArguments(values)
        if let hash { arguments += [hash] }
        arguments.prepare()
        return ReadyHistoryRow(sql: sql, arguments: arguments, hashed: hashed)
    }

    private struct Insertion: Hashable {
        let table: HistoryTable
        let hasHash: Bool
    }

    /// Built once: a change of a thousand targets has a thousand rows.
    private static let insertions: [Insertion: String] = {
        var insertions: [Insertion: String] = [:]
        for table in HistoryTable.allCases {
            for hasHash in [false, true] {
                let columns = table.columns + (hasHash ? ["hash"] : [])
                let marks = columns.map { _ in "?" }.joined(separator: ", ")
                insertions[Insertion(table: table, hasHash: hasHash)] =
                    "INSERT INTO \(table.rawValue) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
            }
        }
        return insertions
    }()
}

/// A row of an append-only table that only has to be written.
struct ReadyHistoryRow: Sendable {
    let sql: String
    let arguments: SQLArguments
    let hashed: HashedRow

    func insert(into db: SQLConnection) throws { try Self.insert([self], into: db) }

    /// Looks up the statement once for consecutive rows that share it: for a thousand rows, the look-ups are a tenth of the work.
    static func insert(_ rows: [ReadyHistoryRow], into db: SQLConnection) throws {
        var last: (sql: String, statement: SQLStatement)?
        for row in rows {
            let statement = try last.flatMap { $0.sql == row.sql ? $0.statement : nil } ?? db.cachedStatement(sql: row.sql)
            last = (row.sql, statement)
            try statement.execute(arguments: row.arguments)
        }
    }
}
