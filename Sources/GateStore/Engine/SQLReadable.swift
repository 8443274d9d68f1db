/// What the value of a column can be read as. A value of another kind is a ``SQLDecodingError``, never a number made of a text: the rows of a
/// damaged file hold anything. Only a text and its bytes are taken for each other.
protocol SQLReadable {
    /// Nil for NULL, unless it is an Optional, and for a value of another kind.
    init?(_ value: SQLValue)
    /// What stands for a column that the row does not have; nil when that is an error.
    static var ofMissingColumn: Self? { get }
}

extension SQLReadable {
    static var ofMissingColumn: Self? { nil }
}

extension SQLValue: SQLReadable {
    init?(_ value: SQLValue) { self = value }
}

extension Int: SQLReadable {
    init?(_ value: SQLValue) {
        guard let number = value.integer else { return nil }
        self = number
    }
}

extension Int64: SQLReadable {
    init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number
    }
}

extension Double: SQLReadable {
    init?(_ value: SQLValue) {
        guard case .real(let number) = value else { return nil }
        self = number
    }
}

/// Anything but 0 is true.
extension Bool: SQLReadable {
    init?(_ value: SQLValue) {
        guard case .integer(let number) = value else { return nil }
        self = number != 0
    }
}

extension String: SQLReadable {
    init?(_ value: SQLValue) {
        guard let text = value.text else { return nil }
        self = text
    }
}

/// A blob.
extension Array: SQLReadable where Element == UInt8 {
    init?(_ value: SQLValue) {
        guard let bytes = value.blob else { return nil }
        self = bytes
    }
}

/// Nil for NULL, and for a column that the row does not have: an older schema lacks some.
extension Optional: SQLReadable where Wrapped: SQLReadable {
    init?(_ value: SQLValue) {
        if value.isNull {
            self = .none
        } else {
            guard let wrapped = Wrapped(value) else { return nil }
            self = .some(wrapped)
        }
    }

    static var ofMissingColumn: Wrapped?? { .some(nil) }
}
