@testable import GateStore

extension SQLRow {
    /// All of its values by their columns, to be compared.
    func all() throws -> [String: SQLValue] {
        var all: [String: SQLValue] = [:]
        for (index, column) in columns.enumerated() { all[column] = try stored(at: index) as SQLValue }
        return all
    }
}
