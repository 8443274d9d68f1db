/// A JSON value that keeps what other decoders throw away: the order of members and the spelling of numbers.
///
/// Feeds must be byte-stable and an import must tell `41` from `41.0` and from `"41"`, because the client libraries do
/// (Prince of Versions for Android takes the first and fails on the other two).
public enum JSONValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number exactly as it was spelled in the text, a valid RFC 8259 number.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    public static func integer(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// The value as text, or nil when it is no string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    public var array: [JSONValue]? { if case .array(let items) = self { items } else { nil } }

    public var object: JSONObject? { if case .object(let object) = self { object } else { nil } }

    /// The value as a whole number, or nil when it is no number or is spelled with a fraction or an exponent.
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

/// The members of a JSON object in their order; no two have the same name.
public struct JSONObject: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    public private(set) var members: [(name: String, value: JSONValue)] = []

    public init() {}

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Members of which the caller knows that no two have the same name: not one is looked for.
    public init(uniqueMembers members: [(name: String, value: JSONValue)]) { self.members = members }

    public var names: [String] { members.map(\.name) }

    public var isEmpty: Bool { members.isEmpty }

    /// Reads, replaces in place, appends or (with nil) removes the member of that name.
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

    /// Appends without looking whether the name is there. The caller knows that it is not: the reader has checked it already.
    mutating func appendKnownNew(_ name: String, _ value: JSONValue) {
        members.append((name, value))
    }

    /// Makes room for members that are to come.
    mutating func reserveCapacity(_ count: Int) { members.reserveCapacity(count) }

    /// Equal when the same names have the same values; the order does not matter, as RFC 8259 section 4 has it.
    public static func == (one: JSONObject, other: JSONObject) -> Bool {
        guard one.members.count == other.members.count else { return false }
        // Nearly always in the same order; a look for each name is then the square of their number.
        if zip(one.members, other.members).allSatisfy({ $0.name == $1.name }) {
            return zip(one.members, other.members).allSatisfy { $0.value == $1.value }
        }
        let values = Dictionary(other.members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
        return one.members.allSatisfy { values[$0.name] == $0.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(members.count)
        // Of the values too: a set of objects with the same names would else be looked through one by one.
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
