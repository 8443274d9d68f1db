import GRDB

/// The rows of an answer, one by one. The statement is busy as long as the cursor is there.
struct SQLCursor {
    private let engine: Engine
    private let columns: [String]

    private enum Engine {
        case sqlite(RowCursor)
    }

    init(_ cursor: RowCursor, columns: [String]) { (engine, self.columns) = (.sqlite(cursor), columns) }

    /// Good until the next call, and as long as the cursor is there; nil at the end.
    func next() throws -> SQLRow? {
        switch engine {
        case .sqlite(let cursor): try SQLError.translating { try cursor.next().map { SQLRow($0, columns: columns) } }
        }
    }
}
