import Foundation
import GRDB
import GateCrypto
import GateModel

/// People, sessions, tokens and throttles as rows, and back.
enum PeopleRows {
    /// How names are compared: `Ann` and `ann` are one person, whatever the form in which the letters came.
    static func folded(_ name: String) -> String { name.precomposedStringWithCompatibilityMapping.lowercased() }

    /// NULL for all apps.
    static func text(of scope: AppScope) -> String? { scope == .all ? nil : scope.json.text }

    static func user(_ row: Row) throws -> UserRecord {
        let id: Int = row["id"]
        return UserRecord(
            id: id,
            name: row["name"],
            role: try role(row, "users row \(id)"),
            apps: try scope(row),
            passwordHash: PasswordHash(stored: row["password_hash"]),
            disabled: row["disabled"],
            totpSecret: (row["totp_secret"] as Data?).map(Array.init),
            createdAt: Timestamp(milliseconds: row["created_at"]),
            passwordChangedAt: Timestamp(milliseconds: row["password_changed_at"])
        )
    }

    static func session(_ row: Row) throws -> SessionRecord {
        SessionRecord(
            id: try digest(row, "id", "a sessions row"),
            userID: row["user_id"],
            csrfDigest: try digest(row, "csrf_digest", "a sessions row"),
            createdAt: Timestamp(milliseconds: row["created_at"]),
            lastSeenAt: Timestamp(milliseconds: row["last_seen_at"]),
            expiresAt: Timestamp(milliseconds: row["expires_at"]),
            reauthenticatedAt: Timestamp(milliseconds: row["reauthenticated_at"]),
            address: row["address"],
            userAgent: row["user_agent"]
        )
    }

    static func token(_ row: Row) throws -> TokenRecord {
        let id: String = row["id"]
        return TokenRecord(
            id: id,
            name: row["name"],
            secretDigest: try digest(row, "secret_digest", "tokens row \(id)"),
            role: try role(row, "tokens row \(id)"),
            apps: try scope(row),
            createdBy: row["created_by"],
            createdAt: Timestamp(milliseconds: row["created_at"]),
            expiresAt: time(row, "expires_at"),
            lastUsedAt: time(row, "last_used_at"),
            revokedAt: time(row, "revoked_at")
        )
    }

    private static func time(_ row: Row, _ column: String) -> Timestamp? { (row[column] as Int64?).map(Timestamp.init(milliseconds:)) }

    private static func role(_ row: Row, _ place: String) throws -> Role {
        guard let role = Role(rawValue: row["role"]) else { throw StoreError(.corrupt, "\(place): role has a value that this gatehouse does not know") }
        return role
    }

    private static func scope(_ row: Row) throws -> AppScope {
        guard let text = row["apps"] as String? else { return .all }
        // Read as the list that it is: a stored null would else widen a scope to all apps.
        let json = try JSONReader.read(text, limits: .own)
        guard json.array != nil else { throw StoreError(.corrupt, "A stored scope is no list of apps") }
        return try AppScope(json: json)
    }

    private static func digest(_ row: Row, _ column: String, _ place: String) throws -> SHA256Digest {
        guard let digest = SHA256Digest(bytes: Array(row[column] as Data)) else { throw StoreError(.corrupt, "\(place): \(column) is no digest") }
        return digest
    }
}
