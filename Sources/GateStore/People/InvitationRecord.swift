package import GateCrypto
package import GateJSON

/// An invitation as it is kept: known by its digest only.
package struct InvitationRecord: Sendable, Hashable {
    /// SHA-256 of what the link holds.
    package let digest: SHA256Digest
    /// From then on it opens nothing.
    package let expiresAt: Timestamp

    package init(digest: SHA256Digest, expiresAt: Timestamp) {
        self.digest = digest
        self.expiresAt = expiresAt
    }
}
