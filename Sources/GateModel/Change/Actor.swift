/// Who did it.
public struct Actor: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
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
