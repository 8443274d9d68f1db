import Dispatch
import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateStore

@Suite struct PeopleTests {
    private func audit(_ scratch: Scratch, _ action: String) -> AuditEntry {
        AuditEntry(at: scratch.clock.now, actor: Actor(kind: .user, name: "ann"), action: action, requestId: "r")
    }

    private func newUser(_ scratch: Scratch, _ name: String, role: Role = .admin, apps: AppScope = .all) -> NewUser {
        NewUser(
            name: name,
            role: role,
            apps: apps,
            passwordHash: PasswordHash(stored: "$argon2id$of-\(name)"),
            createdAt: scratch.clock.now
        )
    }

    private func token(_ scratch: Scratch, id: String = "ab12cd34", expiresAfter seconds: Int64? = 3_600) -> TokenRecord {
        TokenRecord(
            id: id,
            name: "ci",
            secretDigest: SHA256Digest(of: "secret"),
            role: .operator,
            apps: .only([.shop]),
            createdBy: "ann",
            createdAt: scratch.clock.now,
            expiresAt: seconds.map { scratch.clock.now.advanced(bySeconds: $0) }
        )
    }

    // MARK: Users

    /// R39: of many that try at once, one becomes the first user.
    @Test func onlyOneBecomesTheFirstUser() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        #expect(try !store.hasUsers())
        let won = Mutex<[String]>([])
        let refused = Mutex<[StoreError.Code?]>([])
        DispatchQueue.concurrentPerform(iterations: 8) { number in
            do {
                let user = try store.createFirstUser(newUser(scratch, "user\(number)"), audit: audit(scratch, "user.created"))
                won.withLock { $0.append(user.name) }
            } catch { refused.withLock { $0.append((error as? StoreError)?.code) } }
        }
        #expect(won.withLock { $0.count } == 1)
        #expect(refused.withLock { $0 } == Array(repeating: .conflict, count: 7))
        #expect(try store.users().map(\.name) == won.withLock { $0 })
        #expect(try store.audit().count == 1, "a refusal writes nothing")
    }

    @Test func aUserComesBackAsItWasWritten() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        var user = try store.createUser(
            newUser(scratch, "Ben", role: .operator, apps: .only([.shop, .bank])),
            audit: audit(scratch, "user.created")
        )
        #expect(try store.user(named: "bEN") == user)
        user.name = "Benedikt"
        user.role = .viewer
        user.apps = .only([])
        user.totpSecret = [0, 1, 255]
        user.passwordHash = PasswordHash(stored: "$argon2id$new")
        user.passwordChangedAt = scratch.clock.now.advanced(bySeconds: 5)
        user.disabled = true
        try store.write(user, audit: audit(scratch, "user.updated"))
        #expect(try store.user(id: user.id) == user)
        // A stranger may type anything, also what PostgreSQL's text cannot hold.
        for name in ["ben", "", "benedikt\0", "\0"] { #expect(try store.user(named: name) == nil) }
        #expect(try store.users().map(\.name) == ["ann", "Benedikt"])
    }

    /// Strangers name whom they like, and normalising a quarter of a megabyte of marks took ten seconds.
    @Test func ofALongTextOnlyTheBeginningIsFolded() {
        let name = String(repeating: "A", count: 64)
        #expect(UserRecord.folded(name) == name.lowercased())
        #expect(UserRecord.folded(name + "A") != name.lowercased())
        let long = "a" + String(repeating: "\u{323}\u{301}", count: 50_000)
        #expect(UserRecord.folded(long).unicodeScalars.count <= 65)
    }

    @Test(arguments: ["ann", "ANN", "Ａnn"]) func aNameIsTakenInEveryCase(name: String) throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.createFirstUser(newUser(scratch, "Ann"), audit: audit(scratch, "user.created"))
        #expect(code { _ = try store.createUser(newUser(scratch, name), audit: audit(scratch, "user.created")) } == .duplicate)
        let other = try store.createUser(newUser(scratch, "ben"), audit: audit(scratch, "user.created"))
        var renamed = other
        renamed.name = name
        #expect(code { try store.write(renamed, audit: audit(scratch, "user.updated")) } == .duplicate)
        #expect(try store.user(id: other.id) == other)
    }

    @Test func somebodyAlwaysManagesPeople() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let ann = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        _ = try store.createUser(newUser(scratch, "ben", role: .operator), audit: audit(scratch, "user.created"))
        _ = try store.createUser(newUser(scratch, "cem", role: .admin, apps: .only([.shop])), audit: audit(scratch, "user.created"))
        let alterations: [(inout UserRecord) -> Void] = [{ $0.disabled = true }, { $0.role = .operator }, { $0.apps = .only([.shop]) }]
        for alter in alterations {
            var less = ann
            alter(&less)
            #expect(code { try store.write(less, audit: audit(scratch, "user.updated")) } == .conflict)
        }
        #expect(code { try store.deleteUser(id: ann.id, audit: audit(scratch, "user.deleted")) } == .conflict)
        #expect(try store.user(id: ann.id) == ann)
        #expect(try store.audit().count == 3)
        _ = try store.createUser(newUser(scratch, "dora"), audit: audit(scratch, "user.created"))
        try store.deleteUser(id: ann.id, audit: audit(scratch, "user.deleted"))
        #expect(try store.user(id: ann.id) == nil)
        #expect(code { try store.deleteUser(id: ann.id, audit: audit(scratch, "user.deleted")) } == .notFound)
        #expect(code { try store.write(ann, audit: audit(scratch, "user.updated")) } == .notFound)
    }

    // MARK: Whom a proxy signs in

    @Test func theTableTakesNoPasswordOfWhomAProxySignsIn() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let ann = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let new = NewUser(name: "ben", role: .admin, passwordHash: .missing, origin: .proxy, createdAt: scratch.clock.now)
        let ben = try store.createUser(new, audit: audit(scratch, "user.created"))
        #expect(ben.origin == .proxy && !ben.hasPassword && ann.origin == nil)
        #expect(try store.user(id: ben.id) == ben && store.users() == [ann, ben])
        // An administrator they may be; the one who stays they are not.
        #expect(code { try store.deleteUser(id: ann.id, audit: audit(scratch, "user.deleted")) } == .conflict)
        for alter in [{ $0.passwordHash = ann.passwordHash }, { $0.invitation = self.invitation(scratch) }] as [(inout UserRecord) -> Void]
        {
            #expect(throws: StoreError.self) {
                try store.editUser(id: ben.id) { user in
                    alter(&user)
                    return audit(scratch, "user.updated")
                }
            }
        }
        let password = NewUser(name: "cem", role: .admin, passwordHash: ann.passwordHash, origin: .proxy, createdAt: scratch.clock.now)
        #expect(throws: StoreError.self) { try store.createUser(password, audit: audit(scratch, "user.created")) }
        #expect(try store.users() == [ann, ben])
    }

    /// Where no session gives its person their rights, all may go on.
    @Test func sessionsCanGoOnWithOtherRights() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let ann = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let ben = try store.createUser(newUser(scratch, "ben"), audit: audit(scratch, "user.created"))
        for user in [ann, ben] {
            try store.createSession(.signedIn(user.id, user.name, at: scratch.clock.now), of: user, audit: audit(scratch, "session.create"))
        }
        for (keeping, left) in [(true, 1), (false, 0)] {
            _ = try store.editUser(id: ben.id, keepingSessions: keeping) { user in
                user.role = keeping ? .viewer : .operator
                return audit(scratch, "user.updated")
            }
            #expect(try store.sessions(of: ben.id).count == left)
        }
        #expect(try store.sessions(of: ann.id).count == 1)
    }

    // MARK: Invitations

    private func invitation(_ scratch: Scratch, _ secret: String = "link") -> InvitationRecord {
        InvitationRecord(digest: SHA256Digest(of: secret), expiresAt: scratch.clock.now.advanced(bySeconds: 60))
    }

    private func invited(_ scratch: Scratch, _ name: String, _ secret: String = "link") -> NewUser {
        NewUser(name: name, role: .admin, passwordHash: .missing, invitation: invitation(scratch, secret), createdAt: scratch.clock.now)
    }

    @Test func somebodyIsFoundByTheirInvitationAndByNoOther() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let ann = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let ben = try store.createUser(invited(scratch, "ben"), audit: audit(scratch, "user.created"))
        #expect(!ben.hasPassword && ann.hasPassword && ben.invitation == invitation(scratch))
        #expect(try store.user(id: ben.id) == ben)
        #expect(try store.user(invitedBy: SHA256Digest(of: "link")) == ben)
        #expect(try store.user(invitedBy: SHA256Digest(of: "other")) == nil)
        // One secret opens one account.
        #expect(code { _ = try store.createUser(invited(scratch, "cem"), audit: audit(scratch, "user.created")) } == .duplicate)
        let next = try store.editUser(id: ben.id) { user in
            user.invitation = invitation(scratch, "next")
            return audit(scratch, "user.invited")
        }
        #expect(try store.user(invitedBy: SHA256Digest(of: "link")) == nil)
        #expect(try store.user(invitedBy: SHA256Digest(of: "next")) == next)
    }

    @Test func invitationsEndWithWhatSessionsEndWith() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let cases: [(String, Bool, (inout UserRecord) -> Void)] = [
            ("role", true, { $0.role = .viewer }), ("apps", true, { $0.apps = .only([.shop]) }), ("disabled", true, { $0.disabled = true }),
            ("password", true, { $0.passwordChangedAt = $0.passwordChangedAt.advanced(bySeconds: 1) }),
            ("name", false, { $0.name = "renamed" }),
            ("second factor", false, { $0.totpPending = [1] }),
        ]
        for (name, ends, alter) in cases {
            let user = try store.createUser(invited(scratch, "user-\(name)", name), audit: audit(scratch, "user.created"))
            let after = try store.editUser(id: user.id) { user in
                alter(&user)
                return audit(scratch, "user.updated")
            }
            #expect((after.invitation == nil) == ends, "\(name)")
            #expect(try store.user(id: user.id) == after, "\(name)")
        }
    }

    /// Nobody sees in a row that is taken over who holds the link.
    @Test(arguments: [Unsigned.kept, .dropped]) func signingAnewEndsInvitations(unsigned: Unsigned) throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let ben = try store.createUser(invited(scratch, "ben"), audit: audit(scratch, "user.created"))
        try store.signAnew(unsigned, newKey: false) { _, _ in audit(scratch, "rows.sign") }
        let after = try #require(try store.user(id: ben.id))
        #expect(after.invitation == nil && after.isSigned && !after.hasPassword)
        #expect(try store.doubts().isEmpty)
    }

    @Test func whoHasNoPasswordManagesNobody() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let ann = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        _ = try store.createUser(invited(scratch, "ben"), audit: audit(scratch, "user.created"))
        #expect(code { try store.deleteUser(id: ann.id, audit: audit(scratch, "user.deleted")) } == .conflict)
    }

    // MARK: Sessions

    /// R34: what ends sessions, and what does not.
    @Test func sessionsEndWithWhatTheyStoodOn() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let cases: [(String, Bool, (inout UserRecord) -> Void)] = [
            ("role", true, { $0.role = .viewer }), ("apps", true, { $0.apps = .only([.shop]) }), ("disabled", true, { $0.disabled = true }),
            ("password", true, { $0.passwordChangedAt = $0.passwordChangedAt.advanced(bySeconds: 1) }),
            ("name", false, { $0.name = "renamed" }), ("rehash", false, { $0.passwordHash = PasswordHash(stored: "$argon2id$stronger") }),
        ]
        for (name, ends, alter) in cases {
            var user = try store.createUser(newUser(scratch, "user-\(name)"), audit: audit(scratch, "user.created"))
            let one = SessionRecord.signedIn(user.id, name + "1", at: scratch.clock.now)
            let two = SessionRecord.signedIn(user.id, name + "2", at: scratch.clock.now)
            for session in [one, two] { try store.createSession(session, of: user, audit: audit(scratch, "session.created")) }
            alter(&user)
            try store.write(user, audit: audit(scratch, "user.updated"))
            #expect(try store.sessions(of: user.id).count == (ends ? 0 : 2), "\(name)")
        }
    }

    @Test func aSessionComesWithItsUserUntilItsAbsoluteEnd() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let user = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let session = SessionRecord.signedIn(user.id, at: scratch.clock.now)
        try store.createSession(session, of: user, audit: audit(scratch, "session.created"))
        let found = try #require(try store.session(id: session.id))
        #expect(found.session == session)
        #expect(found.user == user)
        #expect(try store.session(id: SHA256Digest(of: "guessed")) == nil)
        scratch.clock.advance(seconds: 43_199)
        #expect(try store.session(id: session.id) != nil)
        scratch.clock.advance(seconds: 1)
        #expect(try store.session(id: session.id) == nil)
        try store.createSession(.signedIn(user.id, "next", at: scratch.clock.now), of: user, audit: audit(scratch, "session.created"))
        #expect(try store.read("x") { db in try db.value(Int.self, sql: "SELECT count(*) FROM sessions") } == 1, "expired sessions go")
    }

    @Test func aNewSessionReplacesTheOldOne() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let user = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let old = SessionRecord.signedIn(user.id, "old", at: scratch.clock.now)
        let new = SessionRecord.signedIn(user.id, "new", at: scratch.clock.now)
        let other = SessionRecord.signedIn(user.id, "other", at: scratch.clock.now)
        for session in [old, other] { try store.createSession(session, of: user, audit: audit(scratch, "session.created")) }
        try store.createSession(new, of: user, replacing: old.id, audit: audit(scratch, "session.renewed"))
        #expect(try store.session(id: old.id) == nil)
        #expect(try store.sessions(of: user.id).count == 2)
        let entries = try store.audit().count
        // Of several at once, the second finds it ended.
        for _ in 1...2 { try store.endSession(id: new.id, audit: audit(scratch, "session.ended")) }
        #expect(try store.sessions(of: user.id).map(\.id) == [other.id])
        #expect(try store.audit().count == entries + 1)
        try store.endSessions(of: user.id, audit: audit(scratch, "session.ended"))
        #expect(try store.sessions(of: user.id) == [])
        for session in [old, other] { try store.createSession(session, of: user, audit: audit(scratch, "session.created")) }
        try store.endSessions(of: user.id, keeping: old.id, audit: audit(scratch, "session.ended"))
        #expect(try store.sessions(of: user.id).map(\.id) == [old.id])
        _ = try store.createUser(newUser(scratch, "ben"), audit: audit(scratch, "user.created"))
        try store.deleteUser(id: user.id, audit: audit(scratch, "user.deleted"))
        #expect(try store.session(id: old.id) == nil)
    }

    @Test func lastSeenIsWrittenOnceAMinute() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let user = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let session = SessionRecord.signedIn(user.id, at: scratch.clock.now)
        try store.createSession(session, of: user, audit: audit(scratch, "session.created"))
        try store.touchSession(session, at: session.lastSeenAt.advanced(bySeconds: 59))
        #expect(try store.session(id: session.id)?.session.lastSeenAt == session.lastSeenAt)
        let later = session.lastSeenAt.advanced(bySeconds: 60)
        try store.touchSession(session, at: later)
        #expect(try store.session(id: session.id)?.session.lastSeenAt == later)
    }

    // MARK: Tokens, throttles, recovery codes

    /// Together or not at all: a token without it could be made a second time.
    @Test func aTokenComesWithWhatIsKeptUnderItsKey() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let kept = IdempotencyRecord(actor: "user:#1", key: "k", requestDigest: .zero, status: 409, body: [1], at: scratch.clock.now)
        try store.createToken(token(scratch), audit: audit(scratch, "token.created"), idempotency: kept)
        #expect(try store.idempotencyRecord(actor: "user:#1", key: "k") == kept)
        let second = token(scratch, id: "zz")
        #expect(code { try store.createToken(second, audit: audit(scratch, "token.created"), idempotency: kept) } == .duplicate)
        #expect(try store.token(id: second.id) == nil)
    }

    @Test func tokensAreKeptRevokedAndNoted() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let token = token(scratch)
        let endless = self.token(scratch, id: "zz", expiresAfter: nil)
        for token in [token, endless] { try store.createToken(token, audit: audit(scratch, "token.created")) }
        #expect(code { try store.createToken(token, audit: audit(scratch, "token.created")) } == .duplicate)
        #expect(try store.token(id: token.id) == token)
        #expect(try store.token(id: "AB12CD34") == nil)
        #expect(try store.tokens() == [token, endless])
        #expect(token.isValid(at: token.createdAt.advanced(bySeconds: 3_599)))
        #expect(!token.isValid(at: token.createdAt.advanced(bySeconds: 3_600)))
        #expect(endless.isValid(at: Timestamp(milliseconds: 4_000_000_000_000)))

        let first = scratch.clock.now
        try store.tokenUsed(token, at: first)
        var used = try #require(try store.token(id: token.id))
        #expect(used.lastUsedAt == first)
        try store.tokenUsed(used, at: first.advanced(bySeconds: 299))
        #expect(try store.token(id: token.id)?.lastUsedAt == first)
        try store.tokenUsed(used, at: first.advanced(bySeconds: 300))
        used = try #require(try store.token(id: token.id))
        #expect(used.lastUsedAt == first.advanced(bySeconds: 300))

        let entries = try store.audit().count
        try store.revokeToken(id: token.id, at: first, audit: audit(scratch, "token.revoked"))
        try store.revokeToken(id: token.id, at: first.advanced(bySeconds: 9), audit: audit(scratch, "token.revoked"))
        #expect(try store.audit().count == entries + 1)
        let revoked = try #require(try store.token(id: token.id))
        #expect(revoked.revokedAt == first)
        #expect(!revoked.isValid(at: first))
        #expect(code { try store.revokeToken(id: "none", at: first, audit: audit(scratch, "token.revoked")) } == .notFound)
    }

    /// R38: a restart forgives nobody.
    @Test func failuresAreCountedAcrossRestarts() throws {
        let scratch = try Scratch()
        let now = scratch.clock.now
        for number in 1...3 {
            try scratch.store().closing { store in
                let record = try store.countOneFailure(scope: "account:ann", at: now, window: 600) { $0 >= 3 ? 1 << Int64($0) : 0 }
                #expect(
                    record
                        == ThrottleRecord(
                            scope: "account:ann",
                            failures: number,
                            firstFailureAt: now,
                            notBefore: now.advanced(bySeconds: number == 3 ? 8 : 0)
                        )
                )
            }
        }
        let store = try scratch.store()
        #expect(try store.throttle(scope: "account:ann")?.failures == 3)
        #expect(try store.throttle(scope: "account:ben") == nil)
        let later = now.advanced(bySeconds: 600)
        #expect(try store.countOneFailure(scope: "account:ann", at: later, window: 600) { _ in 0 }.failures == 1)
        try store.clearThrottle(scope: "account:ann")
        #expect(try store.throttle(scope: "account:ann") == nil)
        try store.clearThrottle(scope: "account:ann")
    }

    /// Counters of a clock that was ahead begin anew when it has been put back, and none of them stays behind.
    @Test func failuresFromTheFutureAreRemoved() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let now = scratch.clock.now
        let ahead = now.advanced(bySeconds: 365 * 86_400)
        for scope in ["account:ann", "account:ben"] {
            for _ in 0..<3 { try store.countOneFailure(scope: scope, at: ahead, window: 3_600) { _ in 900 } }
        }
        let record = try store.countOneFailure(scope: "account:ann", at: now, window: 3_600) { _ in 900 }
        #expect(record.failures == 1 && record.firstFailureAt == now)
        #expect(try store.throttle(scope: "account:ann") == record)
        #expect(try store.throttle(scope: "account:ben") == nil)
        // Another server's clock may be a few seconds behind.
        let behind = now.advanced(bySeconds: -30)
        #expect(try store.countOneFailure(scope: "account:ann", at: behind, window: 3_600) { _ in 900 }.failures == 2)
    }

    @Test func failuresAtTheSameTimeAllCount() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        DispatchQueue.concurrentPerform(iterations: 20) { _ in
            // One that is lost shows in the sum.
            _ = try? store.countOneFailure(scope: "address:127.0.0.1", at: scratch.clock.now, window: 600) { _ in 0 }
        }
        #expect(try store.throttle(scope: "address:127.0.0.1")?.failures == 20)
    }

    @Test func aRecoveryCodeIsUsedOnce() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let user = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let codes = (1...3).map { SHA256Digest(of: "code \($0)") }
        try store.replaceRecoveryCodes(of: user.id, with: codes, audit: audit(scratch, "codes.replaced"))
        let now = scratch.clock.now
        #expect(try store.useRecoveryCode(of: user.id, digest: codes[0], at: now, audit: audit(scratch, "code.used")))
        #expect(try !store.useRecoveryCode(of: user.id, digest: codes[0], at: now, audit: audit(scratch, "code.used")))
        #expect(try !store.useRecoveryCode(of: user.id + 1, digest: codes[1], at: now, audit: audit(scratch, "code.used")))
        #expect(try store.recoveryCodesLeft(of: user.id) == 2)
        #expect(try store.audit(AuditQuery(action: "code.used")).count == 1)
        try store.replaceRecoveryCodes(of: user.id, with: [codes[0]], audit: audit(scratch, "codes.replaced"))
        #expect(try store.recoveryCodesLeft(of: user.id) == 1)
    }

    // MARK: Together

    /// What people do and that they did it stand in one transaction: when the audit cannot be written, nothing is.
    @Test(.onSQLite) func withoutAuditNothingHappens() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let user = try store.createFirstUser(newUser(scratch, "ann"), audit: audit(scratch, "user.created"))
        let kept = SessionRecord.signedIn(user.id, "kept", at: scratch.clock.now)
        try store.createSession(kept, of: user, audit: audit(scratch, "session.created"))
        let token = token(scratch)
        try store.createToken(token, audit: audit(scratch, "token.created"))
        let everything =
            "SELECT name, disabled FROM users UNION ALL SELECT hex(id), 0 FROM sessions UNION ALL SELECT id, revoked_at FROM tokens UNION ALL SELECT hex(digest), used_at FROM recovery_codes"
        let before = try store.read("x") { db in try db.rows(sql: everything).map { try $0.all() } }
        try store.writer.run { db in
            try db.execute(sql: "CREATE TEMP TRIGGER no BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END")
        }

        let entry = audit(scratch, "x")
        var altered = user
        altered.name = "other"
        let acts: [(String, () throws -> Void)] = [
            ("createUser", { _ = try store.createUser(newUser(scratch, "ben"), audit: entry) }),
            ("editUser", { try store.write(altered, audit: entry) }),
            ("deleteUser", { try store.deleteUser(id: user.id, audit: entry) }),
            (
                "createSession",
                { try store.createSession(.signedIn(user.id, "new", at: scratch.clock.now), of: user, replacing: kept.id, audit: entry) }
            ),
            ("endSession", { try store.endSession(id: kept.id, audit: entry) }),
            ("endSessions", { try store.endSessions(of: user.id, audit: entry) }),
            ("createToken", { try store.createToken(self.token(scratch, id: "new"), audit: entry) }),
            ("revokeToken", { try store.revokeToken(id: token.id, at: scratch.clock.now, audit: entry) }),
            ("replaceRecoveryCodes", { try store.replaceRecoveryCodes(of: user.id, with: [.zero], audit: entry) }),
            ("appendAudit", { try store.appendAudit(entry) }),
        ]
        for (name, act) in acts { #expect(code(act) != nil, "\(name)") }
        #expect(try store.read("x") { db in try db.rows(sql: everything).map { try $0.all() } } == before)
    }

    /// R34, R40: whoever reads the file finds no secret that works.
    @Test(.onSQLite) func theFileHoldsDigestsAlone() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let password = "correct horse battery staple"
        let secret = RandomSource.system.secret()
        let user = try store.createFirstUser(
            NewUser(name: "ann", role: .admin, passwordHash: PasswordHash(of: password, cost: .least), createdAt: scratch.clock.now),
            audit: audit(scratch, "user.created")
        )
        try store.createSession(.signedIn(user.id, secret, at: scratch.clock.now), of: user, audit: audit(scratch, "session.created"))
        try store.checkpoint(over: 0)
        try store.close()
        let bytes = try String(decoding: #require(FileManager.default.contents(atPath: scratch.database)), as: UTF8.self)
        #expect(bytes.contains("session.created"))
        #expect(!bytes.contains(secret))
        #expect(!bytes.contains(password))
    }
}

extension Store {
    @discardableResult
    fileprivate func countOneFailure(
        scope: String,
        at now: Timestamp,
        window: Int64,
        delay: @escaping (_ failures: Int) -> Int64
    ) throws(StoreError) -> ThrottleRecord {
        try countFailures([FailureCount(scope: scope, window: window, delay: delay)], at: now)[0]
    }
}

extension Store {
    /// Puts a whole user in the place of the one who is there.
    fileprivate func write(_ user: UserRecord, audit: AuditEntry) throws(StoreError) {
        _ = try editUser(id: user.id) { stored in
            stored = user
            return audit
        }
    }
}
