/// A column of a table: what both engines call the same.
struct SQLColumn: Sendable, Hashable {
    enum Kind: String, Sendable {
        case integer, text, blob
    }

    let name: String
    /// Nil for a type that no migration of ours gives a column.
    let kind: Kind?

    /// - Parameter type: in the words of either engine.
    init(name: String, type: String) {
        self.name = name
        kind =
            switch type.lowercased() {
            case "integer", "bigint": .integer
            case "text": .text
            case "blob", "bytea": .blob
            default: nil
            }
    }
}
