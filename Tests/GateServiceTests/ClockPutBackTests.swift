import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// What was written while the clock was ahead, once it is right again: it must neither keep anybody out nor let anybody in until then.
@Suite struct ClockPutBackTests {
    private func house() throws -> House {
        let house = try House()
        try house.addPerson("ann")
        return house
    }

    private func tryIn(_ house: House, _ password: String, from address: String = "192.0.2.7", name: String = "ann") -> ServiceError? {
        refusal { _ = try house.access.signIn(username: name, password: password, totp: nil, from: .from(address)) }
    }

    // MARK: Failures

    /// R38: nobody waits until the time that the clock had, and counting goes on.
    @Test(arguments: [365 * 86_400, 3_600, 1_200] as [Int64]) func failuresKeepNobodyOut(ahead: Int64) throws {
        let house = try house()
        house.clock.advance(seconds: ahead)
        for _ in 0..<6 { _ = tryIn(house, "wrong") }
        for attempt in 0..<20 { _ = tryIn(house, "wrong", name: "name-\(attempt)") }
        for attempt in 0..<12 { _ = tryIn(house, "wrong", from: "198.51.100.\(attempt)") }
        #expect(tryIn(house, House.password)?.retryAfter == 600)
        house.clock.advance(seconds: -ahead)
        #expect(tryIn(house, House.password) == nil)
        for _ in 0..<5 { #expect(tryIn(house, "wrong")?.word == "wrong_credentials") }
        #expect(tryIn(house, House.password)?.retryAfter == 1)
    }

    /// The clocks of servers that share a database differ a little: that forgives nothing.
    @Test func aClockThatIsALittleBehindForgivesNothing() throws {
        let house = try house()
        for _ in 0..<6 { _ = tryIn(house, "wrong") }
        house.clock.advance(seconds: -30)
        #expect(tryIn(house, House.password)?.retryAfter == 31)
    }

    // MARK: Sessions

    /// R34, R41: it would be valid, and its password fresh, for as long as the clock was ahead.
    @Test(arguments: [365 * 86_400, 61] as [Int64]) func aSessionFromTheFutureIsNone(ahead: Int64) throws {
        let house = try house()
        house.clock.advance(seconds: ahead)
        let early = try house.access.signIn("ann")
        house.clock.advance(seconds: -ahead)
        #expect(try house.access.session(early.secret) == nil)
        let now = try house.access.signIn("ann")
        let found = try house.access.session(now.secret).unwrapped()
        #expect(found.expiresAt == house.clock.now.advanced(bySeconds: AccessService.absoluteLifetime))
        #expect(try house.access.sessions(of: found).map(\.createdAt) == [house.clock.now])
        // Not even when the time has come.
        house.clock.advance(seconds: ahead)
        #expect(try house.access.session(early.secret) == nil)
    }

    @Test func aSessionSeenInTheFutureIsNone() throws {
        let house = try house()
        let new = try house.access.signIn("ann")
        house.clock.advance(seconds: 1_200)
        #expect(try house.access.session(new.secret) != nil)
        house.clock.advance(seconds: -1_200)
        #expect(try house.access.session(new.secret) == nil)
    }

    /// The clocks of servers that share a database differ a little.
    @Test func aSessionOfAServerThatIsALittleAheadIsValid() throws {
        let house = try house()
        let new = try house.access.signIn("ann")
        house.clock.advance(seconds: -60)
        #expect(try house.access.session(new.secret) != nil)
    }
}
