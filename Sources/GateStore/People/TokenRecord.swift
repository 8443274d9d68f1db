package import GateCrypto
package import GateJSON
package import GateModel

/// An API token. Its secret is 32 random bytes, so it cannot be guessed from a plain digest.
package struct TokenRecord: Sendable, Hashable {
    /// The public part, which appears in the token itself and in lists.
    package let id: String
    package let name: String
    /// SHA-256 of the secret part.
    package let secretDigest: SHA256Digest
    package let role: Role
    package let apps: AppScope
    /// The name of whoever made it.
    package let createdBy: String
    /// ``UserRecord/id`` of the token's owner; nil for the server's own.
    package let ownerID: Int?
    package let createdAt: Timestamp
    /// Nil for a token that never expires.
    package let expiresAt: Timestamp?
    /// Written at most once in five minutes; nil when it was never used.
    package var lastUsedAt: Timestamp?
    package var revokedAt: Timestamp?
    /// Whether this is the last state that the server wrote. Any other row is shown, but gives no access.
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

    /// Written by the server, and neither revoked nor expired.
    package func isValid(at now: Timestamp) -> Bool { isSigned && revokedAt == nil && expiresAt.map { now < $0 } ?? true }
}
