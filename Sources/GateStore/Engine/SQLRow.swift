import GRDB
import PostgreSQL

/// A row of an answer, read by the names of its columns or by their places from 0.
///
/// A row from a ``SQLCursor`` is valid until the cursor advances or goes away, unless it is ``kept``. Names are case-sensitive; of two
/// equal names the first counts.
struct SQLRow {
    let columns: [String]
    private let values: Values

    private enum Values {
        case sqlite(Row)
        /// In memory already. PostgreSQL's values are converted at once, so that an SQLite row needs no extra space for them.
        case made([SQLValue])
    }

    init(_ row: Row, columns: [String]) { (self.columns, values) = (columns, .sqlite(row)) }

    init(_ row: PostgresRow, columns: [String]) { (self.columns, values) = (columns, .made(row.map { SQLValue($0) })) }

    /// A row that did not come from an engine, to be read as if it had.
    /// - Precondition: there are as many values as columns.
    init(columns: [String], values: [SQLValue]) {
        precondition(columns.count == values.count, "A row has a value for each column.")
        (self.columns, self.values) = (columns, .made(values))
    }

    /// The row by itself, to be read after its cursor has gone on.
    var kept: SQLRow {
        switch values {
        case .sqlite(let row): SQLRow(row.copy(), columns: columns)
        case .made: self
        }
    }

    /// - Throws: ``SQLDecodingError`` for a value of another kind, and, unless `Value` is an Optional, for NULL and a missing column.
    func stored<Value: SQLReadable>(_ column: String) throws -> Value {
        if let index = columns.firstIndex(of: column) { return try stored(at: index) }
        guard let value = Value.ofMissingColumn else { throw SQLDecodingError() }
        return value
    }

    /// Nil for NULL.
    func storedIfAny<Value: SQLReadable>(_ column: String) throws -> Value? { try stored(column) }

    /// - Throws: ``SQLDecodingError`` as ``stored(_:)``.
    /// - Precondition: the row has that many columns.
    func stored<Value: SQLReadable>(at index: Int) throws -> Value {
        guard let value = Value(value(at: index)) else { throw SQLDecodingError() }
        return value
    }

    private func value(at index: Int) -> SQLValue {
        switch values {
        // As an element: GRDB's generic readers look up type information at each call, which takes ten times as long.
        case .sqlite(let row): SQLValue(row[row.startIndex.advanced(by: index)].1)
        case .made(let values): values[index]
        }
    }
}
