import PostgreSQL

/// The rows of an answer, one by one: fetched in portions within a transaction, and all in memory outside of one. Valid until the
/// transaction ends. Thread rule: the session's.
final class PostgresRows {
    private var columns: [String]
    private var rest: ArraySlice<PostgresRow>
    /// Gives the next portion, and nil after the last.
    private var more: (() throws -> PostgresResult?)?

    init(_ result: PostgresResult) { (columns, rest) = (result.columns.names, result.rows[...]) }

    init(portions more: @escaping () throws -> PostgresResult?) { (columns, rest, self.more) = ([], [], more) }

    func next() throws -> SQLRow? {
        while true {
            if let row = rest.popFirst() { return SQLRow(row, columns: columns) }
            guard let result = try more?() else {
                more = nil
                return nil
            }
            (columns, rest) = (result.columns.names, result.rows[...])
        }
    }
}
