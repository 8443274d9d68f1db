/// How a value of one type appears in a document: how it is read, written and described, declared once.
package struct JSONCodec<Value>: Sendable {
    /// How a value is read that has that name.
    typealias Reading = @Sendable (_ value: JSONValue, _ name: String) throws(ModelError) -> Value

    private let describing: @Sendable () -> JSONSchema
    let reading: Reading
    private let writing: @Sendable (Value) -> JSONValue

    /// - Parameters:
    ///   - schema: evaluated only when it is needed.
    ///   - read: gets the value and its name, which is the subject of an error's sentence.
    ///   - write: the inverse.
    package init(
        _ schema: @autoclosure @escaping @Sendable () -> JSONSchema,
        read: @escaping @Sendable (JSONValue, String) throws(ModelError) -> Value,
        write: @escaping @Sendable (Value) -> JSONValue
    ) {
        describing = schema
        reading = read
        writing = write
    }

    /// The value's schema.
    package var schema: JSONSchema { describing() }

    /// - Parameter name: the value's name, used as the subject of an error's sentence.
    /// - Throws: malformed (400) or invalid (422); ``ModelError/field`` is the place inside the value.
    package func read(_ value: JSONValue, _ name: String) throws(ModelError) -> Value { try reading(value, name) }

    package func write(_ value: Value) -> JSONValue { writing(value) }

    /// The same values with a narrower schema: limits that are enforced elsewhere, using the same constants.
    package func described(as schema: @autoclosure @escaping @Sendable () -> JSONSchema) -> JSONCodec {
        JSONCodec(schema(), read: reading, write: writing)
    }
}

extension JSONCodec where Value == String {
    /// - Parameters:
    ///   - lengths: in Unicode scalars, and `pattern` an ECMA 262 expression; both only describe. The code that uses the text enforces
    ///     them, in its own words.
    package static func string(_ lengths: ClosedRange<Int>? = nil, pattern: String? = nil) -> JSONCodec {
        JSONCodec(.string(lengths, pattern: pattern)) { value, name throws(ModelError) in
            guard let text = value.string else { throw .wrongType(name, "a string", value) }
            return text
        } write: {
            .string($0)
        }
    }

    package static var string: JSONCodec { string() }
}

extension JSONCodec where Value == Bool {
    package static var flag: JSONCodec {
        JSONCodec(.flag) { value, name throws(ModelError) in
            guard let flag = value.bool else { throw .wrongType(name, "true or false", value) }
            return flag
        } write: {
            .bool($0)
        }
    }
}

extension JSONCodec where Value == Int {
    /// A whole number; the range only describes.
    package static func integer(_ range: PartialRangeFrom<Int>) -> JSONCodec { integer(as: .integer(range)) }

    /// Like ``integer(_:)-(PartialRangeFrom<Int>)``.
    package static func integer(_ range: ClosedRange<Int>) -> JSONCodec { integer(as: .integer(range)) }

    private static func integer(as schema: @autoclosure @escaping @Sendable () -> JSONSchema) -> JSONCodec {
        JSONCodec(schema()) { value, name throws(ModelError) in
            guard let number = value.integer else { throw .wrongType(name, "a whole number", value, tellsNumber: true) }
            return number
        } write: {
            .integer($0)
        }
    }
}

extension JSONCodec where Value == Timestamp {
    /// An RFC 3339 time with 0 to 3 decimals and any offset; written in UTC with milliseconds.
    package static var time: JSONCodec {
        JSONCodec(.time) { value, name throws(ModelError) in
            guard let text = value.string else { throw .wrongType(name, "a string", value) }
            guard let time = Timestamp(text) else { throw .malformed("\(name) is an RFC 3339 time such as 2026-04-02T09:32:14Z.") }
            return time
        } write: {
            .string($0.description)
        }
    }
}

extension JSONCodec where Value == Timestamp {
    /// Like ``time``, for a document that a program wrote: its errors give no example.
    package static var toldTime: JSONCodec {
        JSONCodec(.time) { value, name throws(ModelError) in
            guard let text = value.string else { throw .wrongType(name, "a string", value) }
            guard let time = Timestamp(text) else { throw .malformed("\(name) is an RFC 3339 time.") }
            return time
        } write: {
            .string($0.description)
        }
    }
}

extension JSONCodec where Value == Timestamp {
    /// Like ``time``, for input: within the years that can be shown in every zone.
    /// - Throws: `invalid_time` (422) for a time outside of ``Timestamp/years``.
    package static var enteringTime: JSONCodec {
        JSONCodec(.time) { value, name throws(ModelError) in
            guard let text = value.string else { throw .wrongType(name, "a string", value) }
            do throws(TimeFault) { return try Timestamp(entering: text) } catch {
                guard error == .years else { return try time.read(value, name) }
                throw .invalid("invalid_time", TimeFault.outside(name))
            }
        } write: {
            .string($0.description)
        }
    }
}

extension JSONCodec where Value == JSONValue {
    /// Any value, as it is.
    package static var anything: JSONCodec {
        JSONCodec(.anything) { value, _ in
            value
        } write: {
            $0
        }
    }
}

extension JSONCodec where Value == JSONObject {
    /// Any object, as it is.
    package static var anyObject: JSONCodec {
        JSONCodec(.anyObject) { value, name throws(ModelError) in
            guard let object = value.object else { throw .wrongType(name, "an object", value) }
            return object
        } write: {
            .object($0)
        }
    }
}

extension JSONCodec where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
    /// A word of an enumeration.
    package static var word: JSONCodec {
        JSONCodec(.word(Value.allCases.map(\.rawValue))) { value, name throws(ModelError) in
            guard let text = value.string else { throw .wrongType(name, "a string", value) }
            guard let word = Value(rawValue: text) else {
                throw .malformed("\(name) is one of \(Value.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            return word
        } write: {
            .string($0.rawValue)
        }
    }
}

extension JSONCodec where Value: TabledDocument {
    /// A separate document, declared by its table.
    package static var document: JSONCodec {
        // The table is made only when needed: lists are often empty.
        JSONCodec(Value.schema) { value, _ throws(ModelError) in
            try Value(json: value)
        } write: {
            $0.json
        }
    }
}

extension JSONCodec {
    /// A separate document, declared by one of several tables.
    package static func document(_ table: FieldTable<Value>) -> JSONCodec {
        JSONCodec(table.schema) { value, _ throws(ModelError) in
            try table.read(value)
        } write: {
            table.write($0)
        }
    }
}

extension JSONCodec {
    /// A list; errors in an element are prefixed with its place.
    /// - Parameters:
    ///   - counts: how many elements there may be, counted before any is examined; nil for any number.
    ///   - refuse: makes the error for a wrong number from that number; nil for a malformed error.
    package static func list<Element>(
        of element: JSONCodec<Element>,
        _ counts: ClosedRange<Int>? = nil,
        refuse: (@Sendable (Int) -> ModelError)? = nil
    ) -> JSONCodec where Value == [Element] {
        JSONCodec(.array(of: element.schema, counts)) { value, name throws(ModelError) in
            guard let items = value.array else { throw .wrongType(name, "an array", value) }
            if let counts, !counts.contains(items.count) {
                throw refuse?(items.count)
                    ?? .malformed("\(name) has \(counts.lowerBound) to \(counts.upperBound) elements, not \(items.count).")
            }
            var elements: [Element] = []
            elements.reserveCapacity(items.count)
            for (index, item) in items.enumerated() {
                do throws(ModelError) { elements.append(try element.read(item, "An element of \(name)")) } catch {
                    throw error.within("/\(index)")
                }
            }
            return elements
        } write: {
            .array($0.map(element.write))
        }
    }

    /// A list without the elements for which `element` gives nil: those that only newer versions know.
    package static func list<Element>(ofKnown element: JSONCodec<Element?>) -> JSONCodec where Value == [Element] {
        let all = JSONCodec<[Element?]>.list(of: element)
        return JSONCodec(all.schema) { value, name throws(ModelError) in
            try all.read(value, name).compactMap(\.self)
        } write: {
            all.write($0)
        }
    }

    /// A list of an enumeration's words, without those that only newer versions know.
    /// - Parameter words: those named in the schema; it only describes.
    package static func knownWords<Word>(_ words: [Word] = Array(Word.allCases), _ counts: ClosedRange<Int>? = nil) -> JSONCodec
    where Value == [Word], Word: RawRepresentable<String> & CaseIterable & Sendable {
        JSONCodec(.array(of: .word(words.map(\.rawValue)), counts)) { value, name throws(ModelError) in
            try JSONCodec<[String]>.list(of: .string).read(value, name).compactMap(Word.init(rawValue:))
        } write: {
            .array($0.map { .string($0.rawValue) })
        }
    }

    /// A separate document, or nil if it mentions something that only newer versions know.
    package static func document<Known: TabledDocument>(unless isStrange: @escaping @Sendable (JSONObject) -> Bool) -> JSONCodec
    where Value == Known? {
        JSONCodec(Known.schema) { value, _ throws(ModelError) in
            value.object.map(isStrange) == true ? nil : try Known(json: value)
        } write: {
            $0?.json ?? .null
        }
    }

    /// A value, or `null`.
    package static func nullable<Wrapped>(_ wrapped: JSONCodec<Wrapped>) -> JSONCodec where Value == Wrapped? {
        JSONCodec(.nullable(wrapped.schema)) { value, name throws(ModelError) in
            value.isNull ? nil : try wrapped.read(value, name)
        } write: {
            $0.map(wrapped.write) ?? .null
        }
    }

    /// An object whose names are data; it is written with its keys sorted.
    /// - Parameters:
    ///   - names: a pattern for the names; nil for any.
    ///   - key: makes a key from a name.
    package static func map<Key: Hashable & Comparable & Sendable, Element>(
        of element: JSONCodec<Element>,
        names: String? = nil,
        key: @escaping @Sendable (String) throws(ModelError) -> Key,
        name: @escaping @Sendable (Key) -> String
    ) -> JSONCodec where Value == [Key: Element] {
        JSONCodec(.map(of: element.schema, names: names)) { value, what throws(ModelError) in
            guard let object = value.object else { throw .wrongType(what, "an object", value) }
            var map: [Key: Element] = [:]
            for (name, value) in object.members {
                do throws(ModelError) { map[try key(name)] = try element.read(value, "A member of \(what)") } catch {
                    throw error.within(JSONPointer.member(name))
                }
            }
            return map
        } write: { map in
            var object = JSONObject()
            for key in map.keys.sorted() { object.appendKnownNew(name(key), element.write(map[key]!)) }
            return .object(object)
        }
    }

    /// A map whose names are taken as they are.
    package static func map<Element>(of element: JSONCodec<Element>, names: String? = nil) -> JSONCodec where Value == [String: Element] {
        map(of: element, names: names, key: { $0 }, name: { $0 })
    }
}

extension JSONObject {
    /// Whether a member is a text that is none of the words that this version knows.
    package func isStrange<Word: RawRepresentable<String>>(_ name: String, _: Word.Type) -> Bool {
        self[name]?.string.map { Word(rawValue: $0) == nil } ?? false
    }
}

extension ModelError {
    /// An error for a value of another type than `wanted`.
    /// - Parameter tellsNumber: whether the error says which number it was. Not where a text is expected: the number may be a password or a
    ///   code without its quotes.
    static func wrongType(_ name: String, _ wanted: String, _ value: JSONValue, tellsNumber: Bool = false) -> ModelError {
        let found = if tellsNumber, case .number(let text) = value { text } else { value.kindInWords }
        return .malformed("\(name) is \(wanted), not \(found.prefix(40)).")
    }
}
