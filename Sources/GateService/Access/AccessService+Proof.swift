import GateCrypto
import GateJSON
import GateModel
import GateStore

extension AccessService {
    /// The one place where a password and a code are checked, throttled and counted.
    ///
    /// Where there is a second factor, a password alone never proves anything: the session it opens is always fresh, and a fresh session
    /// may remove the factor and make administrators.
    /// - Parameters:
    ///   - user: nil when there is nobody of that name; the check then takes just as long.
    ///   - code: required from anyone who has a second factor.
    ///   - party: whose earlier failures count against this attempt.
    ///   - prepare: what may fail for want of room and must have worked before a code is used up; only after the right password.
    func prove(
        _ user: UserRecord?,
        name: String,
        password: String,
        code: String?,
        as party: SignInThrottle.Party,
        action: String,
        from origin: RequestOrigin,
        preparing prepare: () throws(ServiceError) -> Void = {}
    ) throws(ServiceError) -> UserRecord {
        let guessing = RecoveryCode.bare(code).flatMap { RecoveryCode.digest(of: $0) == nil ? user?.id : nil }
        var throttle = SignInThrottle(name: name, origin: origin, party: party, guessing: guessing, now: now())
        func counted(_ error: ServiceError) -> ServiceError { self.counted(error, of: action, subject: user?.name, from: origin) }
        let lane: PasswordHasher.Lane
        do { lane = try throttle.admit(store: self) } catch {
            guard party.isDevice, error.code == .tooMany else { throw counted(error) }
            // Somebody guessing with a stolen cookie must not lock its owner out of their own browser: from here on they count as a
            // stranger.
            throttle = SignInThrottle(name: name, origin: origin, party: .stranger, guessing: guessing, now: now())
            do { lane = try throttle.admit(store: self) } catch { throw counted(error) }
        }
        // Whoever has the right password has no failures to be slowed down by, and would keep others from having theirs checked. Guesses of
        // strangers do not count: nobody can be kept out by others.
        let isKnown = lane == .known
        if let user, let seconds = proofs.wait(user.id, at: throttle.now, counting: isKnown) {
            throw counted(.tooManyProofs(proofs.most, seconds))
        }
        let half = user.flatMap { throttle.half(of: $0, with: code) }
        if let half, let seconds = halves.wait(half, at: throttle.now, counting: false) {
            throw counted(.tooManyProofs(halves.most, seconds))
        }
        let isRight: Bool
        // Takes as long for somebody who has no password yet as for anyone else.
        do {
            isRight = try hasher.verifies(password, user.flatMap { $0.hasPassword ? $0.passwordHash : nil }, in: lane, of: user?.id)
        } catch {
            if error.word == ServiceError.busy.word { throttle.wasBusy(store: self) }
            throw error
        }
        guard let user, isRight, user.mayEnter else {
            try throttle.failed(store: self)
            throw counted(.wrongCredentials)
        }
        if let half { _ = halves.wait(half, at: throttle.now) }
        if user.totpSecret != nil { _ = try bare(code) }
        try prepare()
        guard try isSatisfied(by: code, user, from: origin) else {
            try throttle.failed(knowingPassword: true, store: self)
            throw counted(.wrongCode)
        }
        if !isKnown { _ = proofs.wait(user.id, at: throttle.now) }
        try throttle.succeeded(store: self)
        rehash(user, password: password, from: origin)
        return user
    }

    /// A code without blanks and hyphens, see ``RecoveryCode/bare(_:)``.
    /// - Throws: `totp_required` (401) when there is no code: not a failure, but the next step of signing in.
    func bare(_ code: String?) throws(ServiceError) -> String {
        guard let bare = RecoveryCode.bare(code) else {
            throw ServiceError(
                .unauthenticated,
                "totp_required",
                "Also enter the code from your authenticator, or a recovery code.",
                field: "/totp"
            ).counted
        }
        return bare
    }

    /// Whether `text` answers a person's second factor, which uses the code up; true for a person without one.
    /// - Throws: as ``bare(_:)``.
    func isSatisfied(by text: String?, _ user: UserRecord, from origin: RequestOrigin) throws(ServiceError) -> Bool {
        guard let sealed = user.totpSecret else { return true }
        let bare = try bare(text)
        if let digest = RecoveryCode.digest(of: bare) {
            let audit = entry("account.recovery_code", actor: Actor(user), subject: user.name, from: origin)
            let at = now()
            return try store { store throws(StoreError) in try store.useRecoveryCode(of: user.id, digest: digest, at: at, audit: audit) }
        }
        let secret = try openTOTP(sealed, of: user.id)
        guard let step = TOTP(secret: secret).step(of: bare, atSeconds: now().milliseconds / 1_000) else { return false }
        return try store { store throws(StoreError) in try store.useTOTPStep(step, of: user.id) }
    }

    /// Replaces a hash that is cheaper to guess than those made today; this is possible only now, while the password is at hand.
    private func rehash(_ user: UserRecord, password: String, from origin: RequestOrigin) {
        guard user.passwordHash.needsRehash(cost: hasher.cost) else { return }
        // The hasher is busy or out of memory: the next sign-in does it.
        guard let hash = try? hasher.hash(password, for: user.id) else { return }
        let audit = entry("people.rehash", actor: Actor(kind: .system, name: "gatehouse"), subject: user.name, from: origin)
        do {
            try editUser(id: user.id) { stored in
                guard stored.passwordHash == user.passwordHash else { return nil }
                stored.passwordHash = hash
                return audit
            }
            failures.worked(.rehash)
        } catch {
            // If it cannot be written, the old hash stays, and signing in works just as well with it.
            failures.failed(.rehash, error, requestId: origin.requestId)
        }
    }
}

extension ServiceError {
    static let wrongCredentials = ServiceError(.unauthenticated, "wrong_credentials", "The name or the password is wrong.")

    fileprivate static func tooManyProofs(_ most: Int, _ seconds: Int) -> ServiceError {
        ServiceError(
            .tooMany,
            "too_many_tries",
            "This name's password was given more than \(most) times within a minute; try again in \(seconds) s.",
            retryAfter: seconds
        )
    }

    static let wrongCode = ServiceError(
        .unauthenticated,
        "wrong_totp",
        "The code is wrong or was used already; wait for the next one.",
        field: "/totp"
    )
}
