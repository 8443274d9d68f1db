public import GateJSON

/// An API token as it is listed: everything but its secret.
public struct ListedToken: Sendable, Hashable {
    /// The public part, which stands in the token itself: `gate_{id}_…`.
    public let id: String
    public let name: String
    public let role: Role
    /// The apps that the role holds for.
    public let scope: AppScope
    /// The name of whose it is; nil for the server's own (`gatehouse init --token`, or made by such a token), and when its owner is gone.
    public let owner: String?
    /// The name of who made it.
    public let createdBy: String
    public let createdAt: Timestamp
    public let expiresAt: Timestamp?
    /// To within five minutes; nil when it was never used.
    public let lastUsedAt: Timestamp?
    public let revokedAt: Timestamp?
    /// Whether it opens anything now: neither revoked nor expired, and its owner neither disabled nor gone.
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

/// A token just made: the only time its text is known.
public struct NewToken: Sendable, Hashable, CustomStringConvertible {
    /// `gate_…`, for `Authorization: Bearer`.
    public let text: String
    public let listed: ListedToken

    public init(text: String, listed: ListedToken) {
        self.text = text
        self.listed = listed
    }

    /// Without the secret, so that one that reaches a log by mistake says nothing.
    public var description: String { "NewToken(\(listed.id))" }
}
