import GateCrypto
import GateJSON
package import GateModel
import GateStore

extension InvitationRecord {
    init(_ invitation: Invitation) { self.init(digest: SHA256Digest(of: invitation.token), expiresAt: invitation.expiresAt) }
}

extension AccessService {
    /// The audit's name for using an invitation.
    private static let accepting = "people.accept"

    /// A new secret, valid for ``Invitation/lifetime`` from now, and no longer than its maker could make it. Only its digest is stored.
    func newInvitation(by caller: Caller) -> Invitation {
        Invitation(
            token: InvitationToken(by: InvitationToken.Issuer(caller), random: random).text,
            expiresAt: now().advanced(bySeconds: Invitation.lifetime)
        )
    }

    /// Gives a person a new invitation that replaces any earlier one: the link was lost, or the password forgotten. If they have a
    /// password, it keeps working until the invitation is used.
    /// - Parameter reference: a name, or an id in digits.
    /// - Throws: `user_not_found`; `forbidden`, `rights_not_stored`; `own_password`, `user_disabled` (409).
    package func invitePerson(_ reference: String, by caller: Caller) throws(ServiceError) -> InvitedPerson {
        try caller.require(.admin)
        let found = try user(reference)
        try caller.requireReach(of: found.role, found.apps)
        try caller.requireStoredReach(over: found.apps)
        guard caller.userID != found.id else {
            throw ServiceError(.conflict, "own_password", "Change your own password at /account, with the present password.")
        }
        guard found.origin == nil else { throw .ofProxy(found.name) }
        let invitation = newInvitation(by: caller)
        let invited = try editUser(id: found.id, by: caller.authority) { user throws(ServiceError) in
            // Checked again on the person as stored now: meanwhile their reach may have grown, or they may have been disabled.
            try caller.requireReach(of: user.role, user.apps)
            try caller.requireStoredReach(over: user.apps)
            guard !user.disabled else {
                throw ServiceError(
                    .conflict,
                    "user_disabled",
                    "\(user.name) is disabled, so an invitation would open nothing; enable them first."
                )
            }
            let detail: JSONObject = [
                "invitedUntil": .string(invitation.expiresAt.description), "replaced": .bool(user.invitation != nil),
            ]
            user.invitation = InvitationRecord(invitation)
            return entry("people.invite", by: caller, subject: user.name, detail: detail)
        }
        return InvitedPerson(person: Person(invited), invitation: invitation)
    }

    /// Sets the password of the invited person and signs them in. Their sessions and tokens end: whoever got hold of an earlier password
    /// must not keep any access through them.
    /// - Parameters:
    ///   - token: the secret from the link. It opens nothing once whoever made it could not make it any more: they may still have it.
    ///   - totp: as in ``signIn(username:password:totp:replacing:from:)``: a link alone does not replace the second factor.
    ///   - old: the secret of this browser's previous session, which ends.
    /// - Throws: `invitation` (403), the same whether it never existed, was used, has expired or was taken back; `invalid_password` (422);
    ///   `totp_required`, `wrong_totp` (401); `too_many_tries` (429). None of them uses up the invitation.
    package func acceptInvitation(
        _ token: String,
        password: String,
        totp: String?,
        replacing old: String? = nil,
        from origin: RequestOrigin
    ) throws(ServiceError) -> NewSession {
        let (invited, issuer) = try invited(by: token, from: origin)
        // Before the code is checked, because that uses it up.
        try PasswordRules.check(password, username: invited.name)
        let hash = try hash(password, of: invited, with: totp, from: origin)
        let detail: JSONObject = ["password": .string("changed"), "tokens": .string("revoked")]
        let audit = entry(Self.accepting, actor: Actor(invited), subject: invited.name, detail: detail, from: origin)
        let fresh = draftSession(of: invited, action: Self.signingIn, from: origin)
        let user: UserRecord
        do {
            user = try editUser(
                id: invited.id,
                by: issuer,
                endingTokens: true,
                starting: (fresh.session, fresh.audit),
                replacing: old.map { SHA256Digest(of: $0) }
            ) { user throws(ServiceError) in
                // Still the invitation that was read: neither used nor replaced, not expired, and its person not disabled.
                guard user.isStill(invited), user.invitation == invited.invitation, isGood(user.invitation) else { throw .invitation }
                user.setPassword(hash, at: now())
                return audit
            }
        } catch  where [.invitation, .missingPerson, .ended].map(\ServiceError.word).contains(error.word) {
            throw refusal(.invitation, of: invited.name, from: origin)
        }
        return NewSession(secret: fresh.secret, signedIn: signedIn(fresh.session, user, secret: fresh.secret), device: newDevice(of: user))
    }

    /// The person whose invitation it is, and what must still hold of its maker when it is used. Wrong tokens count against the network
    /// they come from, and against nobody's sign-in.
    private func invited(by text: String, from origin: RequestOrigin) throws(ServiceError) -> (UserRecord, issuer: Authority) {
        let throttle = SignInThrottle(name: "", origin: origin, party: .invitation, now: now())
        do { _ = try throttle.admit(store: self) } catch { throw refusal(error, of: nil, from: origin) }
        let token = InvitationToken(text)
        let found = try token.flatMap { token throws(ServiceError) in
            try store { store throws(StoreError) in try store.user(invitedBy: SHA256Digest(of: token.text)) }
        }
        guard let token, let found, found.mayEnter, isGood(found.invitation), let issuer = try authority(of: token.issuer, over: found)
        else {
            try throttle.failed(store: self)
            throw refusal(.invitation, of: found?.name, from: origin)
        }
        return (found, issuer)
    }

    /// What lets somebody invite a person; nil for who may not, or not any more.
    private func authority(of issuer: InvitationToken.Issuer, over person: UserRecord) throws(ServiceError) -> Authority? {
        switch issuer {
        case .server: return .server
        case .person(let id):
            let found = try store { store throws(StoreError) in try store.user(id: id) }
            guard let found, found.mayEnter, found.role == .admin, found.apps.covers(person.apps) else { return nil }
            return .person(id, Authority.Reach(found))
        case .token(let id):
            let found = try store { store throws(StoreError) in try store.tokenAndOwner(id: id) }
            guard let token = found?.0, token.ownerID == nil, token.isValid(at: now()), token.role == .admin, token.apps.covers(person.apps)
            else { return nil }
            return .token(id: id, owner: nil)
        }
    }

    /// The hash of the invited person's password, if the code answers their second factor. Nobody is told that all is busy when the code is
    /// used up already, and nobody can have hashes made who would not be let in anyway.
    ///
    /// Wrong codes count against the person and not the network: there is one link, and whoever has it may try from anywhere.
    private func hash(_ password: String, of invited: UserRecord, with code: String?, from origin: RequestOrigin) throws(ServiceError)
        -> PasswordHash
    {
        guard invited.totpSecret != nil else { return try hasher.hash(password) }
        let throttle = SignInThrottle(name: invited.name, origin: origin, party: .invited(invited.id), now: now())
        do { _ = try throttle.admit(store: self) } catch { throw refusal(error, of: invited.name, from: origin) }
        _ = try bare(code)
        let hash = try hasher.hash(password)
        guard try isSatisfied(by: code, invited, from: origin) else {
            try throttle.failed(store: self)
            throw refusal(.wrongCode, of: invited.name, from: origin)
        }
        try throttle.succeeded(store: self)
        return hash
    }

    private func isGood(_ invitation: InvitationRecord?) -> Bool { invitation.map { $0.expiresAt > now() } ?? false }

    private func refusal(_ error: ServiceError, of name: String?, from origin: RequestOrigin) -> ServiceError {
        counted(error, of: Self.accepting, subject: name, from: origin)
    }
}

extension Caller {
    /// A link is judged when it is used, by what is stored of its maker then. What a proxy's word has added since the session began is not
    /// stored before the next one, so that such a link would be dead from the beginning.
    /// - Throws: `rights_not_stored` (403).
    func requireStoredReach(over apps: AppScope) throws(ServiceError) {
        guard case .session(_, let stored) = authority, stored.role < .admin || !stored.apps.covers(apps) else { return }
        throw ServiceError(
            .forbidden,
            "rights_not_stored",
            "Your groups have grown since you signed in, and an invitation needs rights that are stored for you: sign out and in again, then invite."
        )
    }
}

extension ServiceError {
    fileprivate static let invitation = ServiceError(
        .forbidden,
        "invitation",
        "This invitation is used up, too old or mistyped; ask an administrator for a new one.",
        field: "/invitation"
    )
}
