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

    /// Nanoseconds between two looks at the crowd.
    private static let reliefPause: (least: UInt64, most: UInt64) = (10_000_000, 100_000_000)

    /// Nanoseconds that a request may take to arrive while the listener is full and whoever sends it holds more than a quarter of the
    /// places: room for a way around the world, since everybody may come by one proxy. It is also how long a newcomer waits in the kernel's
    /// queue behind callers who never get on. (Halving it again and again while it frees too few places brought nothing.)
    private static let greedyShare: UInt64 = 200_000_000

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

    /// Whether newcomers may soon find no place.
    var isFull: Bool { registry.count >= crowd.full }

    private func run() {
        var nextSweep = MonotonicClock.nanoseconds() + interval
        var nextRelief: UInt64 = 0
        while !isStopping.load(ordering: .relaxed) {
            let now = MonotonicClock.nanoseconds()
            let isReliefDue = isReliefWanted.load(ordering: .relaxed) && now >= nextRelief
            if isReliefDue {
                isReliefWanted.store(false, ordering: .relaxed)
                let isEnough = relieve()
                let took = Self.elapsed(since: now, at: MonotonicClock.nanoseconds())
                nextRelief = now + Self.pause(afterLookOf: took, isEnough: isEnough)
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

    /// Nanoseconds until the crowd is looked at again. After a look that found too few who may leave, the next may find too few again, so
    /// the pause is twenty times as long as that took, which is milliseconds with ten thousand connections. It took longer if the thread
    /// had to wait for a processor; others must not wait twenty times as long for that.
    static func pause(afterLookOf took: UInt64, isEnough: Bool) -> UInt64 {
        isEnough ? reliefPause.least : min(max(reliefPause.least, 20 * min(took, reliefPause.most)), reliefPause.most)
    }

    /// Asks connections to leave when there are too many: quiet ones of whoever has the most, those quiet longest first. Connections that
    /// have just come, or are in the middle of a request or an answer, are left alone unless there are too few quiet ones; then those leave
    /// too that have used more than a fifth of their current deadline, and unfinished requests of a neighbourhood that holds more than a
    /// quarter of the places after `greedyShare`: otherwise one caller who never sends a body would keep everybody from the admin listener
    /// for six seconds, again and again. At last those leave that have just come, but for a quarter of the places.
    /// - Returns: whether there is room now, or will be as soon as the workers have closed those.
    private func relieve() -> Bool {
        let open = registry.all.filter { !$0.isCut.load(ordering: .relaxed) }
        guard open.count >= crowd.full else { return true }
        let now = MonotonicClock.nanoseconds()
        let staying = open.filter { !$0.isLeaving.load(ordering: .relaxed) }
        let cutCount = cutStuck(among: open, at: now)
        // The others that were asked leave as soon as their workers get to them; that they did is looked for again.
        guard staying.count >= crowd.full else { return open.count - cutCount < crowd.full }
        var left = ask(staying, since: { quietSince($0, at: now, isGreedy: $1) }, end: Self.endReading)
        if staying.count - left >= crowd.full {
            left += ask(staying, since: { overdueSince($0, at: now, isGreedy: $1) }, unless: isWaitedFor, end: Self.cut)
        }
        if staying.count - left >= crowd.full {
            let newcomers = staying.count { !$0.isLeaving.load(ordering: .relaxed) && $0.currentPhase.phase == .fresh }
            left += ask(staying, atMost: newcomers - crowd.roomy / 4, since: { freshSince($0, isGreedy: $1) }, end: Self.endReading)
        }
        crowdedOut.add(left, ordering: .relaxed)
        return staying.count - left < crowd.full
    }

    /// Cuts those that were asked to leave, had begun a request that lay in their socket, and get on no more. libmicrohttpd 0.9.75 does not
    /// see that nothing more will come where it learns of both at once: after a read that does not fill its buffer it reads again only when
    /// epoll reports something new.
    /// - Returns: how many were cut.
    private func cutStuck(among open: [ConnectionWatch], at now: UInt64) -> Int {
        var cutCount = 0
        func isStuck(_ connection: ConnectionWatch) -> Bool {
            connection.isLeaving.load(ordering: .relaxed) && overdueSince(connection, at: now, isGreedy: true) != nil
        }
        for connection in open where isStuck(connection) {
            registry.ifOpen(connection) {
                guard isStuck(connection), !isWaitedFor(connection) else { return }
                Self.cut(connection)
                cutCount += 1
            }
        }
        return cutCount
    }

    /// Since when nothing has been asked, if that is long enough to leave for it; otherwise nil. Whoever has just come may be shaking hands
    /// for TLS, which from here looks quiet: where everybody else is in the middle of something, they alone would be sent away.
    private func quietSince(_ connection: ConnectionWatch, at now: UInt64, isGreedy: Bool) -> UInt64? {
        let (phase, since) = connection.currentPhase
        switch phase {
        case .idle: return since
        case .fresh: return isGreedy || Self.elapsed(since: since, at: now) > limit(of: phase) / 5 ? since : nil
        case .header, .body, .response: return nil
        }
    }

    /// Since when a connection is there on which nothing was ever asked; nil for another.
    private func freshSince(_ connection: ConnectionWatch, isGreedy _: Bool) -> UInt64? {
        let (phase, since) = connection.currentPhase
        return phase == .fresh ? since : nil
    }

    /// Chooses as many as are too many, among those that were not asked yet and for which `since` gives a time, and ends them unless they
    /// are spared, which is asked while they are open.
    /// - Parameters:
    ///   - limit: how many are chosen at most.
    ///   - since: also told whether whoever a connection belongs to holds more than a quarter of the places.
    /// - Returns: how many were ended.
    private func ask(
        _ connections: [ConnectionWatch],
        atMost limit: Int = .max,
        since: (ConnectionWatch, _ isGreedy: Bool) -> UInt64?,
        unless isSpared: (ConnectionWatch) -> Bool = { _ in false },
        end: (ConnectionWatch) -> Void
    ) -> Int {
        let staying = connections.filter { !$0.isLeaving.load(ordering: .relaxed) }
        let held = staying.reduce(into: [UInt64: Int]()) { $0[$1.neighbourhood, default: 0] += 1 }
        func mayLeaveSince(_ connection: ConnectionWatch) -> UInt64? {
            since(connection, held[connection.neighbourhood, default: 0] > crowd.roomy / 4)
        }
        let members = staying.map { Crowd.Member(neighbourhood: $0.neighbourhood, mayLeaveSince: mayLeaveSince($0)) }
        var left = 0
        for index in Crowd.leaving(members, count: min(staying.count - crowd.roomy, limit)) {
            let connection = staying[index]
            registry.ifOpen(connection) {
                // Something may have been asked meanwhile.
                guard mayLeaveSince(connection) == members[index].mayLeaveSince, !isSpared(connection) else { return }
                connection.isRetiring.store(true, ordering: .relaxed)
                connection.isLeaving.store(true, ordering: .relaxed)
                end(connection)
                left += 1
            }
        }
        return left
    }

    /// Since when a request or an answer has been under way, if it has used more than its share of time; otherwise nil.
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
            if lived > age || isOverdue && !isWaitedFor(connection) {
                Self.cut(connection)
            } else if lived > retirement {
                connection.isRetiring.store(true, ordering: .relaxed)
            }
        }
    }

    /// Lets a request that already lies in the socket still be read and answered.
    private static func endReading(_ connection: ConnectionWatch) { shutdown(connection.descriptor, Int32(SHUT_RD)) }

    private static func cut(_ connection: ConnectionWatch) {
        connection.isCut.store(true, ordering: .relaxed)
        shutdown(connection.descriptor, Int32(SHUT_RDWR))
    }

    /// Whether it is this side that is late: what the caller has sent lies unread, because the connection's worker is held up elsewhere. A
    /// caller must not be cut for that, least of all one whose request would be carried out all the same.
    private func isWaitedFor(_ connection: ConnectionWatch) -> Bool {
        guard connection.currentPhase.phase != .response else { return false }
        var byte: UInt8 = 0
        return recv(connection.descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Nanoseconds between two readings of the clock; 0 when the first is the later one, as with a connection that came after the sweep
    /// began and before it got there.
    static func elapsed(since start: UInt64, at now: UInt64) -> UInt64 {
        now > start ? now - start : 0
    }
}
