import Dispatch
import Foundation
import GateCrypto
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// Who comes first when many passwords are to be looked at: a flood of strangers leaves room for the others.
@Suite struct PasswordHasherTests {
    /// A monotonic clock that a test moves.
    private final class Time: Sendable {
        private let now = Mutex(ContinuousClock.now)

        func callAsFunction() -> ContinuousClock.Instant { now.withLock { $0 } }

        func advance(_ duration: Duration) { now.withLock { $0 += duration } }
    }

    private let time = Time()

    private func hasher() -> PasswordHasher { PasswordHasher(cost: .least, time: { [time] in time() }) }

    @Test func withoutACrushStrangersHaveBothPlaces() {
        let hasher = hasher()
        for _ in 0..<5 {
            #expect(hasher.enter(.newcomer) && hasher.enter(.newcomer))
            for _ in 0..<2 { hasher.leave(.newcomer, after: .milliseconds(100)) }
        }
    }

    @Test func inACrushNewcomersHaveAQuarterOfTheTimeAndWhoCameBackHalf() {
        let hasher = hasher()
        #expect(hasher.enter(.newcomer) && hasher.enter(.newcomer) && !hasher.enter(.newcomer))
        for _ in 0..<2 { hasher.leave(.newcomer, after: .milliseconds(100)) }
        #expect(!hasher.enter(.newcomer))
        time.advance(.milliseconds(299))
        #expect(!hasher.enter(.newcomer))
        // The other lane is open all the while.
        #expect(hasher.enter(.returning) && !hasher.enter(.returning))
        hasher.leave(.returning, after: .milliseconds(100))
        #expect(!hasher.enter(.returning))
        time.advance(.milliseconds(1))
        #expect(hasher.enter(.newcomer) && !hasher.enter(.newcomer))
        time.advance(.milliseconds(99))
        #expect(hasher.enter(.returning))
        // Whoever is known still waits for no more than one of them.
        hasher.leave(.newcomer, after: .milliseconds(100))
        #expect(hasher.enter(.known))
        hasher.leave(.known, after: .milliseconds(100))
        hasher.leave(.returning, after: .milliseconds(100))
        time.advance(.seconds(10))
        #expect(hasher.enter(.newcomer) && hasher.enter(.newcomer), "the crush is over")
    }

    /// A place that is given up goes to who is known and waits, not to who asks at that moment.
    @Test func theKnownWaitForAPlaceAndComeNext() throws {
        let hasher = hasher()
        #expect(hasher.enter(.newcomer) && hasher.enter(.newcomer))
        let isIn = Mutex(false)
        let done = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            let entered = hasher.enter(.known)
            isIn.withLock { $0 = entered }
            done.signal()
        }
        try blockUntil("somebody waits for a place") { hasher.queue.withLock { $0.isAwaited } }
        // One waits, no more: each holds a worker up.
        #expect(!hasher.enter(.known) && !hasher.enter(.newcomer) && !hasher.enter(.returning))
        hasher.leave(.newcomer, after: .zero)
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(isIn.withLock { $0 })
        #expect(hasher.queue.withLock { $0.running } == 2)
    }

    @Test func whoWaitsInVainIsSentAwayAndLeavesThePlaceToOthers() {
        let hasher = hasher()
        #expect(hasher.enter(.newcomer) && hasher.enter(.newcomer))
        #expect(!hasher.enter(.known), "after three seconds")
        #expect(hasher.queue.withLock { !$0.isAwaited && $0.running == 2 })
        hasher.leave(.newcomer, after: .zero)
        #expect(hasher.enter(.known))
    }

    /// Whoever has the right password and gives it over and over leaves the other place to everybody else.
    @Test func onePersonHasOnePlace() {
        let hasher = hasher()
        #expect(hasher.enter(.known, 1))
        #expect(!hasher.enter(.known, 1), "nor do they wait for a second one")
        #expect(hasher.queue.withLock { $0.running == 1 && !$0.isAwaited })
        #expect(hasher.enter(.newcomer))
        hasher.leave(.newcomer, after: .zero)
        #expect(hasher.enter(.known, 2))
        hasher.leave(.known, 1, after: .zero)
        #expect(hasher.enter(.known, 1))
        for person in 1...2 { hasher.leave(.known, person, after: .zero) }
        #expect(hasher.queue.withLock { $0.running == 0 && $0.people.isEmpty })
    }

    @Test func whoWaitedInVainMayComeBack() {
        let hasher = hasher()
        #expect(hasher.enter(.newcomer) && hasher.enter(.newcomer))
        #expect(!hasher.enter(.known, 1), "after three seconds")
        hasher.leave(.newcomer, after: .zero)
        #expect(hasher.enter(.known, 1))
    }
}
