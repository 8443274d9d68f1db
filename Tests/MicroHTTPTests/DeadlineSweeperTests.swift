import Testing

@testable import MicroHTTP

@Suite struct DeadlineSweeperTests {
    /// The sweep reads the clock once; a connection may be accepted between that and its turn. The difference must not trap: it ended
    /// the whole server.
    @Test func aConnectionYoungerThanTheSweepHasLivedForNothing() {
        #expect(DeadlineSweeper.elapsed(since: 2_000, at: 1_000) == 0)
        #expect(DeadlineSweeper.elapsed(since: 1_000, at: 1_000) == 0)
        #expect(DeadlineSweeper.elapsed(since: 1_000, at: 2_500) == 1_500)
    }
}
