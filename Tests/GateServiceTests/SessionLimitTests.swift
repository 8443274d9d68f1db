import GateStore
import GateTesting
import Testing

@testable import GateService

/// What one person may add to what everybody's writes carry along is bounded.
@Suite struct SessionLimitTests {
    @Test func whoSignsInAgainAndAgainEndsTheirOwnOldestSessions() throws {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob")
        let access = house.people()
        let bob = try access.signIn("bob")
        let first = try access.signIn("ann")
        var last = first
        for _ in 0..<Store.mostSessionsOfAPerson {
            // Not too often for one person: MinutePace.
            house.clock.advance(seconds: 3)
            last = try access.signIn("ann")
        }
        #expect(try access.session(first.secret, requestId: "r") == nil)
        #expect(try access.session(last.secret, requestId: "r") != nil)
        #expect(try access.session(bob.secret, requestId: "r") != nil)
    }
}
