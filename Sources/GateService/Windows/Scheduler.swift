import Dispatch
package import GateJSON
import GateModel
import GateStore
import Synchronization

/// The thread that does what is due at the moment it is due.
///
/// It sleeps on the monotonic clock but follows the wall clock: it sleeps as long as the wall clock says, but never longer than
/// ``longestSleep``, so that a clock that was set forward or back is noticed soon.
package final class Scheduler: Sendable {
    /// In milliseconds.
    private static let longestSleep: Int64 = 1_000

    private let isStopping = Atomic(false)
    private let thread = PausingThread("schedule")

    /// Starts the thread, which runs until ``stop()``.
    /// - Parameter isOnDuty: asked before each look at what is due: of several servers on one database, only one does the work.
    package init(
        _ schedule: ScheduleService,
        now: @escaping @Sendable () -> Timestamp,
        isOnDuty: @escaping @Sendable () -> Bool = { true }
    ) {
        schedule.ledger.setAlarm { [thread] in thread.wake() }
        thread.start { [self] in
            var standsBySince: Timestamp?
            while !isStopping.load(ordering: .acquiring) {
                if isOnDuty() {
                    standsBySince = nil
                    sleep(until: schedule.doWhatIsDue(), now: now)
                } else {
                    let since = standsBySince ?? now()
                    standsBySince = since
                    schedule.standBy(since: since)
                    sleep(until: nil, now: now)
                }
            }
        }
    }

    /// Ends the thread once it has finished what it is doing. To be called once.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        thread.wake()
        thread.join()
    }

    private func sleep(until due: Timestamp?, now: () -> Timestamp) {
        var rest = Self.longestSleep
        // Something already due could not be done: pause, then try again.
        if let due, due > now() { rest = min(rest, due.milliseconds - now().milliseconds) }
        // One look is enough for any number of calls.
        thread.pause(for: .milliseconds(Int(rest)))
    }
}
