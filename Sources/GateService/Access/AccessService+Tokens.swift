import GateCrypto
package import GateJSON
package import GateModel
import GateStore

extension ListedToken {
    init(_ record: TokenRecord, owner: UserRecord?, at now: Timestamp) {
        self.init(
            id: record.id,
            name: record.name,
            role: record.role,
            scope: record.apps,
            owner: owner?.name,
            createdBy: record.createdBy,
            createdAt: record.createdAt,
            expiresAt: record.expiresAt,
            lastUsedAt: record.lastUsedAt,
            revokedAt: record.revokedAt,
            isActive: record.opens(owner: owner, at: now)
        )
    }
}

extension AccessService {
    /// Seconds that a token lasts unless an expiry is given: 90 days.
    package static let tokenLifetime: Int64 = 90 * 86_400
    /// Seconds that a token may last at most: ten years.
    package static let longestTokenLifetime: Int64 = 3_653 * 86_400

    /// Makes an API token that belongs to the server and not to a person, from a shell on the server itself.
    /// - Returns: the token's text, which can never be read again.
    package func createToken(name: String, role: Role, scope: AppScope, createdBy: String, from origin: RequestOrigin) throws(ServiceError)
        -> String
    {
        let maker = try store { store throws(StoreError) in try store.user(named: createdBy) }
        let actor = maker.map { Actor($0) } ?? Actor(kind: .user, name: createdBy)
        let caller = Caller(actor: actor, role: .admin, scope: .all, source: .api, requestId: origin.requestId, address: origin.address)
        return try createToken(name: name, role: role, scope: scope, expiresAt: nil, by: caller).text
    }

    /// Checks that the caller may make tokens at all: everybody who is signed in may; a token only if it has the administrator role, so
    /// that a leaked token cannot be used to make more.
    /// - Throws: `forbidden`.
    package func requireTokenMaker(_ caller: Caller) throws(ServiceError) {
        if caller.token != nil { try caller.require(.admin) }
    }

    /// A token's name as it is stored.
    /// - Throws: `invalid_name`.
    package static func tokenName(_ text: String) throws(ServiceError) -> String {
        guard let name = try? App.name(validating: text, field: "/name") else {  // the error below puts it in terms of a token
            throw ServiceError(.invalid, "invalid_name", "A token's name has 1 to 100 characters on one line.", field: "/name")
        }
        return name
    }

    /// Makes an API token for the caller; see ``requireTokenMaker(_:)``.
    ///
    /// A token that a person makes is theirs. Whenever it is used, it reaches no further than its owner does then, and it ends with them.
    /// - Parameters:
    ///   - role: at most the caller's; nil for the caller's own.
    ///   - scope: at most the caller's; nil for the caller's own.
    ///   - expiresAt: nil for 90 days.
    ///   - repetition: for a request with an Idempotency-Key: the key, and how the answer to its repetitions is made, a refusal that names
    ///     the token (``ServiceError/tokenMade(_:id:)``); it is stored in the same transaction as the token. The caller looks for an
    ///     earlier answer first, with ``Ledger/repeated(_:by:)``, and again when this refuses.
    /// - Throws: `forbidden`; `invalid_name`, `invalid_expiry`, `too_many_tokens` (422); `too_often` (429); `already_done` (409) when the
    ///   same request was carried out meanwhile.
    package func createToken(
        name: String,
        role: Role?,
        scope: AppScope?,
        expiresAt: Timestamp?,
        by caller: Caller,
        repetition: (key: IdempotencyKey, answer: (ServiceError) -> Answer)? = nil
    ) throws(ServiceError) -> NewToken {
        try requireTokenMaker(caller)
        let role = role ?? caller.role
        let scope = scope ?? caller.scope
        try caller.requireReach(of: role, scope)
        let clean = try Self.tokenName(name)
        let at = now()
        let expiry = expiresAt ?? at.advanced(bySeconds: Self.tokenLifetime)
        guard expiry > at, expiry <= at.advanced(bySeconds: Self.longestTokenLifetime) else {
            throw ServiceError(.invalid, "invalid_expiry", "A token expires in the future, and within ten years.", field: "/expiresAt")
        }
        try makings.admit(caller.actor, at: at)
        let token = TokenText(random: random)
        let record = TokenRecord(
            id: token.id,
            name: clean,
            secretDigest: token.secretDigest,
            role: role,
            apps: scope,
            createdBy: caller.actor.name,
            ownerID: caller.userID,
            createdAt: at,
            expiresAt: expiry
        )
        let detail: JSONObject = [
            "name": .string(clean), "role": .string(role.rawValue), "apps": scope.json, "expiresAt": .string(expiry.description),
        ]
        let audit = entry("token.create", by: caller, subject: token.id, detail: detail)
        let kept = repetition.map { key, answer in
            IdempotencyRecord(key, of: caller, answer: answer(.tokenMade(clean, id: token.id)), at: at)
        }
        let open = try openStore()
        do throws(StoreError) { try open.createToken(record, by: caller.authority, audit: audit, idempotency: kept) } catch {
            if error.code == .duplicate, kept != nil { throw .alreadyDone }
            guard error.code == .tooMany else { throw ServiceError(error) }
            let most = Store.mostTokensOfAnOwner
            throw ServiceError(
                .invalid,
                "too_many_tokens",
                "You have \(most) tokens that are not revoked, the most that one person may have; revoke some first."
            )
        }
        let owner = try caller.userID.flatMap { id throws(ServiceError) in try store { store throws(StoreError) in try store.user(id: id) }
        }
        return NewToken(text: token.text, listed: ListedToken(record, owner: owner, at: at))
    }

    /// Administrators see all tokens, people their own, any other token only itself. Newest first; includes expired ones and those revoked
    /// last. Nobody's own list costs more because of what others have; of an administrator's the database sorts all, and one part is read.
    /// - Throws: malformed when the token that the part follows is gone, or not the caller's to see.
    package func tokens(for caller: Caller, _ part: ListPart<String> = ListPart()) throws(ServiceError) -> [ListedToken] {
        let at = now()
        let (tokens, users) = try self.part { store throws(StoreError) in
            let tokens: [TokenRecord]
            if caller.role == .admin {
                tokens = try store.tokens(of: nil, part)
            } else if let token = caller.token {
                // The list of one has nothing behind its only item.
                if let last = part.after, last != token.id { throw StoreError(.notFound, "Token \(token.id) sees only itself") }
                tokens = part.after == nil ? try store.token(id: token.id).map { [$0] } ?? [] : []
            } else {
                tokens = try caller.userID.map { id throws(StoreError) in try store.tokens(of: id, part) } ?? []
            }
            return (tokens, try store.users(numbered: Set(tokens.compactMap(\.ownerID))))
        }
        let people = Dictionary(uniqueKeysWithValues: users.map { ($0.id, $0) })
        return tokens.filter { caller.sees($0) }.map { ListedToken($0, owner: $0.ownerID.flatMap { people[$0] }, at: at) }
    }

    /// Ends a token for ever, at once. Whoever sees a token may do so; an administrator only if it reaches no further than they do.
    /// - Throws: `token_not_found` (404), also for a token that the caller may not see; `forbidden`.
    package func revokeToken(_ id: String, by caller: Caller) throws(ServiceError) {
        guard let found = try store({ store throws(StoreError) in try store.token(id: id) }), caller.sees(found) else {
            throw ServiceError(.notFound, "token_not_found", "There is no token with that id.")
        }
        if !caller.owns(found) { try caller.requireReach(of: found.role, found.apps) }
        guard found.revokedAt == nil else { return }
        let audit = entry("token.revoke", by: caller, subject: found.id, detail: ["name": .string(found.name)])
        let at = now()
        try store { store throws(StoreError) in try store.revokeToken(id: id, at: at, by: caller.authority, audit: audit) }
    }

    /// The caller that a bearer token stands for.
    /// - Throws: `unauthenticated`, the same whether the token never existed, is revoked or expired, or its owner is disabled or gone.
    package func caller(token text: String, source: Change.Source, requestId: String, address: String) throws(ServiceError) -> Caller {
        let refusal = ServiceError(.unauthenticated, "unauthenticated", "The token is not valid: it may be mistyped, expired or revoked.")
        guard let token = TokenText(text) else { throw refusal }
        let at = now()
        let found = try store { store throws(StoreError) in try store.tokenAndOwner(id: token.id) }
        guard let (record, owner) = found, record.secretDigest == token.secretDigest, record.opens(owner: owner, at: at) else {
            throw refusal
        }
        do {
            if try store({ store throws(StoreError) in try store.tokenUsed(record, at: at) }) { failures.worked(.tokenUsed) }
        } catch {
            // The time of last use is only for people to look at; a full disk must not shut a token out.
            failures.failed(.tokenUsed, error, requestId: requestId)
        }
        return Caller(
            actor: Actor(kind: .token, name: record.name, id: record.id, user: owner?.name),
            role: owner.map { min($0.role, record.role) } ?? record.role,
            scope: owner.map { $0.apps.intersection(record.apps) } ?? record.apps,
            source: source,
            requestId: requestId,
            address: address,
            userID: record.ownerID,
            token: Caller.TokenProof(id: record.id, expiresAt: record.expiresAt),
            authority: .token(id: record.id, owner: owner.map(Authority.Reach.init))
        )
    }
}

extension ServiceError {
    /// What a repetition of the request that made a token is told: the token's text is kept nowhere, so it cannot be given again.
    static func tokenMade(_ name: String, id: String) -> ServiceError {
        ServiceError(
            .conflict,
            "token_made",
            "The token \(JSONValue.quoted(name, most: 100)) (\(id)) was made when this was first asked for, and was shown once, in the answer to that. If that answer did not arrive, revoke the token and make another."
        )
    }
}

extension TokenRecord {
    /// - Parameter owner: the person with ``ownerID``, nil when gone.
    fileprivate func opens(owner: UserRecord?, at now: Timestamp) -> Bool {
        isValid(at: now) && (ownerID == nil || owner?.mayEnter == true)
    }
}

extension Caller {
    fileprivate func owns(_ record: TokenRecord) -> Bool {
        token.map { $0.id == record.id } ?? (userID != nil && userID == record.ownerID)
    }

    fileprivate func sees(_ record: TokenRecord) -> Bool { role == .admin || owns(record) }
}
