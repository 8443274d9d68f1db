import Synchronization
import Testing

@testable import gatehouse

/// What strangers can cause without end is told a few times, and then counted.
struct LineLimitTests {
    private final class Clock: Sendable {
        private let time = Mutex(ContinuousClock.now)
        var now: ContinuousClock.Instant { time.withLock { $0 } }
        func advance(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private let clock = Clock()

    private func limit() -> LineLimit { LineLimit { [clock] in clock.now } }

    @Test func ofOneKindAFewPassInAMinuteAndTheOthersAreCounted() {
        let limit = limit()
        #expect((0..<1_000).filter { _ in limit.admits("a") }.count == LineLimit.linesOfKind)
        #expect(limit.admits("b"), "one kind does not take another's place")
        #expect(limit.takeWithheld().isEmpty, "the minute is not over")
        clock.advance(LineLimit.span)
        #expect(limit.takeWithheld().map { "\($0.count) \($0.kind)" } == ["990 a"])
        #expect(limit.takeWithheld().isEmpty, "each is told once")
        #expect(limit.admits("a"))
        #expect(limit.withheldCount == 990)
    }

    @Test func manyKindsTogetherAreLimitedToo() {
        let limit = limit()
        #expect((0..<5_000).filter { limit.admits("kind \($0)") }.count == LineLimit.lines)
        let told = limit.takeWithheld(all: true)
        #expect(told.reduce(0) { $0 + $1.count } == 4_900)
        #expect(told.count <= 1_001, "kinds take no memory without end")
        #expect(told.first?.kind == "others")
    }
}
