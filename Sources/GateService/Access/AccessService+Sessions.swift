import GateCrypto
package import GateJSON
import GateModel
import GateStore

extension SessionRecord {
    /// Whether the session was used within ``AccessService/idleLifetime``.
    ///
    /// False too for one that a clock began or saw while it was ahead: until the time that it had, nothing would end that session, and a
    /// password given then would stay fresh.
    func isInUse(at now: Timestamp) -> Bool {
        let latest = max(createdAt, lastSeenAt, reauthenticatedAt)
        return latest <= now.advanced(bySeconds: StoredTime.lead) && lastSeenAt.advanced(bySeconds: AccessService.idleLifetime) > now
    }
}

extension AccessService {
    /// Seconds until an unused session ends, and seconds until any session ends (ASVS 5.0 section 7.3).
    package static let idleLifetime: Int64 = 1_800
    package static let absoluteLifetime: Int64 = 43_200
    /// Seconds for which a browser is recognised at a sign-in, see ``KnownDevice``: browsers keep no cookie longer.
    package static let deviceLifetime: Int64 = 400 * 86_400

    /// The audit's name for a sign-in, whoever vouches for it.
    static let signingIn = "session.create"

    /// Signs a person in.
    /// - Parameters:
    ///   - totp: an authenticator code or a recovery code, if the person has a second factor; otherwise ignored.
    ///   - old: the secret of this browser's previous session, which ends: a new sign-in replaces it.
    /// - Throws: `wrong_credentials` (401), the same for an unknown name and a wrong password; `totp_required` and `wrong_totp` (401);
    ///   `too_many_tries` (429).
    package func signIn(
        username: String,
        password: String,
        totp: String?,
        replacing old: String? = nil,
        from origin: RequestOrigin
    ) throws(ServiceError) -> NewSession {
        let user = try store { store throws(StoreError) in try store.user(named: username) }
        let party: SignInThrottle.Party = device(origin, of: user).map { .device($0) } ?? .stranger
        let proven = try prove(user, name: username, password: password, code: totp, as: party, action: Self.signingIn, from: origin)
        do {
            return try newSession(
                of: proven,
                replacing: old.map { SHA256Digest(of: $0) },
                by: .server,
                action: Self.signingIn,
                from: origin
            )
        } catch  where error.word == ServiceError.ended.word {
            // The password was reset meanwhile, so the one that was given is no longer right.
            throw counted(.wrongCredentials, of: Self.signingIn, subject: proven.name, from: origin)
        }
    }

    /// Proves again that the signed-in person is still at the browser. The session gets a new secret.
    /// - Throws: as ``signIn(username:password:totp:replacing:from:)``.
    package func reauthenticate(_ session: SignedIn, password: String, totp: String?, from origin: RequestOrigin) throws(ServiceError)
        -> NewSession
    {
        try session.requirePassword()
        let action = "session.reauthenticate"
        let proven = try prove(
            try user(of: session),
            name: session.user.name,
            password: password,
            code: totp,
            as: .session(session.digest),
            action: action,
            from: origin
        )
        return try newSession(of: proven, replacing: session.digest, by: session.authority, action: action, from: origin)
    }

    /// The session that a cookie's secret names, or nil when it has ended or never existed.
    /// - Parameter requestId: the request that brought the cookie, for the log.
    package func session(_ secret: String, requestId: String? = nil) throws(ServiceError) -> SignedIn? {
        guard secret.utf8.count == 43 else { return nil }
        let digest = SHA256Digest(of: secret)
        let at = now()
        let found = try store { store throws(StoreError) in try store.session(id: digest) }
        guard let (session, user) = found, session.isInUse(at: at) else { return nil }
        do {
            if try store({ store throws(StoreError) in try store.touchSession(session, at: at) }) { failures.worked(.sessionSeen) }
        } catch {
            // A session that cannot be extended now (a full disk) is still a session; it just ends a little sooner.
            failures.failed(.sessionSeen, error, requestId: requestId)
        }
        return signedIn(session, user, secret: secret)
    }

    /// Checks once more what let a caller in, if that was a while ago: a body may take half a minute, and rights that are taken away end
    /// within a second (R40).
    /// - Parameter proven: when it was checked.
    /// - Throws: `unauthenticated` when it stands no longer.
    package func requireStanding(_ caller: Caller, since proven: Timestamp) throws(ServiceError) {
        // A clock that was set back tells nothing.
        guard !(0..<Self.standing).contains(now().milliseconds - proven.milliseconds) else { return }
        try store { store throws(StoreError) in try store.check(caller.authority) }
    }

    /// How long a proof stands without being looked at again, in milliseconds.
    private static let standing: Int64 = 1_000

    /// Whether a CSRF token belongs to the session; compared in constant time.
    package func matches(_ csrf: String, _ session: SignedIn) -> Bool { ConstantTime.equal(csrf, session.csrf) }

    /// Whether the password was given within the last `seconds` seconds.
    package func isFresh(_ session: SignedIn, seconds: Int64) -> Bool { session.freshUntil(seconds: seconds) > now() }

    /// Ends a session on the server; its cookie is worthless afterwards.
    package func signOut(_ session: SignedIn, from origin: RequestOrigin) throws(ServiceError) {
        let audit = entry("session.delete", in: session, from: origin)
        try store { store throws(StoreError) in try store.endSession(id: session.digest, audit: audit) }
    }

    /// The person of a session as they stand now.
    func user(of session: SignedIn) throws(ServiceError) -> UserRecord {
        guard let user = try store({ store throws(StoreError) in try store.user(id: session.userID) }) else { throw .missingPerson }
        return user
    }

    /// Begins a session for somebody who has just proven who they are.
    /// - Throws: `unauthenticated` when what was proven, or the authority, no longer holds at the moment of writing.
    private func newSession(
        of proven: UserRecord,
        replacing old: SHA256Digest?,
        by authority: Authority,
        action: String,
        from origin: RequestOrigin
    ) throws(ServiceError) -> NewSession {
        let (secret, session, audit) = draftSession(of: proven, action: action, from: origin)
        let user = try store { store throws(StoreError) in
            try store.createSession(session, of: proven, replacing: old, by: authority, audit: audit)
        }
        return NewSession(secret: secret, signedIn: signedIn(session, user, secret: secret), device: newDevice(of: user))
    }

    /// A session that is not stored yet, with its secret and its audit entry.
    func draftSession(of user: UserRecord, action: String, from origin: RequestOrigin) -> (
        secret: String, session: SessionRecord, audit: AuditEntry
    ) {
        let secret = random.secret()
        let at = now()
        let session = SessionRecord(
            id: SHA256Digest(of: secret),
            userID: user.id,
            csrfDigest: SHA256Digest(of: Self.csrf(for: secret)),
            createdAt: at,
            lastSeenAt: at,
            expiresAt: at.advanced(bySeconds: Self.absoluteLifetime),
            reauthenticatedAt: at,
            address: origin.address,
            userAgent: Self.plain(origin.userAgent)
        )
        let audit = entry(action, actor: Actor(user), subject: user.name, from: origin)
        return (secret, session, audit)
    }

    func signedIn(_ session: SessionRecord, _ user: UserRecord, secret: String) -> SignedIn {
        SignedIn(
            user: User(user),
            userID: user.id,
            csrf: Self.csrf(for: secret),
            expiresAt: session.expiresAt,
            reauthenticatedAt: session.reauthenticatedAt,
            origin: user.origin,
            digest: session.id,
            stored: Authority.Reach(user)
        )
    }

    /// The client's user agent, made safe to show: printable ASCII, 200 characters.
    private static func plain(_ userAgent: String?) -> String {
        String(String.UnicodeScalarView((userAgent ?? "").unicodeScalars.filter { (0x20...0x7E).contains($0.value) }).prefix(200))
    }

    /// Derived one-way from the session's secret: whoever has the token cannot work out the cookie, and nothing more has to be stored.
    private static func csrf(for secret: String) -> String {
        Base64URL.encode(SHA256Digest(of: "gatehouse csrf token of session " + secret).bytes)
    }
}
