/// A type that a column's value can be read as. A value of another kind is a ``SQLDecodingError``; no text is ever converted to a number,
/// since the rows of a damaged file can hold anything. Only a text and its bytes are interchangeable.
protocol SQLReadable {
    /// Nil for a value of another kind, and for NULL unless the type is an Optional.
    init?(_ value: SQLValue)
    /// The value for a column that the row does not have; nil when that is an error.
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
