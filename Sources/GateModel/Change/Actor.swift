/// Who did something.
public struct Actor: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case user, token, system
    }

    public let kind: Kind
    /// The name of the person, the token or the part of the system. Several tokens may have the same name.
    public let name: String
    /// The user's number or the public part of the token, to tell apart actors of the same name. Nil for the system, and in records written
    /// before identifiers were kept.
    public let id: String?
    /// The name that the token's owner had then. Nil for anything but a token, and for a token of the server's own.
    public let user: String?

    public init(kind: Kind, name: String, id: String? = nil, user: String? = nil) {
        self.kind = kind
        self.name = name
        self.id = id
        self.user = user
    }

    /// How the actor is shown to people: `ann`, or `ann (laptop)` if ann's token called laptop did it.
    public var inWords: String { user.map { "\($0) (\(name))" } ?? name }

    /// Whether a search for what `name` did finds this actor: the name is the actor's own, or that of the token's owner.
    public func answers(to name: String) -> Bool { self.name == name || user == name }
}
