import Synchronization

/// What the sweeper and `HTTPServer.stop` see of a connection: constant, or atomic.
final class ConnectionWatch: Sendable {
    enum Phase: UInt64 {
        /// Accepted; nothing of the first request's line yet.
        case fresh
        /// Between two requests.
        case idle
        case header
        case body
        case response
    }

    /// Open while `ConnectionRegistry` has this connection, and only to be used under its lock.
    let descriptor: Int32
    /// Nanoseconds of `MonotonicClock`.
    let startedAt: UInt64
    /// Where it comes from (`PeerAddress.neighbourhood(of:)`).
    let neighbourhood: UInt64
    /// The connection is old: the next answer says `Connection: close`.
    let isRetiring = Atomic<Bool>(false)
    /// It was asked to leave, because others need its place: nothing more is read from it.
    let isLeaving = Atomic<Bool>(false)
    /// It was cut: nobody can be answered, so nothing that it asks for is done any more.
    let isCut = Atomic<Bool>(false)
    /// The place in `ConnectionRegistry`, which alone uses it, under its lock.
    let place = Atomic<Int>(0)
    /// `Phase` in the lowest three bits; the rest is the nanosecond at which it began, rounded down to a multiple of eight.
    private let phase: Atomic<UInt64>

    init(descriptor: Int32, neighbourhood: UInt64, now: UInt64) {
        self.descriptor = descriptor
        self.neighbourhood = neighbourhood
        startedAt = now
        phase = Atomic(now & ~7 | Phase.fresh.rawValue)
    }

    @inline(__always)
    func enter(_ phase: Phase, at now: UInt64) {
        self.phase.store(now & ~7 | phase.rawValue, ordering: .relaxed)
    }

    var currentPhase: (phase: Phase, since: UInt64) {
        let word = phase.load(ordering: .relaxed)
        guard let phase = Phase(rawValue: word & 7) else { preconditionFailure("a phase is one of five") }
        return (phase, word & ~7)
    }
}
