package import GateCrypto
package import GateModel
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

    /// - Parameter store: the open database, or nil while there is none: then nobody can be recognised, and everybody is told 503.
    package init(store: @escaping @Sendable () -> Store?, hasher: PasswordHasher, random: RandomSource, now: @escaping @Sendable () -> Timestamp) {
        currentStore = store
        self.hasher = hasher
        self.random = random
        self.now = now
    }

    /// Runs something on the store.
    func store<Value>(_ work: (Store) throws(StoreError) -> Value) throws(ServiceError) -> Value {
        guard let store = currentStore() else {
            throw ServiceError(.unavailable, "database_unavailable", "The database cannot be read, so nobody can be recognised; feeds go on.", retryAfter: 5)
        }
        do { return try work(store) } catch { throw ServiceError(error) }
    }

    func entry(_ action: String, outcome: AuditEntry.Outcome, actor: Actor?, subject: String?, detail: JSONObject? = nil, from origin: RequestOrigin) -> AuditEntry {
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
