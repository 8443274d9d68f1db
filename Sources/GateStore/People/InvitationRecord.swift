package import GateCrypto
package import GateJSON

/// A stored invitation: only its digest is kept.
package struct InvitationRecord: Sendable, Hashable {
    /// SHA-256 of what the link holds.
    package let digest: SHA256Digest
    /// From this moment on it is invalid.
    package let expiresAt: Timestamp

    package init(digest: SHA256Digest, expiresAt: Timestamp) {
        self.digest = digest
        self.expiresAt = expiresAt
    }
}
