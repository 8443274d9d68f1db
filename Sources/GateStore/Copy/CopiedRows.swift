/// Reads the rows of a table in the order of its key, and checks that each value is of its column's kind.
struct CopiedRows {
    let table: CopiedTable
    let columns: [SQLColumn]
    private let cursor: SQLCursor

    init(of table: CopiedTable, in db: SQLConnection) throws {
        self.table = table
        columns = try db.typedColumns(of: table.rawValue)
        // Texts are read as bytes: otherwise invalid UTF-8 would be silently repaired, and text after a NUL silently lost.
        let values = columns.map { $0.kind == .text ? "\(db.rawBytes(of: $0.name)) AS \($0.name)" : $0.name }
        // With the table's name, since the bytes have the column's name too.
        let order = table.key.map { "\(table.rawValue).\($0)" }
        cursor = try db.cursor(
            sql: "SELECT \(values.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY \(order.joined(separator: ", "))"
        )
    }

    /// Nil at the end.
    /// - Throws: ``StoreError/Code/corrupt`` for a row with a value that does not fit its column; names the row.
    func next() throws -> [SQLValue]? {
        guard let row = try cursor.next() else { return nil }
        return try columns.enumerated().map { index, column in
            let value: SQLValue = try row.stored(at: index)
            switch (column.kind, value) {
            case (_, .null), (.integer, .integer), (.blob, .blob): return value
            case (.text, .text), (.text, .blob):
                guard let text = value.text, !text.utf8.contains(0) else { throw refusal(row, column, "holds no text that can be kept") }
                return .text(text)
            default: throw refusal(row, column, "is not of its column's type")
            }
        }
    }

    private func refusal(_ row: SQLRow, _ column: SQLColumn, _ problem: String) -> StoreError {
        // An unreadable part of the key has no name.
        let key = table.key.map { name in (try? row.stored(name) as SQLValue).map { $0.text.map(SQLValue.text) ?? $0 } ?? .null }
        return StoreError(
            .corrupt,
            "\(StoreFault(place: table.rawValue, row: SQLValue.name(ofKey: key), problem: "\(column.name) \(problem)"))",
            hint: "Run gatehouse verify on the source, and gatehouse repair where that helps."
        )
    }
}
