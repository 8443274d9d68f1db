import GateCrypto
import GateJSON
import GateModel

/// People, sessions, tokens and throttles as rows, and back.
enum PeopleRows {
    /// NULL for all apps.
    static func text(of scope: AppScope) -> String? { scope == .all ? nil : scope.json.text }

    /// Trusts every row: for rows that the reading transaction itself has written and not signed yet.
    static let justWritten: @Sendable (SignedTable, SQLRow) throws -> Bool = { _, _ in true }

    /// - Parameter trust: whether the row is obeyed.
    static func user(_ row: SQLRow, _ trust: RowTrust) throws -> UserRecord {
        let id: Int = try row.stored("id")
        return UserRecord(
            id: id,
            name: try row.stored("name"),
            role: try role(row, "users row \(id)"),
            apps: try scope(row),
            passwordHash: PasswordHash(stored: try row.stored("password_hash")),
            disabled: try row.stored("disabled"),
            totpSecret: try row.storedIfAny("totp_secret"),
            totpPending: try row.storedIfAny("totp_pending"),
            totpStep: try row.stored("totp_step"),
            createdAt: try row.storedTime("created_at"),
            passwordChangedAt: try row.storedTime("password_changed_at"),
            invitation: try invitation(row, "users row \(id)"),
            origin: try origin(row, "users row \(id)"),
            isSigned: try trust(.users, row)
        )
    }

    /// What a row with the columns `role` and `apps` of `users` lets its person do.
    static func reach(_ row: SQLRow) throws -> Authority.Reach {
        Authority.Reach(role: try role(row, "a users row"), apps: try scope(row))
    }

    private static func origin(_ row: SQLRow, _ place: String) throws -> Person.Origin? {
        guard let text = try row.storedIfAny("origin") as String? else { return nil }
        guard let origin = Person.Origin(rawValue: text) else {
            throw StoreError(.corrupt, "\(place): origin has a value that this gatehouse does not know")
        }
        return origin
    }

    private static func invitation(_ row: SQLRow, _ place: String) throws -> InvitationRecord? {
        guard try row.storedIfAny("invitation_digest") as [UInt8]? != nil else { return nil }
        return InvitationRecord(digest: try digest(row, "invitation_digest", place), expiresAt: try row.storedTime("invitation_expires_at"))
    }

    /// Reads back a user that this transaction wrote.
    static func check(_ user: UserRecord, in db: SQLConnection) throws {
        let row = try db.row(sql: "SELECT * FROM users WHERE id = ?", arguments: [user.id])
        try ReadBack.check("The user \(user.id)", user) { try row.map { try Self.user($0, justWritten) } }
    }

    /// A row for a list; nil for one that cannot be read, which must not make the whole list fail.
    static func listed<Record>(_ row: SQLRow, _ judge: RowJudge, _ read: (SQLRow, RowTrust) throws -> Record) throws -> Record? {
        try Salvage.read {
            try read(row, judge.isRight)
        } or: { _ in
            nil
        }
    }

    /// A part of a list. No row behind it is decoded, which is what costs: a row may name hundreds of apps.
    /// - Parameter rows: those that follow ``ListPart/after``.
    static func list<Record, ID>(
        _ rows: SQLCursor,
        _ part: ListPart<ID>,
        _ judge: RowJudge,
        _ read: (SQLRow, RowTrust) throws -> Record
    ) throws -> [Record] {
        var (records, room): ([Record], Int) = ([], part.bytes)
        while records.count < part.limit, room >= 0, let row = try rows.next() {
            guard let record = try listed(row, judge, read) else { continue }
            records.append(record)
            room -= (try row.storedIfAny("apps") as String?)?.utf8.count ?? 0
        }
        return records
    }

    static func session(_ row: SQLRow) throws -> SessionRecord {
        SessionRecord(
            id: try digest(row, "id", "a sessions row"),
            userID: try row.stored("user_id"),
            csrfDigest: try digest(row, "csrf_digest", "a sessions row"),
            createdAt: try row.storedTime("created_at"),
            lastSeenAt: try row.storedTime("last_seen_at"),
            expiresAt: try row.storedTime("expires_at"),
            reauthenticatedAt: try row.storedTime("reauthenticated_at"),
            address: try row.stored("address"),
            userAgent: try row.stored("user_agent")
        )
    }

    static func token(_ row: SQLRow, _ trust: RowTrust) throws -> TokenRecord {
        let id: String = try row.stored("id")
        return TokenRecord(
            id: id,
            name: try row.stored("name"),
            secretDigest: try digest(row, "secret_digest", "tokens row \(id)"),
            role: try role(row, "tokens row \(id)"),
            apps: try scope(row),
            createdBy: try row.stored("created_by"),
            ownerID: try row.storedIfAny("owner_id"),
            createdAt: try row.storedTime("created_at"),
            expiresAt: try row.storedTimeIfAny("expires_at"),
            lastUsedAt: try row.storedTimeIfAny("last_used_at"),
            revokedAt: try row.storedTimeIfAny("revoked_at"),
            isSigned: try trust(.tokens, row)
        )
    }

    private static func role(_ row: SQLRow, _ place: String) throws -> Role {
        guard let role = Role(rawValue: try row.stored("role")) else {
            throw StoreError(.corrupt, "\(place): role has a value that this gatehouse does not know")
        }
        return role
    }

    private static func scope(_ row: SQLRow) throws -> AppScope {
        guard let text = try row.storedIfAny("apps") as String? else { return .all }
        // Must be a list: otherwise a stored null would widen a scope to all apps.
        let json = try JSONReader.read(text, limits: .own)
        guard json.array != nil else { throw StoreError(.corrupt, "A stored scope is no list of apps") }
        return try AppScope(json: json)
    }

    private static func digest(_ row: SQLRow, _ column: String, _ place: String) throws -> SHA256Digest {
        guard let digest = SHA256Digest(bytes: try row.stored(column)) else {
            throw StoreError(.corrupt, "\(place): \(column) is no digest")
        }
        return digest
    }
}
