package import Dispatch
import Foundation
import Synchronization

/// A system thread that does one piece of work, within which it pauses; others can end a pause and wait for the end.
///
/// Its pauses are spans. On Linux, Dispatch waits for a semaphore with a limit until a time of the clock that people set, so that a pause
/// of a second would last for an hour when that clock is put back by an hour: windows would begin that much too late. A group is waited for
/// by the span. It stands here because GateStore is the lowest room with such threads; MicroHTTP, which may not import it, has an `Alarm`.
///
/// Thread-safe.
package final class PausingThread: Sendable {
    private let name: String
    /// Entered once, unless it was woken.
    private let silence = DispatchGroup()
    private let isWoken = Atomic(false)
    /// Entered while the work is being done.
    private let isAtWork = DispatchGroup()

    /// - Parameter name: what the system calls the thread, of which Linux keeps 15 bytes.
    package init(_ name: String) {
        self.name = name
        silence.enter()
    }

    deinit {
        // Dispatch ends the process when a group goes that was entered and not left.
        if !isWoken.load(ordering: .acquiring) { silence.leave() }
    }

    /// Starts the thread, which keeps the work until it has ended. Once.
    package func start(_ work: @escaping @Sendable () -> Void) {
        isAtWork.enter()
        // Only a running thread's name reaches the system, and Foundation takes it for running when its start has returned.
        let isStarted = DispatchSemaphore(value: 0)
        let thread = Thread { [name, isAtWork] in
            isStarted.wait()
            Thread.current.name = String(decoding: name.utf8.prefix(15), as: UTF8.self)
            work()
            isAtWork.leave()
        }
        thread.start()
        isStarted.signal()
    }

    /// Waits until somebody wakes it, or has done so since the last pause, but no longer than `span`. For the work itself to call.
    /// - Returns: whether it was woken. What was done before that can then be seen.
    @discardableResult
    package func pause(for span: DispatchTimeInterval) -> Bool {
        guard silence.wait(timeout: .now() + span) == .success else { return false }
        silence.enter()
        _ = isWoken.exchange(false, ordering: .acquiringAndReleasing)
        return true
    }

    /// Ends a pause. However often it is called, it ends one.
    package func wake() {
        if !isWoken.exchange(true, ordering: .acquiringAndReleasing) { silence.leave() }
    }

    /// Waits until the work has been done. What it did can then be seen.
    /// - Parameter patience: how long at most.
    /// - Returns: whether it has; true also if it never began.
    @discardableResult
    package func join(patience: DispatchTimeInterval = .never) -> Bool { isAtWork.wait(timeout: .now() + patience) == .success }
}
