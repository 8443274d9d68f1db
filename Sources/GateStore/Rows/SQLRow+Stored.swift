import GateJSON
import GateModel

/// Reads column values of our tables that are more than plain values.
extension SQLRow {
    /// One of the words that a column may hold.
    func word<Value>(_ column: String, _ make: (String) -> Value?) throws -> Value {
        guard let value = make(try stored(column)) else {
            throw StoreError(.corrupt, "\(column) has a value that this gatehouse does not know")
        }
        return value
    }

    func storedTime(_ column: String) throws -> Timestamp {
        try Self.time(stored(column), column)
    }

    func storedTimeIfAny(_ column: String) throws -> Timestamp? {
        try storedIfAny(column).map { try Self.time($0, column) }
    }

    /// Refuses times tens of thousands of years away, before anybody calculates with one or fails to read it in an answer.
    private static func time(_ milliseconds: Int64, _ column: String) throws -> Timestamp {
        guard bounds.contains(milliseconds) else { throw StoreError(.corrupt, "\(column) holds no time") }
        return Timestamp(milliseconds: milliseconds)
    }

    /// The first moment of year 0 and the last one of year 99999: the range that ``Timestamp`` can both write and read.
    private static let bounds: ClosedRange<Int64> = -62_167_219_200_000...3_093_527_980_799_999
}
