import GateCrypto
import GateJSON
import GateModel
import GateStore

/// Slows guessing down without keeping the right person out (reliability section 5, R38, R59).
///
/// Strangers' failures count by name and network together, by network, and by name over all networks. A browser that the person signed in
/// from before, and a session, count by themselves alone: no stranger's failures concern them. Kept in the database, so that a restart
/// forgives nothing.
struct SignInThrottle {
    /// Who tries, as far as it is known before the password is looked at.
    enum Party: Equatable {
        case stranger
        /// A browser that this person signed in from before.
        case device(KnownDevice)
        /// Whoever has a session and gives the password again.
        case session(SHA256Digest)
        /// Whoever brings an invitation: it tells who they are only when it is right.
        case invitation
        /// Whoever brought the right one to that person, and owes the code of their second factor.
        case invited(Int)

        var isDevice: Bool {
            if case .device = self { return true }
            return false
        }
    }

    private struct Scope {
        let key: String
        let rule: Limit
    }

    private enum Limit {
        /// One name from one network, or one known browser: doubles from one second after five failures, up to 15 minutes.
        case pair
        /// The same for a site, which has many networks: after twenty.
        case sitePair
        /// One network: twenty failures in ten minutes, then until they are over.
        case network
        /// The same for a site: after forty.
        case site
        /// One name from everywhere: counted, and looked at in ``SignInThrottle/wait(_:access:)``.
        case name

        func delay(afterFailures failures: Int) -> Int64 {
            switch self {
            case .pair: Self.doubling(failures - 5)
            case .sitePair: Self.doubling(failures - 20)
            case .network: failures < 20 ? 0 : 600
            case .site: failures < 40 ? 0 : 600
            case .name: 0
            }
        }

        private static func doubling(_ excess: Int) -> Int64 { excess < 0 ? 0 : min(900, 1 << Int64(min(excess, 10))) }

        /// Seconds after which failures are forgotten. At most ``Store/longestThrottleWindow``.
        var memory: Int64 {
            switch self {
            case .pair, .sitePair, .name: 3_600
            case .network, .site: 600
            }
        }
    }

    /// Failures of others on a name within the hour, from which on strangers have to wait for a try at it.
    private static let attack = 10
    /// Seconds that they wait for their first try, and twice as long after each that fails.
    private static let firstWait: Int64 = 20

    private let scopes: [Scope]
    private let now: Timestamp
    /// Nil for whom no stranger's failures concern.
    private let stranger: (pair: String, network: String)?

    init(name: String, origin: RequestOrigin, party: Party, now: Timestamp) {
        self.now = now
        switch party {
        case .device(let device):
            scopes = [Scope(key: "device:\(device.id)", rule: .pair)]
            stranger = nil
        case .session(let digest):
            scopes = [Scope(key: "session:\(digest.hexadecimal(ofFirst: 16))", rule: .pair)]
            stranger = nil
        case .invitation:
            // By themselves: whoever tries links out must not keep anybody of the same network from signing in.
            let place = NetworkPlace(origin.address)
            scopes =
                [Scope(key: "invitation:\(place.network)", rule: .network)]
                + (place.site.map { [Scope(key: "invitation:\($0)", rule: .site)] } ?? [])
            stranger = nil
        case .invited(let id):
            scopes = [Scope(key: "invited:\(id)", rule: .pair)]
            stranger = nil
        case .stranger:
            // Names are kept as 24 bits of a digest: people type passwords into name fields, and a few bits tell attempts apart but do not
            // confirm a guess at what was typed.
            let name = SHA256Digest(of: String(name.lowercased().prefix(64))).hexadecimal(ofFirst: 3)
            let place = NetworkPlace(origin.address)
            let pair = "pair:\(name)|\(place.network)"
            var scopes = [
                Scope(key: pair, rule: .pair), Scope(key: "address:\(place.network)", rule: .network),
                Scope(key: "name:\(name)", rule: .name),
            ]
            if let site = place.site {
                scopes += [Scope(key: "pair:\(name)|\(site)", rule: .sitePair), Scope(key: "address:\(site)", rule: .site)]
            }
            self.scopes = scopes
            stranger = (pair, place.network)
        }
    }

    /// - Returns: how the password is to be looked at.
    /// - Throws: `too_many_tries` (429) with the seconds until all reasons for it are over; the password is then not even looked at.
    func admit(store access: AccessService) throws(ServiceError) -> PasswordHasher.Lane {
        let records = try access.store { store throws(StoreError) in try store.throttles(scopes: scopes.map(\.key)) }
        let notBefore = records.values.map(\.notBefore).max() ?? now
        guard notBefore <= now else { throw .tooManyTries(seconds: Int((notBefore.milliseconds - now.milliseconds + 999) / 1_000)) }
        guard let stranger else { return .known }
        if let wait = wait(records, access: access) { throw .tooManyTries(seconds: wait) }
        // Of two who both come back because all was busy, who has guessed wrong from here lately is not helped against who has not.
        let isClean = failures(.network, records) < 2 && failures(.site, records) < 10
        return isClean && access.busyLine.hasWaited(stranger.network, at: now) ? .returning : .newcomer
    }

    /// Seconds that a stranger has to wait because many others try this name; nil when there is nothing to wait for, or they have waited.
    ///
    /// A lock that opens for a moment now and then is always taken by who tries hardest, which is not the right person. A wait of one's own
    /// comes to its end whatever the others do.
    private func wait(_ records: [String: ThrottleRecord], access: AccessService) -> Int? {
        let own = failures(.pair, records)
        guard let stranger, failures(.name, records) - own >= Self.attack else { return nil }
        return access.attackLine.wait(stranger.pair, seconds: min(900, Self.firstWait << Int64(min(own, 6))), at: now)
    }

    private func failures(_ rule: Limit, _ records: [String: ThrottleRecord]) -> Int {
        let record = scopes.first { $0.rule == rule }.flatMap { records[$0.key] }
        return record.map { now < $0.firstFailureAt.advanced(bySeconds: rule.memory) ? $0.failures : 0 } ?? 0
    }

    func failed(store access: AccessService) throws(ServiceError) {
        if let stranger { access.attackLine.leave(stranger.pair) }
        _ = try access.store { store throws(StoreError) in
            try store.countFailures(
                scopes.map { scope in
                    Store.FailureCount(scope: scope.key, window: scope.rule.memory) { scope.rule.delay(afterFailures: $0) }
                },
                at: now
            )
        }
    }

    /// All were busy, and somebody was told to come back.
    func wasBusy(store access: AccessService) {
        if let stranger { _ = access.busyLine.wait(stranger.network, seconds: 1, at: now) }
    }

    func succeeded(store access: AccessService) throws(ServiceError) {
        if let stranger {
            access.attackLine.leave(stranger.pair)
            access.busyLine.leave(stranger.network)
        }
        try access.store { store throws(StoreError) in try store.clearThrottle(scope: scopes[0].key) }
    }
}

extension ServiceError {
    fileprivate static func tooManyTries(seconds: Int) -> ServiceError {
        ServiceError(.tooMany, "too_many_tries", "Too many failed sign-ins; try again in \(seconds) s.", retryAfter: seconds)
    }
}
