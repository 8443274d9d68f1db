import GateTesting
import Glibc
import Synchronization
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

    /// In milliseconds. A thread that had to wait a second for a processor must not leave the listener full for twenty.
    @Test(arguments: [(0, false, 10), (1, false, 20), (4, false, 80), (6, false, 100), (1_000, false, 100), (1_000, true, 10)])
    func theNextLookIsNeverFar(took: UInt64, isEnough: Bool, pause: UInt64) {
        #expect(DeadlineSweeper.pause(afterLookOf: took * 1_000_000, isEnough: isEnough) == pause * 1_000_000)
    }

    /// A request that lay in the socket of a connection when that was asked to leave, and never gets on: libmicrohttpd may not see that
    /// nothing more comes. Such connections kept their places, and were counted as gone.
    @Test func whoWasAskedToLeaveAndGetsOnNoMoreIsCut() throws {
        let registry = ConnectionRegistry()
        let sweeper = DeadlineSweeper(
            deadlines: .init(headers: .seconds(600), body: .seconds(600), response: .seconds(600), connectionAge: .seconds(600)),
            idleTimeout: .seconds(600),
            connectionLimit: 10,
            registry: registry
        )
        let now = MonotonicClock.nanoseconds()
        var watches: [ConnectionWatch] = []
        var sockets: [Int32] = []
        defer { for socket in sockets { close(socket) } }
        for number in 0..<CrowdLimits(connectionLimit: 10).full {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            sockets += pair
            let watch = ConnectionWatch(descriptor: pair[0], neighbourhood: UInt64(number), now: now - 1_000_000_000)
            // All others are about to get their answers.
            watch.enter(number == 0 ? .body : .response, at: number == 0 ? now - 1_000_000_000 : now)
            if number == 0 { watch.isLeaving.store(true, ordering: .relaxed) }
            _ = registry.insert(watch)
            watches.append(watch)
        }
        sweeper.start()
        defer { sweeper.stop() }
        sweeper.connectionCame(count: registry.count)
        try blockUntil("it was cut") { watches[0].isCut.load(ordering: .relaxed) }
        #expect(watches.dropFirst().allSatisfy { !$0.isCut.load(ordering: .relaxed) && !$0.isLeaving.load(ordering: .relaxed) })
    }
}
