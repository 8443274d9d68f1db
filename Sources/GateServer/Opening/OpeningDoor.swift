import GateJSON
import GateModel
import Synchronization

/// One target that is being opened gradually: how large a share of the callers who tell something about themselves is let in by now.
final class OpeningDoor: Sendable {
    let target: TargetKey
    let opening: Opening
    /// The seed of each caller's draw: the same for targets of an app whose opening began together.
    let seed: UInt64
    private let threshold = Atomic<UInt64>(0)

    init(_ target: TargetKey, _ opening: Opening, seed: UInt64, at now: Timestamp) {
        self.target = target
        self.opening = opening
        self.seed = seed
        move(to: now)
    }

    func move(to now: Timestamp) { threshold.store(UInt64(share: opening.share(at: now)), ordering: .relaxed) }

    /// Whether a caller is let in.
    func admits(_ draw: OpeningDraw) -> Bool {
        let threshold = threshold.load(ordering: .relaxed)
        return draw.place(seed) < threshold || threshold == .max
    }
}

extension UInt64 {
    /// The number below which this share of all numbers lies; the greatest number for a share of 1.
    init(share: Double) { self = share >= 1 ? .max : Self(Swift.max(0, share) * 0x1p64) }
}
