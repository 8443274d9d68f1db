import Synchronization

/// How often a ready-made answer was given, and what the callers had before: all that is known about who has it by now.
///
/// Counted on the request path with one relaxed addition and no lock; who asked is not kept. Any thread. The answers of one address
/// to different queries share one set of counters.
package final class PollCounters: Sendable {
    private let confirmedCount = Atomic<UInt64>(0)
    private let replacedCount = Atomic<UInt64>(0)
    private let fetchedCount = Atomic<UInt64>(0)

    package init() {}

    /// The caller named this answer's own entity tag and was told 304: it had it already.
    @inline(__always)
    package func countConfirmed() { confirmedCount.add(1, ordering: .relaxed) }

    /// The caller named another entity tag and was given this answer: until now it had an older one.
    @inline(__always)
    package func countReplaced() { replacedCount.add(1, ordering: .relaxed) }

    /// The caller named no entity tag and was given this answer; what it had before is not known.
    @inline(__always)
    package func countFetched() { fetchedCount.add(1, ordering: .relaxed) }

    /// The counts so far; each is exact, though they are not all read at the same instant.
    package var counts: PollCounts {
        PollCounts(
            confirmed: confirmedCount.load(ordering: .relaxed),
            replaced: replacedCount.load(ordering: .relaxed),
            fetched: fetchedCount.load(ordering: .relaxed)
        )
    }
}

/// Polls by what the caller had before.
package struct PollCounts: Sendable, Hashable {
    package var confirmed: UInt64
    package var replaced: UInt64
    package var fetched: UInt64

    package init(confirmed: UInt64 = 0, replaced: UInt64 = 0, fetched: UInt64 = 0) {
        self.confirmed = confirmed
        self.replaced = replaced
        self.fetched = fetched
    }

    package var total: UInt64 { confirmed + replaced + fetched }

    package static func + (one: PollCounts, other: PollCounts) -> PollCounts {
        PollCounts(
            confirmed: one.confirmed + other.confirmed,
            replaced: one.replaced + other.replaced,
            fetched: one.fetched + other.fetched
        )
    }

    /// The polls since `other`, an earlier reading of the same counters.
    package func since(_ other: PollCounts) -> PollCounts {
        PollCounts(confirmed: confirmed - other.confirmed, replaced: replaced - other.replaced, fetched: fetched - other.fetched)
    }
}
