/// One field of a document: the member's name, its codec, and where the Swift value has it.
///
/// A field may also stand for several members that always come together; such a field is made with ``init(schema:read:write:)``.
package struct Field<Document, Value>: Sendable {
    private let describing: @Sendable () -> [JSONSchema.Member]
    let read: @Sendable (inout ObjectReader) throws(ModelError) -> Value
    let write: @Sendable (Document, inout JSONObject) -> Void

    /// - Parameter schema: evaluated only when it is needed.
    package init(
        schema: @autoclosure @escaping @Sendable () -> [JSONSchema.Member],
        read: @escaping @Sendable (inout ObjectReader) throws(ModelError) -> Value,
        write: @escaping @Sendable (Document, inout JSONObject) -> Void
    ) {
        describing = schema
        self.read = read
        self.write = write
    }

    /// What it adds to the schema of its document.
    package var schema: [JSONSchema.Member] { describing() }

    /// A member that is always there. If it is `null`, the codec decides.
    package static func needed(_ name: String, _ codec: JSONCodec<Value>, _ value: @escaping @Sendable (Document) -> Value) -> Field {
        let reading = codec.reading
        return Field(schema: [.needed(name, codec.schema)]) { reader throws(ModelError) in
            try reader.value(name, reading)
        } write: {
            $1.appendKnownNew(name, codec.write(value($0)))
        }
    }

    /// A member that today's writers always send; if an older one leaves it out, it is read as `missing`.
    package static func needed(
        _ name: String,
        _ codec: JSONCodec<Value>,
        _ value: @escaping @Sendable (Document) -> Value,
        missing: Value
    ) -> Field where Value: Sendable {
        let reading = codec.reading
        return Field(schema: [.needed(name, codec.schema)]) { reader throws(ModelError) in
            try reader.optionalValue(name, reading) ?? missing
        } write: {
            $1.appendKnownNew(name, codec.write(value($0)))
        }
    }

    /// A member that is left out if there is no value; `null` is read as absent.
    package static func optional<Wrapped>(
        _ name: String,
        _ codec: JSONCodec<Wrapped>,
        _ value: @escaping @Sendable (Document) -> Wrapped?
    ) -> Field where Value == Wrapped? {
        let reading = codec.reading
        return Field(schema: [.optional(name, codec.schema)]) { reader throws(ModelError) in
            try reader.optionalValue(name, reading)
        } write: { document, object in
            if let value = value(document) { object.appendKnownNew(name, codec.write(value)) }
        }
    }

    /// A member that may be left out, which means the same as `standard`.
    /// - Parameter isTold: whether it is written even if it equals the standard.
    package static func optional(
        _ name: String,
        _ codec: JSONCodec<Value>,
        _ value: @escaping @Sendable (Document) -> Value,
        standard: Value,
        isTold: Bool = false
    ) -> Field where Value: Equatable & Sendable {
        let reading = codec.reading
        return Field(schema: [.optional(name, codec.schema)]) { reader throws(ModelError) in
            try reader.optionalValue(name, reading) ?? standard
        } write: { document, object in
            let value = value(document)
            if isTold || value != standard { object.appendKnownNew(name, codec.write(value)) }
        }
    }

    /// A member that is always there, and `null` if there is no value.
    package static func nullable<Wrapped>(
        _ name: String,
        _ codec: JSONCodec<Wrapped>,
        _ value: @escaping @Sendable (Document) -> Wrapped?
    ) -> Field where Value == Wrapped? {
        let reading = codec.reading
        return Field(schema: [.needed(name, .nullable(codec.schema))]) { reader throws(ModelError) in
            // If an older server leaves it out, that counts as null.
            try reader.optionalValue(name, reading)
        } write: {
            $1.appendKnownNew(name, value($0).map(codec.write) ?? .null)
        }
    }

    /// Like ``optional(_:_:_:)``, for a word of an enumeration: one that only newer versions know is read as absent.
    package static func optionalWord<Word>(_ name: String, _ value: @escaping @Sendable (Document) -> Word?) -> Field
    where Value == Word?, Word: RawRepresentable<String> & CaseIterable & Sendable {
        word(name, .optional(name, .word(Word.allCases.map(\.rawValue))), value) { document, object in
            if let word = value(document) { object.appendKnownNew(name, .string(word.rawValue)) }
        }
    }

    /// Like ``nullable(_:_:_:)``, for a word of an enumeration: one that only newer versions know is read as null.
    package static func nullableWord<Word>(_ name: String, _ value: @escaping @Sendable (Document) -> Word?) -> Field
    where Value == Word?, Word: RawRepresentable<String> & CaseIterable & Sendable {
        word(name, .needed(name, .nullable(.word(Word.allCases.map(\.rawValue)))), value) {
            $1.appendKnownNew(name, value($0).map { .string($0.rawValue) } ?? .null)
        }
    }

    private static func word<Word>(
        _ name: String,
        _ member: @autoclosure @escaping @Sendable () -> JSONSchema.Member,
        _ value: @escaping @Sendable (Document) -> Word?,
        write: @escaping @Sendable (Document, inout JSONObject) -> Void
    ) -> Field where Value == Word?, Word: RawRepresentable<String> & Sendable {
        let reading = JSONCodec<String>.string.reading
        return Field(
            schema: [member()],
            read: { reader throws(ModelError) in
                try reader.optionalValue(name, reading).flatMap(Word.init(rawValue:))
            },
            write: write
        )
    }

    /// A member for which `null` is a value of its own, different from being missing.
    package static func present<Wrapped>(
        _ name: String,
        _ codec: JSONCodec<Wrapped>,
        _ value: @escaping @Sendable (Document) -> Wrapped?
    ) -> Field where Value == Wrapped? {
        Field(schema: [.present(name, codec.schema)]) { reader throws(ModelError) in
            try reader.presentValue(name, codec)
        } write: { document, object in
            if let value = value(document) { object.appendKnownNew(name, codec.write(value)) }
        }
    }

    /// All members of another document, as part of this one.
    package static func inlined(_ table: FieldTable<Value>, _ value: @escaping @Sendable (Document) -> Value) -> Field {
        Field(schema: table.members) { reader throws(ModelError) in
            try table.read(from: &reader)
        } write: {
            table.write(value($0), to: &$1)
        }
    }
}

extension Field where Value == Void {
    /// A member that follows from others: it is written and described, but ignored when reading.
    package static func told<Told>(_ name: String, _ codec: JSONCodec<Told>, _ value: @escaping @Sendable (Document) -> Told) -> Field {
        Field(schema: [.needed(name, codec.schema)]) { _ in
        } write: {
            $1.appendKnownNew(name, codec.write(value($0)))
        }
    }
}
