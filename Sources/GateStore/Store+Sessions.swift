import Foundation
import GRDB
package import GateCrypto
package import GateModel

extension Store {
    /// Keeps a new session, and removes those that have reached their absolute end.
    /// - Parameter replacing: a session that ends with it: every sign-in and every renewed password gets a new identifier.
    package func createSession(_ session: SessionRecord, replacing old: SHA256Digest? = nil, audit: AuditEntry) throws(StoreError) {
        let now = configuration.now()
        try write("Writing a session") { db in
            try db.execute(
                sql: "DELETE FROM sessions WHERE expires_at <= ? OR id = ?",
                arguments: [now.milliseconds, old.map { Data($0.bytes) }]
            )
            try db.execute(
                sql: """
                    INSERT INTO sessions (id, user_id, csrf_digest, created_at, last_seen_at, expires_at, reauthenticated_at, address, user_agent)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    Data(session.id.bytes), session.userID, Data(session.csrfDigest.bytes), session.createdAt.milliseconds,
                    session.lastSeenAt.milliseconds,
                    session.expiresAt.milliseconds, session.reauthenticatedAt.milliseconds, session.address, session.userAgent,
                ]
            )
            let row = try Row.fetchOne(db, sql: "SELECT * FROM sessions WHERE id = ?", arguments: [Data(session.id.bytes)])
            try ReadBack.check("The session", session) { try row.map(PeopleRows.session) }
            try AuditRows.append(audit, to: db)
        }
    }

    /// A session and its user, both of one state; nil when there is none, it has reached its absolute end, or the user is disabled.
    /// Whether it was idle too long is the caller's to judge.
    package func session(id: SHA256Digest) throws(StoreError) -> (session: SessionRecord, user: UserRecord)? {
        let now = configuration.now()
        return try read("Reading a session") { db in
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM sessions WHERE id = ? AND expires_at > ?"),
                arguments: [Data(id.bytes), now.milliseconds]
            )
            guard let session = try row.map(PeopleRows.session) else { return nil }
            let user = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT * FROM users WHERE id = ? AND disabled = 0"),
                arguments: [session.userID]
            )
            return try user.map { (session, try PeopleRows.user($0)) }
        }
    }

    /// A user's sessions, the last seen first.
    package func sessions(of userID: Int) throws(StoreError) -> [SessionRecord] {
        let now = configuration.now()
        return try read("Reading sessions") { db in
            try Row.fetchAll(
                db,
                sql: "SELECT * FROM sessions WHERE user_id = ? AND expires_at > ? ORDER BY last_seen_at DESC, id",
                arguments: [userID, now.milliseconds]
            ).map(PeopleRows.session)
        }
    }

    /// Notes that a session was used. Nothing is written when that was noted less than a minute ago: reading a page must not cost an fsync.
    package func touchSession(_ session: SessionRecord, at now: Timestamp) throws(StoreError) {
        guard now >= session.lastSeenAt.advanced(bySeconds: 60) else { return }
        try write("Writing a session") { db in
            try db.execute(
                sql: "UPDATE sessions SET last_seen_at = max(last_seen_at, ?) WHERE id = ?",
                arguments: [now.milliseconds, Data(session.id.bytes)]
            )
        }
    }

    /// Ends a session; nothing when it has ended already.
    package func endSession(id: SHA256Digest, audit: AuditEntry) throws(StoreError) {
        try write("Ending a session") { db in
            try db.execute(sql: "DELETE FROM sessions WHERE id = ?", arguments: [Data(id.bytes)])
            try AuditRows.append(audit, to: db)
        }
    }

    /// Ends all sessions of a user.
    /// - Parameter keeping: one that goes on, if any.
    package func endSessions(of userID: Int, keeping session: SHA256Digest? = nil, audit: AuditEntry) throws(StoreError) {
        try write("Ending sessions") { db in
            try db.execute(
                sql: "DELETE FROM sessions WHERE user_id = ? AND id IS NOT ?",
                arguments: [userID, session.map { Data($0.bytes) }]
            )
            try AuditRows.append(audit, to: db)
        }
    }
}
