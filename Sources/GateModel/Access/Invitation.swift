public import GateJSON

/// Lets somebody set their own password, once. Its secret is known only at the moment it is made.
public struct Invitation: Sendable, Hashable, CustomStringConvertible {
    /// 43 characters made of 184 random bits and who made it; replaces a password that somebody would have to be told.
    public let token: String
    /// The invitation no longer works from then on.
    public let expiresAt: Timestamp

    /// How long an invitation is valid, in seconds: three days, so one made on a Friday still works on Monday.
    public static let lifetime: Int64 = 259_200

    public init(token: String, expiresAt: Timestamp) {
        self.token = token
        self.expiresAt = expiresAt
    }

    /// The path of the dashboard's page for it, on the server's address. The token stands behind the `#`, so no browser sends it.
    public var path: String { "/#/invitation/\(token)" }

    /// Leaves out the secret, so an invitation that reaches a log by mistake gives nothing away.
    public var description: String { "Invitation(until \(expiresAt))" }
}

/// A person, and the invitation just made for them.
public struct InvitedPerson: Sendable, Hashable {
    public let person: Person
    /// Nil for a person who was given a password instead.
    public let invitation: Invitation?

    public init(person: Person, invitation: Invitation?) {
        self.person = person
        self.invitation = invitation
    }
}
