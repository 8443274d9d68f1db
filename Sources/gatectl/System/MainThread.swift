import Dispatch
import Synchronization

/// Runs tasks on the thread that the process began with.
///
/// gatectl does one thing after another, so Swift's own threads gain it nothing and cost a short command a tenth of its time: they have to
/// be made, each is woken by the one before, and what one has just read is in another processor's cache. Nothing is held up while this
/// thread waits: requests to other machines run on threads of `HTTPTransport`, and Ctrl-C is a signal handler.
final class MainThread: TaskExecutor {
    private let waiting = Mutex<[UnownedJob]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    private init() {}

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        waiting.withLock { $0.append(job) }
        arrivals.signal()
    }

    /// Runs `body` and every task that it makes. To be called once, on the main thread; the process ends when `body` ends it.
    static func run(_ body: @escaping @Sendable () async -> Never) -> Never {
        let thread = MainThread()
        Task(executorPreference: thread) { await body() }
        while true {
            thread.arrivals.wait()
            let job = thread.waiting.withLock { $0.removeFirst() }
            job.runSynchronously(on: thread.asUnownedTaskExecutor())
        }
    }
}
