import GateStore

extension ServiceError {
    /// What the store's failure means to a caller. Its own text may name files, so only its kind leaves the server; the rest goes into the
    /// log as ``underlying``.
    init(_ error: StoreError) {
        let (code, word, detail, retryAfter): (Code, String, String, Int?)
        switch error.code {
        case .ended:
            // Somebody else was faster: that is an answer, not a failure.
            self = .ended
            return
        case .full:
            (code, word, retryAfter) = (.full, "disk_full", 5)
            detail = "The server's disk is full, so nothing was changed; feeds go on. Make room and try again."
        case .busy:
            (code, word, retryAfter) = (.unavailable, "database_busy", 5)
            detail = "Another program holds the database, so nothing was changed; feeds go on. Try again."
        case .slow:
            (code, word, retryAfter) = (.unavailable, "database_busy", 5)
            detail = "Other changes take very long, as on a slow disk, so nothing was changed; feeds go on. Try again."
        case .readOnly:
            (code, word, retryAfter) = (.unavailable, "database_read_only", 5)
            detail = "The database cannot be written, so nothing was changed; feeds go on."
        case .uncertain:
            (code, word, retryAfter) = (.unavailable, "outcome_unknown", 5)
            detail =
                "The database was lost while it wrote this, so it is not known whether it was done; feeds go on. Look at the history before you do it again."
        case .io, .corrupt, .unreadable:
            (code, word, retryAfter) = (.unavailable, "database_unavailable", 5)
            detail = "The database cannot be used, so nothing was changed; feeds go on. See the server's log."
        case .unsigned:
            (code, word, retryAfter) = (.conflict, "unsigned_record", nil)
            detail =
                "This was not written by the server, or was put back to an earlier state, so it cannot be changed. See gatehouse verify."
        case .keyMissing:
            (code, word, retryAfter) = (.unavailable, "key_missing", 60)
            detail = "The server's key for people, tokens and windows is missing, so nobody can be recognised; feeds go on."
        case .conflict:
            (code, word, retryAfter) = (.unavailable, "database_conflict", 5)
            detail = "The database does not hold what the server last wrote; nothing was changed. Restart the server."
        default:
            (code, word, retryAfter) = (.internal, "internal", nil)
            detail = "The server could not do this; nothing was changed. Look for the request's id in its log."
        }
        self.init(code, word, detail, retryAfter: retryAfter)
        underlying = error
    }
}
