/// The tables whose rows are signed: who may do what, and what the clock will do.
enum SignedTable: String, CaseIterable, Sendable {
    case users, sessions, tokens
    case recoveryCodes = "recovery_codes"
    case windows

    /// What a signature covers besides the generation. Names are part of it: a column added by a later migration is NULL in older rows,
    /// which leaves their signatures unchanged.
    ///
    /// When a session was last seen and a token last used is left out: that is written without anybody doing anything, and gives no access.
    /// The worst result of altering it is that an idle session ends an hour late.
    var columns: [String] {
        switch self {
        case .users:
            [
                "id", "name", "name_folded", "role", "apps", "password_hash", "disabled", "totp_secret", "created_at",
                "password_changed_at", "totp_pending",
                "totp_step", "invitation_digest", "invitation_expires_at", "origin",
            ]
        case .sessions: ["id", "user_id", "csrf_digest", "created_at", "expires_at", "reauthenticated_at", "address", "user_agent"]
        case .tokens: ["id", "name", "secret_digest", "role", "apps", "created_by", "created_at", "expires_at", "revoked_at", "owner_id"]
        case .recoveryCodes: ["user_id", "digest", "used_at"]
        case .windows: ["id", "version", "state", "due_at", "document"]
        }
    }

    /// The columns of the primary key.
    var keyColumns: [String] { self == .recoveryCodes ? ["user_id", "digest"] : ["id"] }

    /// The condition for the row of a key, whose values are the arguments in the order of ``keyColumns``.
    var keyCondition: String { keyColumns.map { "\($0) = ?" }.joined(separator: " AND ") }

    /// How lists and faults name a row by its key: `3`, `k7Fq2Zx1`, half of a session's digest.
    func name(ofKey values: [SQLValue]) -> String { SQLValue.name(ofKey: values) }

    /// Whether a row may still have an effect. Other rows are only kept as a record, and are on no list.
    /// - Parameter values: in the order of ``columns``.
    func isLive(_ values: [SQLValue]) -> Bool {
        func isNull(_ column: String) -> Bool { columns.firstIndex(of: column).map { values[$0].isNull } ?? false }
        switch self {
        case .users, .sessions: return true
        case .tokens: return isNull("revoked_at")
        case .recoveryCodes: return isNull("used_at")
        // Includes missed windows, which a person can still run.
        case .windows:
            return columns.firstIndex(of: "state").map { ["pending", "running", "missed"].contains(values[$0].text) }
                ?? false
        }
    }
}
