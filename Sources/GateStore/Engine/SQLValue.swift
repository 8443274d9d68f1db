/// A value of a column, or one that is bound to a parameter: the kinds that every engine has, and no others.
enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    /// SQLite ends it at a NUL, PostgreSQL refuses one: whoever writes texts that must come back whole looks for it first.
    case text(String)
    case blob([UInt8])

    init(_ text: String?) { self = text.map(Self.text) ?? .null }

    var isNull: Bool { self == .null }

    /// Nil for anything but a number without a fraction.
    var integer: Int? {
        guard case .integer(let number) = self else { return nil }
        return Int(exactly: number)
    }

    /// The text, or that of bytes which are UTF-8; nil for anything else.
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
