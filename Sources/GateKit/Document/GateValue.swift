import GateJSON

/// A JSON value that the app's makers put into a feed for the app, such as Prince of Versions' `meta`.
public enum GateValue: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number as it was spelled.
    case number(String)
    case string(String)
    case array([GateValue])
    case object([String: GateValue])

    /// The value as text, or nil if it is not a string.
    public var string: String? { if case .string(let text) = self { text } else { nil } }

    /// The value as a whole number; nil if it is not one.
    public var integer: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    public var bool: Bool? { if case .bool(let flag) = self { flag } else { nil } }

    init(_ json: JSONValue) {
        self =
            switch json {
            case .null: .null
            case .bool(let flag): .bool(flag)
            case .number(let text): .number(text)
            case .string(let text): .string(text)
            case .array(let items): .array(items.map(GateValue.init))
            case .object(let object): .object(Self.members(of: object))
            }
    }

    static func members(of object: JSONObject) -> [String: GateValue] {
        Dictionary(object.members.map { ($0.name, GateValue($0.value)) }, uniquingKeysWith: { _, last in last })
    }
}
