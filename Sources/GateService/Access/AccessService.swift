package import GateCrypto
package import GateJSON
import GateModel
package import GateStore
import Synchronization

/// Identities and access: the first administrator, signing in, sessions, tokens. Thread-safe; every call asks the database.
///
/// Edits of people and tokens, and sign-ins, are not changes; they are recorded in the audit, in the same transaction as the edit itself.
package final class AccessService: Sendable {
    let currentStore: @Sendable () -> Store?
    let hasher: PasswordHasher
    let random: RandomSource
    package let now: @Sendable () -> Timestamp
    let setup: Mutex<SetupCode?> = Mutex(nil)
    let keys: KeyFolder?
    let failures: FailureLog
    let refusals = RefusalCounter()
    /// Strangers who have to wait because a name is under attack; keyed by name and network.
    let attackLine = WaitingLine()
    /// Strangers who were told to come back because too many passwords were being checked; keyed by network.
    let busyLine = WaitingLine()
    /// How often a person may prove who they are: by id. Each is a write and an audit entry, and takes a password's hash. Far more than a
    /// person needs, or a script that signs in for each of its steps.
    let proofs = MinutePace<Int>(most: 120)
    /// How often strangers may give the right password of somebody who has a second factor, without a code: by
    /// ``SignInThrottle/half(of:with:)``. Kept apart from `proofs`, which whoever knows a password and has no code must not use up.
    let halves = MinutePace<String>(most: 120)
    /// How often sessions of a person may begin on a proxy's word: by id. A person with many browsers that all wake up at once stays below
    /// it.
    let proxied = MinutePace<Int>(most: 30)
    /// How often an account may make what it can also take away again, such as tokens: each is a row of the audit. More than a script needs
    /// that makes as many as there may be. Taking away needs no limit of its own.
    let makings = MinutePace<String>(most: 600)
    /// The sessions of proxied people that have more rights than are stored, with the rights that the audit has been told of.
    let exceeding = Mutex<[SHA256Digest: Set<Authority.Reach>]>([:])

    /// - Parameters:
    ///   - store: the open database, or nil while there is none: then nobody can be recognised, and everybody gets 503.
    ///   - keys: the folder of the keys; nil for callers that need none, such as the commands for a stopped server.
    package init(
        store: @escaping @Sendable () -> Store?,
        hasher: PasswordHasher,
        random: RandomSource,
        keys: KeyFolder? = nil,
        failures: FailureLog = .none,
        now: @escaping @Sendable () -> Timestamp
    ) {
        currentStore = store
        self.keys = keys
        self.failures = failures
        self.hasher = hasher
        self.random = random
        self.now = now
    }

    /// Runs something on the store.
    func store<Value>(_ work: (Store) throws(StoreError) -> Value) throws(ServiceError) -> Value {
        let store = try openStore()
        do { return try work(store) } catch { throw ServiceError(error) }
    }

    /// Reads a part of a list from the store.
    func part<Value>(_ read: (Store) throws(StoreError) -> Value) throws(ServiceError) -> Value {
        let store = try openStore()
        do { return try read(store) } catch {
            guard error.code == .notFound else { throw ServiceError(error) }
            let words = "The cursor is not one that this server gave, or what it named is gone."
            throw ServiceError(.malformed, "malformed", words, field: "cursor")
        }
    }

    func openStore() throws(ServiceError) -> Store {
        guard let store = currentStore() else {
            throw ServiceError(
                .unavailable,
                "database_unavailable",
                "The database cannot be read, so nobody can be recognised; feeds go on.",
                retryAfter: 5
            )
        }
        return store
    }

    /// Runs work on the store that concerns people, and puts the store's refusals in terms of people.
    func people<Value>(_ work: (Store) throws(StoreError) -> Value) throws(ServiceError) -> Value {
        let store = try openStore()
        do { return try work(store) } catch {
            switch error.code {
            case .duplicate: throw ServiceError(.exists, "exists", "There is already somebody with that name.", field: "/username")
            case .notFound: throw .missingPerson
            case .tooMany:
                throw ServiceError(
                    .invalid,
                    "too_many_people",
                    "There are already \(Store.mostUsers) people, which is the limit; remove some first."
                )
            case .conflict:
                throw ServiceError(
                    .conflict,
                    "last_administrator",
                    "This is the last administrator of all apps who can sign in; make somebody else one first."
                )
            default: throw ServiceError(error)
            }
        }
    }

    /// Edits a person as they are stored at the moment of writing; the parameters are those of
    /// ``Store/editUser(id:keepingSessions:by:endingTokens:starting:replacing:_:)``.
    /// - Parameter edit: if it throws, nothing is written.
    @discardableResult
    func editUser(
        id: Int,
        keepingSessions: Bool = false,
        by authority: Authority = .server,
        endingTokens: Bool = false,
        starting new: (session: SessionRecord, audit: AuditEntry)? = nil,
        replacing old: SHA256Digest? = nil,
        _ edit: (inout UserRecord) throws(ServiceError) -> AuditEntry?
    ) throws(ServiceError) -> UserRecord {
        var refusal: ServiceError?
        let user = try people { store throws(StoreError) in
            try store.editUser(
                id: id,
                keepingSessions: keepingSessions,
                by: authority,
                endingTokens: endingTokens,
                starting: new,
                replacing: old
            ) { user in
                // The store may try a second time; what the first try came to counts no more.
                refusal = nil
                do throws(ServiceError) { return try edit(&user) } catch {
                    refusal = error
                    return nil
                }
            }
        }
        if let refusal { throw refusal }
        return user
    }

    /// An entry for the audit about something that was done, at this moment.
    func entry(_ action: String, actor: Actor?, subject: String?, detail: JSONObject? = nil, from origin: RequestOrigin) -> AuditEntry {
        AuditEntry(
            at: now(),
            actor: actor,
            action: action,
            subject: subject,
            address: origin.address,
            requestId: origin.requestId,
            detail: detail
        )
    }

    /// The same, about what people do in a session to their own account.
    func entry(_ action: String, in session: SignedIn, detail: JSONObject? = nil, from origin: RequestOrigin) -> AuditEntry {
        entry(action, actor: session.actor, subject: session.user.name, detail: detail, from: origin)
    }

    /// The same, about what a caller does to others or to tokens.
    func entry(_ action: String, by caller: Caller, subject: String?, detail: JSONObject? = nil) -> AuditEntry {
        AuditEntry(
            at: now(),
            actor: caller.actor,
            action: action,
            subject: subject,
            address: caller.address,
            requestId: caller.requestId,
            detail: detail
        )
    }
}

extension ServiceError {
    static let missingPerson = ServiceError(.notFound, "user_not_found", "There is nobody with that name.")

    /// What let the caller in held when the request began and no longer does: a reset, a sign-out, a revoked token.
    static let ended = ServiceError(
        .unauthenticated,
        "unauthenticated",
        "Your sign-in or your token ended while this was under way, so nothing was changed; sign in again."
    )
}
