import PostgreSQL

/// The rows of an answer that is in memory as a whole, one by one. Thread rule: one thread at a time.
final class PostgresRows {
    private let columns: [String]
    private var rest: ArraySlice<PostgresRow>

    init(_ result: PostgresResult) { (columns, rest) = (result.columns.names, result.rows[...]) }

    func next() -> SQLRow? { rest.popFirst().map { SQLRow($0, columns: columns) } }
}
