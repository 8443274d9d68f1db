import GateCrypto
import GateJSON
import GateModel
import GateStore

/// Slows guessing down without locking the right person out: by name and address together for up to 15 minutes, by address alone, and by
/// name over all addresses for 30 seconds at most. Kept in the database, so that a restart forgives nothing (reliability section 5, R38).
struct SignInThrottle {
    private let scopes: [(key: String, rule: Rule)]
    private let now: Timestamp

    private enum Rule {
        /// Doubles from one second after five failures, up to 15 minutes.
        case pair
        /// Doubles from one second after ten failures, up to 30 seconds.
        case name
        /// Twenty failures in ten minutes, then until they are over.
        case address

        func delay(afterFailures failures: Int) -> Int64 {
            switch self {
            case .pair: failures < 5 ? 0 : min(900, 1 << Int64(min(failures - 5, 10)))
            case .name: failures < 10 ? 0 : min(30, 1 << Int64(min(failures - 10, 5)))
            case .address: failures < 20 ? 0 : 600
            }
        }

        /// Seconds after which failures are forgotten.
        var memory: Int64 {
            switch self {
            case .pair, .name: 3_600
            case .address: 600
            }
        }
    }

    init(name: String, origin: RequestOrigin, now: Timestamp) {
        // Names are kept as 24 bits of a digest: people type passwords into name fields, and a few bits tell attempts apart but do not
        // confirm a guess at what was typed.
        let name = SHA256Digest(of: String(name.lowercased().prefix(64))).hexadecimal.prefix(6)
        let network = Self.network(of: origin.address)
        scopes = [("pair:\(name)|\(network)", .pair), ("name:\(name)", .name), ("address:\(network)", .address)]
        self.now = now
    }

    /// - Throws: `too_many_tries` (429) with the seconds until all of them are over; the password is then not even looked at.
    func admit(store access: AccessService) throws(ServiceError) {
        var notBefore = now
        for (key, _) in scopes {
            let record = try access.store { store throws(StoreError) in try store.throttle(scope: key) }
            notBefore = max(notBefore, record?.notBefore ?? now)
        }
        guard notBefore > now else { return }
        let seconds = Int((notBefore.milliseconds - now.milliseconds + 999) / 1_000)
        throw ServiceError(.tooMany, "too_many_tries", "Too many failed sign-ins; try again in \(seconds) s.", retryAfter: seconds)
    }

    func failed(store access: AccessService) throws(ServiceError) {
        for (key, rule) in scopes {
            _ = try access.store { store throws(StoreError) in
                try store.countFailure(scope: key, at: now, window: rule.memory) { rule.delay(afterFailures: $0) }
            }
        }
    }

    func succeeded(store access: AccessService) throws(ServiceError) {
        try access.store { store throws(StoreError) in try store.clearThrottle(scope: scopes[0].key) }
    }

    /// A home or a phone has a whole /64 of IPv6 to itself.
    private static func network(of address: String) -> String {
        guard address.contains(":") else { return address }
        let groups = address.split(separator: ":", omittingEmptySubsequences: false)
        // Before a :: there may be fewer than four groups; the missing ones are zero and so the same for everybody in it.
        let head = groups.prefix { !$0.isEmpty }.prefix(4)
        return head.joined(separator: ":") + "::/64"
    }
}
