import GRDB

/// The rows of an answer, one by one. SQLite's statement is busy as long as the cursor is there. PostgreSQL's come in portions, and end with the
/// transaction that the cursor was made in; of one that was made outside of any all rows are in memory.
struct SQLCursor {
    private let engine: Engine
    private let columns: [String]

    private enum Engine {
        case sqlite(RowCursor)
        case postgresql(PostgresRows)
    }

    init(_ cursor: RowCursor, columns: [String]) { (engine, self.columns) = (.sqlite(cursor), columns) }

    init(_ rows: PostgresRows) { (engine, columns) = (.postgresql(rows), []) }

    /// Good until the next call, and as long as the cursor is there; nil at the end.
    func next() throws -> SQLRow? {
        switch engine {
        case .sqlite(let cursor): try SQLError.translating { try cursor.next().map { SQLRow($0, columns: columns) } }
        case .postgresql(let rows): try rows.next()
        }
    }
}
