import Synchronization

/// Durations counted into buckets, without a lock. Any thread.
final class Histogram: Sendable {
    /// Upper bounds in seconds, as Prometheus prints them, and in nanoseconds; the last bucket has no bound and is not listed.
    static let bounds: [(text: String, nanoseconds: UInt64)] = [
        ("0.00005", 50_000), ("0.0001", 100_000), ("0.00025", 250_000), ("0.0005", 500_000), ("0.001", 1_000_000), ("0.0025", 2_500_000),
        ("0.005", 5_000_000), ("0.01", 10_000_000), ("0.025", 25_000_000), ("0.05", 50_000_000), ("0.1", 100_000_000),
        ("0.25", 250_000_000),
        ("0.5", 500_000_000), ("1", 1_000_000_000), ("5", 5_000_000_000),
    ]

    /// One count per bucket and one for durations above all bounds; not cumulative.
    private let buckets: [Counter] = (0...bounds.count).map { _ in Counter() }
    private let nanoseconds = Counter()
    private let longest = Atomic<UInt64>(0)

    func record(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        let nanoseconds = UInt64(max(0, seconds)) &* 1_000_000_000 &+ UInt64(max(0, attoseconds) / 1_000_000_000)
        var bucket = 0
        while bucket < Self.bounds.count, nanoseconds > Self.bounds[bucket].nanoseconds { bucket += 1 }
        buckets[bucket].add(1)
        self.nanoseconds.add(nanoseconds)
        longest.max(nanoseconds, ordering: .relaxed)
    }

    /// The longest of all, in seconds; 0 before the first.
    var maximum: Double { Double(longest.load(ordering: .relaxed)) / 1e9 }

    /// Cumulative counts by upper bound, then the count and the sum of all.
    var reading: (cumulative: [(bound: String, count: UInt64)], count: UInt64, seconds: Double) {
        var total: UInt64 = 0
        var cumulative: [(String, UInt64)] = []
        for (index, bound) in Self.bounds.enumerated() {
            total += buckets[index].value
            cumulative.append((bound.text, total))
        }
        total += buckets[Self.bounds.count].value
        return (cumulative, total, Double(nanoseconds.value) / 1e9)
    }
}

/// A number that only grows. Any thread.
final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    func add(_ amount: UInt64) { count.add(amount, ordering: .relaxed) }

    var value: UInt64 { count.load(ordering: .relaxed) }
}
