import Dispatch
import Glibc
import Synchronization

/// Cuts connections that have outstayed a deadline. A thread of its own, since libmicrohttpd's only timer starts anew at every byte.
///
/// It ends a connection with `shutdown` and never `close`: the descriptor stays libmicrohttpd's, which sees the end of the stream,
/// completes the request as aborted and closes. (A closed descriptor would make it abort the process.)
final class DeadlineSweeper: Sendable {
    /// Between two sweeps: at most a second, less where a deadline is shorter than that.
    let interval: UInt64
    /// A time not before now and at most two intervals ahead: cheap to read, and deadlines counted from it are never early.
    let upcoming: Atomic<UInt64>

    private let deadlines: HTTPServer.Deadlines
    private let idleTimeout: Duration
    private let registry: ConnectionRegistry
    private let wake = DispatchSemaphore(value: 0)
    private let thread = Mutex<Thread?>(nil)

    init(deadlines: HTTPServer.Deadlines, idleTimeout: Duration, registry: ConnectionRegistry) {
        self.deadlines = deadlines
        self.idleTimeout = idleTimeout
        self.registry = registry
        let shortest = [deadlines.headers, deadlines.body, deadlines.response, deadlines.connectionAge].min() ?? .seconds(1)
        interval = max(1_000_000, min(1_000_000_000, shortest.nanosecondCount / 4))
        upcoming = Atomic(MonotonicClock.nanoseconds() + 2 * interval)
    }

    /// Starts the thread, which keeps this object until `stop`. Once.
    func start() {
        thread.withLock { thread in
            thread = Thread { [self] in
                while wake.wait(timeout: .now() + .nanoseconds(Int(interval))) == .timedOut { sweep() }
            }
        }
    }

    /// Ends the thread and waits for it.
    func stop() {
        wake.signal()
        guard let thread = thread.withLock({ $0.take() }) else { return }
        thread.join()
    }

    private func sweep() {
        let now = MonotonicClock.nanoseconds()
        upcoming.store(now + 2 * interval, ordering: .relaxed)
        let headers = deadlines.headers.nanosecondCount
        let idle = idleTimeout.nanosecondCount + headers
        let body = deadlines.body.nanosecondCount
        let response = deadlines.response.nanosecondCount
        let age = deadlines.connectionAge.nanosecondCount
        let retirement = age - min(30_000_000_000, age / 2)
        registry.visit { connection in
            let (phase, since) = connection.currentPhase
            let limit =
                switch phase {
                case .fresh, .header: headers
                // libmicrohttpd closes a quiet connection itself; what is left here is a request line that never ends.
                case .idle: idle
                case .body: body
                case .response: response
                }
            let lived = Self.elapsed(since: connection.startedAt, at: now)
            if Self.elapsed(since: since, at: now) > limit || lived > age {
                shutdown(connection.descriptor, Int32(SHUT_RDWR))
            } else if lived > retirement {
                connection.isRetiring.store(true, ordering: .relaxed)
            }
        }
    }

    /// Nanoseconds between two readings of the clock; 0 when the first is the later one, as with a connection that came after the sweep
    /// began and before it got there.
    static func elapsed(since start: UInt64, at now: UInt64) -> UInt64 {
        now > start ? now - start : 0
    }
}
