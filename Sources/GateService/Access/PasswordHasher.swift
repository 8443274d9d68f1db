import Dispatch
package import GateCrypto
import Synchronization

/// Hashes passwords, at most two at once: each takes 64 MiB and half a core, so a flood of sign-ins would otherwise take over the machine.
///
/// Nor may a flood keep out the people who are known, or all other strangers: ``Lane`` says how much of the time each group gets, and of
/// the known everybody has one place or waits for one, so that the other is there for the rest.
/// Thread-safe; a call takes as long as a hash, and for the known at most twice that.
package final class PasswordHasher: Sendable {
    /// For whom a password is checked.
    package enum Lane: Sendable {
        /// Somebody signed in, or known by their browser: waits for a place, and gets the next one that is free.
        case known
        /// A stranger who was sent away because all places were busy, waited, and came back: during a crush these get half of the time.
        case returning
        /// Any other stranger: during a crush one at a time, for a quarter of the time.
        case newcomer
    }

    package let cost: PasswordHash.Cost
    let queue: Mutex<Queue>
    private static let limit = 2
    /// How long the known wait for a place.
    private static let patience = DispatchTimeInterval.seconds(3)
    /// How long a crush lasts after a stranger was last sent away.
    private static let crush = Duration.seconds(10)
    private let freed = DispatchSemaphore(value: 0)
    private let time: @Sendable () -> ContinuousClock.Instant
    /// Verified in place of the hash of a user who does not exist, so that both answers take the same time.
    private let decoy: PasswordHash?

    struct Queue: Sendable {
        var running = 0
        /// Whether a known person waits for a place; at most one may, because each ties up a worker.
        var isAwaited = false
        /// The known people who have a place, or wait for one, by id.
        var people: Set<Int> = []
        var crushUntil: ContinuousClock.Instant?
        /// The paces of strangers during a crush.
        var returning = Pace()
        var newcomers = Pace()
    }

    /// How many of a lane are in, and when the next may enter.
    struct Pace: Sendable {
        var running = 0
        var next: ContinuousClock.Instant?

        mutating func leave(at now: ContinuousClock.Instant, rest: Duration) {
            running -= 1
            next = now + rest
        }
    }

    /// - Parameter time: the monotonic clock.
    package init(cost: PasswordHash.Cost, time: @escaping @Sendable () -> ContinuousClock.Instant = { .now }) {
        self.cost = cost
        self.time = time
        queue = Mutex(Queue())
        // Without a decoy, unknown names answer faster; that is no reason not to start.
        decoy = try? PasswordHash(of: "nobody has this password", cost: cost)
    }

    /// For somebody who is signed in, or at a shell on the server.
    /// - Parameter person: the id of the person who asks; nil at a shell, and for others of whom there are few.
    /// - Throws: `busy` (503, one second) when two are running and one is already waiting, or one for the same person is; `no_memory`
    ///   (503).
    package func hash(_ password: String, for person: Int? = nil) throws(ServiceError) -> PasswordHash {
        try bounded(.known, person) { () throws(CryptoError) in try PasswordHash(of: password, cost: cost) }
    }

    /// Whether `password` is the one behind `hash`; for nil, false after the same time.
    /// - Parameter person: the id of the person whose password it is; of strangers nobody knows yet who they are.
    /// - Throws: as ``hash(_:for:)``, but strangers do not wait. Out of memory, it throws and does not call a password wrong.
    package func verifies(_ password: String, _ hash: PasswordHash?, in lane: Lane, of person: Int? = nil) throws(ServiceError) -> Bool {
        try bounded(lane, lane == .known ? person : nil) { () throws(CryptoError) in
            try (hash ?? decoy)?.verifies(password) == true && hash != nil
        }
    }

    private func bounded<Value>(_ lane: Lane, _ person: Int?, _ work: () throws(CryptoError) -> Value) throws(ServiceError) -> Value {
        guard enter(lane, person) else { throw .busy }
        let began = time()
        defer { leave(lane, person, after: time() - began) }
        do { return try work() } catch {
            throw ServiceError(
                .unavailable,
                "no_memory",
                "The server does not have enough memory to check passwords.",
                retryAfter: 5
            ).with(\.underlying, error)
        }
    }

    /// - Returns: whether there is a place; if so, ``leave(_:_:after:)`` must follow.
    func enter(_ lane: Lane, _ person: Int? = nil) -> Bool {
        let now = time()
        let isIn = queue.withLock { queue -> Bool? in
            guard lane == .known else { return queue.admit(lane, now: now, limit: Self.limit, crush: Self.crush) }
            let isFree = queue.running < Self.limit && !queue.isAwaited
            guard isFree || !queue.isAwaited else { return false }
            if let person, !queue.people.insert(person).inserted { return false }
            if isFree { queue.running += 1 } else { queue.isAwaited = true }
            return isFree ? true : nil
        }
        return isIn ?? awaitPlace(person)
    }

    /// Waits for whoever finishes next to hand over their place.
    private func awaitPlace(_ person: Int?) -> Bool {
        if freed.wait(timeout: .now() + Self.patience) == .success { return true }
        let isLate = queue.withLock { queue in
            guard queue.isAwaited else { return false }
            queue.isAwaited = false
            if let person { queue.people.remove(person) }
            return true
        }
        // The place was handed over just as the patience ran out.
        if !isLate { freed.wait() }
        return !isLate
    }

    /// - Parameter duration: how long it took.
    func leave(_ lane: Lane, _ person: Int? = nil, after duration: Duration) {
        let now = time()
        let isHandedOver = queue.withLock { queue in
            if let person { queue.people.remove(person) }
            switch lane {
            case .known: break
            // A rest as long as the work took leaves half of the time for the lane; three times as long leaves a quarter.
            case .returning: queue.returning.leave(at: now, rest: duration)
            case .newcomer: queue.newcomers.leave(at: now, rest: duration * 3)
            }
            guard queue.isAwaited else {
                queue.running -= 1
                return false
            }
            queue.isAwaited = false
            return true
        }
        if isHandedOver { freed.signal() }
    }
}

extension PasswordHasher.Queue {
    /// Lets a stranger in, or sends them away.
    fileprivate mutating func admit(_ lane: PasswordHasher.Lane, now: ContinuousClock.Instant, limit: Int, crush: Duration) -> Bool {
        let pace = lane == .returning ? returning : newcomers
        let isCrush = crushUntil.map { now < $0 } ?? false
        let isTooSoon = isCrush && (pace.running > 0 || pace.next.map { now < $0 } ?? false)
        guard running < limit, !isAwaited, !isTooSoon else {
            crushUntil = now + crush
            return false
        }
        running += 1
        if lane == .returning { returning.running += 1 } else { newcomers.running += 1 }
        return true
    }
}

extension ServiceError {
    static let busy = ServiceError(
        .unavailable,
        "busy",
        "Too many people are signing in at this moment; try again in a second.",
        retryAfter: 1
    )
}
