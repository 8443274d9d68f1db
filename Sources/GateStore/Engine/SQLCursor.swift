import GRDB

/// The rows of an answer, one by one. An SQLite statement is busy as long as its cursor exists. PostgreSQL's rows come in portions, and end
/// with the cursor's transaction; outside a transaction all rows are in memory.
struct SQLCursor {
    private let engine: Engine
    private let columns: [String]

    private enum Engine {
        case sqlite(RowCursor)
        case postgresql(PostgresRows)
    }

    init(_ cursor: RowCursor, columns: [String]) { (engine, self.columns) = (.sqlite(cursor), columns) }

    init(_ rows: PostgresRows) { (engine, columns) = (.postgresql(rows), []) }

    /// The next row, valid until the next call and as long as the cursor exists; nil at the end.
    func next() throws -> SQLRow? {
        switch engine {
        case .sqlite(let cursor): try SQLError.translating { try cursor.next().map { SQLRow($0, columns: columns) } }
        case .postgresql(let rows): try rows.next()
        }
    }
}
