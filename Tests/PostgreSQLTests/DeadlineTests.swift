import Testing

@testable import PostgreSQL

struct DeadlineTests {
    /// 0 would be no limit at all to PostgreSQL.
    @Test(arguments: [
        (Duration.seconds(10), 10_000), (.milliseconds(1), 1), (.microseconds(1), 1), (.microseconds(1_001), 2), (.zero, 1),
        (.seconds(-5), 1),
        (.seconds(3_000_000), 2_147_483_647), (.seconds(Int64.max), 2_147_483_647),
    ])
    func aLimitIsWholeMillisecondsAndNeverNone(_ limit: Duration, milliseconds: Int) {
        #expect(limit.timeoutMilliseconds == milliseconds)
    }

    @Test func whatIsLeftIsRoundedUp() {
        #expect(Deadline(after: .seconds(-1)).milliseconds == 0)
        #expect(Deadline(after: .zero).isPast)
        // Not 0 before it is past: who waits would turn in a circle.
        #expect((1...60_000).contains(Deadline(after: .seconds(60)).milliseconds))
        #expect(Deadline(after: .seconds(1 << 40)).milliseconds == .max)
        #expect(Deadline(after: .seconds(60)).orEarlier(.zero).isPast)
        #expect(Deadline(after: .zero).orEarlier(.seconds(60)).isPast)
    }
}
