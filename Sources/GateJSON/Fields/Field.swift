/// One field of a document: the member's name, its codec, and where its value lies in the Swift value.
///
/// A field may also stand for several members that always come together; then it is made with ``init(schema:read:write:)``.
package struct Field<Document, Value>: Sendable {
    private let describing: @Sendable () -> [JSONSchema.Member]
    let read: @Sendable (inout ObjectReader) throws(ModelError) -> Value
    let write: @Sendable (Document, inout JSONObject) -> Void

    /// - Parameter schema: made when it is asked for.
    package init(
        schema: @autoclosure @escaping @Sendable () -> [JSONSchema.Member],
        read: @escaping @Sendable (inout ObjectReader) throws(ModelError) -> Value,
        write: @escaping @Sendable (Document, inout JSONObject) -> Void
    ) {
        describing = schema
        self.read = read
        self.write = write
    }

    /// What it adds to the description of its document.
    package var schema: [JSONSchema.Member] { describing() }

    /// A member that is always there. An unread `null` is handed to the codec.
    package static func needed(_ name: String, _ codec: JSONCodec<Value>, _ value: @escaping @Sendable (Document) -> Value) -> Field {
        let reading = codec.reading
        return Field(schema: [.needed(name, codec.schema)]) { reader throws(ModelError) in
            try reader.value(name, reading)
        } write: {
            $1.appendKnownNew(name, codec.write(value($0)))
        }
    }

    /// A member that every writer of today tells; what an older one leaves out is read as `missing`.
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

    /// A member that is left out where there is no value; `null` is read as an absence.
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

    /// A member that may be left out, which says the same as `standard`.
    /// - Parameter isTold: whether it is written even when it is the standard.
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

    /// A member that is always there, `null` where there is no value.
    package static func nullable<Wrapped>(
        _ name: String,
        _ codec: JSONCodec<Wrapped>,
        _ value: @escaping @Sendable (Document) -> Wrapped?
    ) -> Field where Value == Wrapped? {
        let reading = codec.reading
        return Field(schema: [.needed(name, .nullable(codec.schema))]) { reader throws(ModelError) in
            // Missing from an older server it is as good as null.
            try reader.optionalValue(name, reading)
        } write: {
            $1.appendKnownNew(name, value($0).map(codec.write) ?? .null)
        }
    }

    /// As ``optional(_:_:_:)``, of one of an enumeration's words: one that only a newer writer knows is read as none.
    package static func optionalWord<Word>(_ name: String, _ value: @escaping @Sendable (Document) -> Word?) -> Field
    where Value == Word?, Word: RawRepresentable<String> & CaseIterable & Sendable {
        word(name, .optional(name, .word(Word.allCases.map(\.rawValue))), value) { document, object in
            if let word = value(document) { object.appendKnownNew(name, .string(word.rawValue)) }
        }
    }

    /// As ``nullable(_:_:_:)``, of one of an enumeration's words: one that only a newer writer knows is read as none.
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

    /// A member of which `null` is a value of its own, and a missing one is none.
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

    /// All members of another document, in this one.
    package static func inlined(_ table: FieldTable<Value>, _ value: @escaping @Sendable (Document) -> Value) -> Field {
        Field(schema: table.members) { reader throws(ModelError) in
            try table.read(from: &reader)
        } write: {
            table.write(value($0), to: &$1)
        }
    }
}

extension Field where Value == Void {
    /// A member that follows from others: written and described, and not looked at in what is read.
    package static func told<Told>(_ name: String, _ codec: JSONCodec<Told>, _ value: @escaping @Sendable (Document) -> Told) -> Field {
        Field(schema: [.needed(name, codec.schema)]) { _ in
        } write: {
            $1.appendKnownNew(name, codec.write(value($0)))
        }
    }
}
