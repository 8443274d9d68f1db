import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// Servers that share a database go by their own clocks, and the database's shows which of them is wrong.
@Suite(.timeLimit(.minutes(1))) struct SharedClockTests {
    @Test func aServerWhoseClockIsWrongSaysSo() throws {
        let database = try PostgresCluster.shared().database()
        let house = try House(server: database)
        let ahead = Mutex<Int64>(0)
        let watch = StoreWatch(
            try DatabaseServer(database.url),
            as: "one",
            sequence: { house.ledger.sequence },
            look: {},
            clock: { .now.advanced(bySeconds: ahead.withLock { $0 }) },
            clockLeads: { house.ledger.clockLeads(by: $0) }
        )
        defer { watch.stop() }
        // A server that agrees has been compared as well, from its second round on.
        try blockUntil("the watch has asked the database") { !watch.servers.isEmpty }
        #expect(house.ledger.health.state == .ok)
        for (seconds, side) in [(Int64(600), "ahead of"), (-600, "behind")] {
            ahead.withLock { $0 = seconds }
            try blockUntil("a clock that is \(seconds) s off is noticed") {
                house.ledger.health.reasons == ["clock: it is more than 30 s \(side) the database's; windows begin and end by it"]
            }
        }
        ahead.withLock { $0 = 20 }
        try blockUntil("a clock that agrees well enough is no trouble") { house.ledger.health.state == .ok }
    }
}
