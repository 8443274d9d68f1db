/// A column of a table, in terms that both engines share.
struct SQLColumn: Sendable, Hashable {
    enum Kind: String, Sendable {
        case integer, text, blob
    }

    let name: String
    /// Nil for a type that our migrations never use.
    let kind: Kind?

    /// - Parameter type: as either engine names it.
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
