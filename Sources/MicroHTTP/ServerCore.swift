import CMicroHTTPD
import GateHTTP
import Glibc
import Synchronization

/// What libmicrohttpd's callbacks share: constant, or safe from any thread. It lives from before the daemon starts until after it has
/// stopped, so the callbacks may use it without counting references.
final class ServerCore: Sendable {
    let responder: any HTTPResponder
    let maximumBodyBytes: Int
    /// Memory of a connection that a request's header may take; the rest is `responseHeaderBytes`.
    let requestHeaderBytes: Int
    /// What is reserved for an answer's header. libmicrohttpd silently drops the connection when there is no room for it.
    let responseHeaderBytes: Int
    let connectionMemoryBytes: Int
    /// With TLS nothing may be written to the socket except by libmicrohttpd.
    let isEncrypted: Bool
    let acceptsHost: (@Sendable (_ host: String, _ target: String) -> Bool)?
    let countsPolls: Bool
    let requestNumberSeed: UInt64
    /// Whether requests lie in memory as they came (`LibraryVersion.leavesFieldsInPlace`).
    let readsInPlace: Bool
    let registry: ConnectionRegistry
    let sweeper: DeadlineSweeper
    let log: HTTPServer.Log
    /// Set once, when stopping begins.
    let isDraining = Atomic<Bool>(false)
    /// Signalled for every connection that closes while draining.
    let closed = Alarm()

    private let connectionCount = Atomic<UInt64>(0)
    private let identity: Mutex<TLSIdentity?>

    init(_ configuration: HTTPServer.Configuration, identity: TLSIdentity?, responder: any HTTPResponder, log: @escaping HTTPServer.Log) {
        self.identity = Mutex(identity)
        self.responder = responder
        maximumBodyBytes = configuration.maximumBodyBytes
        connectionMemoryBytes = configuration.connectionMemoryBytes
        isEncrypted = identity != nil
        responseHeaderBytes = configuration.connectionMemoryBytes / 8
        requestHeaderBytes = configuration.connectionMemoryBytes - responseHeaderBytes
        acceptsHost = configuration.acceptsHost
        countsPolls = configuration.countsPolls
        requestNumberSeed = configuration.requestNumberSeed
        readsInPlace = LibraryVersion.loaded.leavesFieldsInPlace
        registry = ConnectionRegistry()
        sweeper = DeadlineSweeper(
            deadlines: configuration.deadlines,
            idleTimeout: configuration.idleTimeout,
            connectionLimit: configuration.connectionLimit,
            registry: registry
        )
        self.log = log
    }

    /// The accept policy: new callers are turned away once stopping has begun.
    func accepts() -> Bool {
        !isDraining.load(ordering: .relaxed)
    }

    /// From now on new connections show this certificate; open ones keep theirs.
    func show(_ identity: TLSIdentity) { self.identity.withLock { $0 = identity } }

    /// A connection was accepted.
    func connectionStarted(_ connection: OpaquePointer) -> ConnectionPointer {
        let watch = ConnectionWatch(
            descriptor: gatehouse_descriptor(connection),
            neighbourhood: gatehouse_peer(connection).map(PeerAddress.neighbourhood(of:)) ?? 0,
            now: MonotonicClock.nanoseconds()
        )
        let shown = isEncrypted ? identity.withLock { $0 } : nil
        let state = ConnectionPointer.allocate(capacity: 1)
        state.initialize(
            to: ConnectionState(watch: watch, serial: connectionCount.wrappingAdd(1, ordering: .relaxed).newValue, identity: shown)
        )
        sweeper.connectionCame(count: registry.insert(watch))
        return state
    }

    /// A connection has ended; its descriptor is still open.
    func connectionClosed(_ state: ConnectionPointer) {
        registry.remove(state.pointee.watch)
        state.deinitialize(count: 1)
        state.deallocate()
        if isDraining.load(ordering: .relaxed) { closed.ring() }
    }

    /// A request line was read.
    ///
    /// The query is hidden from libmicrohttpd, by a NUL in place of its first byte until `Exchange.begin`. libmicrohttpd would make a
    /// record of 64 bytes for each parameter in the connection's memory, and when that is full (with 117 parameters on the feeds) it
    /// neither answers nor closes. Feeds ignore parameters they do not know, however many; `RequestReader` parses the query where it lies.
    @inline(__always)
    func targetCame(_ target: UnsafePointer<CChar>?, _ state: ConnectionPointer) {
        let mark = target.flatMap { gatehouse_query($0) }
        let length = if let target, let mark { mark - target } else { 0 }
        state.pointee.pathLength = length
        state.pointee.targetLength = length
        if let mark, mark.pointee != 0 {
            state.pointee.targetLength = length + strlen(mark)
            if readsInPlace {
                // The text lies in the connection's own buffer; const only says that the library does not expect its callback to write.
                let first = UnsafeMutablePointer(mutating: mark + 1)
                state.pointee.hiddenByte = first.pointee
                first.pointee = 0
            }
        }
        let isFirst = state.pointee.requestCount == 0
        state.pointee.watch.enter(.header, at: isFirst ? state.pointee.watch.startedAt : sweeper.upcoming.load(ordering: .relaxed))
    }

    /// A request is over: answered, aborted, or answered by libmicrohttpd itself (414, 431 and the like).
    @inline(__always)
    func completed(_ state: ConnectionPointer, isComplete: Bool) {
        let now = MonotonicClock.nanoseconds()
        state.pointee.watch.enter(.idle, at: now)
        let began = state.pointee.beganAt
        responder.finished(
            FinishedExchange(
                method: state.pointee.method,
                status: state.pointee.status,
                bodyBytes: state.pointee.responseBytes,
                duration: .nanoseconds(began == 0 ? 0 : Int64(bitPattern: now &- began)),
                isComplete: isComplete && state.pointee.status != 0,
                isPrepared: state.pointee.isPrepared,
                number: state.pointee.requestNumber(seed: requestNumberSeed)
            )
        )
        state.pointee.beganAt = 0
        state.pointee.finish()
    }
}
