package import GateCrypto
package import GateJSON
package import GateModel

/// An API token. Its secret is 32 random bytes, so a plain digest of it cannot be guessed at.
package struct TokenRecord: Sendable, Hashable {
    /// The public part, which stands in the token itself and in lists.
    package let id: String
    package let name: String
    /// SHA-256 of the secret part.
    package let secretDigest: SHA256Digest
    package let role: Role
    package let apps: AppScope
    /// The name of whoever made it.
    package let createdBy: String
    /// ``UserRecord/id`` of the person whose token it is; nil for the server's own.
    package let ownerID: Int?
    package let createdAt: Timestamp
    /// Nil for a token without an end.
    package let expiresAt: Timestamp?
    /// Written at most once in five minutes; nil when it was never used.
    package var lastUsedAt: Timestamp?
    package var revokedAt: Timestamp?
    /// Whether the server wrote it and it is the last that it wrote. Any other is shown, and opens nothing.
    package let isSigned: Bool

    package init(
        id: String,
        name: String,
        secretDigest: SHA256Digest,
        role: Role,
        apps: AppScope,
        createdBy: String,
        ownerID: Int? = nil,
        createdAt: Timestamp,
        expiresAt: Timestamp?,
        lastUsedAt: Timestamp? = nil,
        revokedAt: Timestamp? = nil,
        isSigned: Bool = true
    ) {
        self.id = id
        self.name = name
        self.secretDigest = secretDigest
        self.role = role
        self.apps = apps
        self.createdBy = createdBy
        self.ownerID = ownerID
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
        self.isSigned = isSigned
    }

    /// The server's own, and neither revoked nor expired.
    package func isValid(at now: Timestamp) -> Bool { isSigned && revokedAt == nil && expiresAt.map { now < $0 } ?? true }
}
