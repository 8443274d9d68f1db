/// Members read by a codec; errors are prefixed with the member's place.
extension ObjectReader {
    /// The member; may be null.
    /// - Throws: malformed (400) if it is missing; otherwise what the codec throws.
    package mutating func value<Value>(_ name: String, _ codec: JSONCodec<Value>) throws(ModelError) -> Value {
        try value(name, codec.reading)
    }

    /// Like ``value(_:_:)``, or nil if the member is missing or null.
    package mutating func optionalValue<Value>(_ name: String, _ codec: JSONCodec<Value>) throws(ModelError) -> Value? {
        try optionalValue(name, codec.reading)
    }

    /// Like ``value(_:_:)``, or nil if the member is missing: `null` is a value like any other.
    package mutating func presentValue<Value>(_ name: String, _ codec: JSONCodec<Value>) throws(ModelError) -> Value? {
        guard let value = present(name) else { return nil }
        return try Self.read(value, name, codec.reading)
    }

    /// Those of the named members that are there, unchanged and in order; their values are not checked.
    package mutating func members(_ names: [String]) -> JSONObject { unread(Set(names)) }

    // These take the codec's closure and not the codec: a generic function that is passed a generic structure asks the runtime for the
    // structure's type on every call.

    mutating func value<Value>(_ name: String, _ reading: JSONCodec<Value>.Reading) throws(ModelError) -> Value {
        try Self.read(try needed(name), name, reading)
    }

    mutating func optionalValue<Value>(_ name: String, _ reading: JSONCodec<Value>.Reading) throws(ModelError) -> Value? {
        guard let value = optional(name) else { return nil }
        return try Self.read(value, name, reading)
    }

    private static func read<Value>(_ value: JSONValue, _ name: String, _ reading: JSONCodec<Value>.Reading) throws(ModelError) -> Value {
        do { return try reading(value, name) } catch { throw error.within("/" + name) }
    }
}
