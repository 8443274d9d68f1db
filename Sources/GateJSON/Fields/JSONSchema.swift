/// What a JSON value looks like, as JSON Schema 2020-12 says it (OpenAPI 3.1 takes it as it is).
package struct JSONSchema: Sendable, Hashable {
    /// Under which it stands in the description's components; nil for one that is written out where it is used.
    package let name: String?
    /// The schema itself, in which named ones are references.
    package let document: JSONValue
    /// The schemas that ``document`` is made of.
    package let parts: [JSONSchema]

    private init(name: String? = nil, _ document: JSONValue, parts: [JSONSchema] = []) {
        self.name = name
        self.document = document
        self.parts = parts
    }

    /// The schema as it is written where it is used.
    package var json: JSONValue { name.map { ["$ref": .string("#/components/schemas/\($0)")] } ?? document }

    /// A member of an object.
    package struct Member: Sendable, Hashable {
        package let name: String
        package let schema: JSONSchema
        package let isNeeded: Bool
        /// Whether a `null` that is sent says the same as its absence.
        fileprivate let isNullAbsence: Bool

        /// One that is always there.
        package static func needed(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name: name, schema: schema, isNeeded: true, isNullAbsence: false)
        }

        /// One that may be missing; a `null` that is sent says the same.
        package static func optional(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name: name, schema: schema, isNeeded: false, isNullAbsence: true)
        }

        /// One that may be missing; what a `null` says is the schema's own matter.
        package static func present(_ name: String, _ schema: JSONSchema) -> Member {
            Member(name: name, schema: schema, isNeeded: false, isNullAbsence: false)
        }
    }

    /// A body that is sent: no other members, and a `null` where one may be missing says the same as its absence, as the reader takes it.
    package static func request(_ name: String, _ members: [Member]) -> JSONSchema {
        object(name, members.map { $0.isNullAbsence ? .present($0.name, .nullable($0.schema)) : $0 }, isClosed: true)
    }

    /// A body that is answered: a newer server may add members.
    package static func answer(_ name: String?, _ members: [Member]) -> JSONSchema { object(name, members, isClosed: false) }

    /// An object whose names are data.
    /// - Parameters:
    ///   - counts: how many there are; nil for any number.
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

    /// - Parameter isSet: whether no two elements are alike.
    package static func array(of items: JSONSchema, _ counts: ClosedRange<Int>? = nil, isSet: Bool = false) -> JSONSchema {
        var object: JSONObject = ["type": .string("array"), "items": items.json]
        if let counts {
            object["minItems"] = .integer(counts.lowerBound)
            object["maxItems"] = .integer(counts.upperBound)
        }
        if isSet { object["uniqueItems"] = .bool(true) }
        return JSONSchema(.object(object), parts: [items])
    }

    /// As ``array(of:_:)``, with any number from one on.
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

    /// Up to what a number of 64 bits holds: a larger one is read nowhere.
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
