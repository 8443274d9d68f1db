public import GateJSON

/// A browser, or another client with a cookie, in which a person is signed in, as that person sees it in a list.
public struct OwnSession: Sendable, Hashable {
    /// Half of the digest of its secret: identifies it in `DELETE /account/sessions/{id}` and reveals nothing about the cookie.
    public let id: String
    /// Whether it is the session that made the request.
    public let isCurrent: Bool
    public let createdAt: Timestamp
    /// Accurate to within a minute.
    public let lastSeenAt: Timestamp
    public let expiresAt: Timestamp
    /// The address from which the person signed in.
    public let address: String
    /// What the client calls itself, cut to 200 characters; may be empty.
    public let userAgent: String

    public init(
        id: String,
        isCurrent: Bool,
        createdAt: Timestamp,
        lastSeenAt: Timestamp,
        expiresAt: Timestamp,
        address: String,
        userAgent: String
    ) {
        self.id = id
        self.isCurrent = isCurrent
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.expiresAt = expiresAt
        self.address = address
        self.userAgent = userAgent
    }
}
