import GateCrypto
package import GateJSON
package import GateModel

extension Store {
    /// The readable tokens, the newest first, including expired ones and those revoked last. The health reports unreadable ones.
    /// - Parameter owner: nil for those of everybody.
    /// - Throws: ``StoreError/Code/notFound`` when the token that the part follows is gone, or another person's.
    package func tokens(of owner: Int? = nil, _ part: ListPart<String> = ListPart()) throws(StoreError) -> [TokenRecord] {
        let judge = try signatures.judge()
        return try read("Reading the tokens") { db in
            var (conditions, arguments): ([String], SQLArguments) = ([], [])
            if let owner {
                conditions.append("owner_id = ?")
                arguments += [owner]
            }
            if let last = part.after {
                let known = (conditions + ["id = ?"]).joined(separator: " AND ")
                guard
                    let made = try db.value(
                        Int64.self,
                        sql: "SELECT created_at FROM tokens WHERE \(known)",
                        arguments: arguments + [last]
                    )
                else { throw StoreError(.notFound, "There is no token \(last)") }
                conditions.append("(created_at < ? OR created_at = ? AND id > ?)")
                arguments += [made, made, last]
            }
            let condition = conditions.isEmpty ? "" : "WHERE " + conditions.joined(separator: " AND ")
            let rows = try db.cursor(sql: "SELECT * FROM tokens \(condition) ORDER BY created_at DESC, id", arguments: arguments)
            return try PeopleRows.list(rows, part, judge, PeopleRows.token)
        }
    }

    /// The token with that public part, valid or not; see ``TokenRecord/isValid(at:)``.
    package func token(id: String) throws(StoreError) -> TokenRecord? {
        let judge = try signatures.judge()
        return try look("Reading a token") { db in try token(id, in: db, judge.isRight) }
    }

    /// The token with that public part, and its owner, read from one state. The owner is nil for a token without an owner and for one whose
    /// owner is gone: ``TokenRecord/ownerID`` tells these apart.
    package func tokenAndOwner(id: String) throws(StoreError) -> (token: TokenRecord, owner: UserRecord?)? {
        let judge = try signatures.judge()
        let alone = try look("Reading a token") { db in try token(id, in: db, judge.isRight) }
        // Every request asks this, and most tokens have no owner: only the others need two statements on one state.
        guard alone?.ownerID != nil else { return alone.map { ($0, nil) } }
        return try read("Reading a token") { db in
            guard let token = try token(id, in: db, judge.isRight) else { return nil }
            guard let owner = token.ownerID else { return (token, nil) }
            return (token, try user(owner, in: db, judge.isRight))
        }
    }

    func token(_ id: String, in db: SQLConnection, _ trust: RowTrust) throws -> TokenRecord? {
        try db.cachedStatement(sql: "SELECT * FROM tokens WHERE id = ?").row(arguments: [id]).map {
            try PeopleRows.token($0, trust)
        }
    }

    /// How many unrevoked tokens, expired or not, one person may have; the same limit holds for tokens without an owner. Each write to a
    /// token signs the list of all: without a limit, one caller could slow down everybody's writes.
    package static let mostTokensOfAnOwner = 200

    /// How many revoked tokens of one owner stay for people to look at; the audit knows of all. Without a limit, whoever makes and revokes
    /// tokens over and over would make the list, and the signing of it, longer for ever.
    package static let mostRevokedTokensOfAnOwner = 200

    /// Removes the owner's revoked tokens but for those that were revoked last.
    static func dropRevokedTokens(of owner: Int?, in db: SQLConnection) throws {
        try db.execute(
            sql: """
                DELETE FROM tokens WHERE owner_id IS NOT DISTINCT FROM ? AND revoked_at IS NOT NULL AND id NOT IN
                (SELECT id FROM tokens WHERE owner_id IS NOT DISTINCT FROM ? AND revoked_at IS NOT NULL ORDER BY revoked_at DESC, id LIMIT ?)
                """,
            arguments: [owner, owner, mostRevokedTokensOfAnOwner]
        )
    }

    /// - Parameter idempotency: what is answered when the request is repeated, kept with the token or not at all; nil where it has no key.
    /// - Throws: ``StoreError/Code/duplicate`` when the public part is taken, or the Idempotency-Key was used meanwhile;
    ///   ``StoreError/Code/tooMany``.
    package func createToken(
        _ token: TokenRecord,
        by authority: Authority = .server,
        audit: AuditEntry,
        idempotency: IdempotencyRecord? = nil
    ) throws(StoreError) {
        let now = configuration.now()
        try write("Adding a token", by: authority) { db in
            let count =
                try db.value(
                    Int.self,
                    sql: "SELECT count(*) FROM tokens WHERE owner_id IS NOT DISTINCT FROM ? AND revoked_at IS NULL",
                    arguments: [token.ownerID]
                ) ?? 0
            guard count < Self.mostTokensOfAnOwner else { throw StoreError(.tooMany, "There are \(count) tokens of one owner already") }
            try db.execute(
                sql: """
                    INSERT INTO tokens (id, name, secret_digest, role, apps, created_by, owner_id, created_at, expires_at, last_used_at, revoked_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    token.id, token.name, token.secretDigest.bytes, token.role.rawValue, PeopleRows.text(of: token.apps),
                    token.createdBy,
                    token.ownerID, token.createdAt.milliseconds, token.expiresAt?.milliseconds, token.lastUsedAt?.milliseconds,
                    token.revokedAt?.milliseconds,
                ]
            )
            try AuditRows.append(audit, to: db)
            if let idempotency { try IdempotencyRows.insert(idempotency, now: now, quota: configuration.idempotency, into: db) }
            try ReadBack.check("The token \(token.id)", token) { try self.token(token.id, in: db, PeopleRows.justWritten) }
        }
    }

    /// Ends a token for good. One that is revoked already stays as it is, and no entry is written.
    /// - Throws: ``StoreError/Code/notFound``.
    package func revokeToken(id: String, at now: Timestamp, by authority: Authority = .server, audit: AuditEntry) throws(StoreError) {
        try write("Revoking a token", by: authority) { db in
            guard let row = try db.row(sql: "SELECT owner_id FROM tokens WHERE id = ?", arguments: [id]) else {
                throw StoreError(.notFound, "There is no token \(id)")
            }
            try db.execute(
                sql: "UPDATE tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
                arguments: [now.milliseconds, id]
            )
            // Of several who revoke it at once, one did, and the audit says so once.
            guard db.changesCount == 1 else { return }
            try Self.dropRevokedTokens(of: row.storedIfAny("owner_id"), in: db)
            try AuditRows.append(audit, to: db)
        }
    }

    /// Notes that a token was used. Nothing is written when that was noted less than five minutes ago.
    /// - Returns: whether it was written.
    @discardableResult
    package func tokenUsed(_ token: TokenRecord, at now: Timestamp) throws(StoreError) -> Bool {
        if let last = token.lastUsedAt, now < last.advanced(bySeconds: 300) { return false }
        try write("Writing a token") { db in
            try db.execute(
                sql: "UPDATE tokens SET last_used_at = ? WHERE id = ? AND coalesce(last_used_at, 0) < ?",
                arguments: [now.milliseconds, token.id, now.milliseconds]
            )
        }
        return true
    }
}
