import GRDB
import PostgreSQL

/// A row of an answer, read by the names of its columns or by their places from 0.
///
/// One that a ``SQLCursor`` gave is good until the cursor goes on or goes away. Names are compared letter by letter; of two that are alike the first
/// counts.
struct SQLRow {
    let columns: [String]
    private let values: Values

    private enum Values {
        case sqlite(Row)
        /// In memory already. PostgreSQL's are made of its values, so that a row of SQLite's takes no more room than it did.
        case made([SQLValue])
    }

    init(_ row: Row, columns: [String]) { (self.columns, values) = (columns, .sqlite(row)) }

    init(_ row: PostgresRow, columns: [String]) { (self.columns, values) = (columns, .made(row.map { SQLValue($0) })) }

    /// A row that no engine answered, to be read as if one had.
    /// - Precondition: there are as many values as columns.
    init(columns: [String], values: [SQLValue]) {
        precondition(columns.count == values.count, "A row has a value for each column.")
        (self.columns, self.values) = (columns, .made(values))
    }

    /// - Throws: ``SQLDecodingError`` for a value of another kind; for NULL and for a column that is not there, unless `Value` is an Optional.
    func stored<Value: SQLReadable>(_ column: String) throws -> Value {
        if let index = columns.firstIndex(of: column) { return try stored(at: index) }
        guard let value = Value.ofMissingColumn else { throw SQLDecodingError() }
        return value
    }

    /// Nil for NULL.
    func storedIfAny<Value: SQLReadable>(_ column: String) throws -> Value? { try stored(column) }

    /// - Throws: ``SQLDecodingError`` as ``stored(_:)``.
    /// - Precondition: the row has so many columns.
    func stored<Value: SQLReadable>(at index: Int) throws -> Value {
        guard let value = Value(value(at: index)) else { throw SQLDecodingError() }
        return value
    }

    private func value(at index: Int) -> SQLValue {
        switch values {
        // As an element: GRDB's generic readers look up what they need of a type at each call, which takes ten times as long.
        case .sqlite(let row): SQLValue(row[row.startIndex.advanced(by: index)].1)
        case .made(let values): values[index]
        }
    }
}
