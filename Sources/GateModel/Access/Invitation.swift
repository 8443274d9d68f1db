public import GateJSON

/// What lets somebody set their own password, once: the only time its secret is known.
public struct Invitation: Sendable, Hashable, CustomStringConvertible {
    /// 43 characters of 256 random bits, in the place of a password that somebody would have to be told.
    public let token: String
    /// From then on it opens nothing.
    public let expiresAt: Timestamp

    /// Seconds that an invitation is good for: three days, so that one of a Friday is still there on Monday.
    public static let lifetime: Int64 = 259_200

    public init(token: String, expiresAt: Timestamp) {
        self.token = token
        self.expiresAt = expiresAt
    }

    /// Where the dashboard's page for it is, behind the server's address. Behind the `#`, so that no browser sends it.
    public var path: String { "/#/invitation/\(token)" }

    /// Without the secret, so that one that reaches a log by mistake says nothing.
    public var description: String { "Invitation(until \(expiresAt))" }
}

/// A person, and the invitation that was made for them just now.
public struct InvitedPerson: Sendable, Hashable {
    public let person: Person
    /// Nil for who was given a password instead.
    public let invitation: Invitation?

    public init(person: Person, invitation: Invitation?) {
        self.person = person
        self.invitation = invitation
    }
}
