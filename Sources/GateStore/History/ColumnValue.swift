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
struct HistoryRow {
    let table: HistoryTable
    /// In the order of ``HistoryTable/columns``.
    let values: [ColumnValue]

    var hashed: HashedRow { HashedRow(table: table, values: values.map(\.bytes)) }

    /// - Parameter hash: the value of the column `hash`, for the tables that have one.
    func insert(into db: Database, hash: [UInt8]? = nil) throws {
        // SQLite ends a bound text at a NUL, and would keep less than what was hashed.
        for case .text(let text) in values where text.utf8.contains(0) {
            throw StoreError.internal("A text for the history holds a NUL character")
        }
        let columns = table.columns + (hash == nil ? [] : ["hash"])
        let marks = columns.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT INTO \(table.rawValue) (\(columns.joined(separator: ", "))) VALUES (\(marks))"
        var arguments = StatementArguments(values)
        if let hash { arguments += StatementArguments([Data(hash)]) }
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
