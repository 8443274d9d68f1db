package import GateModel

/// What a JSON value of the admin API looks like, as JSON Schema 2020-12 says it (OpenAPI 3.1 takes it as it is).
package struct Schema: Sendable, Hashable {
    /// Under which it stands in the description's components; nil for one that is written out where it is used.
    package let name: String?
    /// The schema itself, in which named ones are references.
    package let document: JSONValue
    /// The schemas that ``document`` is made of.
    package let parts: [Schema]

    private init(name: String? = nil, _ document: JSONValue, parts: [Schema] = []) {
        self.name = name
        self.document = document
        self.parts = parts
    }

    /// The schema as it is written where it is used.
    package var json: JSONValue { name.map { ["$ref": .string("#/components/schemas/\($0)")] } ?? document }

    /// A member of an object.
    package struct Member: Sendable, Hashable {
        let name: String
        let schema: Schema
        let isNeeded: Bool

        /// One that is always there.
        package static func needed(_ name: String, _ schema: Schema) -> Member { Member(name: name, schema: schema, isNeeded: true) }

        /// One that may be missing.
        package static func optional(_ name: String, _ schema: Schema) -> Member { Member(name: name, schema: schema, isNeeded: false) }
    }

    /// A body that is sent: no other members, and a `null` where one may be missing says the same as its absence, as the reader takes it.
    package static func request(_ name: String, _ members: [Member]) -> Schema {
        let members = members.map { $0.isNeeded ? $0 : Member(name: $0.name, schema: .nullable($0.schema), isNeeded: false) }
        return object(name, members, isClosed: true)
    }

    /// As ``request(_:_:)``, but without a `null` for what may be missing.
    package static func exact(_ name: String, _ members: [Member]) -> Schema { object(name, members, isClosed: true) }

    /// A body that is answered: a newer server may add members.
    package static func answer(_ name: String?, _ members: [Member]) -> Schema { object(name, members, isClosed: false) }

    /// An object whose names are data.
    /// - Parameter names: a pattern for the names; nil for any.
    package static func map(of values: Schema, names: String? = nil) -> Schema {
        var object: JSONObject = ["type": .string("object"), "additionalProperties": values.json]
        if let names { object["propertyNames"] = ["type": .string("string"), "pattern": .string(names)] }
        return Schema(.object(object), parts: [values])
    }

    package static func array(of items: Schema, _ counts: ClosedRange<Int>? = nil) -> Schema {
        var object: JSONObject = ["type": .string("array"), "items": items.json]
        if let counts {
            object["minItems"] = .integer(counts.lowerBound)
            object["maxItems"] = .integer(counts.upperBound)
        }
        return Schema(.object(object), parts: [items])
    }

    package static func nullable(_ schema: Schema) -> Schema { either(schema, null) }

    package static func either(_ one: Schema, _ other: Schema) -> Schema {
        if one == other || other == null && one.acceptsNull { return one }
        return Schema(["anyOf": .array([one.json, other.json])], parts: [one, other])
    }

    package static func word(_ words: [String]) -> Schema {
        Schema(["type": .string("string"), "enum": .array(words.map(JSONValue.string))])
    }

    package static func string(_ lengths: ClosedRange<Int>? = nil, pattern: String? = nil) -> Schema {
        var object: JSONObject = ["type": .string("string")]
        if let lengths {
            object["minLength"] = .integer(lengths.lowerBound)
            object["maxLength"] = .integer(lengths.upperBound)
        }
        if let pattern { object["pattern"] = .string(pattern) }
        return Schema(.object(object))
    }

    package static func integer(_ range: PartialRangeFrom<Int>) -> Schema {
        Schema(["type": .string("integer"), "minimum": .integer(range.lowerBound)])
    }

    package static func integer(_ range: ClosedRange<Int>) -> Schema {
        Schema(["type": .string("integer"), "minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    package static let text = string()
    package static let flag = Schema(["type": .string("boolean")])
    package static let number = Schema(["type": .string("number")])
    package static let null = Schema(["type": .string("null")])
    package static let anything = Schema([:])
    package static let anyObject = Schema(["type": .string("object")])
    /// RFC 3339; answers are in UTC with milliseconds.
    package static let time = Schema(["type": .string("string"), "format": .string("date-time")])
    package static let onlyFalse = Schema(["type": .string("boolean"), "enum": .array([.bool(false)])])

    private var acceptsNull: Bool { document.object?["anyOf"]?.array?.contains(Self.null.document) == true }

    private static func object(_ name: String?, _ members: [Member], isClosed: Bool) -> Schema {
        var properties = JSONObject()
        for member in members { properties[member.name] = member.schema.json }
        var object: JSONObject = ["type": .string("object"), "properties": .object(properties)]
        let needed = members.filter(\.isNeeded).map { JSONValue.string($0.name) }
        if !needed.isEmpty { object["required"] = .array(needed) }
        if isClosed { object["additionalProperties"] = .bool(false) }
        return Schema(name: name, .object(object), parts: members.map(\.schema))
    }
}

/// A body that says what it looks like.
package protocol DescribedBody: APIBody {
    static var schema: Schema { get }
}
