import Synchronization
import Testing

@testable import GateService

@Suite struct WritersLockTests {
    /// Where on the stack whoever is called finds itself: the deeper, the lower.
    private final class Depth: Sendable {
        let places = Mutex<[UInt]>([])

        @inline(never) func note() {
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { place in
                let address = UInt(bitPattern: place.baseAddress)
                places.withLock { $0.append(address) }
            }
        }
    }

    /// A lock that is taken every second for a year must cost then what it cost at first.
    @Test func whoeverIsToldOfAHoldIsCalledAsDirectlyTheThousandthTime() {
        let (lock, depth) = (WritersLock(()), Depth())
        lock.observe { _ in depth.note() }
        for _ in 0..<1_000 { lock.withLock { _ in } }
        let places = depth.places.withLock { $0 }
        #expect(places.count == 1_000)
        #expect(Set(places).count == 1)
    }

    @Test func theSchedulerIsWokenAsDirectlyTheThousandthTime() throws {
        let (house, depth) = (try House(), Depth())
        house.ledger.setAlarm { depth.note() }
        for _ in 0..<1_000 { house.ledger.wake() }
        let places = depth.places.withLock { $0 }
        #expect(places.count == 1_000)
        #expect(Set(places).count == 1)
    }
}
