package import GateCrypto
package import GateJSON
package import GateModel

extension Store {
    /// Stores a new session for somebody who has just proven who they are, and removes sessions that have reached their absolute end.
    /// - Parameters:
    ///   - proven: the person's record when their password (and their code, if they have a second factor) was checked.
    ///   - replacing: a session that the new one replaces: every sign-in and every renewed password gets a new identifier.
    ///   - authority: what else must still be valid, such as the session that the new one continues.
    /// - Returns: the person's present record.
    /// - Throws: ``StoreError/Code/ended`` when the person's password or second factor has changed since, or they are disabled or gone: a
    ///   sign-in in progress must not survive a reset that was meant to end it.
    @discardableResult
    package func createSession(
        _ session: SessionRecord,
        of proven: UserRecord,
        replacing old: SHA256Digest? = nil,
        by authority: Authority = .server,
        audit: AuditEntry
    ) throws(StoreError) -> UserRecord {
        let now = configuration.now()
        return try write("Writing a session", by: authority) { db in
            guard session.userID == proven.id else {
                throw StoreError.internal("The session does not belong to the person who proved who they are")
            }
            guard let user = try user(proven.id, in: db, signatures.trust(in: db)), user.isStill(proven) else {
                throw StoreError(.ended, "The proof of identity for the session is no longer valid")
            }
            try Self.insert(session, replacing: old, at: now, into: db)
            try AuditRows.append(audit, to: db)
            return user
        }
    }

    /// One session more ends the least recently used one.
    package static let mostSessionsOfAPerson = 100

    static func insert(_ session: SessionRecord, replacing old: SHA256Digest?, at now: Timestamp, into db: SQLConnection) throws {
        try db.execute(
            sql: "DELETE FROM sessions WHERE expires_at <= ? OR id = ?",
            arguments: [now.milliseconds, old?.bytes]
        )
        // The person's own from while the clock was ahead, which nobody can use: they would come first below, and push others out.
        try db.execute(
            sql: "DELETE FROM sessions WHERE user_id = ? AND created_at > ?",
            arguments: [session.userID, now.advanced(bySeconds: StoredTime.lead).milliseconds]
        )
        try db.execute(
            sql: """
                INSERT INTO sessions (id, user_id, csrf_digest, created_at, last_seen_at, expires_at, reauthenticated_at, address, user_agent)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                session.id.bytes, session.userID, session.csrfDigest.bytes, session.createdAt.milliseconds,
                session.lastSeenAt.milliseconds,
                session.expiresAt.milliseconds, session.reauthenticatedAt.milliseconds, session.address, session.userAgent,
            ]
        )
        // Otherwise whoever signs in again and again would slow down everybody's writes: the list of sessions is signed with every sign-in.
        try db.execute(
            sql: """
                DELETE FROM sessions WHERE user_id = ? AND id NOT IN
                (SELECT id FROM sessions WHERE user_id = ? ORDER BY id = ? DESC, last_seen_at DESC, created_at DESC LIMIT ?)
                """,
            arguments: [session.userID, session.userID, session.id.bytes, mostSessionsOfAPerson]
        )
        let row = try db.row(sql: "SELECT * FROM sessions WHERE id = ?", arguments: [session.id.bytes])
        try ReadBack.check("The session", session) { try row.map(PeopleRows.session) }
    }

    /// A session and its user, read from one state; nil when there is none, it has reached its absolute end, the user is disabled, or one
    /// of the two was not written by the server. Whether it was idle too long is for the caller to judge.
    package func session(id: SHA256Digest) throws(StoreError) -> (session: SessionRecord, user: UserRecord)? {
        let now = configuration.now()
        let judge = try signatures.judge()
        return try read("Reading a session") { db in
            let row = try db.cachedStatement(sql: "SELECT * FROM sessions WHERE id = ? AND expires_at > ?").row(arguments: [
                id.bytes, now.milliseconds,
            ])
            guard let row, try judge.isRight(.sessions, row) else { return nil }
            let session = try PeopleRows.session(row)
            let user = try db.cachedStatement(sql: "SELECT * FROM users WHERE id = ? AND disabled = 0").row(arguments: [session.userID])
            return try user.map { (session, try PeopleRows.user($0, judge.isRight)) }.flatMap { $0.1.isSigned ? $0 : nil }
        }
    }

    /// A user's sessions, the most recently seen first.
    package func sessions(of userID: Int) throws(StoreError) -> [SessionRecord] {
        let now = configuration.now()
        let judge = try signatures.judge()
        return try read("Reading sessions") { db in
            try db.rows(
                sql: "SELECT * FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY last_seen_at DESC, id",
                arguments: [userID, now.milliseconds]
            ).filter { try judge.isRight(.sessions, $0) }.map(PeopleRows.session)
        }
    }

    /// Notes that a session was used. Nothing is written when that was noted less than a minute ago: reading a page must not cost an fsync.
    /// - Returns: whether it was written.
    @discardableResult
    package func touchSession(_ session: SessionRecord, at now: Timestamp) throws(StoreError) -> Bool {
        guard now >= session.lastSeenAt.advanced(bySeconds: 60) else { return false }
        try write("Writing a session") { db in
            try db.execute(
                sql: "UPDATE sessions SET last_seen_at = ? WHERE id = ? AND last_seen_at < ?",
                arguments: [now.milliseconds, session.id.bytes, now.milliseconds]
            )
        }
        return true
    }

    /// Ends a session; does nothing to one that has ended already, and writes no entry then.
    package func endSession(id: SHA256Digest, by authority: Authority = .server, audit: AuditEntry) throws(StoreError) {
        try write("Ending a session", by: authority) { db in
            try db.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [id.bytes])
            // Of several who end it at once, one did, and the audit says so once.
            guard db.changesCount == 1 else { return }
            try AuditRows.append(audit, to: db)
        }
    }

    /// Ends all sessions of a user.
    /// - Parameter keeping: a session that stays, if any.
    package func endSessions(of userID: Int, keeping session: SHA256Digest? = nil, by authority: Authority = .server, audit: AuditEntry)
        throws(StoreError)
    {
        try write("Ending sessions", by: authority) { db in
            try db.execute(
                sql: "DELETE FROM sessions WHERE user_id = ? AND id IS DISTINCT FROM ?",
                arguments: [userID, session?.bytes]
            )
            try AuditRows.append(audit, to: db)
        }
    }
}
