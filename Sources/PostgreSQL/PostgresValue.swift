/// The value of a column or of a parameter. Thread rule: any; a value.
///
/// The kinds are the PostgreSQL types that have a lossless counterpart in Swift; everything else (`numeric`, times, `uuid`, `json`) is
/// passed as the text that PostgreSQL itself writes and reads (PostgreSQL manual, chapter 8, "Data Types").
package enum PostgresValue: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// `smallint`, `integer`, `bigint`, `oid`
    case integer(Int64)
    /// `real`, `double precision`
    case double(Double)
    /// Any type that has no kind of its own here. PostgreSQL cannot hold the character U+0000.
    case text(String)
    /// `bytea`
    case bytes([UInt8])

    /// Nil for every other kind, including null; the same holds for the properties below.
    package var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }

    package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    package var double: Double? { if case .double(let value) = self { value } else { nil } }

    package var text: String? { if case .text(let value) = self { value } else { nil } }

    package var bytes: [UInt8]? { if case .bytes(let value) = self { value } else { nil } }

    /// For errors, which must not contain values.
    var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer: "an integer"
        case .double: "a double"
        case .text: "text"
        case .bytes: "bytes"
        }
    }
}
