import GateCrypto
import GateModel
import GateStore

extension AccessService {
    /// Seconds until a session ends for want of use, and at the latest (ASVS 5.0 section 7.3).
    package static let idleLifetime: Int64 = 1_800
    package static let absoluteLifetime: Int64 = 43_200

    /// Signs a person in.
    /// - Throws: `wrong_credentials` (401), the same for an unknown name and a wrong password; `too_many_tries` (429).
    package func signIn(username: String, password: String, totp: String?, from origin: RequestOrigin) throws(ServiceError) -> NewSession {
        let throttle = SignInThrottle(name: username, origin: origin, now: now())
        try throttle.admit(store: self)
        let user = try store { store throws(StoreError) in try store.user(named: username) }
        let isRight = try hasher.verifies(password, user?.passwordHash)
        guard let user, isRight, !user.disabled else {
            try throttle.failed(store: self, audit: entry("session.create", outcome: .refused, actor: nil, subject: String(username.prefix(64)), from: origin))
            throw ServiceError(.unauthenticated, "wrong_credentials", "The name or the password is wrong.")
        }
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
            userAgent: String((origin.userAgent ?? "").prefix(200))
        )
        let audit = entry("session.create", outcome: .succeeded, actor: Actor(kind: .user, name: user.name), subject: user.name, from: origin)
        try store { store throws(StoreError) in
            try store.createSession(session, audit: audit)
        }
        try throttle.succeeded(store: self)
        let signedIn = SignedIn(user: SignedInUser(user), csrf: Self.csrf(for: secret), expiresAt: session.expiresAt, digest: session.id)
        return NewSession(secret: secret, signedIn: signedIn)
    }

    /// The session that a cookie's secret names, or nil when it has ended or never was.
    package func session(_ secret: String) throws(ServiceError) -> SignedIn? {
        guard secret.utf8.count == 43 else { return nil }
        let digest = SHA256Digest(of: secret)
        let at = now()
        let found = try store { store throws(StoreError) in try store.session(id: digest) }
        guard let (session, user) = found, session.lastSeenAt.advanced(bySeconds: Self.idleLifetime) > at else { return nil }
        // A session that cannot be prolonged now (a full disk) is still a session; it ends a little sooner.
        try? store { store throws(StoreError) in try store.touchSession(session, at: at) }
        return SignedIn(user: SignedInUser(user), csrf: Self.csrf(for: secret), expiresAt: session.expiresAt, digest: digest)
    }

    /// Whether a CSRF token is the session's, in constant time.
    package func matches(_ csrf: String, _ session: SignedIn) -> Bool { ConstantTime.equal(csrf, session.csrf) }

    /// Ends a session on the server; the cookie is worth nothing afterwards.
    package func signOut(_ session: SignedIn, from origin: RequestOrigin) throws(ServiceError) {
        let audit = entry("session.delete", outcome: .succeeded, actor: Actor(kind: .user, name: session.user.name), subject: session.user.name, from: origin)
        try store { store throws(StoreError) in try store.endSession(id: session.digest, audit: audit) }
    }

    /// One-way from the session's secret: whoever holds the token cannot tell the cookie, and nothing more has to be kept.
    private static func csrf(for secret: String) -> String {
        Base64URL.encode(SHA256Digest(of: "gatehouse csrf token of session " + secret).bytes)
    }
}
