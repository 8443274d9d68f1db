package import Dispatch
import Foundation
import Glibc

/// A system thread that does one piece of work and can be waited for. Thread-safe.
package final class WorkerThread: Sendable {
    private final class Work {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    private let name: String
    /// Entered while the work is being done. Waited for by the span, for the reason that ``Alarm`` gives.
    private let isAtWork = DispatchGroup()

    /// - Parameter name: what the system calls the thread, of which Linux keeps 15 bytes.
    package init(_ name: String) { self.name = name }

    /// Starts the thread, which keeps the closure until it has ended. Once.
    /// - Precondition: the system has room for one; a process that cannot have this one must not run.
    package func start(_ work: @escaping @Sendable () -> Void) {
        isAtWork.enter()
        let all = Work { [name, isAtWork] in
            Thread.current.name = String(decoding: name.utf8.prefix(15), as: UTF8.self)
            work()
            isAtWork.leave()
        }
        var handle = pthread_t()
        let failure = pthread_create(
            &handle,
            nil,
            { context in
                Unmanaged<Work>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(all).toOpaque()
        )
        precondition(failure == 0, "no thread could be started: \(String(cString: strerror(failure)))")
        pthread_detach(handle)
    }

    /// Waits until the work has been done. What it did can then be seen.
    /// - Parameter patience: how long at most.
    /// - Returns: whether it has; true also if it never began.
    @discardableResult
    package func join(patience: DispatchTimeInterval = .never) -> Bool {
        isAtWork.wait(timeout: .now() + patience) == .success
    }
}
