import GateCrypto
import GateJSON
import GateModel
import GateStore

/// A second factor that is being set up: what an authenticator needs. Shown once.
package struct TOTPEnrolment: Sendable, CustomStringConvertible {
    /// Base32, for typing.
    package let secret: String
    /// For a QR code.
    package let uri: String

    package var description: String { "TOTPEnrolment" }
}

extension AccessService {
    /// Makes a secret for an authenticator. Signing in does not ask for it until ``confirmTOTP(_:code:from:)``.
    /// - Parameter environment: the server's name, which lets authenticators tell their entries apart.
    /// - Throws: `totp_enabled` (409): remove the old one first; `second_factor_unavailable` (503); `too_often` (429).
    package func startTOTP(_ session: SignedIn, environment: String, from origin: RequestOrigin) throws(ServiceError) -> TOTPEnrolment {
        try session.requirePassword()
        let enabled = ServiceError(.conflict, "totp_enabled", "You already have a second factor; remove it before you add another.")
        guard try user(of: session).totpSecret == nil else { throw enabled }
        try makings.admit(session.actor, at: now())
        let secret = random.bytes(TOTP.secretByteCount)
        let sealed = try keyFolder().box(for: .secondFactors, create: true).seal(Self.bound(secret, to: session.userID), random: random)
        let audit = entry("account.totp.start", in: session, from: origin)
        try editUser(id: session.userID, by: session.authority) { user throws(ServiceError) in
            guard user.totpSecret == nil else { throw enabled }
            user.totpPending = sealed
            return audit
        }
        let text = Base32.encode(secret)
        return TOTPEnrolment(secret: text, uri: Self.uri(secret: text, user: session.user.name, environment: environment))
    }

    /// Enables the second factor, once a code proves that the authenticator has the secret.
    /// - Returns: the recovery codes, which can never be read again.
    /// - Throws: `totp_not_started` (409), `wrong_totp` (422); `too_many_tries` (429): wrong codes are slowed down as wrong passwords are.
    package func confirmTOTP(_ session: SignedIn, code: String, from origin: RequestOrigin) throws(ServiceError) -> [String] {
        let missing = ServiceError(.conflict, "totp_not_started", "No second factor is waiting for its code; start again.")
        guard let pending = try user(of: session).totpPending else { throw missing }
        let throttle = SignInThrottle(name: session.user.name, origin: origin, party: .session(session.digest), now: now())
        _ = try throttle.admit(store: self)
        let factor = TOTP(secret: try openTOTP(pending, of: session.userID))
        guard let step = factor.step(of: code.filter { $0 != " " }, atSeconds: now().milliseconds / 1_000) else {
            try throttle.failed(store: self)
            throw ServiceError(
                .invalid,
                "wrong_totp",
                "This is not the code that belongs to the secret; check the clock of the device that shows it.",
                field: "/code"
            )
        }
        let codes = (0..<RecoveryCode.count).map { _ in RecoveryCode(random: random) }
        let audit = entry("account.totp.enable", in: session, from: origin)
        let isConfirmed = try store { store throws(StoreError) in
            try store.confirmTOTP(
                pending,
                of: session.userID,
                step: step,
                recoveryCodes: codes.map(\.digest),
                by: session.authority,
                audit: audit
            )
        }
        guard isConfirmed else { throw missing }
        try throttle.succeeded(store: self)
        return codes.map(\.text)
    }

    /// Removes the second factor and its recovery codes; does nothing when there is none.
    package func removeTOTP(_ session: SignedIn, from origin: RequestOrigin) throws(ServiceError) {
        let audit = entry("account.totp.disable", in: session, from: origin)
        try editUser(id: session.userID, by: session.authority) { user in
            guard user.totpSecret != nil || user.totpPending != nil else { return nil }
            user.clearTOTP()
            return audit
        }
    }

    /// The secret of a person's second factor.
    /// - Throws: `second_factor_unavailable` (503) when the key is gone, or the secret was sealed for another person.
    func openTOTP(_ sealed: [UInt8], of userID: Int) throws(ServiceError) -> [UInt8] {
        let prefix = Self.bound([], to: userID)
        guard let opened = try keyFolder().box(for: .secondFactors, create: false).open(sealed), opened.starts(with: prefix) else {
            throw ServiceError(
                .unavailable,
                "second_factor_unavailable",
                "The server cannot check codes of this account; use a recovery code."
            )
        }
        return Array(opened.dropFirst(prefix.count))
    }

    private func keyFolder() throws(ServiceError) -> KeyFolder {
        guard let keys else {
            throw ServiceError(.unavailable, "second_factor_unavailable", "This server keeps no keys for second factors.")
        }
        return keys
    }

    /// The secret with its person's id in front, so that one person's sealed secret cannot be put in another's place.
    private static func bound(_ secret: [UInt8], to userID: Int) -> [UInt8] { Int64(userID).bytes + secret }

    /// The URI format that authenticators read (github.com/google/google-authenticator, wiki "Key Uri Format").
    private static func uri(secret: String, user: String, environment: String) -> String {
        func encoded(_ text: String) -> String {
            text.utf8.reduce(into: "") { result, byte in
                let isPlain = (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "-._~".utf8.contains(byte)
                result += isPlain ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.encode([byte]).uppercased()
            }
        }
        let issuer = encoded("Gatehouse " + environment)
        return
            "otpauth://totp/\(issuer):\(encoded(user))?secret=\(secret)&issuer=\(issuer)&algorithm=SHA1&digits=\(TOTP.digits)&period=\(TOTP.period)"
    }
}
