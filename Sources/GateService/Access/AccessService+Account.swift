package import GateCrypto
import GateJSON
package import GateModel
import GateStore

extension AccessService {
    /// - Parameter freshSeconds: for how many seconds a password need not be given again.
    package func account(_ session: SignedIn, freshSeconds: Int64) throws(ServiceError) -> Account {
        let record = try user(of: session)
        let person = Person(record)
        return Account(
            user: session.user,
            createdAt: person.createdAt,
            passwordChangedAt: person.passwordChangedAt,
            hasTOTP: person.hasTOTP,
            recoveryCodes: person.hasTOTP ? try store { store throws(StoreError) in try store.recoveryCodesLeft(of: record.id) } : 0,
            freshUntil: session.freshUntil(seconds: freshSeconds),
            origin: session.origin
        )
    }

    /// Changes one's own password. All sessions end; this browser gets a new, fresh one. That is why a person with a second factor must
    /// also give its code, as at every other place where a password makes a session fresh.
    /// - Parameters:
    ///   - totp: as in ``signIn(username:password:totp:replacing:from:)``.
    ///   - revokingTokens: whether one's own tokens end too. By default they stay valid: people change passwords for many reasons, and
    ///     pipelines run with these tokens.
    /// - Throws: `wrong_password`, `totp_required`, `wrong_totp` (403: the session goes on), `invalid_password` (422),
    ///   `too_many_tries` (429).
    package func changePassword(
        _ session: SignedIn,
        current: String,
        new: String,
        totp: String?,
        revokingTokens: Bool = false,
        from origin: RequestOrigin
    ) throws(ServiceError) -> NewSession {
        try session.requirePassword()
        let action = "account.password"
        // Before a code is used up, as the hash is.
        try PasswordRules.check(new, username: session.user.name, field: "/newPassword")
        let proven: UserRecord
        var hash = PasswordHash.missing
        do {
            proven = try prove(
                try user(of: session),
                name: session.user.name,
                password: current,
                code: totp,
                as: .session(session.digest),
                action: action,
                from: origin,
                preparing: { () throws(ServiceError) in hash = try hasher.hash(new, for: session.userID) }
            )
        } catch {
            throw error.inSession
        }
        let detail: JSONObject? = revokingTokens ? ["tokens": .string("revoked")] : nil
        let audit = entry(action, in: session, detail: detail, from: origin)
        let renewed = draftSession(of: proven, action: Self.signingIn, from: origin)
        let changed = try editUser(
            id: proven.id,
            by: session.authority,
            endingTokens: revokingTokens,
            starting: (renewed.session, renewed.audit)
        ) { user throws(ServiceError) in
            guard user.isStill(proven) else { throw .ended }
            user.setPassword(hash, at: now())
            return audit
        }
        return NewSession(
            secret: renewed.secret,
            signedIn: signedIn(renewed.session, changed, secret: renewed.secret),
            device: newDevice(of: changed)
        )
    }

    /// Sets the password of somebody who is locked out, from a shell on the server itself. Their sessions and tokens end.
    /// - Parameter clearTOTP: whether to remove the second factor too.
    /// - Throws: `user_not_found`, `invalid_password`.
    package func resetPassword(username: String, password: String, clearTOTP: Bool, from origin: RequestOrigin) throws(ServiceError) {
        try resetPassword(username: username, hash: passwordHash(of: password, username: username), clearTOTP: clearTOTP, from: origin)
    }

    /// The hash that is stored for a password.
    /// - Throws: `invalid_password`.
    package func passwordHash(of password: String, username: String) throws(ServiceError) -> PasswordHash {
        try PasswordRules.check(password, username: username)
        return try hasher.hash(password)
    }

    /// As ``resetPassword(username:password:clearTOTP:from:)``, but with a password that was already checked and hashed elsewhere.
    package func resetPassword(username: String, hash: PasswordHash, clearTOTP: Bool, from origin: RequestOrigin) throws(ServiceError) {
        guard let user = try store({ store throws(StoreError) in try store.user(named: username) }) else { throw .missingPerson }
        guard user.origin == nil else { throw .ofProxy(user.name) }
        let audit = entry(
            "people.reset",
            actor: Actor(kind: .system, name: "console"),
            subject: user.name,
            detail: ["password": .string("changed"), "tokens": .string("revoked"), "totp": .string(clearTOTP ? "cleared" : "kept")],
            from: origin
        )
        try editUser(id: user.id, endingTokens: true) { user in
            user.setPassword(hash, at: now())
            if clearTOTP { user.clearTOTP() }
            return audit
        }
    }

    /// One's own sessions, the most recently seen first.
    package func sessions(of session: SignedIn) throws(ServiceError) -> [OwnSession] {
        try records(of: session).map { record in
            OwnSession(
                id: record.listedID,
                isCurrent: record.id == session.digest,
                createdAt: record.createdAt,
                lastSeenAt: record.lastSeenAt,
                expiresAt: record.expiresAt,
                address: record.address,
                userAgent: record.userAgent
            )
        }
    }

    /// Ends one of one's own sessions.
    /// - Returns: whether it was the session that made the request.
    /// - Throws: `session_not_found` (404).
    package func endSession(_ id: String, of session: SignedIn, from origin: RequestOrigin) throws(ServiceError) -> Bool {
        guard let record = try records(of: session).first(where: { $0.listedID == id }) else {
            throw ServiceError(.notFound, "session_not_found", "You have no such session; it may have ended.")
        }
        let audit = entry("session.delete", in: session, detail: ["id": .string(record.listedID)], from: origin)
        try store { store throws(StoreError) in try store.endSession(id: record.id, by: session.authority, audit: audit) }
        return record.id == session.digest
    }

    /// Ends all of one's own sessions except the one that made the request.
    package func endOtherSessions(of session: SignedIn, from origin: RequestOrigin) throws(ServiceError) {
        let audit = entry("session.delete", in: session, detail: ["id": .string("all others")], from: origin)
        try store { store throws(StoreError) in
            try store.endSessions(of: session.userID, keeping: session.digest, by: session.authority, audit: audit)
        }
    }

    /// The person's sessions, without those that nobody can use any more.
    private func records(of session: SignedIn) throws(ServiceError) -> [SessionRecord] {
        let at = now()
        return try store { store throws(StoreError) in try store.sessions(of: session.userID) }
            .filter { $0.isInUse(at: at) }
    }
}

extension SessionRecord {
    fileprivate var listedID: String { Hexadecimal.encode(Array(id.bytes.prefix(16))) }
}

extension ServiceError {
    /// A failed proof of somebody whose session continues: 401 would tell a browser that the session has ended.
    fileprivate var inSession: ServiceError {
        let error =
            switch word {
            case "wrong_credentials":
                ServiceError(.forbidden, "wrong_password", "This is not your present password.", field: "/currentPassword")
            case "totp_required", "wrong_totp": ServiceError(.forbidden, word, detail, field: field)
            default: self
            }
        return isCounted ? error.counted : error
    }
}

extension UserRecord {
    /// Removes the second factor, and one that is being set up.
    mutating func clearTOTP() { (totpSecret, totpPending) = (nil, nil) }

    /// `passwordChangedAt` always moves forward: the store uses it to detect a new password and to end the sessions of the old one.
    mutating func setPassword(_ hash: PasswordHash, at now: Timestamp) {
        passwordHash = hash
        invitation = nil
        passwordChangedAt = max(now, Timestamp(milliseconds: passwordChangedAt.milliseconds + 1))
    }
}
