/// Writes rows into a table, several with one statement where that is worth its while. What was not flushed is not written.
struct RowWriter {
    private let db: SQLConnection
    private let sizes: [Int]
    private let statement: (Int) -> String
    private var waiting: [SQLValue] = []
    private var count = 0

    init(into table: String, columns: [SQLColumn], in db: SQLConnection) {
        self.db = db
        sizes = db.rowsOfAnInsert
        let marks = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
        let names = columns.map(\.name).joined(separator: ", ")
        statement = { "INSERT INTO \(table) (\(names)) VALUES \([String](repeating: marks, count: $0).joined(separator: ", "))" }
    }

    mutating func write(_ row: [SQLValue]) throws {
        waiting += row
        count += 1
        if count == sizes.first { try flush() }
    }

    mutating func flush() throws {
        guard count > 0 else { return }
        let width = waiting.count / count
        var (place, left) = (0, count)
        for size in sizes {
            while left >= size {
                let values = Array(waiting[place..<(place + size * width)])
                try db.cachedStatement(sql: statement(size)).execute(arguments: SQLArguments(values))
                (place, left) = (place + size * width, left - size)
            }
        }
        waiting.removeAll(keepingCapacity: true)
        count = 0
    }
}
