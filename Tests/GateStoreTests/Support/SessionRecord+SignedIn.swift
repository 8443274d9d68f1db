import GateCrypto
import GateJSON

@testable import GateStore

extension SessionRecord {
    /// A session as a browser begins it.
    static func signedIn(_ userID: Int, _ secret: String = "s", at now: Timestamp) -> SessionRecord {
        SessionRecord(
            id: SHA256Digest(of: secret),
            userID: userID,
            csrfDigest: SHA256Digest(of: secret + "csrf"),
            createdAt: now,
            lastSeenAt: now,
            expiresAt: now.advanced(bySeconds: 43_200),
            reauthenticatedAt: now,
            address: "127.0.0.1",
            userAgent: "Browser/1"
        )
    }
}
