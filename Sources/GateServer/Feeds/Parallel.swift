import Dispatch
import Synchronization

/// Work on many values that costs far more than handing it to another core.
enum Parallel {
    /// Values that are handed over together.
    private static let piece = 32

    /// What `transform` makes of each value, in order; on all cores, unless there are few values.
    static func map<Value: Sendable, Result: Sendable>(
        _ values: some Collection<Value>,
        inParallel: Bool = true,
        _ transform: @Sendable (Value) -> Result
    ) -> [Result] {
        let values = Array(values)
        guard inParallel, values.count > piece else { return values.map(transform) }
        let made = Mutex<[Int: [Result]]>([:])
        DispatchQueue.concurrentPerform(iterations: (values.count + piece - 1) / piece) { number in
            let results = values[number * piece..<min(values.count, (number + 1) * piece)].map(transform)
            made.withLock { $0[number] = results }
        }
        return made.withLock { made in made.keys.sorted().flatMap { made[$0] ?? [] } }
    }
}
