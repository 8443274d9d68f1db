/// Writes rows into a table, several per statement where that pays off. Rows that were not flushed are not written.
struct RowWriter {
    private let db: SQLConnection
    /// Each batch size with its statement, the largest first.
    private let statements: [(size: Int, text: String)]
    private var waiting: [SQLValue] = []
    private var count = 0
    private var bytes = 0
    /// The most bytes of waiting values, unless a single row has more: documents can be long, and a statement is in memory on both sides.
    private static let mostBytes = 4 << 20

    init(into table: String, columns: [SQLColumn], in db: SQLConnection) {
        self.db = db
        let marks = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
        let names = columns.map(\.name).joined(separator: ", ")
        statements = db.rowsOfAnInsert.map { size in
            (size, "INSERT INTO \(table) (\(names)) VALUES \([String](repeating: marks, count: size).joined(separator: ", "))")
        }
    }

    mutating func write(_ row: [SQLValue]) throws {
        waiting += row
        count += 1
        bytes += row.reduce(0) { $0 + Self.length(of: $1) }
        if count == statements.first?.size || bytes > Self.mostBytes { try flush() }
    }

    mutating func flush() throws {
        guard count > 0 else { return }
        let width = waiting.count / count
        var (place, left) = (0, count)
        for (size, text) in statements {
            while left >= size {
                let values = Array(waiting[place..<(place + size * width)])
                try db.cachedStatement(sql: text).execute(arguments: SQLArguments(values))
                (place, left) = (place + size * width, left - size)
            }
        }
        waiting.removeAll(keepingCapacity: true)
        (count, bytes) = (0, 0)
    }

    private static func length(of value: SQLValue) -> Int {
        switch value {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .real: 8
        }
    }
}
