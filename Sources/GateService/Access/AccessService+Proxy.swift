import GateCrypto
import GateJSON
import GateModel
import GateStore
import Synchronization

extension AccessService {
    /// The actor that creates and changes people according to their groups.
    private static let keeper = Actor(kind: .system, name: "sign-in header")

    /// Begins a session for the person a trusted proxy names, and creates that person when they are new. Each time, their role and apps are
    /// set to what their groups say.
    /// - Throws: `no_group`, `local_person`, `name_spelling`, `user_disabled`, `not_set_up` (403); `too_many_people`; `too_many_tries`
    ///   (429).
    package func signIn(_ person: ProxiedPerson, replacing old: String? = nil, from origin: RequestOrigin) throws(ServiceError)
        -> NewSession
    {
        guard let rights = person.rights else { throw try withoutGroup(person, from: origin) }
        // The first person a proxy names must not take the place of the local administrator, who can get in when the proxy is down.
        guard try !needsSetup() else { throw refusal(.notSetUp, of: nil, from: origin) }
        let found = try known(person, from: origin)
        let known: UserRecord
        if let found { known = found } else { known = try made(person, rights, from: origin) }
        guard known.mayEnter else { throw refusal(.disabled, of: known.name, from: origin) }
        if let seconds = proxied.wait(known.id, at: now()) {
            throw refusal(.tooManySessions(proxied.most, seconds), of: known.name, from: origin)
        }
        let fresh = draftSession(of: known, action: Self.signingIn, from: origin)
        let replaced = old.map { SHA256Digest(of: $0) }
        var user = known
        var isAltered = false
        if Authority.Reach(known) != Authority.Reach(rights) {
            user = try editUser(id: known.id, keepingSessions: true, starting: (fresh.session, fresh.audit), replacing: replaced) { user in
                // Checked on the person as stored now: somebody may have been faster, with the same edit or another.
                isAltered = user.mayEnter && user.origin == .proxy && Authority.Reach(user) != Authority.Reach(rights)
                guard isAltered else { return nil }
                let detail = user.follow(Authority.Reach(rights), groups: rights.groups)
                return entry("people.update", actor: Self.keeper, subject: user.name, detail: detail, from: origin)
            }
        }
        // Otherwise the session has begun with the edit.
        if !isAltered {
            user = try store { store throws(StoreError) in
                try store.createSession(fresh.session, of: known, replacing: replaced, audit: fresh.audit)
            }
        }
        return NewSession(
            secret: fresh.secret,
            signedIn: signedIn(fresh.session, user, secret: fresh.secret).following(person, rights, at: now()),
            device: nil
        )
    }

    /// The session of a person a trusted proxy names, with what their groups allow at this moment. If that is less than what is stored for
    /// them, it is stored at once, because their tokens are limited by it; anything more is stored when the next session begins, and stands
    /// in the audit from the first request that has it.
    ///
    /// Rights are only ever reduced here, so two browsers whose proxies say different things about one person settle down.
    /// - Precondition: the session is theirs (``ProxiedPerson/owns(_:)``).
    /// - Throws: `no_group` (403).
    package func follow(_ session: SignedIn, _ person: ProxiedPerson, from origin: RequestOrigin) throws(ServiceError) -> SignedIn {
        guard let rights = person.rights else { throw try withoutGroup(person, from: origin) }
        let least = Authority.Reach(
            role: min(session.user.role, rights.role),
            apps: session.user.scope.intersection(rights.scope)
        )
        if least.role != session.user.role || least.apps != session.user.scope {
            try limit(session.userID, to: least, groups: rights.groups, keepingSessions: true, from: origin)
        }
        if Authority.Reach(rights) != least { try recordExcess(of: session, over: least, rights, from: origin) }
        var session = session
        session.stored = least
        return session.following(person, rights, at: now())
    }

    /// Records that a session has more rights than are stored for its person: once for each session and what it has, however often a proxy
    /// says one thing and another.
    /// - Throws: when the entry cannot be written; nobody then acts with such rights.
    private func recordExcess(
        of session: SignedIn,
        over stored: Authority.Reach,
        _ rights: SignInGroups.Rights,
        from origin: RequestOrigin
    ) throws(ServiceError) {
        let reach = Authority.Reach(rights)
        let isNew = exceeding.withLock { exceeding in
            // Of more sessions than there are at a time, some are told of again.
            if exceeding.count >= 2_000 { exceeding = [:] }
            return exceeding[session.digest, default: []].insert(reach).inserted
        }
        guard isNew else { return }
        let detail = Self.difference(stored, reach, groups: rights.groups)
        let entry = entry("session.rights", in: session, detail: detail, from: origin)
        do { try store { store throws(StoreError) in try store.appendAudit(entry) } } catch {
            _ = exceeding.withLock { $0[session.digest]?.remove(reach) }
            throw error
        }
    }

    /// The person of that name, if there is one whom a proxy signs in.
    private func known(_ person: ProxiedPerson, from origin: RequestOrigin) throws(ServiceError) -> UserRecord? {
        guard let user = try store({ store throws(StoreError) in try store.user(named: person.name) }) else { return nil }
        guard user.origin == .proxy else { throw refusal(.localPerson(user.name), of: user.name, from: origin) }
        guard user.name == person.name else { throw refusal(.spelling(person.name, user.name), of: user.name, from: origin) }
        return user
    }

    private func made(_ person: ProxiedPerson, _ rights: SignInGroups.Rights, from origin: RequestOrigin) throws(ServiceError) -> UserRecord
    {
        let user = NewUser(
            name: try Self.username(person.name),
            role: rights.role,
            apps: rights.scope,
            passwordHash: .missing,
            origin: .proxy,
            createdAt: now()
        )
        let detail: JSONObject = [
            "role": .string(rights.role.rawValue), "apps": rights.scope.json, "origin": .string(Person.Origin.proxy.rawValue),
            "groups": Self.told(rights.groups),
        ]
        let audit = entry("people.create", actor: Self.keeper, subject: user.name, detail: detail, from: origin)
        do {
            return try people { store throws(StoreError) in try store.createUser(user, audit: audit) }
        } catch {
            // Browsers may send two first requests at once: only one creates the person.
            guard error.code == .exists, let known = try known(person, from: origin) else { throw error }
            return known
        }
    }

    /// The refusal for somebody in none of the table's groups. If they were in one before, they lose all access, and so do their tokens.
    private func withoutGroup(_ person: ProxiedPerson, from origin: RequestOrigin) throws(ServiceError) -> ServiceError {
        let known = try store { store throws(StoreError) in try store.user(named: person.name) }
        let nothing = Authority.Reach(role: .viewer, apps: .only([]))
        if let known, known.origin == .proxy, known.name == person.name, Authority.Reach(known) != nothing, known.isSigned {
            try limit(known.id, to: nothing, groups: [], keepingSessions: false, from: origin)
        }
        return refusal(.noGroup(person.name), of: known?.name, from: origin)
    }

    private func limit(
        _ userID: Int,
        to reach: Authority.Reach,
        groups: [String],
        keepingSessions: Bool,
        from origin: RequestOrigin
    ) throws(ServiceError) {
        try editUser(id: userID, keepingSessions: keepingSessions) { user in
            let least = Authority.Reach(role: min(user.role, reach.role), apps: user.apps.intersection(reach.apps))
            guard user.origin == .proxy, Authority.Reach(user) != least else { return nil }
            let detail = user.follow(least, groups: groups)
            return entry("people.update", actor: Self.keeper, subject: user.name, detail: detail, from: origin)
        }
    }

    private func refusal(_ error: ServiceError, of name: String?, from origin: RequestOrigin) -> ServiceError {
        counted(error, of: Self.signingIn, subject: name, from: origin)
    }

    /// Groups for the audit's detail: the first 20.
    fileprivate static func told(_ groups: [String]) -> JSONValue { .array(groups.prefix(20).map(JSONValue.string)) }

    /// What changes, with the values before and after, for the audit.
    fileprivate static func difference(_ before: Authority.Reach, _ after: Authority.Reach, groups: [String]) -> JSONObject {
        var detail: JSONObject = ["groups": told(groups)]
        if before.role != after.role { detail["role"] = ["before": .string(before.role.rawValue), "after": .string(after.role.rawValue)] }
        if before.apps != after.apps { detail["apps"] = ["before": before.apps.json, "after": after.apps.json] }
        return detail
    }
}

extension Authority.Reach {
    fileprivate init(_ rights: SignInGroups.Rights) { self.init(role: rights.role, apps: rights.scope) }
}

extension UserRecord {
    /// - Returns: what changed, with the values before and after, for the audit.
    fileprivate mutating func follow(_ reach: Authority.Reach, groups: [String]) -> JSONObject {
        let detail = AccessService.difference(Authority.Reach(self), reach, groups: groups)
        role = reach.role
        apps = reach.apps
        return detail
    }
}

extension SignedIn {
    /// The session, updated with what the proxy says in this request.
    fileprivate func following(_ person: ProxiedPerson, _ rights: SignInGroups.Rights, at now: Timestamp) -> SignedIn {
        var session = self
        session.user = User(name: user.name, role: rights.role, scope: rights.scope)
        switch person.proof {
        case nil: break
        // A provider's clock that runs ahead must not produce a proof from the future.
        case .at(let time) where time <= now.advanced(bySeconds: 60): session.reauthenticatedAt = min(time, now)
        case .at, .untold: session.reauthenticatedAt = Timestamp(milliseconds: 0)
        }
        return session
    }
}

extension ServiceError {
    private static func closed(_ word: String, _ detail: String) -> ServiceError { ServiceError(.forbidden, word, detail) }

    fileprivate static func noGroup(_ name: String) -> ServiceError {
        closed(
            "no_group",
            "The sign-in says that you are \(name), and none of your groups may do anything here. Ask whoever runs this server for a line in its table of groups, then sign in again."
        )
    }

    fileprivate static func localPerson(_ name: String) -> ServiceError {
        closed(
            "local_person",
            "The sign-in says that you are \(name), but here that name belongs to somebody with a password. Ask an administrator to remove that person; then you can sign in under the name, and what they did stays theirs."
        )
    }

    fileprivate static func spelling(_ given: String, _ known: String) -> ServiceError {
        closed(
            "name_spelling",
            "The sign-in says that you are \(given), but here the name is written \(known). Sign in with that spelling, or ask an administrator to remove \(known)."
        )
    }

    fileprivate static let disabled = closed("user_disabled", "An administrator has disabled you here; ask one to let you in again.")

    fileprivate static func tooManySessions(_ most: Int, _ seconds: Int) -> ServiceError {
        ServiceError(
            .tooMany,
            "too_many_tries",
            "More than \(most) sessions of yours began within a minute; does the browser keep cookies? Try again in \(seconds) s.",
            retryAfter: seconds
        )
    }

    fileprivate static let notSetUp = closed(
        "not_set_up",
        "This server has no administrator yet. Make one with a password on its machine (gatehouse init): they can get in even when the proxy's sign-in is down."
    )

    /// A person whom a proxy signs in has no password or second factor here to change.
    static func ofProxy(_ name: String) -> ServiceError {
        ServiceError(
            .conflict,
            "proxy_person",
            "\(name) is signed in by a proxy: there is no password and no second factor here, and groups say what they may do. Disable them to keep them out."
        )
    }
}
