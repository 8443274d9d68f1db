/// The rows of a table in the order of its key, each value of its column's kind.
struct CopiedRows {
    let table: CopiedTable
    let columns: [SQLColumn]
    private let cursor: SQLCursor

    init(of table: CopiedTable, in db: SQLConnection) throws {
        self.table = table
        columns = try db.typedColumns(of: table.rawValue)
        // Texts as their bytes: what is no UTF-8, or stands behind a NUL, would else be mended or lost on the way without a word.
        let values = columns.map { $0.kind == .text ? "\(db.rawBytes(of: $0.name)) AS \($0.name)" : $0.name }
        // Of the table, since the bytes have the column's name too.
        let order = table.key.map { "\(table.rawValue).\($0)" }
        cursor = try db.cursor(
            sql: "SELECT \(values.joined(separator: ", ")) FROM \(table.rawValue) ORDER BY \(order.joined(separator: ", "))"
        )
    }

    /// Nil at the end.
    /// - Throws: ``StoreError/Code/corrupt`` for a row with a value that is none of its column's, naming the row.
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
        // A part of the key that nobody can read has no name.
        let key = table.key.map { name in (try? row.stored(name) as SQLValue).map { $0.text.map(SQLValue.text) ?? $0 } ?? .null }
        return StoreError(
            .corrupt,
            "\(StoreFault(place: table.rawValue, row: SQLValue.name(ofKey: key), problem: "\(column.name) \(problem)"))",
            hint: "Run gatehouse verify on what is to be copied, and gatehouse repair where that helps."
        )
    }
}
