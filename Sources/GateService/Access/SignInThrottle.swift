import GateCrypto
import GateJSON
import GateModel
import GateStore

/// Slows down guessing without keeping the right person out (reliability section 5, R38, R59).
///
/// Strangers' failures count by name and network together, by network, and by name over all networks. A session, and a browser that the
/// person signed in from before, each have only their own count: no stranger's failures affect them. Kept in the database, so that a
/// restart forgives nothing.
struct SignInThrottle {
    /// Who is trying, as far as is known before the password is checked.
    enum Party: Equatable {
        case stranger
        /// A browser that this person signed in from before.
        case device(KnownDevice)
        /// Somebody with a session who gives the password again.
        case session(SHA256Digest)
        /// Somebody who brings an invitation: only a correct one tells who they are.
        case invitation
        /// Somebody who brought that person's valid invitation, and still owes the code of the second factor.
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
        /// One name from one network, or one known browser: the delay doubles from one second after five failures, up to 15 minutes.
        case pair
        /// The same for a site, which has many networks: starts after twenty.
        case sitePair
        /// One network: after twenty failures in ten minutes, shut for ten minutes.
        case network
        /// The same for a site: after forty.
        case site
        /// One name from everywhere: only counted here; ``SignInThrottle/wait(_:access:)`` decides on the wait.
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

    /// How many failures of others on a name, within the hour, make strangers wait before they may try it.
    private static let attack = 10
    /// Seconds that they wait before their first try; twice as long after each failure.
    private static let firstWait: Int64 = 20

    private let scopes: [Scope]
    let now: Timestamp
    /// Whose place in the lines it is (``NetworkPlace/share``), alone and with the name; nil for those whom no stranger's failures concern.
    private let stranger: (pair: String, share: String)?

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
            // Counted apart: somebody trying out links must not keep others in the same network from signing in.
            let place = NetworkPlace(origin.address)
            scopes =
                [Scope(key: "invitation:\(place.network)", rule: .network)]
                + (place.site.map { [Scope(key: "invitation:\($0)", rule: .site)] } ?? [])
            stranger = nil
        case .invited(let id):
            scopes = [Scope(key: "invited:\(id)", rule: .pair)]
            stranger = nil
        case .stranger:
            // Names are kept as 24 bits of a digest, because people type passwords into name fields: so few bits tell attempts apart but do
            // not confirm a guess at what was typed. All spellings that the store takes for one name count together, whether it is
            // anybody's or not: a difference would tell which names exist.
            let name = SHA256Digest(of: String(UserRecord.folded(name).prefix(64))).hexadecimal(ofFirst: 3)
            let place = NetworkPlace(origin.address)
            var scopes = [
                Scope(key: "pair:\(name)|\(place.network)", rule: .pair), Scope(key: "address:\(place.network)", rule: .network),
                Scope(key: "name:\(name)", rule: .name),
            ]
            if let site = place.site {
                scopes += [Scope(key: "pair:\(name)|\(site)", rule: .sitePair), Scope(key: "address:\(site)", rule: .site)]
            }
            self.scopes = scopes
            stranger = ("\(name)|\(place.share)", place.share)
        }
    }

    /// - Returns: the lane in which the password is checked.
    /// - Throws: `too_many_tries` (429) with the seconds until no limit applies any more; the password is then not even checked.
    func admit(store access: AccessService) throws(ServiceError) -> PasswordHasher.Lane {
        let records = try access.store { store throws(StoreError) in try store.throttles(scopes: scopes.map(\.key)) }
        let notBefore = scopes.compactMap { scope in records[scope.key].flatMap { end($0, scope.rule) } }.max() ?? now
        guard notBefore <= now else { throw .tooManyTries(seconds: Int((notBefore.milliseconds - now.milliseconds + 999) / 1_000)) }
        guard let stranger else { return .known }
        if let wait = wait(records, access: access) { throw .tooManyTries(seconds: wait) }
        // Of those who come back because all was busy, only somebody without recent wrong guesses from here gets the better lane.
        let isClean = failures(.network, records) < 2 && failures(.site, records) < 10
        return isClean && access.busyLine.hasWaited(stranger.share, at: now) ? .returning : .newcomer
    }

    /// Seconds that a stranger has to wait because many others are trying this name; nil when there is no wait, or it is over.
    ///
    /// A shared lock that opens for a moment now and then is always taken by whoever tries hardest, which is not the right person. A
    /// personal wait ends no matter what the others do.
    private func wait(_ records: [String: ThrottleRecord], access: AccessService) -> Int? {
        let own = failures(.pair, records)
        guard let stranger, failures(.name, records) - own >= Self.attack else { return nil }
        return access.attackLine.wait(stranger.pair, seconds: min(900, Self.firstWait << Int64(min(own, 6))), at: now)
    }

    /// When a record lets the next attempt through; nil for one that a clock wrote before it was put back. Its wait would last for as long
    /// as that clock was ahead, and keep out the right person too.
    private func end(_ record: ThrottleRecord, _ rule: Limit) -> Timestamp? {
        let longest = rule.delay(afterFailures: record.failures) + StoredTime.lead
        return record.notBefore <= now.advanced(bySeconds: longest) ? record.notBefore : nil
    }

    private func failures(_ rule: Limit, _ records: [String: ThrottleRecord]) -> Int {
        let record = scopes.first { $0.rule == rule }.flatMap { records[$0.key] }
        return record.map { $0.counts(within: rule.memory, at: now) ? $0.failures : 0 } ?? 0
    }

    /// What a stranger's right password counts as before there is a right code; nil for the known, and for a person without a second factor.
    ///
    /// Without a code it counts for where the stranger comes from. With one it counts for the person, because it is a guess, and nobody gets
    /// more of those by coming from more networks; wrong ones make each network wait long before they are enough to keep others out.
    func half(of user: UserRecord, with code: String?) -> String? {
        guard let stranger, user.totpSecret != nil else { return nil }
        return RecoveryCode.bare(code) == nil ? "\(user.id) \(stranger.share)" : "\(user.id)"
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

    /// Notes that all places were busy and the stranger was told to come back.
    func wasBusy(store access: AccessService) {
        if let stranger { _ = access.busyLine.wait(stranger.share, seconds: 1, at: now) }
    }

    func succeeded(store access: AccessService) throws(ServiceError) {
        if let stranger {
            access.attackLine.leave(stranger.pair)
            access.busyLine.leave(stranger.share)
        }
        try access.store { store throws(StoreError) in try store.clearThrottle(scope: scopes[0].key) }
    }
}

extension ServiceError {
    fileprivate static func tooManyTries(seconds: Int) -> ServiceError {
        ServiceError(.tooMany, "too_many_tries", "Too many failed sign-ins; try again in \(seconds) s.", retryAfter: seconds)
    }
}
