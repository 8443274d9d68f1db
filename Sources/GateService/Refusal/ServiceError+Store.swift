import GateStore

extension ServiceError {
    /// What the store's failure means to a caller. Its own text may name files, so only its kind leaves the server; the rest goes into the
    /// log as ``underlying``.
    init(_ error: StoreError) {
        switch error.code {
        case .full:
            self.init(
                .full,
                "disk_full",
                "The server's disk is full, so nothing was changed; feeds go on. Make room and try again.",
                retryAfter: 5
            )
        case .busy:
            self.init(
                .unavailable,
                "database_busy",
                "Another program holds the database, so nothing was changed; feeds go on. Try again.",
                retryAfter: 5
            )
        case .readOnly:
            self.init(
                .unavailable,
                "database_read_only",
                "The database cannot be written, so nothing was changed; feeds go on.",
                retryAfter: 5
            )
        case .uncertain:
            self.init(
                .unavailable,
                "outcome_unknown",
                "The database was lost while it wrote this, so it is not known whether it was done; feeds go on. Look at the history before you do it again.",
                retryAfter: 5
            )
        case .io, .corrupt, .unreadable:
            self.init(
                .unavailable,
                "database_unavailable",
                "The database cannot be used, so nothing was changed; feeds go on. See the server's log.",
                retryAfter: 5
            )
        case .unsigned:
            self.init(
                .conflict,
                "unsigned_record",
                "This was not written by the server, or was put back to an earlier state, so it cannot be changed. See gatehouse verify."
            )
        case .keyMissing:
            self.init(
                .unavailable,
                "key_missing",
                "The server's key for people, tokens and windows is missing, so nobody can be recognised; feeds go on.",
                retryAfter: 60
            )
        case .conflict:
            self.init(
                .unavailable,
                "database_conflict",
                "The database does not hold what the server last wrote; nothing was changed. Restart the server.",
                retryAfter: 5
            )
        case .ended:
            // Somebody else was faster: that is an answer, not a failure.
            self = .ended
            return
        default:
            self.init(.internal, "internal", "The server could not do this; nothing was changed. Look for the request's id in its log.")
        }
        underlying = error
    }
}
