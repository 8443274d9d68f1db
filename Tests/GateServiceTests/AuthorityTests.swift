import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// R57 for what is done in a session or with a token: it may end at any moment, also between the look at it and the writing.
@Suite struct AuthorityTests {
    /// What a person does, as one call.
    struct Deed: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Gets the session that may end, and who asks by it or by a token.
        let act: @Sendable (AccessService, SignedIn, Caller) throws -> Void

        init(_ name: String, _ act: @escaping @Sendable (AccessService, SignedIn, Caller) throws -> Void) {
            testDescription = name
            self.act = act
        }

        /// What is done in sessions alone.
        static let inSessions = [
            Deed("a new password") { access, session, _ in
                _ = try access.changePassword(session, current: House.password, new: "another long pass phrase", totp: nil, from: .console)
            },
            Deed("a fresh sign-in") { access, session, _ in
                _ = try access.reauthenticate(session, password: House.password, totp: nil, from: .console)
            },
            Deed("a second factor begun") { access, session, _ in _ = try access.startTOTP(session, environment: "", from: .console) },
            Deed("a second factor taken away") { access, session, _ in
                try access.removeTOTP(session, from: .console)
            },
            Deed("the end of other sessions") { access, session, _ in try access.endOtherSessions(of: session, from: .console) },
            Deed("the end of a session") { access, session, _ in
                let other = try access.sessions(of: session).first { !$0.isCurrent }.unwrapped()
                _ = try access.endSession(other.id, of: session, from: .console)
            },
        ]

        /// What is done in sessions and with tokens.
        static let inAny = [
            Deed("a token made") { access, _, caller in
                _ = try access.createToken(name: "made", role: nil, scope: nil, expiresAt: nil, by: caller)
            },
            Deed("a token revoked") { access, _, caller in
                let kept = try access.tokens(for: .admin).first { $0.name == "kept" }.unwrapped()
                try access.revokeToken(kept.id, by: caller)
            },
            Deed("a person added") { access, _, caller in
                _ = try access.createPerson(name: "eve", role: .admin, scope: .all, password: House.password, by: caller)
            },
            Deed("a role given") { access, _, caller in
                var edit = PersonEdit()
                edit.role = .admin
                _ = try access.editPerson("otto", edit, by: caller)
            },
            Deed("another's password") { access, _, caller in
                var edit = PersonEdit()
                edit.password = "another long pass phrase"
                _ = try access.editPerson("otto", edit, by: caller)
            },
            Deed("a person removed") { access, _, caller in try access.deletePerson("otto", by: caller) },
        ]
    }

    /// How what somebody was let in by comes to its end.
    enum Ending: String, CaseIterable, Sendable {
        case reset, disabled, demoted, narrowed, deleted, signedOut, revoked

        func happen(in house: House, _ session: SignedIn, _ token: NewToken) throws {
            var edit = PersonEdit()
            switch self {
            case .reset: edit.password = "quite another pass phrase"
            case .disabled: edit.isDisabled = true
            case .demoted: edit.role = .operator
            case .narrowed: edit.scope = .only("shop")
            case .deleted: return try house.access.deletePerson("bob", by: .admin)
            case .signedOut: return try house.access.signOut(session, from: .console)
            case .revoked: return try house.access.revokeToken(token.listed.id, by: .admin)
            }
            _ = try house.access.editPerson("bob", edit, by: .admin)
        }
    }

    /// Everything about people that can be altered.
    private struct People: Equatable {
        let users: [UserRecord]
        let tokens: [String: Timestamp?]
        let sessions: [Set<SHA256Digest>]

        init(_ store: Store) throws {
            users = try store.users()
            tokens = Dictionary(uniqueKeysWithValues: try store.tokens().map { ($0.id, $0.revokedAt) })
            sessions = try users.map { Set(try store.sessions(of: $0.id).map(\.id)) }
        }
    }

    @Test(arguments: Ending.allCases.filter { $0 != .revoked }, Deed.inSessions + Deed.inAny)
    func nothingIsDoneInASessionThatHasEnded(ending: Ending, deed: Deed) throws {
        try check(deed, ending: ending, withToken: false)
    }

    @Test(arguments: Ending.allCases.filter { $0 != .signedOut }, Deed.inAny)
    func nothingIsDoneWithATokenThatHasEnded(ending: Ending, deed: Deed) throws {
        try check(deed, ending: ending, withToken: true)
    }

    /// Does a deed again and again, each time with the end coming before another one of its looks at the database, until it has no more
    /// looks. What was not written by then is not written any more.
    private func check(_ deed: Deed, ending: Ending, withToken: Bool) throws {
        var look = 1
        while true {
            let house = try House()
            for name in ["ann", "bob", "otto"] { try house.addPerson(name, name == "otto" ? .operator : .admin) }
            let plain = house.people()
            let other = try plain.signIn("bob", from: "198.51.100.1")
            _ = try plain.createToken(name: "kept", role: nil, scope: nil, expiresAt: nil, by: plain.caller(other))
            let token = try plain.createToken(name: "used", role: nil, scope: nil, expiresAt: nil, by: plain.caller(other))
            let session = try plain.signIn("bob").signedIn
            // So that there is something to take away.
            if deed.testDescription == "a second factor taken away" { _ = try plain.startTOTP(session, environment: "", from: .console) }
            let caller =
                try withToken ? plain.caller(bearing: token) : session.caller(source: .dashboard, requestId: "r", address: "192.0.2.7")

            let looks = Mutex(0)
            let once = Once()
            let after = Mutex<People?>(nil)
            let hooked = AccessService(
                store: { [ledger = house.ledger, look] in
                    let isDue = looks.withLock { looks in
                        looks += 1
                        return looks == look
                    }
                    if isDue {
                        once.run {
                            try ending.happen(in: house, session, token)
                            let found = try People(ledger.store.unwrapped())
                            after.withLock { $0 = found }
                        }
                    }
                    return ledger.store
                },
                hasher: PasswordHasher(cost: .least),
                random: .system,
                keys: KeyFolder(dataFolder: house.folder, random: .system),
                now: { [clock = house.clock] in clock.now }
            )
            let error = refusal { try deed.act(hooked, session, caller) }
            guard once.hasRun else {
                #expect(error == nil && look > 1, "\(deed.testDescription) works when nothing ends: \(String(describing: error))")
                return
            }
            #expect(once.failure == nil)
            #expect(error.map { [.unauthenticated, .notFound, .forbidden].contains($0.code) } ?? true, "\(String(describing: error))")
            let (expected, found) = (after.withLock { $0 }, try People(house.ledger.store.unwrapped()))
            #expect(found == expected, "\(deed.testDescription) was done although its authority had ended before look \(look)")
            look += 1
        }
    }

    // MARK: Gates

    /// A change waits for the lock; whoever was kept out meanwhile changes nothing.
    @Test(arguments: [false, true]) func noGateIsChangedByWhoWasKeptOutMeanwhile(withToken: Bool) throws {
        let house = try House()
        for name in ["ann", "bob"] { try house.addPerson(name) }
        try house.add("shop", "ios")
        let session = try house.access.signIn("bob")
        let token = try house.access.createToken(name: "used", role: nil, scope: nil, expiresAt: nil, by: house.access.caller(session))
        let caller =
            try withToken
            ? house.access.caller(bearing: token) : session.signedIn.caller(source: .dashboard, requestId: "r", address: "192.0.2.7")
        let before = try house.snapshot()
        try Ending.reset.happen(in: house, session.signedIn, token)
        let kill = #"{"killSwitch":{"message":"Closed."}}"#
        #expect(word { try house.set("shop/ios", to: kill, by: caller) } == "unauthenticated")
        #expect(try house.snapshot() == before)
        #expect(house.ledger.health.state == .ok)
        try house.set("shop/ios", to: kill)
    }

    @Test func noWindowIsMadeByWhoWasKeptOutMeanwhile() throws {
        let house = try House()
        for name in ["ann", "bob"] { try house.addPerson(name) }
        try house.add("shop", "ios")
        let session = try house.access.signIn("bob")
        let caller = session.signedIn.caller(source: .dashboard, requestId: "r", address: "192.0.2.7")
        let draft = try house.draft("shop/ios")
        try house.access.signOut(session.signedIn, from: .console)
        let error = refusal { try house.make(draft, by: caller) }
        #expect(error?.code == .unauthenticated, "\(String(describing: error))")
    }

    /// An administrator of one app who edits somebody while that one is made an administrator of all.
    @Test func nobodyReachesAPersonWhoReachesFurtherByNow() throws {
        let house = try House()
        for name in ["ann", "bob"] { try house.addPerson(name) }
        try house.addPerson("sam", .admin, .only("shop"))
        try house.addPerson("otto", .operator, .only("shop"))
        let sam = try house.access.signIn("sam").signedIn.caller(source: .dashboard, requestId: "r", address: "192.0.2.7")
        for deed in [
            { (access: AccessService) in
                var edit = PersonEdit()
                edit.password = "quite another pass phrase"
                _ = try access.editPerson("otto", edit, by: sam)
            },
            { access in
                // What otto is to become is within reach; who he is by then is not.
                var edit = PersonEdit()
                (edit.role, edit.scope) = (.viewer, .only("shop"))
                _ = try access.editPerson("otto", edit, by: sam)
            }, { access in try access.deletePerson("otto", by: sam) },
        ] {
            let looks = Mutex(0)
            let hooked = AccessService(
                store: { [ledger = house.ledger] in
                    let count = looks.withLock { looks in
                        looks += 1
                        return looks
                    }
                    // Between the look at who it is and the writing.
                    if count == 2 {
                        var edit = PersonEdit()
                        (edit.role, edit.scope) = (.admin, .all)
                        _ = try? house.access.editPerson("otto", edit, by: .admin)
                    }
                    return ledger.store
                },
                hasher: PasswordHasher(cost: .least),
                random: .system,
                now: { [clock = house.clock] in clock.now }
            )
            #expect(word { try deed(hooked) } == "forbidden")
            #expect(looks.withLock { $0 } == 2)
            let otto = try house.ledger.store.unwrapped().user(named: "otto").unwrapped()
            #expect(try otto.role == .admin && otto.passwordHash.verifies(House.password))
            var edit = PersonEdit()
            (edit.role, edit.scope) = (.operator, .only("shop"))
            _ = try house.access.editPerson("otto", edit, by: .admin)
        }
    }
}
