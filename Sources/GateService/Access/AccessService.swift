package import GateCrypto
package import GateJSON
import GateModel
package import GateStore
import Synchronization

/// Who is who: the first administrator, signing in, sessions, tokens. Thread-safe; every call asks the database.
///
/// People, tokens and sign-ins are not changes; they are told in the audit, in the same transaction as what they did.
package final class AccessService: Sendable {
    let currentStore: @Sendable () -> Store?
    let hasher: PasswordHasher
    let random: RandomSource
    let now: @Sendable () -> Timestamp
    let setup: Mutex<SetupCode?> = Mutex(nil)
    let keys: KeyFolder?
    let failures: FailureLog
    let refusals = RefusalCounter()
    /// Strangers who have to wait because a name is under attack, by name and network.
    let attackLine = WaitingLine()
    /// Those who were told to come back because too many passwords were looked at, by network.
    let busyLine = WaitingLine()
    /// Sessions that begin by a proxy's word.
    let pace = SessionPace()

    /// - Parameters:
    ///   - store: the open database, or nil while there is none: then nobody can be recognised, and everybody is told 503.
    ///   - keys: where the key of second factors is; nil for who needs none, as the commands at a stopped server.
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

    /// Runs something on the store that concerns people, and says in their words what the store would not do.
    func people<Value>(_ work: (Store) throws(StoreError) -> Value) throws(ServiceError) -> Value {
        let store = try openStore()
        do { return try work(store) } catch {
            switch error.code {
            case .duplicate: throw ServiceError(.exists, "exists", "There is somebody of that name already.", field: "/username")
            case .notFound: throw .missingPerson
            case .tooMany:
                throw ServiceError(
                    .invalid,
                    "too_many_people",
                    "There are \(Store.mostUsers) people already, the most that there may be; remove some first."
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

    func entry(
        _ action: String,
        outcome: AuditEntry.Outcome,
        actor: Actor?,
        subject: String?,
        detail: JSONObject? = nil,
        from origin: RequestOrigin
    ) -> AuditEntry {
        AuditEntry(
            at: now(),
            actor: actor,
            action: action,
            outcome: outcome,
            subject: subject,
            address: origin.address,
            requestId: origin.requestId,
            detail: detail
        )
    }
}

extension AccessService {
    func entry(_ action: String, by caller: Caller, subject: String?, detail: JSONObject? = nil) -> AuditEntry {
        AuditEntry(
            at: now(),
            actor: caller.actor,
            action: action,
            outcome: .succeeded,
            subject: subject,
            address: caller.address,
            requestId: caller.requestId,
            detail: detail
        )
    }
}

extension ServiceError {
    static let missingPerson = ServiceError(.notFound, "user_not_found", "There is nobody of that name.")

    /// What let somebody in was there when the request began and is not any more: a reset, a sign-out, a revoked token.
    static let ended = ServiceError(
        .unauthenticated,
        "unauthenticated",
        "Your sign-in or your token ended while this was under way, so nothing was changed; sign in again."
    )
}
