import GRDB
import GateJSON
import GateModel

/// Values of a row, with an error where GRDB's subscripts end the process: the rows of a damaged file hold anything.
extension Row {
    /// - Throws: GRDB's decoding error, for a NULL or a value of another type.
    func stored<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value {
        try decode(Value.self, forColumn: column)
    }

    /// Nil for NULL.
    func storedIfAny<Value: DatabaseValueConvertible & StatementColumnConvertible>(_ column: String) throws -> Value? {
        try decode(Value?.self, forColumn: column)
    }

    func storedTime(_ column: String) throws -> Timestamp {
        try Self.time(stored(column))
    }

    func storedTimeIfAny(_ column: String) throws -> Timestamp? {
        try storedIfAny(column).map(Self.time)
    }

    /// Refuses what is no time, hundred thousand years away, before anybody calculates with it.
    private static func time(_ milliseconds: Int64) throws -> Timestamp {
        guard milliseconds.magnitude < 8_640_000_000_000_000 else { throw StoreError(.corrupt, "A stored time is no time") }
        return Timestamp(milliseconds: milliseconds)
    }
}
