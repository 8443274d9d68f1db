import GateHTTP
import Synchronization

/// What is kept of one connection from its start to its close. It serves its requests one after another, so the same storage serves
/// each of them and a poll allocates nothing.
///
/// Lives in memory allocated when the connection starts and freed when it closes. All but the first group belongs to the
/// worker thread of the connection: libmicrohttpd calls every callback of a connection on that thread.
struct ConnectionState: ~Copyable {
    // Read by the sweeper too.
    let descriptor: Int32
    let startedAt: UInt64
    /// `Phase` in the lowest three bits, above it the nanosecond since which it lasts, to eight.
    private let phase: Atomic<UInt64>
    /// The connection is old: the next answer says `Connection: close`.
    let isRetiring = Atomic<Bool>(false)
    /// The place in `ConnectionRegistry`; guarded by its lock.
    var place = 0

    // The connection's own thread.
    let serial: UInt64
    var requestCount: UInt32 = 0
    var peer: PeerAddress?

    // The request in hand.
    var step = Step.target
    /// Length of the target up to its first NUL.
    var targetLength = 0
    var pathLength = 0
    /// Where the path begins in the target: past scheme and authority of an absolute one.
    var pathOffset = 0
    var method: HTTPMethod?
    var head = RequestHead(isVersion11: true)
    var beganAt: UInt64 = 0
    var bodyBytes = 0
    var body: [UInt8] = []
    /// Made early when the responder was asked about the head.
    var request: HTTPRequest?
    /// The answer to a request whose body is being thrown away.
    var refusal: PendingRefusal?
    var status = 0
    var responseBytes = 0
    var isPrepared = false

    enum Phase: UInt64 {
        /// Accepted; nothing of the first request's line yet.
        case fresh
        /// Between two requests.
        case idle
        case header
        case body
        case response
    }

    enum Step: UInt8 {
        /// The request line has come, or nothing yet.
        case target
        /// No body, or its end is awaited.
        case collecting
        /// The body is read and thrown away; `refusal` is the answer.
        case discarding
        case answered
    }

    enum PendingRefusal {
        case edge(EdgeRefusal)
        case response(HTTPResponse)
    }

    init(descriptor: Int32, serial: UInt64, now: UInt64) {
        self.descriptor = descriptor
        self.serial = serial
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

    /// The request in hand, as a number no other request of this run has: mixed so that it looks like one.
    func requestNumber(seed: UInt64) -> UInt64 {
        // The finaliser of splitmix64 is one-to-one, so numbers made from different words stay different.
        var word = seed &+ (serial << 24 | UInt64(requestCount & 0xff_ffff))
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// Makes ready for the next request.
    @inline(__always)
    mutating func finish() {
        requestCount &+= 1
        step = .target
        method = nil
        status = 0
        responseBytes = 0
        if isPrepared {
            isPrepared = false
            return
        }
        pathOffset = 0
        bodyBytes = 0
        body = []
        request = nil
        refusal = nil
    }
}

typealias ConnectionPointer = UnsafeMutablePointer<ConnectionState>
