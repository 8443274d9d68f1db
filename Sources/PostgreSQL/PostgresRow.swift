/// One row of a result. Thread rule: any; a value that outlives its connection.
package struct PostgresRow: Sendable, RandomAccessCollection {
    package let columns: PostgresColumns
    private let values: [PostgresValue]

    init(columns: PostgresColumns, values: [PostgresValue]) {
        (self.columns, self.values) = (columns, values)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { values.count }

    package subscript(index: Int) -> PostgresValue { values[index] }

    /// The first column of that name.
    /// - precondition: there is one. A misspelled column is a programming mistake, not null.
    package subscript(name: String) -> PostgresValue {
        guard let index = columns.index(of: name) else { preconditionFailure("no column \"\(name)\" among \(columns.names)") }
        return values[index]
    }
}
