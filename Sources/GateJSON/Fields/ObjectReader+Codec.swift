/// Members read by a codec; each adds the member's place in front of an error's.
extension ObjectReader {
    /// The member, null included.
    /// - Throws: malformed (400) when it is missing; what the codec throws.
    package mutating func value<Value>(_ name: String, _ codec: JSONCodec<Value>) throws(ModelError) -> Value {
        try value(name, codec.reading)
    }

    /// As ``value(_:_:)``, or nil when the member is missing or null.
    package mutating func optionalValue<Value>(_ name: String, _ codec: JSONCodec<Value>) throws(ModelError) -> Value? {
        try optionalValue(name, codec.reading)
    }

    /// As ``value(_:_:)``, or nil when the member is missing: `null` is a value like any other.
    package mutating func presentValue<Value>(_ name: String, _ codec: JSONCodec<Value>) throws(ModelError) -> Value? {
        guard let value = present(name) else { return nil }
        return try Self.read(value, name, codec.reading)
    }

    /// Those of some members that are there, as they stand and in their order; none of them is looked at.
    package mutating func members(_ names: [String]) -> JSONObject { unread(Set(names)) }

    // With what a codec reads by, and not with the codec: a generic function that is handed a generic structure asks the runtime for the
    // structure's type each time.

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
