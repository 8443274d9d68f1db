import CMicroHTTPD
import Dispatch
package import GateHTTP
import Glibc
import Synchronization

/// One listener: a libmicrohttpd daemon that gets its answers from an `HTTPResponder`.
///
/// It serves from `init` until `stop`. The process should ignore SIGPIPE.
package final class HTTPServer: Sendable {
    /// Takes a complaint: its kind, of which there are few, and the line. Called on any thread, worker threads too, and as often as a
    /// caller breaks connections: it must not wait, and should pass on only some of each kind.
    package typealias Log = @Sendable (_ kind: String, _ line: String) -> Void

    /// The port that is listened on.
    package let port: UInt16

    /// The loaded libmicrohttpd: `0.9.75`.
    package static var libraryVersion: String { LibraryVersion.loaded.text }

    /// Connections open now.
    package var connectionCount: Int { core.registry.count }

    /// Quiet connections closed so far because the listener was nearly full.
    package var crowdedOutCount: Int { core.sweeper.crowdedOut.load(ordering: .relaxed) }

    private let core: ServerCore
    private let daemon: Mutex<Daemon?>

    /// The daemon and what must outlive it. Sendable because it is only used to stop the daemon, once, taken out of the mutex; and
    /// `MHD_stop_daemon` may be called from any thread but the daemon's own.
    private struct Daemon: @unchecked Sendable {
        let pointer: OpaquePointer
        let log: UnsafeMutablePointer<gatehouse_log>
    }

    /// How long a stop waits for the rest of a head. Until the head is complete there is no request.
    private static let headGrace = Duration.milliseconds(250)

    /// Listens and begins to serve.
    /// - Parameters:
    ///   - responder: asked on the worker threads until `stop` returns.
    ///   - log: takes libmicrohttpd's complaints and answers that could not be sent, one line each.
    /// - Throws: `HTTPServerError`, which names address and port where they are at fault.
    package init(
        configuration: Configuration,
        responder: any HTTPResponder,
        log: @escaping Log
    ) throws(HTTPServerError) {
        guard LibraryVersion.loaded.isSupported else {
            throw HTTPServerError(.unsupportedLibrary, "libmicrohttpd \(Self.libraryVersion) is loaded; 0.9.70 to 0.9.79 or 1.x is needed")
        }
        precondition(1...64 ~= configuration.workers, "a listener has 1 to 64 workers")
        let identity = try configuration.tls.map { files throws(HTTPServerError) in
            do throws(HTTPServerError) { return try TLSIdentity(files) } catch { throw HTTPServerError(.cannotStart, error.description) }
        }
        let socket = try ListeningSocket(
            address: configuration.address,
            port: configuration.port,
            backlog: configuration.backlog
        )
        port = socket.port
        let core = ServerCore(configuration, identity: identity, responder: responder, log: log)
        self.core = core
        guard let started = Self.start(configuration, core, socket.descriptor) else {
            close(socket.descriptor)
            throw HTTPServerError(.cannotStart, "libmicrohttpd would not start on \(configuration.address) port \(socket.port)")
        }
        daemon = Mutex(started)
        core.sweeper.start()
    }

    deinit {
        stop()
    }

    /// Shows another certificate from now on; open connections keep theirs. On any thread.
    ///
    /// Only for a listener that was started with a certificate.
    /// - Throws: `invalidCertificate`; then the one in use stays.
    package func replace(_ files: TLSFiles) throws(HTTPServerError) {
        precondition(core.isEncrypted, "a listener without TLS has no certificate to replace")
        core.show(try TLSIdentity(files))
    }

    /// Stops in good order; returns when every thread has ended. A second call, even while the first is running, returns at once.
    ///
    /// New callers are turned away and every answer says `Connection: close`; requests that have begun get their answer if it takes no more
    /// than `grace`; then the daemon stops. A head that is incomplete after a quarter of a second is given up: a caller who never completes
    /// it must not keep everybody else waiting for the restart. libmicrohttpd's own `MHD_quiesce_daemon` is not used: with a pool of epoll
    /// threads two of them may take the listening socket out of one set, and the loser aborts the process.
    package func stop(grace: Duration = .seconds(5)) {
        guard let running = daemon.withLock({ $0.take() }) else { return }
        core.isDraining.store(true, ordering: .relaxed)
        let begun = MonotonicClock.nanoseconds()
        let limit = begun + grace.nanosecondCount
        while core.registry.count > 0, MonotonicClock.nanoseconds() < limit {
            // Shuts the quiet connections down for reading only: a request that already lies in the socket is still read and answered.
            // Repeated, because an answer queued before the draining began leaves its connection open.
            let givesUpHeads = MonotonicClock.nanoseconds() - begun > Self.headGrace.nanosecondCount
            core.registry.visit { connection in
                switch connection.currentPhase.phase {
                case .fresh, .idle: shutdown(connection.descriptor, Int32(SHUT_RD))
                case .header where givesUpHeads: shutdown(connection.descriptor, Int32(SHUT_RD))
                case .header, .body, .response: break
                }
            }
            _ = core.closed.wait(for: .milliseconds(20))
        }
        MHD_stop_daemon(running.pointer)
        core.sweeper.stop()
        running.log.deallocate()
    }

    private static func start(_ configuration: Configuration, _ core: ServerCore, _ descriptor: Int32) -> Daemon? {
        let context = Unmanaged.passUnretained(core).toOpaque()
        let log = UnsafeMutablePointer<gatehouse_log>.allocate(capacity: 1)
        var settings = gatehouse_settings()
        settings.listen_socket = descriptor
        settings.workers = UInt32(configuration.workers)
        // Shared evenly: with fewer connections than workers some would have none and never accept.
        settings.connection_limit = UInt32(clamping: max(configuration.connectionLimit, configuration.workers))
        settings.idle_timeout_seconds = UInt32(clamping: max(1, configuration.idleTimeout.components.seconds))
        settings.connection_memory = configuration.connectionMemoryBytes
        settings.is_encrypted = core.isEncrypted ? 1 : 0
        settings.context = context
        Callbacks.install(in: &settings)
        log.initialize(to: gatehouse_log(logger: settings.logger, context: context))
        guard let pointer = gatehouse_start(&settings, log) else {
            log.deallocate()
            return nil
        }
        return Daemon(pointer: pointer, log: log)
    }
}
