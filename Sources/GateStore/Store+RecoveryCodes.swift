import Foundation
package import GateCrypto
package import GateJSON
package import GateModel

extension Store {
    /// Activates a pending second factor that its authenticator has confirmed, with its recovery codes: from now on, signing in requires
    /// it.
    /// - Parameters:
    ///   - pending: the secret that was confirmed; if another one is pending by now, nothing changes.
    ///   - step: the step of the confirming code, which can no longer be used to sign in.
    /// - Returns: whether the pending secret was still that one.
    package func confirmTOTP(
        _ pending: [UInt8],
        of userID: Int,
        step: Int64,
        recoveryCodes: [SHA256Digest],
        by authority: Authority = .server,
        audit: AuditEntry
    ) throws(StoreError) -> Bool {
        try write("Writing a second factor", by: authority) { db in
            try db.execute(
                sql: "UPDATE users SET totp_secret = totp_pending, totp_pending = NULL, totp_step = ? WHERE id = ? AND totp_pending = ?",
                arguments: [step, userID, pending]
            )
            guard db.changesCount == 1 else { return false }
            try Self.replaceRecoveryCodes(of: userID, with: recoveryCodes, in: db)
            try AuditRows.append(audit, to: db)
            return true
        }
    }

    static func replaceRecoveryCodes(of userID: Int, with digests: [SHA256Digest], in db: SQLConnection) throws {
        try db.execute(sql: "DELETE FROM recovery_codes WHERE user_id = ?", arguments: [userID])
        for digest in digests {
            try db.execute(sql: "INSERT INTO recovery_codes (user_id, digest) VALUES (?, ?)", arguments: [userID, digest.bytes])
        }
    }

    /// Uses a code up.
    /// - Returns: false when there is no such code or it was used before; then nothing is written.
    package func useRecoveryCode(of userID: Int, digest: SHA256Digest, at now: Timestamp, audit: AuditEntry) throws(StoreError) -> Bool {
        let judge = try signatures.judge()
        return try write("Using a recovery code") { db in
            let row = try db.row(sql: "SELECT * FROM recovery_codes WHERE user_id = ? AND digest = ?", arguments: [userID, digest.bytes])
            guard let row, try judge.isRight(.recoveryCodes, row) else { return false }
            try db.execute(
                sql: "UPDATE recovery_codes SET used_at = ? WHERE user_id = ? AND digest = ? AND used_at IS NULL",
                arguments: [now.milliseconds, userID, digest.bytes]
            )
            guard db.changesCount == 1 else { return false }
            try AuditRows.append(audit, to: db)
            return true
        }
    }

    /// How many codes a user has left.
    package func recoveryCodesLeft(of userID: Int) throws(StoreError) -> Int {
        let judge = try signatures.judge()
        return try read("Reading recovery codes") { db in
            try db.rows(sql: "SELECT * FROM recovery_codes WHERE user_id = ? AND used_at IS NULL", arguments: [userID])
                .count { try judge.isRight(.recoveryCodes, $0) }
        }
    }
}
