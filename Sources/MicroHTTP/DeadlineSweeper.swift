import Dispatch
import Glibc
import Synchronization

/// Cuts connections that have outstayed a deadline. A thread of its own, since libmicrohttpd's only timer restarts at every byte.
///
/// It ends a connection with `shutdown` and never `close`: the descriptor stays libmicrohttpd's, which sees the end of the stream,
/// completes the request as aborted and closes. (A closed descriptor would make it abort the process.)
///
/// It also keeps room for new callers: near the limit, where libmicrohttpd would stop accepting, it asks some connections to leave
/// (`Crowd`).
final class DeadlineSweeper: Sendable {
    /// Nanoseconds between two sweeps: at most a second, less where a deadline is shorter than that.
    let interval: UInt64
    /// A time not before now and at most two intervals ahead: cheap to read, and deadlines counted from it are never early.
    let upcoming: Atomic<UInt64>

    /// Connections that were asked to leave to make room for others.
    let crowdedOut = Atomic<Int>(0)

    // The deadlines, in nanoseconds.
    private let headers: UInt64
    private let idle: UInt64
    private let body: UInt64
    private let response: UInt64
    private let age: UInt64
    private let registry: ConnectionRegistry
    private let crowd: CrowdLimits
    private let isReliefWanted = Atomic<Bool>(false)
    private let isStopping = Atomic<Bool>(false)
    private let wake = Alarm()
    private let thread = Mutex<Thread?>(nil)

    /// Nanoseconds between two looks at the crowd: after one that made room, and after one that found too few quiet connections to do so.
    private static let reliefPause: (enough: UInt64, tooLittle: UInt64) = (10_000_000, 100_000_000)

    /// Nanoseconds that a request may take to arrive while the listener is full and whoever sends it holds more than a quarter of the
    /// places.
    private static let greedyShare: UInt64 = 500_000_000

    init(deadlines: HTTPServer.Deadlines, idleTimeout: Duration, connectionLimit: Int, registry: ConnectionRegistry) {
        headers = deadlines.headers.nanosecondCount
        idle = idleTimeout.nanosecondCount + headers
        body = deadlines.body.nanosecondCount
        response = deadlines.response.nanosecondCount
        age = deadlines.connectionAge.nanosecondCount
        self.registry = registry
        crowd = CrowdLimits(connectionLimit: connectionLimit)
        interval = max(1_000_000, min(1_000_000_000, min(headers, body, response, age) / 4))
        upcoming = Atomic(MonotonicClock.nanoseconds() + 2 * interval)
    }

    /// Starts the thread, which keeps this object until `stop`. Once.
    func start() {
        thread.withLock { thread in
            thread = Thread { [self] in run() }
        }
    }

    /// Ends the thread and waits for it.
    func stop() {
        isStopping.store(true, ordering: .relaxed)
        wake.ring()
        guard let thread = thread.withLock({ $0.take() }) else { return }
        thread.join()
    }

    /// To be called for every new connection, with how many there are now: a crowd can come between two sweeps.
    func connectionCame(count: Int) {
        if count >= crowd.full, !isReliefWanted.exchange(true, ordering: .relaxed) { wake.ring() }
    }

    private func run() {
        var nextSweep = MonotonicClock.nanoseconds() + interval
        var nextRelief: UInt64 = 0
        while !isStopping.load(ordering: .relaxed) {
            let now = MonotonicClock.nanoseconds()
            let isReliefDue = isReliefWanted.load(ordering: .relaxed) && now >= nextRelief
            if isReliefDue {
                isReliefWanted.store(false, ordering: .relaxed)
                let isEnough = relieve()
                nextRelief = now + (isEnough ? Self.reliefPause.enough : Self.reliefPause.tooLittle)
                // A listener that is full takes no one, so nobody would ask for the next look.
                if !isEnough { isReliefWanted.store(true, ordering: .relaxed) }
            }
            if now >= nextSweep {
                sweep()
                nextSweep = now + interval
            }
            if isReliefDue || now >= nextSweep { continue }
            let due = isReliefWanted.load(ordering: .relaxed) ? min(nextSweep, nextRelief) : nextSweep
            if due > now { _ = wake.wait(for: .nanoseconds(Int(due - now))) }
        }
    }

    /// Asks connections to leave when there are too many: quiet ones of whoever has the most, those quiet longest first. Connections in the
    /// middle of a request or an answer are left alone unless there are too few quiet ones; then those leave too that have used more than a
    /// fifth of their current deadline, and unfinished requests of a neighbourhood that holds more than a quarter of the places after half
    /// a second: otherwise one caller who never sends a body would keep everybody from the admin listener for six seconds, again and again.
    /// - Returns: whether there is room now, or will be as soon as the workers have closed those.
    private func relieve() -> Bool {
        let staying = registry.all.filter { !$0.isLeaving.load(ordering: .relaxed) }
        guard staying.count >= crowd.full else { return true }
        var left = ask(staying, toLeave: staying.count - crowd.roomy, since: \.quietSince) {
            // For reading only: a request that already lies in the socket is still read and answered.
            shutdown($0.descriptor, Int32(SHUT_RD))
        }
        if staying.count - left >= crowd.full {
            let now = MonotonicClock.nanoseconds()
            let stubborn = staying.filter { !$0.isLeaving.load(ordering: .relaxed) }
            let held = stubborn.reduce(into: [UInt64: Int]()) { $0[$1.neighbourhood, default: 0] += 1 }
            left += ask(
                stubborn,
                toLeave: stubborn.count - crowd.roomy,
                since: { self.overdueSince($0, at: now, isGreedy: held[$0.neighbourhood] ?? 0 > self.crowd.roomy / 4) },
                end: Self.cut
            )
        }
        crowdedOut.add(left, ordering: .relaxed)
        return staying.count - left < crowd.full
    }

    /// Chooses among those for which `since` gives a time, and ends them.
    /// - Returns: how many were ended.
    private func ask(
        _ connections: [ConnectionWatch],
        toLeave count: Int,
        since: (ConnectionWatch) -> UInt64?,
        end: (ConnectionWatch) -> Void
    ) -> Int {
        let members = connections.map { Crowd.Member(neighbourhood: $0.neighbourhood, mayLeaveSince: since($0)) }
        var left = 0
        for index in Crowd.leaving(members, count: count) {
            let connection = connections[index]
            registry.ifOpen(connection) {
                // Something may have been asked meanwhile.
                guard since(connection) == members[index].mayLeaveSince else { return }
                connection.isRetiring.store(true, ordering: .relaxed)
                connection.isLeaving.store(true, ordering: .relaxed)
                end(connection)
                left += 1
            }
        }
        return left
    }

    /// Since when a request or an answer has been under way, if it has used more than its share of time; otherwise nil.
    /// - Parameter isGreedy: whether whoever it belongs to holds so many that their requests have less time to arrive.
    private func overdueSince(_ connection: ConnectionWatch, at now: UInt64, isGreedy: Bool) -> UInt64? {
        let (phase, since) = connection.currentPhase
        let isUnfinished = phase == .header || phase == .body
        let share = limit(of: phase) / 5
        return Self.elapsed(since: since, at: now) > (isGreedy && isUnfinished ? min(share, Self.greedyShare) : share) ? since : nil
    }

    /// Nanoseconds that a phase may last.
    private func limit(of phase: ConnectionWatch.Phase) -> UInt64 {
        switch phase {
        case .fresh, .header: headers
        // libmicrohttpd closes a quiet connection itself; what remains for this is a request line that never ends.
        case .idle: idle
        case .body: body
        case .response: response
        }
    }

    private func sweep() {
        let now = MonotonicClock.nanoseconds()
        upcoming.store(now + 2 * interval, ordering: .relaxed)
        let retirement = age - min(30_000_000_000, age / 2)
        registry.visit { connection in
            let (phase, since) = connection.currentPhase
            let lived = Self.elapsed(since: connection.startedAt, at: now)
            let isOverdue = Self.elapsed(since: since, at: now) > limit(of: phase)
            if lived > age || isOverdue && !isWaitedFor(connection, phase) {
                Self.cut(connection)
            } else if lived > retirement {
                connection.isRetiring.store(true, ordering: .relaxed)
            }
        }
    }

    private static func cut(_ connection: ConnectionWatch) {
        connection.isCut.store(true, ordering: .relaxed)
        shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }

    /// Whether it is this side that is late: what the caller has sent lies unread, because the connection's worker is held up elsewhere. A
    /// caller must not be cut for that, least of all one whose request would be carried out all the same.
    private func isWaitedFor(_ connection: ConnectionWatch, _ phase: ConnectionWatch.Phase) -> Bool {
        guard phase != .response else { return false }
        var byte: UInt8 = 0
        return recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Nanoseconds between two readings of the clock; 0 when the first is the later one, as with a connection that came after the sweep
    /// began and before it got there.
    static func elapsed(since start: UInt64, at now: UInt64) -> UInt64 {
        now > start ? now - start : 0
    }
}
