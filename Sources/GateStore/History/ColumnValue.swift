import Foundation
import GRDB

/// A value of a history row, in the one form from which both its INSERT and its hash are made.
enum ColumnValue: DatabaseValueConvertible {
    case null
    case integer(Int64)
    case text(String)

    init(_ text: String?) { self = text.map(Self.text) ?? .null }

    /// What `CAST(column AS BLOB)` gives for it in a UTF-8 database, nil for NULL: the digits of a number, the bytes of a text.
    var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): Array(String(number).utf8)
        case .text(let text): Array(text.utf8)
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }

    static func fromDatabaseValue(_ value: DatabaseValue) -> ColumnValue? {
        switch value.storage {
        case .null: .null
        case .int64(let number): .integer(number)
        case .string(let text): .text(text)
        case .double, .blob: nil
        }
    }
}

/// A row of an append-only table before it is written: its columns without the hash.
struct HistoryRow: Sendable {
    let table: HistoryTable
    /// In the order of ``HistoryTable/columns``.
    let values: [ColumnValue]

    var hashed: HashedRow { HashedRow(table: table, values: values.map(\.bytes)) }

    /// - Parameter hash: the value of the column `hash`, for the tables that have one.
    func insert(into db: Database, hash: [UInt8]? = nil) throws { try ready(hash: hash).insert(into: db) }

    /// The row with everything worked out that does not need the database.
    /// - Throws: ``StoreError/Code/internal`` for a text with a NUL.
    func ready(hash: [UInt8]? = nil) throws -> ReadyHistoryRow {
        // SQLite ends a bound text at a NUL, and would keep less than what was hashed.
        for case .text(let text) in values where text.utf8.contains(0) {
            throw StoreError.internal("A text for the history holds a NUL character")
        }
        guard let sql = Self.insertions[Insertion(table: table, hasHash: hash != nil)] else {
            throw StoreError.internal("There is no table \(table)")
        }
        var arguments = StatementArguments(values)
        if let hash { arguments += StatementArguments([Data(hash)]) }
        return ReadyHistoryRow(sql: sql, arguments: arguments, hashed: hashed)
    }

    private struct Insertion: Hashable {
        let table: HistoryTable
        let hasHash: Bool
    }

    /// Spelled once: a change of a thousand targets has a thousand rows.
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
    let arguments: StatementArguments
    let hashed: HashedRow

    func insert(into db: Database) throws { try Self.insert([self], into: db) }

    /// Looks for the statement once for all rows that have the same: of a thousand, looking is a tenth of the work.
    static func insert(_ rows: [ReadyHistoryRow], into db: Database) throws {
        var last: (sql: String, statement: Statement)?
        for row in rows {
            let statement = try last.flatMap { $0.sql == row.sql ? $0.statement : nil } ?? db.cachedStatement(sql: row.sql)
            last = (row.sql, statement)
            try statement.execute(arguments: row.arguments)
        }
    }
}
