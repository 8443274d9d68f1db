import CPostgreSQL
import Glibc
import Synchronization

/// Asks a server to end the statement that a connection is running. With ``Link`` the only place that holds libpq's pointers.
///
/// Sendable because libpq says so: "The PGcancel object is read-only as far as PQcancel is concerned, so it can also be invoked from a
/// thread that is separate from the one manipulating the PGconn object" (PostgreSQL manual, 34.7).
final class CancelKey: @unchecked Sendable {
    private let key: OpaquePointer?

    /// - Parameter connection: an established connection; the key outlives it.
    init(_ connection: OpaquePointer) { key = PQgetCancel(connection) }

    deinit { if let key { PQfreeCancel(key) } }

    /// Sends the request over a separate connection that libpq makes, without encryption and without a deadline. It therefore runs on its
    /// own thread, which is left behind when the deadline passes and ends when the system gives that connection up.
    /// - Throws: what prevented it; ``PostgresError/Kind/timedOut`` when that is not known in time; ``PostgresError/Kind/outOfResources``
    ///   when this process can open no file or start no thread for it.
    func use(until deadline: Deadline) throws(PostgresError) {
        let outcome = try Outcome()
        try Outcome.start { [self] in outcome.finish(ask()) }
        switch outcome.wait(until: deadline) {
        case .asked: return
        case .refused(let words): throw PostgresError(.unreachable, "the server could not be asked to cancel: \(words)")
        case nil: throw PostgresError(.timedOut, "the server did not answer when it was asked to cancel")
        }
    }

    private func ask() -> Outcome.Value {
        // The size that the manual recommends.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { words in
            words.initialize(repeating: 0)
            guard let base = words.baseAddress, PQcancel(key, base, 256) == 0 else { return .asked }
            return .refused(LibpqWords(String(cString: base)).text)
        }
    }

    /// The thread's result, for the waiting caller.
    private final class Outcome: Sendable {
        enum Value: Sendable {
            case asked
            case refused(String)
        }

        private let value = Mutex<Value?>(nil)
        private let bell: Bell

        init() throws(PostgresError) { bell = try Bell() }

        func finish(_ value: Value) {
            self.value.withLock { $0 = value }
            bell.ring()
        }

        func wait(until deadline: Deadline) -> Value? {
            var descriptor = pollfd(fd: bell.descriptor, events: Int16(POLLIN), revents: 0)
            while poll(&descriptor, 1, deadline.milliseconds) < 0, errno == EINTR {}
            return value.withLock { $0 }
        }

        private final class Work {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }

        static func start(_ run: @escaping @Sendable () -> Void) throws(PostgresError) {
            var thread = pthread_t()
            let work = Unmanaged.passRetained(Work(run))
            let failure = pthread_create(
                &thread,
                nil,
                { context in
                    if let context { Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run() }
                    return nil
                },
                work.toOpaque()
            )
            guard failure == 0 else {
                work.release()
                throw PostgresError(.outOfResources, "no thread could be started: \(String(cString: strerror(failure)))")
            }
            pthread_detach(thread)
        }
    }
}
