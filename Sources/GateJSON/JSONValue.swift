/// A JSON value that keeps what other decoders discard: the order of members and the spelling of numbers.
///
/// Feeds must be byte-stable, and an import must distinguish `41` from `41.0` and from `"41"`, because the client libraries do (Prince of
/// Versions for Android accepts the first and fails on the other two).
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number exactly as it was spelled in the text; a valid RFC 8259 number.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// The value as text, or nil if it is not a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    public var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// The value as a whole number, or nil if it is not a number or is spelled with a fraction or an exponent.
    public var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    public var isNull: Bool { if case .null = self { true } else { false } }

    /// The kind of value in words for error messages: "a string", "null".
    public var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// The members of a JSON object in order; no two have the same name.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public private(set) var members: [(name: String, value: JSONValue)] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Takes members that the caller knows to have different names; this is not checked.
    public init(uniqueMembers members: [(name: String, value: JSONValue)]) { self.members = members }

    public var names: [String] { members.map(\.name) }

    public var isEmpty: Bool { members.isEmpty }

    /// Reads, replaces in place, appends or (with nil) removes the member with that name.
    public subscript(name: String) -> JSONValue? {
        get { members.first { $0.name == name }?.value }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append((name, value))
            case (nil, nil): break
            }
        }
    }

    /// Appends without checking for the name. The caller knows that it is new: the reader has already checked.
    mutating func appendKnownNew(_ name: String, _ value: JSONValue) {
        members.append((name, value))
    }

    /// Makes room for members that will be added.
    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// Equal if the same names have the same values; order does not matter, as in RFC 8259 section 4.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        guard one.members.count == other.members.count else { return false }
        // The order is nearly always the same. Looking up each name takes time that grows with the square of their number.
        if zip(one.members, other.members).allSatisfy({ $0.name == $1.name }) {
            return zip(one.members, other.members).allSatisfy { $0.value == $1.value }
        }
        let values = Dictionary(other.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return one.members.allSatisfy { values[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        // Values are hashed too: otherwise all objects with the same names would collide, and a set would compare them one by one.
        for member in members.sorted(by: { $0.name < $1.name }) {
            hasher.combine(member.name)
            hasher.combine(member.value)
        }
    }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in elements { object[name] = value }
        self = .object(object)
    }
}
