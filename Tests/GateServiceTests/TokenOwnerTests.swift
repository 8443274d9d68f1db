import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Whose tokens are, how far they reach, and how they end.
@Suite struct TokenOwnerTests {
    private func house() throws -> House {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob")
        try house.addPerson("otto", .operator, .only("bank", "shop"))
        return house
    }

    private func token(_ house: House, _ name: String, role: Role? = nil, scope: AppScope? = nil, of person: String) throws -> NewToken {
        try house.access.createToken(
            name: name,
            role: role,
            scope: scope,
            expiresAt: nil,
            by: house.access.caller(house.access.signIn(person))
        )
    }

    @Test func aTokenIsThePersonsAndHasTheirRightsUnlessFewerAreAskedFor() throws {
        let house = try house()
        let whole = try token(house, "laptop", of: "otto")
        #expect((whole.listed.owner, whole.listed.role, whole.listed.scope) == ("otto", .operator, .only("bank", "shop")))
        #expect(whole.listed.expiresAt == house.clock.now.advanced(bySeconds: 90 * 86_400))
        let narrow = try token(house, "shop only", role: .viewer, scope: .only("shop"), of: "otto")
        let caller = try house.access.caller(bearing: narrow)
        #expect(
            (caller.role, caller.scope, caller.userID) == (
                .viewer, .only("shop"), narrow.listed.owner.flatMap { try? house.ledger.store?.user(named: $0)?.id }
            )
        )
        #expect(word { _ = try token(house, "x", role: .admin, of: "otto") } == "forbidden")
        #expect(word { _ = try token(house, "x", scope: .all, of: "otto") } == "forbidden")
    }

    /// Three tokens called `check`: ann's, otto's and one of the server's own.
    @Test func whatTokensOfOneNameDidIsToldApart() throws {
        let house = try house()
        try house.add("shop", "ios")
        let (hers, his) = (try token(house, "check", of: "ann"), try token(house, "check", of: "otto"))
        let text = try house.access.createToken(name: "check", role: .admin, scope: .all, createdBy: "ann", from: .console)
        let servers = try house.access.caller(token: text, source: .api, requestId: "r", address: "192.0.2.7")
        let callers = [try house.access.caller(bearing: hers), try house.access.caller(bearing: his), servers]
        let expected = [
            Actor(kind: .token, name: "check", id: hers.listed.id, user: "ann"),
            Actor(kind: .token, name: "check", id: his.listed.id, user: "otto"),
            Actor(kind: .token, name: "check", id: servers.token?.id),
        ]
        #expect(Set(expected).count == 3)
        for (index, caller) in callers.enumerated() {
            try house.set("shop/ios", to: index % 2 == 0 ? #"{"killSwitch":{"message":"x"}}"# : #"{"killSwitch":null}"#, by: caller)
        }
        let changes = try house.ledger.store.unwrapped().changes(ChangeQuery(limit: 3))
        #expect(changes.map(\.actor) == expected.reversed())
        #expect(try house.ledger.store.unwrapped().changes(ChangeQuery(actor: "otto")).map(\.sequence) == [changes[1].sequence])
        #expect(try house.ledger.store.unwrapped().changes(ChangeQuery(actor: "check")).count == 3)
    }

    @Test func aWindowTellsWhoseTokenMadeIt() throws {
        let house = try house()
        try house.add("shop", "ios")
        let token = try token(house, "check", of: "ann")
        try house.make(house.draft("shop/ios", in: 60), by: house.access.caller(bearing: token))
        let maker = Actor(kind: .token, name: "check", id: token.listed.id, user: "ann")
        #expect(try house.window(1).actor == maker)
        #expect(try house.window(1).events.map(\.actor) == [maker])
        house.pass(60)
        #expect(try house.ledger.history(ChangeQuery(limit: 1), for: .admin).changes.first?.reason == "Window 1 by ann (check)")
    }

    @Test func theAuditTellsWhichTokenAndWhichPersonItWas() throws {
        let house = try house()
        let token = try token(house, "check", of: "ann")
        let bearer = try house.access.caller(bearing: token)
        _ = try house.access.createPerson(name: "eve", role: .viewer, scope: .all, password: House.password, by: bearer)
        let ann = try house.ledger.store.unwrapped().user(named: "ann").unwrapped()
        let entries = try house.audit()
        #expect(entries.last?.actor == Actor(kind: .token, name: "check", id: token.listed.id, user: "ann"))
        #expect(entries.last { $0.action == "session.create" }?.actor == Actor(kind: .user, name: "ann", id: String(ann.id)))
    }

    @Test(arguments: [-1, 0, 3_653 * 86_400 + 1] as [Int64]) func anEndInThePastOrTooFarAwayIsRefused(seconds: Int64) throws {
        let house = try house()
        let caller = house.access.caller(try house.access.signIn("ann"))
        let error = refusal {
            _ = try house.access.createToken(
                name: "x",
                role: nil,
                scope: nil,
                expiresAt: house.clock.now.advanced(bySeconds: seconds),
                by: caller
            )
        }
        #expect((error?.word, error?.field) == ("invalid_expiry", "/expiresAt"))
    }

    @Test func aTokenNeverReachesFurtherThanItsOwnerDoesNow() throws {
        let house = try house()
        let token = try token(house, "laptop", of: "bob")
        _ = try house.access.editPerson(
            "bob",
            PersonEdit {
                $0.role = .operator
                $0.scope = .only("shop")
            },
            by: .admin
        )
        let caller = try house.access.caller(bearing: token)
        #expect((caller.role, caller.scope) == (.operator, .only("shop")))
        _ = try house.access.editPerson(
            "bob",
            PersonEdit {
                $0.role = .admin
                $0.scope = .all
            },
            by: .admin
        )
        #expect(try house.access.caller(bearing: token).role == .admin)
    }

    @Test func aTokenOpensNothingWhileItsOwnerIsDisabledAndNeverAgainWhenGone() throws {
        let house = try house()
        let token = try token(house, "laptop", of: "bob")
        _ = try house.access.editPerson("bob", PersonEdit { $0.isDisabled = true }, by: .admin)
        #expect(word { _ = try house.access.caller(bearing: token) } == "unauthenticated")
        #expect(try house.access.tokens(for: .admin).first?.isActive == false)
        _ = try house.access.editPerson("bob", PersonEdit { $0.isDisabled = false }, by: .admin)
        #expect(throws: Never.self) { try house.access.caller(bearing: token) }
        try house.access.deletePerson("bob", by: .admin)
        #expect(word { _ = try house.access.caller(bearing: token) } == "unauthenticated")
        #expect(try house.access.tokens(for: .admin).first?.revokedAt == house.clock.now)
        // A new person of that name is another person.
        try house.addPerson("bob")
        #expect(word { _ = try house.access.caller(bearing: token) } == "unauthenticated")
    }

    /// Whatever got hold of the old password may have made itself a token: a reset ends those too.
    @Test(arguments: [true, false]) func aResetEndsTheTokensOfWhoeverItIsAbout(isConsole: Bool) throws {
        let house = try house()
        let his = try token(house, "laptop", of: "bob")
        let others = try token(house, "laptop", of: "otto")
        if isConsole {
            try house.access.resetPassword(username: "bob", password: "quite another pass phrase", clearTOTP: false, from: .console)
        } else {
            _ = try house.access.editPerson("bob", PersonEdit { $0.password = "quite another pass phrase" }, by: .admin)
        }
        #expect(word { _ = try house.access.caller(bearing: his) } == "unauthenticated")
        #expect(try house.access.tokens(for: .admin).filter { $0.revokedAt != nil }.map(\.owner) == ["bob"])
        #expect(throws: Never.self) { try house.access.caller(bearing: others) }
        #expect(try house.audit().last?.detail?["tokens"] == .string("revoked"))
        // It is over for good, and not only until the person signs in again.
        _ = try house.access.signIn("bob", password: "quite another pass phrase")
        #expect(word { _ = try house.access.caller(bearing: his) } == "unauthenticated")
    }

    /// Pipelines run with these; who suspects somebody asks for their end.
    @Test(arguments: [false, true]) func whoChangesTheirOwnPasswordSaysWhetherTheirTokensEnd(isWanted: Bool) throws {
        let house = try house()
        let his = try token(house, "laptop", of: "bob")
        let session = try house.access.signIn("bob")
        _ = try house.access.changePassword(
            session.signedIn,
            current: House.password,
            new: "quite another pass phrase",
            totp: nil,
            revokingTokens: isWanted,
            from: .console
        )
        #expect((word { _ = try house.access.caller(bearing: his) } == "unauthenticated") == isWanted)
    }

    @Test func theServersOwnTokensBelongToNobodyAndStay() throws {
        let house = try house()
        let text = try house.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "bob", from: .console)
        try house.access.deletePerson("bob", by: .admin)
        let caller = try house.access.caller(token: text, source: .api, requestId: "r", address: "a")
        #expect((caller.role, caller.userID) == (.admin, nil))
    }

    /// One that leaks must not breed; an administrator's may, for what it makes can be seen and ends with its owner.
    @Test func onlyAnAdministratorsTokenMakesTokens() throws {
        let house = try house()
        let operators = try house.access.caller(bearing: token(house, "laptop", of: "otto"))
        #expect(word { _ = try house.access.createToken(name: "x", role: nil, scope: nil, expiresAt: nil, by: operators) } == "forbidden")
        let admins = try house.access.caller(bearing: token(house, "laptop", of: "bob"))
        let made = try house.access.createToken(name: "x", role: .viewer, scope: nil, expiresAt: nil, by: admins)
        #expect(made.listed.owner == "bob")
        try house.access.deletePerson("bob", by: .admin)
        #expect(word { _ = try house.access.caller(bearing: made) } == "unauthenticated")
    }

    @Test func peopleSeeTheirOwnTokensAdministratorsAllAndAnyOtherTokenItself() throws {
        let house = try house()
        let his = try token(house, "his", of: "otto")
        house.clock.advance(seconds: 1)
        let hers = try token(house, "hers", of: "ann")
        let otto = house.access.caller(try house.access.signIn("otto"))
        let second = try house.access.createToken(name: "his too", role: nil, scope: nil, expiresAt: nil, by: otto)
        #expect(try Set(house.access.tokens(for: otto).map(\.name)) == ["his", "his too"])
        #expect(try house.access.tokens(for: .admin).count == 3)
        #expect(try house.access.tokens(for: house.access.caller(bearing: his)).map(\.name) == ["his"])
        #expect(word { try house.access.revokeToken(hers.listed.id, by: otto) } == "token_not_found")
        #expect(word { try house.access.revokeToken(second.listed.id, by: house.access.caller(bearing: his)) } == "token_not_found")
        #expect(word { try house.access.revokeToken("nothere1", by: .admin) } == "token_not_found")
        // gatectl's way out: with the token itself.
        try house.access.revokeToken(his.listed.id, by: try house.access.caller(bearing: his))
        #expect(word { _ = try house.access.caller(bearing: his) } == "unauthenticated")
        try house.access.revokeToken(second.listed.id, by: otto)
        #expect(word { _ = try house.access.caller(bearing: second) } == "unauthenticated")
        #expect(throws: Never.self) { try house.access.caller(bearing: hers) }
    }

    /// Nobody takes away more than they have themselves, though administrators see all tokens.
    @Test func anAdministratorOfSomeAppsRevokesNoTokenThatReachesFurther() throws {
        let house = try house()
        try house.addPerson("sam", .admin, .only("bank"))
        let sam = try house.access.caller(house.access.signIn("sam"))
        let wider = [
            try token(house, "all", of: "ann"), try token(house, "a viewer of all", role: .viewer, of: "ann"),
            try token(house, "two apps", of: "otto"), try token(house, "another app", scope: .only("shop"), of: "otto"),
        ]
        for token in wider {
            #expect(word { try house.access.revokeToken(token.listed.id, by: sam) } == "forbidden", "\(token.listed.name)")
            #expect(throws: Never.self) { try house.access.caller(bearing: token) }
        }
        let within = try token(house, "his app", scope: .only("bank"), of: "otto")
        try house.access.revokeToken(within.listed.id, by: sam)
        #expect(word { _ = try house.access.caller(bearing: within) } == "unauthenticated")
        // What is one's own can be ended whatever one has come to since.
        let own = try token(house, "own", of: "bob")
        _ = try house.access.editPerson("bob", PersonEdit { $0.scope = .only("bank") }, by: .admin)
        try house.access.revokeToken(own.listed.id, by: house.access.caller(house.access.signIn("bob")))
        #expect(word { _ = try house.access.caller(bearing: own) } == "unauthenticated")
    }

    @Test func aTokenIsRevokedOnce() throws {
        let house = try house()
        let token = try token(house, "laptop", of: "otto")
        try house.access.revokeToken(token.listed.id, by: .admin)
        let first = try house.access.tokens(for: .admin).first?.revokedAt
        let count = try house.audit().count
        house.clock.advance(seconds: 60)
        try house.access.revokeToken(token.listed.id, by: .admin)
        #expect(try house.access.tokens(for: .admin).first?.revokedAt == first)
        #expect(try house.audit().count == count)
        #expect(try house.audit().last?.action == "token.revoke")
    }
}
