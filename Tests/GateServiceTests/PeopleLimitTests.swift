import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// How many people and tokens there may be: their lists are signed with each write, so nobody may make them as long as they like.
@Suite struct PeopleLimitTests {
    private func word(_ work: () throws(ServiceError) -> Void) -> String? {
        do throws(ServiceError) { try work() } catch { return error.word }
        return nil
    }

    @Test func onePersonsTokensAreBoundedAndNobodyElsesForIt() throws {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob")
        let access = house.people()
        let (ann, bob) = (access.caller(try access.signIn("ann")), access.caller(try access.signIn("bob")))
        func make(_ caller: Caller) throws(ServiceError) -> NewToken {
            house.clock.advance(seconds: 1)
            return try access.createToken(name: "ci", role: nil, scope: nil, expiresAt: nil, by: caller)
        }
        let first = try make(ann)
        for _ in 1..<Store.mostTokensOfAnOwner { _ = try make(ann) }
        #expect(word { () throws(ServiceError) in _ = try make(ann) } == "too_many_tokens")
        #expect(word { () throws(ServiceError) in _ = try make(bob) } == nil)
        try access.revokeToken(first.listed.id, by: ann)
        #expect(word { () throws(ServiceError) in _ = try make(ann) } == nil)
        #expect(word { () throws(ServiceError) in _ = try make(ann) } == "too_many_tokens")
    }

    /// What one person can make and take away again, over and over.
    enum Making: String, CaseIterable { case token, secret }

    /// Each is a row of the audit, which never shrinks, for whoever may only look.
    @Test(arguments: Making.allCases) func whatIsMadeOverAndOverHasAPace(making: Making) throws {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob", .viewer)
        let access = house.people()
        func make(_ session: NewSession) throws {
            switch making {
            case .token:
                let bob = access.caller(session)
                let token = try access.createToken(name: "t", role: nil, scope: nil, expiresAt: nil, by: bob)
                try access.revokeToken(token.listed.id, by: bob)
            case .secret: _ = try access.startTOTP(session.signedIn, environment: "test", from: .console)
            }
        }
        let bob = try access.signIn("bob")
        for _ in 1...600 { try make(bob) }
        let rows = try house.audit().count
        house.clock.advance(seconds: 10)
        let refused = try refusal { try make(bob) }.unwrapped()
        #expect(refused.code == .tooMany && refused.word == "too_often" && refused.retryAfter == 50)
        #expect(try house.audit().count == rows)
        #expect(throws: Never.self) { try make(access.signIn("ann")) }
        house.clock.advance(seconds: 50)
        #expect(throws: Never.self) { try make(bob) }
    }

    /// Whoever makes and revokes tokens over and over makes no list longer, neither their own nor anybody else's.
    @Test func revokedTokensDoNotPileUp() throws {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob", .viewer)
        let access = house.people()
        let (ann, bob) = (access.caller(try access.signIn("ann")), access.caller(try access.signIn("bob")))
        func spend(_ name: String, _ caller: Caller) throws(ServiceError) {
            let token = try access.createToken(name: name, role: nil, scope: nil, expiresAt: nil, by: caller)
            house.clock.advance(seconds: 1)
            try access.revokeToken(token.listed.id, by: caller)
        }
        try spend("old", ann)
        for _ in 0..<Store.mostRevokedTokensOfAnOwner + 10 { try spend("bob's", bob) }
        try spend("last", bob)
        let own = try access.tokens(for: bob)
        #expect(own.count == Store.mostRevokedTokensOfAnOwner)
        #expect(own.first?.name == "last" && own.allSatisfy { $0.owner == "bob" })
        #expect(try access.tokens(for: ann).count == Store.mostRevokedTokensOfAnOwner + 1)
        #expect(try house.audit().count { $0.action == "token.revoke" } == Store.mostRevokedTokensOfAnOwner + 12)
    }

    @Test func peopleAreBounded() throws {
        let house = try House()
        try house.addPerson("ann")
        let store = try house.ledger.store.unwrapped()
        let hash = try store.user(named: "ann").unwrapped().passwordHash
        let now = house.clock.now
        for number in 1..<Store.mostUsers {
            let user = NewUser(name: "p\(number)", role: .viewer, apps: .all, passwordHash: hash, createdAt: now)
            _ = try store.createUser(user, audit: house.access.entry("people.create", by: .admin, subject: user.name))
        }
        #expect(
            word { () throws(ServiceError) in
                _ = try house.access.createPerson(name: "zoe", role: .viewer, scope: .all, password: House.password, by: .admin)
            } == "too_many_people"
        )
        try store.probeWriting()
    }
}
