/// A type whose values can be bound to a statement's parameter.
protocol SQLBindable {
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLBindable {
    var sqlValue: SQLValue { self }
}

extension Int: SQLBindable {
    var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLBindable {
    var sqlValue: SQLValue { .integer(self) }
}

extension Double: SQLBindable {
    var sqlValue: SQLValue { .real(self) }
}

/// 0 or 1: a boolean is an integer in every engine's tables.
extension Bool: SQLBindable {
    var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension String: SQLBindable {
    var sqlValue: SQLValue { .text(self) }
}

/// A blob.
extension Array: SQLBindable where Element == UInt8 {
    var sqlValue: SQLValue { .blob(self) }
}
