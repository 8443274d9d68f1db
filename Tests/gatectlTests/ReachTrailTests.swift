import GateAPI
import Testing

@testable import gatectl

/// Counts of a revision at each look, and the share that results.
struct ReachTrailTests {
    private func reach(_ confirmed: Int, _ replaced: Int) -> ReachBody {
        ReachBody(pollsPerMinute: 600, share: nil, secondsSinceStale: nil, confirmed: confirmed, replaced: replaced, fetched: 0, feeds: [])
    }

    /// A hundred phones that poll every ten seconds, ten a second.
    @Test func phonesThatWereToldCountOnceTheyComeBack() {
        var trail = ReachTrail(isNew: true)
        for second in 1...10 { #expect(trail.percent(with: reach(0, second * 10)) == 0) }
        for second in 1...9 { #expect(trail.percent(with: reach(second * 10, 100)) == second * 10) }
        #expect(trail.percent(with: reach(100, 100)) == 100)
    }

    @Test func whoHasPolledOnceIsNotAllOfThem() {
        var trail = ReachTrail(isNew: true)
        #expect(trail.percent(with: reach(1, 1)) == 50)
        #expect(trail.percent(with: reach(1, 9)) == 10)
    }

    @Test func aRevisionThatWasThereBeforeIsCountedFromTheFirstLook() {
        var trail = ReachTrail(isNew: false)
        #expect(trail.percent(with: reach(5_000, 40)) == nil)
        #expect(trail.percent(with: reach(5_003, 41)) == 75)
    }

    @Test func countsThatBeganAnewSayNothing() {
        var trail = ReachTrail(isNew: false)
        _ = trail.percent(with: reach(50, 10))
        #expect(trail.percent(with: reach(1, 0)) == nil)
    }
}
