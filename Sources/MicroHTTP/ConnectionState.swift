import GateHTTP

/// What is kept about one connection from its start to its close. It serves its requests one after another, so the same storage serves
/// each of them and a poll allocates nothing.
///
/// Lives in memory allocated when the connection starts and freed when it closes, and belongs to the worker thread of the
/// connection: libmicrohttpd calls every callback of a connection on that thread. Other threads may see only its `watch`.
struct ConnectionState: ~Copyable {
    let watch: ConnectionWatch
    let serial: UInt64
    /// The certificate that it shows in its handshake; nil without TLS.
    let identity: TLSIdentity?
    var requestCount: UInt32 = 0
    var peer: PeerAddress?

    // The current request.
    var step = Step.target
    /// Length of the target, query and all, up to its first NUL.
    var targetLength = 0
    /// Length of what is before the query.
    var pathLength = 0
    /// The query's first byte, which a NUL has replaced (`ServerCore.targetCame`).
    var hiddenByte: CChar = 0
    /// Where the path begins in the target: past scheme and authority of an absolute one.
    var pathOffset = 0
    var method: HTTPMethod?
    var head = RequestHead(isVersion11: true)
    var beganAt: UInt64 = 0
    var bodyBytes = 0
    /// How large a body the current request may send; set when its head has come.
    var maximumBodyBytes = 0
    var body: [UInt8] = []
    /// The head of the request whose body is on its way, and what was decided about it.
    var admitted: (head: HTTPRequest, admission: Admission)?
    /// The answer to a request whose body is being thrown away.
    var refusal: PendingRefusal?
    var status = 0
    var responseBytes = 0
    var isPrepared = false

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

    init(watch: ConnectionWatch, serial: UInt64, identity: TLSIdentity?) {
        self.watch = watch
        self.serial = serial
        self.identity = identity
    }

    /// The current request as a number that no other request of this run has, mixed so that it looks random.
    func requestNumber(seed: UInt64) -> UInt64 {
        // The finaliser of splitmix64 is one-to-one, so numbers made from different words stay different.
        var word = seed &+ (serial << 24 | UInt64(requestCount & 0xff_ffff))
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return word ^ (word >> 31)
    }

    /// Gets ready for the next request.
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
        admitted = nil
        refusal = nil
    }
}

typealias ConnectionPointer = UnsafeMutablePointer<ConnectionState>
