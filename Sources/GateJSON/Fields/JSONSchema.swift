/// What a JSON value looks like, in JSON Schema 2020-12 (OpenAPI 3.1 uses it unchanged).
package struct JSONSchema: Sendable, Hashable {
    /// Its name among the description's components; nil for a schema that is written out where it is used.
    package let name: String?
    /// The schema itself; named schemas in it are references.
    package let document: JSONValue
    /// The schemas of which ``document`` is made.
    package let parts: [JSONSchema]

    private init(name: String? = nil, _ document: JSONValue, parts: [JSONSchema] = []) {
        self.name = name
        self.document = document
        self.parts = parts
    }

    /// The schema in the form in which other schemas use it.
    package var json: JSONValue { name.map { ["$ref": .string("#/components/schemas/\($0)")] } ?? document }

    /// A member of an object.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let schema: JSONSchema
        package let isNeeded: Bool
        /// Whether `null` in a request means the same as leaving it out.
        fileprivate let isNullAbsence: Bool

        /// A member that is always there.
        package static func needed(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name: name, schema: schema, isNeeded: true, isNullAbsence: false)
        }

        /// A member that may be missing; in a request `null` means the same.
        package static func optional(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name: name, schema: schema, isNeeded: false, isNullAbsence: true)
        }

        /// A member that may be missing; the schema itself says what `null` means.
        package static func present(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name: name, schema: schema, isNeeded: false, isNullAbsence: false)
        }
    }

    /// A request body: no other members, and `null` means the same as leaving a member out where it may be missing, as the reader has it.
    package static func request(_ name: String, _ members: [Member]) -> JSONSchema {
        object(name, members.map { $0.isNullAbsence ? .present($0.name, .nullable($0.schema)) : $0 }, isClosed: true)
    }

    /// An answer body: a newer server may add members.
    package static func answer(_ name: String?, _ members: [Member]) -> JSONSchema { object(name, members, isClosed: false) }

    /// An object whose names are data.
    /// - Parameters:
    ///   - counts: how many names there may be; nil for any number.
    ///   - names: a pattern for the names; nil for any.
    ///   - needed: names that are always there.
    package static func map(
        of values: JSONSchema,
        _ counts: ClosedRange<Int>? = nil,
        names: String? = nil,
        needed: [String] = []
    ) -> JSONSchema {
        var object: JSONObject = ["type": .string("object"), "additionalProperties": values.json]
        if let counts {
            object["minProperties"] = .integer(counts.lowerBound)
            object["maxProperties"] = .integer(counts.upperBound)
        }
        if let names { object["propertyNames"] = ["type": .string("string"), "pattern": .string(names)] }
        if !needed.isEmpty { object["required"] = .array(needed.map(JSONValue.string)) }
        return JSONSchema(.object(object), parts: [values])
    }

    /// - Parameter isSet: whether all elements are different.
    package static func array(of items: JSONSchema, _ counts: ClosedRange<Int>? = nil, isSet: Bool = false) -> JSONSchema {
        var object: JSONObject = ["type": .string("array"), "items": items.json]
        if let counts {
            object["minItems"] = .integer(counts.lowerBound)
            object["maxItems"] = .integer(counts.upperBound)
        }
        if isSet { object["uniqueItems"] = .bool(true) }
        return JSONSchema(.object(object), parts: [items])
    }

    /// Like ``array(of:_:)``, with any number of elements from a minimum up.
    package static func array(of items: JSONSchema, _ counts: PartialRangeFrom<Int>) -> JSONSchema {
        JSONSchema(["type": .string("array"), "items": items.json, "minItems": .integer(counts.lowerBound)], parts: [items])
    }

    package static func nullable(_ schema: JSONSchema) -> JSONSchema { either(schema, null) }

    package static func either(_ one: JSONSchema, _ other: JSONSchema) -> JSONSchema {
        if one == other || other == null && one.acceptsNull { return one }
        return JSONSchema(["anyOf": .array([one.json, other.json])], parts: [one, other])
    }

    package static func word(_ words: [String]) -> JSONSchema {
        JSONSchema(["type": .string("string"), "enum": .array(words.map(JSONValue.string))])
    }

    package static func string(_ lengths: ClosedRange<Int>? = nil, pattern: String? = nil) -> JSONSchema {
        var object: JSONObject = ["type": .string("string")]
        if let lengths {
            object["minLength"] = .integer(lengths.lowerBound)
            object["maxLength"] = .integer(lengths.upperBound)
        }
        if let pattern { object["pattern"] = .string(pattern) }
        return JSONSchema(.object(object))
    }

    package static func string(_ lengths: PartialRangeFrom<Int>) -> JSONSchema {
        JSONSchema(["type": .string("string"), "minLength": .integer(lengths.lowerBound)])
    }

    /// Up to the largest 64-bit number: a larger one can be read nowhere.
    package static func integer(_ range: PartialRangeFrom<Int>) -> JSONSchema { integer(range.lowerBound...Int.max) }

    package static func integer(_ range: ClosedRange<Int>) -> JSONSchema {
        JSONSchema(["type": .string("integer"), "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    package static let text = string()
    package static let flag = JSONSchema(["type": .string("boolean")])
    package static let wholeNumber = JSONSchema(["type": .string("integer")])
    package static let number = JSONSchema(["type": .string("number")])
    package static let null = JSONSchema(["type": .string("null")])
    package static let anything = JSONSchema([:])
    package static let anyObject = JSONSchema(["type": .string("object")])
    /// RFC 3339; answers are in UTC with milliseconds.
    package static let time = JSONSchema(["type": .string("string"), "format": .string("date-time")])
    package static let onlyFalse = JSONSchema(["type": .string("boolean"), "enum": .array([.bool(false)])])

    private var acceptsNull: Bool { self == .anything || document.object?["anyOf"]?.array?.contains(Self.null.document) == true }

    private static func object(_ name: String?, _ members: [Member], isClosed: Bool) -> JSONSchema {
        var properties = JSONObject()
        for member in members { properties[member.name] = member.schema.json }
        var object: JSONObject = ["type": .string("object"), "properties": .object(properties)]
        let needed = members.filter(\.isNeeded).map { JSONValue.string($0.name) }
        if !needed.isEmpty { object["required"] = .array(needed) }
        if isClosed { object["additionalProperties"] = .bool(false) }
        return JSONSchema(name: name, .object(object), parts: members.map(\.schema))
    }
}
