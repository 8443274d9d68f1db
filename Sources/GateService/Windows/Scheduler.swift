import Dispatch
import Foundation
package import GateJSON
import GateModel
import Synchronization

/// The thread that does what is due at the moment it is due.
///
/// It sleeps on the monotonic clock but follows the wall clock: it sleeps as long as the wall clock says, but never longer than
/// ``longestSleep``, so that a clock that was set forward or back is noticed soon.
package final class Scheduler: Sendable {
    /// In seconds.
    private static let longestSleep: Double = 1

    private let alarm = DispatchSemaphore(value: 0)
    private let isStopping = Atomic(false)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, which runs until ``stop()``.
    /// - Parameter isOnDuty: asked before each look at what is due: of several servers on one database, only one does the work.
    package init(
        _ schedule: ScheduleService,
        now: @escaping @Sendable () -> Timestamp,
        isOnDuty: @escaping @Sendable () -> Bool = { true }
    ) {
        schedule.ledger.setAlarm { [alarm] in alarm.signal() }
        let thread = Thread { [self] in
            while !isStopping.load(ordering: .acquiring) {
                sleep(until: isOnDuty() ? schedule.doWhatIsDue() : schedule.standBy(), now: now)
            }
            ended.signal()
        }
        thread.name = "schedule"
        thread.start()
    }

    /// Ends the thread once it has finished what it is doing. To be called once.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        alarm.signal()
        ended.wait()
    }

    private func sleep(until due: Timestamp?, now: () -> Timestamp) {
        var rest = Self.longestSleep
        // Something already due could not be done: pause, then try again.
        if let due, due > now() { rest = min(rest, Double(due.milliseconds - now().milliseconds) / 1_000) }
        _ = alarm.wait(timeout: .now() + rest)
        // One look is enough for any number of calls.
        while alarm.wait(timeout: .now()) == .success {}
    }
}
