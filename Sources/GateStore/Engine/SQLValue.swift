/// The value of a column or of a parameter, of one of the kinds that every engine has.
enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    /// SQLite ends a text at a NUL, PostgreSQL refuses it: check for NULs before writing a text that must come back whole.
    case text(String)
    case blob([UInt8])

    init(_ text: String?) { self = text.map(Self.text) ?? .null }

    var isNull: Bool { self == .null }

    /// Nil for anything but an integer.
    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return Int(exactly: number)
    }

    /// A text, or bytes that are UTF-8 as a text; nil for anything else.
    var text: String? {
        switch self {
        case .text(let text): text
        case .blob(let bytes): String(validating: bytes, as: UTF8.self)
        case .null, .integer, .real: nil
        }
    }

    /// The bytes of a blob or of a text; nil for anything else.
    var blob: [UInt8]? {
        switch self {
        case .blob(let bytes): bytes
        case .text(let text): Array(text.utf8)
        case .null, .integer, .real: nil
        }
    }

    /// What `CAST(column AS BLOB)` gives for it in a UTF-8 database, nil for NULL: the digits of a number, the bytes of a text.
    var bytes: [UInt8]? {
        switch self {
        case .null: nil
        case .integer(let number): Array(String(number).utf8)
        case .real(let number): Array("\(number)".utf8)
        case .text(let text): Array(text.utf8)
        case .blob(let bytes): bytes
        }
    }
}
