package import GateCrypto
import GateJSON
package import GateModel

extension Store {
    /// The readable users, ordered by name. The health reports unreadable ones.
    /// - Throws: ``StoreError/Code/notFound`` when the user that the part follows is gone.
    package func users(_ part: ListPart<Int> = ListPart()) throws(StoreError) -> [UserRecord] {
        let judge = try signatures.judge()
        return try read("Reading the users") { db in
            var (condition, arguments): (String, SQLArguments) = ("", [])
            if let last = part.after {
                guard let name = try db.value(String.self, sql: "SELECT name_folded FROM users WHERE id = ?", arguments: [last])
                else { throw StoreError(.notFound, "There is no user \(last)") }
                (condition, arguments) = ("WHERE name_folded > ?", [name])
            }
            let rows = try db.cursor(sql: "SELECT * FROM users \(condition) ORDER BY name_folded", arguments: arguments)
            return try PeopleRows.list(rows, part, judge, PeopleRows.user)
        }
    }

    /// The readable ones of these users, in any order.
    package func users(numbered ids: Set<Int>) throws(StoreError) -> [UserRecord] {
        guard !ids.isEmpty else { return [] }
        let judge = try signatures.judge()
        return try read("Reading the users") { db in
            let user = try db.cachedStatement(sql: "SELECT * FROM users WHERE id = ?")
            return try ids.compactMap { id in
                try user.row(arguments: [id]).flatMap { try PeopleRows.listed($0, judge, PeopleRows.user) }
            }
        }
    }

    /// Whether there is anybody at all: until then the server offers to create the first administrator.
    package func hasUsers() throws(StoreError) -> Bool {
        try read("Reading the users") { db in try Self.hasUsers(db) }
    }

    package func user(id: Int) throws(StoreError) -> UserRecord? {
        let judge = try signatures.judge()
        return try read("Reading a user") { db in try user(id, in: db, judge.isRight) }
    }

    func user(_ id: Int, in db: SQLConnection, _ trust: RowTrust) throws -> UserRecord? {
        try db.cachedStatement(sql: "SELECT * FROM users WHERE id = ?").row(arguments: [id]).map {
            try PeopleRows.user($0, trust)
        }
    }

    /// The user of that name, whatever the case of its letters.
    package func user(named name: String) throws(StoreError) -> UserRecord? {
        // Nobody is called so, and PostgreSQL cannot even be asked: strangers must not make it fail.
        guard !name.utf8.contains(0) else { return nil }
        let judge = try signatures.judge()
        return try read("Reading a user") { db in
            try db.row(sql: "SELECT * FROM users WHERE name_folded = ?", arguments: [UserRecord.folded(name)]).map {
                try PeopleRows.user($0, judge.isRight)
            }
        }
    }

    /// The user whose invitation has that digest, whether it is still valid or not.
    package func user(invitedBy digest: SHA256Digest) throws(StoreError) -> UserRecord? {
        let judge = try signatures.judge()
        return try read("Reading a user") { db in
            try db.row(sql: "SELECT * FROM users WHERE invitation_digest = ?", arguments: [digest.bytes]).map {
                try PeopleRows.user($0, judge.isRight)
            }
        }
    }

    /// Adds the first user, in the same transaction that checks that there is none.
    /// - Throws: ``StoreError/Code/conflict`` when there is one.
    package func createFirstUser(_ user: NewUser, audit: AuditEntry) throws(StoreError) -> UserRecord {
        try write("Adding the first user") { db in
            guard try !Self.hasUsers(db) else { throw StoreError(.conflict, "There is a user already") }
            return try Self.insert(user, audit: audit, into: db)
        }
    }

    /// The most users there may be, for the same reason as ``mostTokensOfAnOwner``.
    package static let mostUsers = 1_000

    /// - Throws: ``StoreError/Code/duplicate`` when the name is taken; ``StoreError/Code/tooMany``.
    package func createUser(_ user: NewUser, by authority: Authority = .server, audit: AuditEntry) throws(StoreError) -> UserRecord {
        try write("Adding a user", by: authority) { db in
            let count = try db.value(Int.self, sql: "SELECT count(*) FROM users") ?? 0
            guard count < Self.mostUsers else { throw StoreError(.tooMany, "There are \(count) users already") }
            return try Self.insert(user, audit: audit, into: db)
        }
    }

    /// Edits a user's record as it is at the moment of writing: two people who edit at once do not undo each other's work.
    ///
    /// All of the user's sessions end when the role, the apps or the password change or the user is disabled: what a signed-in browser may
    /// do must not outlast the reason for it. An invitation ends with them: whoever made it may still have the link, and must not get the
    /// rights that the person has now. Removing a second factor also removes its recovery codes.
    /// - Parameters:
    ///   - keepingSessions: whether all sessions stay, where a person's rights do not come from a session.
    ///   - authority: what must still be valid.
    ///   - endingTokens: whether a new password also revokes the user's tokens.
    ///   - new: a session that begins with this edit, and its audit entry.
    ///   - old: this browser's session, whoever's it is, which ends when the new one begins.
    ///   - edit: alters the user, and returns the audit entry, or nil when there is nothing to alter; then nothing is written.
    /// - Returns: the user afterwards.
    /// - Throws: ``StoreError/Code/notFound``; ``StoreError/Code/duplicate`` when the name is taken; ``StoreError/Code/conflict`` when
    ///   nobody would be left who manages people; ``StoreError/Code/ended``.
    package func editUser(
        id: Int,
        keepingSessions: Bool = false,
        by authority: Authority = .server,
        endingTokens: Bool = false,
        starting new: (session: SessionRecord, audit: AuditEntry)? = nil,
        replacing old: SHA256Digest? = nil,
        _ edit: (inout UserRecord) -> AuditEntry?
    ) throws(StoreError) -> UserRecord {
        let now = configuration.now()
        return try write("Writing a user", by: authority) { db in
            guard let before = try self.user(id, in: db, signatures.trust(in: db)) else {
                throw StoreError(.notFound, "There is no user \(id)")
            }
            guard before.isSigned else { throw StoreError(.unsigned, "users row \(id) is not as gatehouse left it") }
            var user = before
            guard let audit = edit(&user) else { return before }
            // A hash that was only recomputed at a higher cost is the same password, and passwordChangedAt stays.
            let mayDoLess =
                before.role != user.role || before.apps != user.apps || user.disabled || before.passwordChangedAt != user.passwordChangedAt
            if mayDoLess { user.invitation = nil }
            try db.execute(
                sql: """
                    UPDATE users SET name = ?, name_folded = ?, role = ?, apps = ?, password_hash = ?, disabled = ?, totp_secret = ?, totp_pending = ?,
                        totp_step = ?, password_changed_at = ?, invitation_digest = ?, invitation_expires_at = ?
                    WHERE id = ?
                    """,
                arguments: [
                    user.name, UserRecord.folded(user.name), user.role.rawValue, PeopleRows.text(of: user.apps), user.passwordHash.text,
                    user.disabled,
                    user.totpSecret, user.totpPending, user.totpStep, user.passwordChangedAt.milliseconds,
                    user.invitation?.digest.bytes, user.invitation?.expiresAt.milliseconds,
                    user.id,
                ]
            )
            if endingTokens, before.passwordChangedAt != user.passwordChangedAt { try Self.revokeTokens(of: user.id, at: now, in: db) }
            if mayDoLess, !keepingSessions { try db.execute(sql: "DELETE FROM sessions WHERE user_id = ?", arguments: [user.id]) }
            if user.totpSecret == nil { try db.execute(sql: "DELETE FROM recovery_codes WHERE user_id = ?", arguments: [user.id]) }
            try checkAdministrators(db)
            try AuditRows.append(audit, to: db)
            try PeopleRows.check(user, in: db)
            if let new {
                try Self.insert(new.session, replacing: old, at: now, into: db)
                try AuditRows.append(new.audit, to: db)
            }
            return user
        }
    }

    /// Records that the code of a step was used, unless that step or a later one was used before.
    /// - Returns: whether it was the first use.
    package func useTOTPStep(_ step: Int64, of userID: Int) throws(StoreError) -> Bool {
        try write("Writing a user") { db in
            try db.execute(sql: "UPDATE users SET totp_step = ? WHERE id = ? AND totp_step < ?", arguments: [step, userID, step])
            return db.changesCount == 1
        }
    }

    /// Removes a user with all sessions and recovery codes, and revokes their tokens.
    /// - Parameter decide: sees the user's present record, and returns the audit entry, or nil to keep the user.
    /// - Throws: ``StoreError/Code/notFound``; ``StoreError/Code/conflict`` when nobody would be left who manages people;
    ///   ``StoreError/Code/ended``.
    package func deleteUser(id: Int, by authority: Authority = .server, _ decide: (UserRecord) -> AuditEntry?) throws(StoreError) {
        let now = configuration.now()
        try write("Removing a user", by: authority) { db in
            guard let user = try self.user(id, in: db, signatures.trust(in: db)) else {
                throw StoreError(.notFound, "There is no user \(id)")
            }
            guard let audit = decide(user) else { return }
            try Self.revokeTokens(of: id, at: now, in: db)
            try db.execute(sql: "DELETE FROM users WHERE id = ?", arguments: [id])
            try checkAdministrators(db)
            try AuditRows.append(audit, to: db)
        }
    }

    private static func revokeTokens(of userID: Int, at now: Timestamp, in db: SQLConnection) throws {
        try db.execute(
            sql: "UPDATE tokens SET revoked_at = ? WHERE owner_id = ? AND revoked_at IS NULL",
            arguments: [now.milliseconds, userID]
        )
        try dropRevokedTokens(of: userID, in: db)
    }

    private static func hasUsers(_ db: SQLConnection) throws -> Bool {
        try db.value(Bool.self, sql: "SELECT EXISTS (SELECT 1 FROM users)") ?? false
    }

    private static func insert(_ user: NewUser, audit: AuditEntry, into db: SQLConnection) throws -> UserRecord {
        let id = try db.value(
            Int.self,
            sql: """
                INSERT INTO users (
                    name, name_folded, role, apps, password_hash, disabled, created_at, password_changed_at, invitation_digest, invitation_expires_at,
                    origin
                )
                VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)
                RETURNING id
                """,
            arguments: [
                user.name, UserRecord.folded(user.name), user.role.rawValue, PeopleRows.text(of: user.apps), user.passwordHash.text,
                user.createdAt.milliseconds, user.createdAt.milliseconds,
                user.invitation?.digest.bytes, user.invitation?.expiresAt.milliseconds, user.origin?.rawValue,
            ]
        )
        guard let id else { throw StoreError.internal("A user was written and has no number") }
        try AuditRows.append(audit, to: db)
        let record = UserRecord(
            id: id,
            name: user.name,
            role: user.role,
            apps: user.apps,
            passwordHash: user.passwordHash,
            createdAt: user.createdAt,
            passwordChangedAt: user.createdAt,
            invitation: user.invitation,
            origin: user.origin
        )
        try PeopleRows.check(record, in: db)
        return record
    }

    /// Who can let people in, as a condition on rows of `users`.
    static let administrators = "role = 'admin' AND apps IS NULL AND disabled = 0 AND password_hash <> ''"

    /// Somebody must always be able to let people in.
    private func checkAdministrators(_ db: SQLConnection) throws {
        // These do not count: somebody whose row the server did not write, somebody who was invited and has no password yet, and somebody
        // who signs in only through a proxy: without the proxy nobody could.
        let left = try db.rows(sql: "SELECT * FROM users WHERE \(Self.administrators)")
            .contains { try signatures.trust(in: db)(.users, $0) }
        guard left else {
            throw StoreError(
                .conflict,
                "At least one administrator of all apps must stay",
                hint: "Make somebody else an administrator first."
            )
        }
    }
}
