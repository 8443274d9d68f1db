import PostgreSQL

extension SQLValue {
    init(_ value: PostgresValue) {
        switch value {
        case .null: self = .null
        // The result of a comparison; in tables booleans are integers.
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let number): self = .integer(number)
        case .double(let number): self = number.isNaN ? .null : .real(number)
        case .text(let text): self = .text(text)
        case .bytes(let bytes): self = .blob(bytes)
        }
    }

    var postgres: PostgresValue {
        switch self {
        case .null: .null
        case .integer(let number): .integer(number)
        // NaN is stored as NULL, as in SQLite.
        case .real(let number): number.isNaN ? .null : .double(number)
        case .text(let text): .text(text)
        case .blob(let bytes): .bytes(bytes)
        }
    }
}
