public import GateJSON

/// A person who may sign in, as administrators see them.
public struct Person: Sendable, Hashable {
    /// Assigned once and never reused; can replace the name in `/users/{user}`.
    public let id: Int
    public let name: String
    public let role: Role
    /// The apps that the role applies to.
    public let scope: AppScope
    /// Whether they cannot sign in: an administrator disabled them, or their stored record was not written by the server.
    public let isDisabled: Bool
    /// Whether signing in takes an authenticator code.
    public let hasTOTP: Bool
    public let createdAt: Timestamp
    public let passwordChangedAt: Timestamp
    /// Whether there is a password to sign in with; false for somebody who was invited and has not set one yet.
    public let hasPassword: Bool
    /// When the invitation to set a password expires, or expired; nil when there is none, or it was used.
    public let invitedUntil: Timestamp?
    /// Who signs them in; nil where the server itself does, by their password.
    public let origin: Origin?

    /// Who signs a person in, where it is not this server.
    public enum Origin: String, Sendable, Hashable, CaseIterable {
        /// A proxy in front, which names them in each request: they have no password here, and their groups decide what they may do.
        case proxy
    }

    public init(
        id: Int,
        name: String,
        role: Role,
        scope: AppScope,
        isDisabled: Bool,
        hasTOTP: Bool,
        createdAt: Timestamp,
        passwordChangedAt: Timestamp,
        hasPassword: Bool = true,
        invitedUntil: Timestamp? = nil,
        origin: Origin? = nil
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.scope = scope
        self.isDisabled = isDisabled
        self.hasTOTP = hasTOTP
        self.createdAt = createdAt
        self.passwordChangedAt = passwordChangedAt
        self.hasPassword = hasPassword
        self.invitedUntil = invitedUntil
        self.origin = origin
    }
}
