package import GateCrypto
import Synchronization

/// Hashes passwords, at most two at once: each takes 64 MiB and half a core, so a flood of sign-ins would else take the machine.
package final class PasswordHasher: Sendable {
    package let cost: PasswordHash.Cost
    /// How many run now.
    let running = Mutex(0)
    private static let limit = 2
    /// Verified in place of the hash of a user who does not exist, so that both answers take the same time.
    private let decoy: PasswordHash?

    package init(cost: PasswordHash.Cost) {
        self.cost = cost
        // Without a decoy, unknown names answer faster; that is no reason not to start.
        decoy = try? PasswordHash(of: "nobody has this password", cost: cost)
    }

    /// - Throws: `busy` (503, one second) when two are running already; `no_memory` (503).
    package func hash(_ password: String) throws(ServiceError) -> PasswordHash {
        try bounded { () throws(CryptoError) in try PasswordHash(of: password, cost: cost) }
    }

    /// Whether `password` is the one behind `hash`; with nil, false after the same time.
    /// - Throws: as ``hash(_:)``. A server without memory knows nothing of a password, and calls none wrong.
    package func verifies(_ password: String, _ hash: PasswordHash?) throws(ServiceError) -> Bool {
        try bounded { () throws(CryptoError) in try (hash ?? decoy)?.verifies(password) == true && hash != nil }
    }

    private func bounded<Value>(_ work: () throws(CryptoError) -> Value) throws(ServiceError) -> Value {
        let isAdmitted = running.withLock { running in
            guard running < Self.limit else { return false }
            running += 1
            return true
        }
        guard isAdmitted else {
            throw ServiceError(.unavailable, "busy", "Too many people are signing in at this moment; try again in a second.", retryAfter: 1)
        }
        defer { running.withLock { $0 -= 1 } }
        do { return try work() } catch {
            var refusal = ServiceError(.unavailable, "no_memory", "The server has not enough memory to check passwords.", retryAfter: 5)
            refusal.underlying = error
            throw refusal
        }
    }
}
