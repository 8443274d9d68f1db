package import GateCrypto
package import GateJSON
import GateModel

/// A signed-in browser. Its secrets are kept only as digests.
package struct SessionRecord: Sendable, Hashable {
    /// SHA-256 of what the cookie holds.
    package let id: SHA256Digest
    /// ``UserRecord/id``.
    package let userID: Int
    /// SHA-256 of the CSRF token.
    package let csrfDigest: SHA256Digest
    package let createdAt: Timestamp
    /// Written at most once a minute; see ``Store/touchSession(_:at:)``.
    package var lastSeenAt: Timestamp
    /// The absolute end, whatever the browser does.
    package let expiresAt: Timestamp
    /// When the password was last given.
    package var reauthenticatedAt: Timestamp
    package let address: String
    package let userAgent: String

    package init(
        id: SHA256Digest,
        userID: Int,
        csrfDigest: SHA256Digest,
        createdAt: Timestamp,
        lastSeenAt: Timestamp,
        expiresAt: Timestamp,
        reauthenticatedAt: Timestamp,
        address: String,
        userAgent: String
    ) {
        self.id = id
        self.userID = userID
        self.csrfDigest = csrfDigest
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.expiresAt = expiresAt
        self.reauthenticatedAt = reauthenticatedAt
        self.address = address
        self.userAgent = userAgent
    }
}
