import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Sessions over their life, and one's own password.
@Suite struct AccountTests {
    private func house() throws -> House {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("otto", .operator)
        return house
    }

    @Test func aSignInEndsTheSessionThatTheBrowserHadBefore() throws {
        let house = try house()
        let old = try house.access.signIn("ann")
        let other = try house.access.signIn("ann")
        let new = try house.access.signIn(
            username: "otto",
            password: House.password,
            totp: nil,
            replacing: old.secret,
            from: .from("192.0.2.7")
        )
        #expect(try house.access.session(old.secret) == nil)
        #expect(try house.access.session(other.secret) != nil)
        #expect(try house.access.session(new.secret)?.user.name == "otto")
    }

    @Test func aFreshSignInMakesTheSessionNewInEveryPart() throws {
        let house = try house()
        let old = try house.access.signIn("ann")
        house.clock.advance(seconds: 301)
        #expect(!house.access.isFresh(old.signedIn, seconds: 300))
        let new = try house.access.reauthenticate(old.signedIn, password: House.password, totp: nil, from: .from("192.0.2.7"))
        #expect(house.access.isFresh(new.signedIn, seconds: 300))
        #expect(new.secret != old.secret)
        #expect(new.signedIn.csrf != old.signedIn.csrf)
        #expect(try house.access.session(old.secret) == nil)
        #expect(try house.access.session(new.secret) == new.signedIn)
        #expect(try house.audit().last?.action == "session.reauthenticate")
    }

    @Test func aFreshSignInIsFreshForFiveMinutesAndNoLonger() throws {
        let house = try house()
        let session = try house.access.signIn("ann")
        house.clock.advance(seconds: 299)
        #expect(try house.access.isFresh(house.access.session(session.secret).unwrapped(), seconds: 300))
        house.clock.advance(seconds: 1)
        #expect(try !house.access.isFresh(house.access.session(session.secret).unwrapped(), seconds: 300))
    }

    @Test func wrongPasswordsForAFreshSignInAreSlowedDownToo() throws {
        let house = try house()
        let session = try house.access.signIn("ann")
        for _ in 0..<5 {
            #expect(
                word { _ = try house.access.reauthenticate(session.signedIn, password: "wrong", totp: nil, from: .from("192.0.2.7")) }
                    == "wrong_credentials"
            )
        }
        #expect(
            word { _ = try house.access.reauthenticate(session.signedIn, password: House.password, totp: nil, from: .from("192.0.2.7")) }
                == "too_many_tries"
        )
        #expect(try house.access.session(session.secret) != nil)
    }

    @Test func aNewPasswordWantsTheOldOneAndEndsEverySessionButThisBrowsers() throws {
        let house = try house()
        let here = try house.access.signIn("ann")
        let there = try house.access.signIn("ann")
        let others = try house.access.signIn("otto")
        let origin = RequestOrigin.from("192.0.2.7")
        let wrong = try refusal {
            _ = try house.access.changePassword(here.signedIn, current: "wrong", new: "another long pass phrase", totp: nil, from: origin)
        }.unwrapped()
        #expect((wrong.code, wrong.word, wrong.field) == (.forbidden, "wrong_password", "/currentPassword"))
        let weak = try refusal {
            _ = try house.access.changePassword(here.signedIn, current: House.password, new: "short", totp: nil, from: origin)
        }
        .unwrapped()
        #expect((weak.word, weak.field) == ("invalid_password", "/newPassword"))
        #expect(try house.access.session(there.secret) != nil)

        let renewed = try house.access.changePassword(
            here.signedIn,
            current: House.password,
            new: "another long pass phrase",
            totp: nil,
            from: origin
        )
        #expect(try house.access.session(here.secret) == nil)
        #expect(try house.access.session(there.secret) == nil)
        #expect(try house.access.session(others.secret) != nil)
        #expect(try house.access.session(renewed.secret) == renewed.signedIn)
        #expect(word { _ = try house.access.signIn("ann") } == "wrong_credentials")
        #expect(throws: Never.self) { try house.access.signIn("ann", password: "another long pass phrase") }
    }

    @Test func peopleSeeTheirOwnSessionsAndEndThem() throws {
        let house = try house()
        let here = try house.access.signIn(username: "ann", password: House.password, totp: nil, from: .from("192.0.2.7"))
        house.clock.advance(seconds: 120)
        let there = try house.access.signIn("ann", from: "198.51.100.1")
        let others = try house.access.signIn("otto")
        let listed = try house.access.sessions(of: here.signedIn)
        #expect(listed.map(\.address) == ["198.51.100.1", "192.0.2.7"])
        #expect(listed.map(\.isCurrent) == [false, true])
        #expect(listed.allSatisfy { $0.id.count == 32 && !here.secret.contains($0.id) })
        // Another's session is not there at all.
        let foreign = try house.access.sessions(of: others.signedIn)[0].id
        #expect(word { _ = try house.access.endSession(foreign, of: here.signedIn, from: .console) } == "session_not_found")
        #expect(try !house.access.endSession(listed[0].id, of: here.signedIn, from: .console))
        #expect(try house.access.session(there.secret) == nil)
        #expect(try house.access.session(others.secret) != nil)
        #expect(word { _ = try house.access.endSession(listed[0].id, of: here.signedIn, from: .console) } == "session_not_found")
        #expect(try house.access.endSession(listed[1].id, of: here.signedIn, from: .console))
        #expect(try house.access.session(here.secret) == nil)
    }

    @Test func allOtherSessionsEndAtOnce() throws {
        let house = try house()
        let here = try house.access.signIn("ann")
        let there = try (0..<3).map { _ in try house.access.signIn("ann") }
        let others = try house.access.signIn("otto")
        try house.access.endOtherSessions(of: here.signedIn, from: .console)
        for session in there { #expect(try house.access.session(session.secret) == nil) }
        #expect(try house.access.session(here.secret) != nil)
        #expect(try house.access.session(others.secret) != nil)
    }

    @Test func anIdleSessionIsNotListed() throws {
        let house = try house()
        _ = try house.access.signIn("ann")
        house.clock.advance(seconds: 1_800)
        let here = try house.access.signIn("ann")
        #expect(try house.access.sessions(of: here.signedIn).count == 1)
    }

    @Test func aHashIsMadeAnewAtASignInOnceTheCostsHaveRisenAndNotWhenTheyFell() throws {
        let house = try house()
        let dearer = PasswordHash.Cost(operations: 2, memoryBytes: 16_384)
        let store = try house.ledger.store.unwrapped()
        let first = try store.user(named: "ann").unwrapped()
        let session = try house.access.signIn("ann")
        #expect(try store.user(named: "ann")?.passwordHash == first.passwordHash)

        _ = refusal { _ = try house.people(cost: dearer).signIn("ann", password: "wrong") }
        #expect(try store.user(named: "ann")?.passwordHash == first.passwordHash)
        _ = try house.people(cost: dearer).signIn("ann")
        let second = try store.user(named: "ann").unwrapped()
        #expect(second.passwordHash != first.passwordHash)
        #expect(!second.passwordHash.needsRehash(cost: dearer))
        // It is the same password: nobody has to sign in again.
        #expect(second.passwordChangedAt == first.passwordChangedAt)
        #expect(try house.access.session(session.secret) != nil)

        _ = try house.access.signIn("ann")
        #expect(try store.user(named: "ann")?.passwordHash == second.passwordHash)
    }

    @Test func somebodyLockedOutGetsBackInFromTheServersShell() throws {
        let house = try house()
        let access = house.people()
        let session = try access.signIn("ann")
        let started = try access.startTOTP(session.signedIn, environment: "test", from: .console)
        let step = TOTP.step(atSeconds: house.clock.now.milliseconds / 1_000)
        _ = try access.confirmTOTP(
            session.signedIn,
            code: TOTP(secret: Base32Reader.decode(started.secret)).text(step: step),
            from: .console
        )

        // As the command does it: without keys.
        try house.access.resetPassword(username: "ANN", password: "another long pass phrase", clearTOTP: false, from: .console)
        #expect(try access.session(session.secret) == nil)
        #expect(word { _ = try access.signIn("ann", password: "another long pass phrase") } == "totp_required")
        try house.access.resetPassword(username: "ann", password: "a third long pass phrase", clearTOTP: true, from: .console)
        #expect(throws: Never.self) { try access.signIn("ann", password: "a third long pass phrase") }
        let entries = try house.audit().filter { $0.action == "people.reset" }
        #expect(entries.map(\.actor) == [Actor(kind: .system, name: "console"), Actor(kind: .system, name: "console")])
        #expect(entries.map(\.subject) == ["ann", "ann"])
        #expect(
            word { try house.access.resetPassword(username: "eve", password: "a long pass phrase", clearTOTP: false, from: .console) }
                == "user_not_found"
        )
        #expect(
            word { try house.access.resetPassword(username: "ann", password: "short", clearTOTP: false, from: .console) }
                == "invalid_password"
        )
    }
}
