/// The SQLite that is loaded, which need not be the one compiled against.
package struct SQLiteRelease: Sendable, CustomStringConvertible {
    /// As the library says it: `3.40.1`.
    package let description: String

    init(_ text: String) { description = text }

    /// What an empty database in memory says of its library.
    package static func loaded() throws -> SQLiteRelease {
        let queue = try SQLQueue.inMemory()
        return SQLiteRelease(try queue.run { try $0.value(String.self, sql: "SELECT sqlite_version()") } ?? "")
    }

    /// 3.37 and on: the first with STRICT tables (sqlite.org/stricttables.html), of which the schema is made (R51).
    package var isSupported: Bool {
        let numbers = description.split(separator: ".").map { Int($0) ?? 0 }
        return numbers.count >= 2 && (numbers[0] > 3 || numbers[0] == 3 && numbers[1] >= 37)
    }
}
