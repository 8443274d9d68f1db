import Glibc

/// A system thread that runs one closure.
struct Thread: ~Copyable {
    private final class Work {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private let handle: pthread_t

    /// Starts the thread.
    /// - precondition: the system has room for one; a server that cannot have this one must not run.
    init(_ run: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let failure = pthread_create(
            &handle,
            nil,
            { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(Work(run)).toOpaque()
        )
        precondition(failure == 0, "no thread could be started: \(String(cString: strerror(failure)))")
        self.handle = handle
    }

    /// Waits for the closure's end. Exactly once.
    consuming func join() {
        pthread_join(handle, nil)
    }
}
