/// The loaded SQLite, which need not be the one compiled against.
package struct SQLiteRelease: Sendable, CustomStringConvertible {
    /// As the library reports it: `3.40.1`.
    package let description: String

    init(_ text: String) { description = text }

    /// Asks an empty database in memory.
    package static func loaded() throws -> SQLiteRelease {
        let queue = try SQLQueue.inMemory()
        return SQLiteRelease(try queue.run { try $0.value(String.self, sql: "SELECT sqlite_version()") } ?? "")
    }

    /// 3.37 or later: the first with STRICT tables (sqlite.org/stricttables.html), which the schema uses (R51).
    package var isSupported: Bool {
        let numbers = description.split(separator: ".").map { Int($0) ?? 0 }
        return numbers.count >= 2 && (numbers[0] > 3 || numbers[0] == 3 && numbers[1] >= 37)
    }
}
