public import GateJSON

/// Who did it.
public struct Actor: Sendable, Hashable {
    public enum Kind: String, Sendable {
        case user, token, system
    }

    public let kind: Kind
    /// Of the person, the token or the part of the system. Several tokens may have one name.
    public let name: String
    /// The user's number or the public part of the token, which tell apart what has one name. Nil for the system, and in what was written
    /// before identifiers were kept.
    public let id: String?
    /// The name, then, of the person whose token it is. Nil for anybody but a token, and for a token of the server's own.
    public let user: String?

    public init(kind: Kind, name: String, id: String? = nil, user: String? = nil) {
        self.kind = kind
        self.name = name
        self.id = id
        self.user = user
    }

    /// How people are told: `ann`, or `ann (laptop)` when ann's token called laptop did it.
    public var inWords: String { user.map { "\($0) (\(name))" } ?? name }

    /// Whether somebody who asks for what `name` did means this: the name is the actor's own, or that of the person whose token it is.
    public func answers(to name: String) -> Bool { self.name == name || user == name }
}

/// The member `actor` of documents.
extension Actor {
    public var json: JSONValue {
        var object: JSONObject = ["kind": .string(kind.rawValue), "name": .string(name)]
        object["id"] = id.map(JSONValue.string)
        object["user"] = user.map(JSONValue.string)
        return .object(object)
    }

    /// - Throws: malformed (400) with the pointer of what is missing or of another type.
    public init(json: JSONValue) throws(ModelError) {
        var reader = try ObjectReader(json, "An actor")
        let kindText = try reader.string("kind")
        guard let kind = Kind(rawValue: kindText) else {
            throw .malformed("There is no kind of actor \(JSONValue.string(kindText).text).", field: "/kind")
        }
        self.init(kind: kind, name: try reader.string("name"), id: try reader.optionalString("id"), user: try reader.optionalString("user"))
    }
}
