import GateJSON
import GateModel
import Synchronization

/// Which share of one address's polls that tell nothing is let in to one target.
final class OpeningGauge: Sendable {
    let door: OpeningDoor
    private let pace: Mutex<OpeningPace>
    private let threshold: Atomic<UInt64>

    init(_ door: OpeningDoor, at now: Timestamp) {
        self.door = door
        let pace = OpeningPace(door.opening, at: now)
        threshold = Atomic(UInt64(share: pace.share))
        self.pace = Mutex(pace)
    }

    private init(_ door: OpeningDoor, following former: OpeningGauge) {
        self.door = door
        let pace = former.pace.withLock { $0 }
        threshold = Atomic(UInt64(share: pace.share))
        self.pace = Mutex(pace)
    }

    /// The gauge of the same opening in another state of the app.
    func following(_ door: OpeningDoor) -> OpeningGauge { OpeningGauge(door, following: self) }

    func note(polls: Int, at now: Timestamp) {
        let share = pace.withLock { pace in
            pace.note(polls: polls, at: now)
            return pace.share
        }
        threshold.store(UInt64(share: share), ordering: .relaxed)
    }

    /// Whether the poll with this place is let in.
    func admits(_ place: UInt64) -> Bool {
        let threshold = threshold.load(ordering: .relaxed)
        return place < threshold || threshold == .max
    }
}
