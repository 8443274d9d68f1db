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
        /// Wrong codes with a person's right password, of all strangers together: after twenty, one in thirty seconds, which is the longest
        /// that reliability section 5 lets an account be shut for everybody. A code is one of a million, three of which are right: unlike a
        /// password, it is found by whoever may go on trying.
        case codes

        func delay(afterFailures failures: Int) -> Int64 {
            switch self {
            case .pair: Self.doubling(failures - 5)
            case .sitePair: Self.doubling(failures - 20)
            case .network: failures < 20 ? 0 : 600
            case .site: failures < 40 ? 0 : 600
            case .name: 0
            case .codes: failures < 20 ? 0 : 30
            }
        }

        private static func doubling(_ excess: Int) -> Int64 { excess < 0 ? 0 : min(900, 1 << Int64(min(excess, 10))) }

        /// Seconds after which failures are forgotten. At most ``Store/longestThrottleWindow``.
        var memory: Int64 {
            switch self {
            case .pair, .sitePair, .name, .codes: 3_600
            case .network, .site: 600
            }
        }
    }

    /// How many failures of others on a name, within the hour, make strangers wait before they may try it.
    private static let attack = 10
    /// Seconds that they wait before their first try; twice as long after each failure.
    private static let firstWait: Int64 = 20

    private let scopes: [Scope]
    /// Counts only failures after a right password, so that nobody without one makes anybody's codes wait.
    private let codes: Scope?
    let now: Timestamp
    /// Whose place in the lines it is (``NetworkPlace/share``), alone and with the name; nil for those whom no stranger's failures concern.
    private let stranger: (pair: String, share: String)?

    /// - Parameter guessing: the person whose authenticator is asked for, when an attempt comes with a code that could be guessed.
    init(name: String, origin: RequestOrigin, party: Party, guessing: Int? = nil, now: Timestamp) {
        self.now = now
        // Only strangers' guesses are counted together: no stranger must keep out somebody who is known.
        codes = party == .stranger ? guessing.map { Scope(key: "codes:\($0)", rule: .codes) } : nil
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
        let all = scopes + (codes.map { [$0] } ?? [])
        let records = try access.store { store throws(StoreError) in try store.throttles(scopes: all.map(\.key)) }
        if let seconds = seconds(until: scopes.compactMap { end($0, records) }.max()) { throw .tooManyTries(seconds: seconds) }
        if let seconds = seconds(until: codes.flatMap { end($0, records) }) { throw .tooManyCodes(seconds: seconds) }
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
    private func end(_ scope: Scope, _ records: [String: ThrottleRecord]) -> Timestamp? {
        guard let record = records[scope.key] else { return nil }
        let longest = scope.rule.delay(afterFailures: record.failures) + StoredTime.lead
        return record.notBefore <= now.advanced(bySeconds: longest) ? record.notBefore : nil
    }

    /// Nil for a time that has come.
    private func seconds(until time: Timestamp?) -> Int? {
        guard let time, time > now else { return nil }
        return Int((time.milliseconds - now.milliseconds + 999) / 1_000)
    }

    private func failures(_ rule: Limit, _ records: [String: ThrottleRecord]) -> Int {
        let record = scopes.first { $0.rule == rule }.flatMap { records[$0.key] }
        return record.map { $0.counts(within: rule.memory, at: now) ? $0.failures : 0 } ?? 0
    }

    /// Where a stranger's right password counts when it comes without a code for a person who has a second factor: at where the stranger
    /// comes from. Nil for everybody else.
    func half(of user: UserRecord, with code: String?) -> String? {
        guard let stranger, user.totpSecret != nil, RecoveryCode.bare(code) == nil else { return nil }
        return "\(user.id) \(stranger.share)"
    }

    /// - Parameter knowingPassword: whether only the code was wrong.
    func failed(knowingPassword: Bool = false, store access: AccessService) throws(ServiceError) {
        if let stranger { access.attackLine.leave(stranger.pair) }
        let counted = scopes + (knowingPassword ? codes.map { [$0] } ?? [] : [])
        _ = try access.store { store throws(StoreError) in
            try store.countFailures(
                counted.map { scope in
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

    fileprivate static func tooManyCodes(seconds: Int) -> ServiceError {
        ServiceError(
            .tooMany,
            "too_many_tries",
            "Somebody tries many codes with this name; try again in \(seconds) s, or use a recovery code or a browser that you signed in from before.",
            retryAfter: seconds
        )
    }
}
