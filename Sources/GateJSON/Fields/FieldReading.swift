/// How a field is read, whatever the type of its value: a table keeps a list of these instead of the fields.
///
/// A closure over fields of several types asks the runtime for each of their types before every use. That took a tenth of the time in which
/// `gatectl status` reads a page of targets.
protocol FieldReading: AnyObject, Sendable {
    /// Reads the field only to find out what is wrong with it.
    func attempt(_ reader: inout ObjectReader) throws(ModelError)
}

extension FieldReading {
    /// Reads a field that is known to be of type `Value`.
    func value<Value>(_: Value.Type, _ reader: inout ObjectReader) throws(ModelError) -> Value {
        // The table made it with that type; a checked cast would ask the runtime after all. Debug builds do check.
        try unsafeDowncast(self, to: TypedFieldReading<Value>.self).read(&reader)
    }
}

/// Reads a field with a value of one type.
final class TypedFieldReading<Value>: FieldReading {
    let read: @Sendable (inout ObjectReader) throws(ModelError) -> Value

    init(_ read: @escaping @Sendable (inout ObjectReader) throws(ModelError) -> Value) { self.read = read }

    func attempt(_ reader: inout ObjectReader) throws(ModelError) { _ = try read(&reader) }
}
