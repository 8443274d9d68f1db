package import Dispatch
import Synchronization

/// Ends another thread's pause. One thread waits; any may ring, and however often they do, it ends one pause.
///
/// Not a semaphore: on Linux Dispatch waits for one until a time of the clock that people set, so a clock put back by an hour would make a
/// pause of a second last for an hour. A group is waited for by the span.
package final class Alarm: Sendable {
    /// Entered once, unless the alarm has rung.
    private let silence = DispatchGroup()
    private let hasRung = Atomic<Bool>(false)

    package init() { silence.enter() }

    deinit {
        // Dispatch ends the process when a group goes that was entered and not left.
        if !hasRung.load(ordering: .acquiring) { silence.leave() }
    }

    package func ring() {
        if !hasRung.exchange(true, ordering: .acquiringAndReleasing) { silence.leave() }
    }

    /// Waits until the alarm rings, or has rung since the last wait, but no longer than `pause`.
    /// - Returns: whether it rang. Whatever was done before it rang can then be seen.
    package func wait(for pause: DispatchTimeInterval) -> Bool {
        guard silence.wait(timeout: .now() + pause) == .success else { return false }
        silence.enter()
        _ = hasRung.exchange(false, ordering: .acquiringAndReleasing)
        return true
    }
}
