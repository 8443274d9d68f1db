public import GateJSON

/// An API token as lists show it: everything but its secret.
public struct ListedToken: Sendable, Hashable {
    /// The public part, which is contained in the token itself: `gate_{id}_…`.
    public let id: String
    public let name: String
    public let role: Role
    /// The apps that the role applies to.
    public let scope: AppScope
    /// The owner's name; nil for the server's own tokens (made by `gatehouse init --token`, or by such a token), and when the owner is
    /// gone.
    public let owner: String?
    /// The name of whoever made it.
    public let createdBy: String
    public let createdAt: Timestamp
    public let expiresAt: Timestamp?
    /// Accurate to within five minutes; nil if it was never used.
    public let lastUsedAt: Timestamp?
    public let revokedAt: Timestamp?
    /// Whether it works now: neither revoked nor expired, and its owner neither disabled nor gone.
    public let isActive: Bool

    public init(
        id: String,
        name: String,
        role: Role,
        scope: AppScope,
        owner: String?,
        createdBy: String,
        createdAt: Timestamp,
        expiresAt: Timestamp?,
        lastUsedAt: Timestamp?,
        revokedAt: Timestamp?,
        isActive: Bool
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.scope = scope
        self.owner = owner
        self.createdBy = createdBy
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
        self.isActive = isActive
    }
}

/// A token just made. Its text is known only now.
public struct NewToken: Sendable, Hashable, CustomStringConvertible {
    /// `gate_…`, for `Authorization: Bearer`.
    public let text: String
    public let listed: ListedToken

    public init(text: String, listed: ListedToken) {
        self.text = text
        self.listed = listed
    }

    /// Leaves out the secret, so a token that reaches a log by mistake gives nothing away.
    public var description: String { "NewToken(\(listed.id))" }
}
