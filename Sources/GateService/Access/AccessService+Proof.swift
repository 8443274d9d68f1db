import GateCrypto
import GateJSON
import GateModel
import GateStore

extension AccessService {
    /// The one place where a password and a code are looked at, slowed down, counted.
    ///
    /// A password never proves anything alone where there is a second factor: what it opens is always fresh, and fresh is what takes the
    /// factor away and makes administrators.
    /// - Parameters:
    ///   - user: nil when there is nobody of that name; it then takes the same time.
    ///   - code: wanted of whoever has a second factor.
    ///   - party: whose failures count against whoever tries.
    func prove(
        _ user: UserRecord?,
        name: String,
        password: String,
        code: String?,
        as party: SignInThrottle.Party,
        action: String,
        from origin: RequestOrigin
    ) throws(ServiceError) -> UserRecord {
        // By the name as it is kept, of which there are many spellings that the store takes for one.
        let subject = user?.name ?? name
        var throttle = SignInThrottle(name: subject, origin: origin, party: party, now: now())
        func counted(_ error: ServiceError) -> ServiceError {
            refused(action, code: error.word, actor: nil, subject: user?.name, from: origin)
            var error = error
            error.isCounted = true
            return error
        }
        let lane: PasswordHasher.Lane
        do { lane = try throttle.admit(store: self) } catch {
            guard party.isDevice, error.code == .tooMany else { throw counted(error) }
            // Whoever guesses with a stolen cookie must not keep its owner out of their own browser: from here on it is a stranger's.
            throttle = SignInThrottle(name: subject, origin: origin, party: .stranger, now: now())
            do { lane = try throttle.admit(store: self) } catch { throw counted(error) }
        }
        let isRight: Bool
        // As long for who has no password yet as for any other.
        do { isRight = try hasher.verifies(password, user.flatMap { $0.hasPassword ? $0.passwordHash : nil }, in: lane) } catch {
            if error.word == ServiceError.busy.word { throttle.wasBusy(store: self) }
            throw error
        }
        guard let user, isRight, user.mayEnter else {
            try throttle.failed(store: self)
            throw counted(.wrongCredentials)
        }
        guard try isSatisfied(by: code, user, from: origin) else {
            try throttle.failed(store: self)
            throw counted(.wrongCode)
        }
        try throttle.succeeded(store: self)
        rehash(user, password: password, from: origin)
        return user
    }

    /// Whether a person's second factor is answered by `text`, which it uses up; true for who has none.
    /// - Throws: `totp_required` (401) when there is no code: no failure, but the next step of signing in.
    func isSatisfied(by text: String?, _ user: UserRecord, from origin: RequestOrigin) throws(ServiceError) -> Bool {
        guard let sealed = user.totpSecret else { return true }
        // Authenticators and printed lists show groups, and people type them as they see them.
        let bare = (text ?? "").filter { $0 != " " && $0 != "-" }
        guard !bare.isEmpty else {
            var error = ServiceError(
                .unauthenticated,
                "totp_required",
                "Enter the code of your authenticator too, or a recovery code.",
                field: "/totp"
            )
            error.isCounted = true
            throw error
        }
        if let digest = RecoveryCode.digest(of: bare) {
            let audit = entry(
                "account.recovery_code",
                outcome: .succeeded,
                actor: Actor(user),
                subject: user.name,
                from: origin
            )
            let at = now()
            return try store { store throws(StoreError) in try store.useRecoveryCode(of: user.id, digest: digest, at: at, audit: audit) }
        }
        let secret = try openTOTP(sealed, of: user.id)
        guard let step = OneTimeCode(secret: secret).step(of: bare, atSeconds: now().milliseconds / 1_000) else { return false }
        return try store { store throws(StoreError) in try store.useTOTPStep(step, of: user.id) }
    }

    /// Makes a hash anew that is cheaper to guess than those made today: only now is the password there to do it with.
    private func rehash(_ user: UserRecord, password: String, from origin: RequestOrigin) {
        guard user.passwordHash.needsRehash(cost: hasher.cost) else { return }
        // Busy or without memory now: the next sign-in does it.
        guard let hash = try? hasher.hash(password) else { return }
        let audit = entry(
            "people.rehash",
            outcome: .succeeded,
            actor: Actor(kind: .system, name: "gatehouse"),
            subject: user.name,
            from: origin
        )
        do {
            _ = try people { store throws(StoreError) in
                try store.editUser(id: user.id) { stored in
                    guard stored.passwordHash == user.passwordHash else { return nil }
                    stored.passwordHash = hash
                    return audit
                }
            }
            failures.worked(.rehash)
        } catch {
            // A disk that cannot take it keeps the old hash, with which signing in works as well.
            failures.failed(.rehash, error, requestId: origin.requestId)
        }
    }
}

extension ServiceError {
    static let wrongCredentials = ServiceError(.unauthenticated, "wrong_credentials", "The name or the password is wrong.")

    static let wrongCode = ServiceError(
        .unauthenticated,
        "wrong_totp",
        "The code is wrong or was used already; wait for the next one.",
        field: "/totp"
    )
}
