import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// R42: codes of an authenticator and what stands in for them.
@Suite struct SecondFactorTests {
    /// A house where ann has a second factor.
    private struct Enrolled {
        let house: House
        let access: AccessService
        let secret: String
        let recoveryCodes: [String]

        /// The code that ann's authenticator shows so many steps from now.
        func code(_ away: Int64 = 0) throws -> String {
            let step = TOTP.step(atSeconds: house.clock.now.milliseconds / 1_000)
            return TOTP(secret: try Base32Reader.decode(secret)).text(step: step + away)
        }
    }

    /// A house where ann has begun to set one up, and the session in which she has.
    private func begun() throws -> (ann: Enrolled, session: NewSession) {
        let house = try House()
        try house.addPerson("ann")
        let access = house.people()
        let session = try access.signIn("ann")
        let started = try access.startTOTP(session.signedIn, environment: "test", from: .console)
        return (Enrolled(house: house, access: access, secret: started.secret, recoveryCodes: []), session)
    }

    private func enrolled() throws -> Enrolled {
        let (ann, session) = try begun()
        let codes = try ann.access.confirmTOTP(session.signedIn, code: ann.code(), from: .console)
        // Out of the step whose code confirmed it.
        ann.house.clock.advance(seconds: 60)
        return Enrolled(house: ann.house, access: ann.access, secret: ann.secret, recoveryCodes: codes)
    }

    @Test func theSecretComesAsTextAndAsTheAddressThatAuthenticatorsRead() throws {
        let house = try House()
        try house.addPerson("ann")
        let access = house.people()
        let started = try access.startTOTP(access.signIn("ann").signedIn, environment: "prod & more", from: .console)
        #expect(started.secret.wholeMatch(of: /[A-Z2-7]{32}/) != nil)
        #expect(
            started.uri
                == "otpauth://totp/Gatehouse%20prod%20%26%20more:ann?secret=\(started.secret)&issuer=Gatehouse%20prod%20%26%20more&algorithm=SHA1&digits=6&period=30"
        )
        #expect("\(started)" == "TOTPEnrolment")
    }

    @Test func aFactorThatWasNotConfirmedIsNotAskedFor() throws {
        let house = try House()
        try house.addPerson("ann")
        let access = house.people()
        let session = try access.signIn("ann")
        _ = try access.startTOTP(session.signedIn, environment: "test", from: .console)
        #expect(word { _ = try access.confirmTOTP(session.signedIn, code: "000000", from: .console) } == "wrong_totp")
        #expect(throws: Never.self) { try access.signIn("ann") }
        #expect(try !access.account(session.signedIn, freshSeconds: 300).hasTOTP)
    }

    /// Five tries, then waiting: whoever finds a browser in which a factor was being set up must not guess its code.
    @Test func wrongCodesThatConfirmAreSlowedDownToo() throws {
        let (ann, session) = try begun()
        let access = ann.access
        for _ in 0..<5 { #expect(word { _ = try access.confirmTOTP(session.signedIn, code: "x", from: .console) } == "wrong_totp") }
        let error = try refusal { _ = try access.confirmTOTP(session.signedIn, code: ann.code(), from: .console) }.unwrapped()
        #expect((error.code, error.word, error.retryAfter) == (.tooMany, "too_many_tries", 1))
        #expect(throws: Never.self, "in another browser") { try access.signIn("ann") }
        ann.house.clock.advance(seconds: 1)
        #expect(throws: Never.self) { try access.confirmTOTP(session.signedIn, code: ann.code(), from: .console) }
    }

    @Test func whoHasAFactorIsAskedForTheCodeOnlyAfterTheRightPassword() throws {
        let ann = try enrolled()
        #expect(word { _ = try ann.access.signIn("ann") } == "totp_required")
        #expect(word { _ = try ann.access.signIn("ann", "") } == "totp_required")
        #expect(word { _ = try ann.access.signIn("ann", password: "a wrong pass phrase") } == "wrong_credentials")
        #expect(word { _ = try ann.access.signIn("ann", ann.code(), password: "a wrong pass phrase") } == "wrong_credentials")
        #expect(throws: Never.self) { try ann.access.signIn("ann", ann.code()) }
    }

    @Test(arguments: [-2, -1, 0, 1, 2] as [Int64]) func aCodeIsTakenOneStepAroundNow(away: Int64) throws {
        let ann = try enrolled()
        #expect(word { _ = try ann.access.signIn("ann", ann.code(away)) } == (abs(away) <= 1 ? nil : "wrong_totp"))
    }

    @Test func aCodeServesOnceAndNoneBeforeItServesAfterwards() throws {
        let ann = try enrolled()
        let code = try ann.code()
        _ = try ann.access.signIn("ann", code)
        #expect(word { _ = try ann.access.signIn("ann", code) } == "wrong_totp")
        #expect(word { _ = try ann.access.signIn("ann", ann.code(-1)) } == "wrong_totp")
        #expect(throws: Never.self) { try ann.access.signIn("ann", ann.code(1)) }
        // Not even after a restart.
        try ann.house.close()
        let again = try House(again: ann.house)
        #expect(word { _ = try again.people().signIn("ann", code) } == "wrong_totp")
    }

    @Test func theCodeThatConfirmsIsUsedUp() throws {
        let (ann, session) = try begun()
        let code = try ann.code()
        _ = try ann.access.confirmTOTP(session.signedIn, code: code, from: .console)
        #expect(word { _ = try ann.access.signIn("ann", code) } == "wrong_totp")
    }

    @Test func spacesInACodeAreNothing() throws {
        let ann = try enrolled()
        let code = try ann.code()
        #expect(throws: Never.self) { try ann.access.signIn("ann", code.prefix(3) + " " + code.dropFirst(3)) }
    }

    @Test func aFreshSignInWantsTheCodeToo() throws {
        let ann = try enrolled()
        let session = try ann.access.signIn("ann", ann.code())
        ann.house.clock.advance(seconds: 30)
        #expect(
            word { _ = try ann.access.reauthenticate(session.signedIn, password: House.password, totp: nil, from: .from("192.0.2.7")) }
                == "totp_required"
        )
        #expect(throws: Never.self) {
            try ann.access.reauthenticate(session.signedIn, password: House.password, totp: ann.code(), from: .from("192.0.2.7"))
        }
    }

    /// Five tries, then waiting: as with passwords, and not even the right code is looked at meanwhile.
    @Test func wrongCodesAreSlowedDownAsWrongPasswordsAre() throws {
        let ann = try enrolled()
        for _ in 0..<5 { #expect(word { _ = try ann.access.signIn("ann", "000000") } == "wrong_totp") }
        #expect(word { _ = try ann.access.signIn("ann", ann.code()) } == "too_many_tries")
        #expect(throws: Never.self) { try ann.access.signIn("ann", ann.code(), from: "198.51.100.1") }
    }

    @Test func aRecoveryCodeOpensOnceHoweverItIsTyped() throws {
        let ann = try enrolled()
        #expect(ann.recoveryCodes.count == 10)
        #expect(Set(ann.recoveryCodes).count == 10)
        #expect(ann.recoveryCodes.allSatisfy { $0.wholeMatch(of: /([a-z2-7]{4}-){5}[a-z2-7]{4}/) != nil })
        for code in [ann.recoveryCodes[0], ann.recoveryCodes[1].uppercased(), ann.recoveryCodes[2].replacing("-", with: " ")] {
            let session = try ann.access.signIn("ann", code)
            #expect(word { _ = try ann.access.signIn("ann", code) } == "wrong_totp")
            #expect(
                try ann.access.account(session.signedIn, freshSeconds: 300).recoveryCodes == 10
                    - (ann.recoveryCodes.firstIndex { $0.lowercased() == code.lowercased() } ?? 2) - 1
            )
        }
        #expect(try ann.house.audit().filter { $0.action == "account.recovery_code" }.count == 3)
    }

    /// Who is told to try again can do so with the same code.
    @Test(arguments: ["invitation", "password"]) func aCodeIsNotUsedUpWhereNoPasswordCanBeHashed(way: String) throws {
        let ann = try enrolled()
        let session = try ann.access.signIn("ann", ann.recoveryCodes[0])
        let link = try ann.access.invitePerson("ann", by: .admin).invitation.unwrapped()
        let crush = Crush()
        let access = AccessService(
            store: { [ledger = ann.house.ledger] in ledger.store },
            hasher: PasswordHasher(cost: .least, time: crush.time),
            random: .system,
            keys: KeyFolder(dataFolder: ann.house.folder, random: .system),
            now: { [clock = ann.house.clock] in clock.now }
        )
        func set() throws {
            let (code, chosen) = (ann.recoveryCodes[1], "another long pass phrase")
            if way == "invitation" {
                _ = try access.acceptInvitation(link.token, password: chosen, totp: code, from: .console)
            } else {
                _ = try access.changePassword(session.signedIn, current: House.password, new: chosen, totp: code, from: .console)
            }
        }
        // Somebody who changes their password has the present one checked first; that looks at the clock four times.
        crush.begin(in: access.hasher, after: way == "invitation" ? 0 : 4)
        #expect(refusal(set)?.word == "busy")
        crush.end()
        #expect(throws: Never.self) { try set() }
        #expect(try ann.house.audit().count { $0.action == "account.recovery_code" } == 2)
    }

    @Test func nobodyElsesRecoveryCodeOpens() throws {
        let ann = try enrolled()
        try ann.house.addPerson("bob")
        let bob = try ann.access.signIn("bob")
        let started = try ann.access.startTOTP(bob.signedIn, environment: "test", from: .console)
        let his = Enrolled(house: ann.house, access: ann.access, secret: started.secret, recoveryCodes: [])
        _ = try ann.access.confirmTOTP(bob.signedIn, code: try his.code(), from: .console)
        #expect(word { _ = try ann.access.signIn("bob", ann.recoveryCodes[0]) } == "wrong_totp")
        #expect(throws: Never.self) { try ann.access.signIn("ann", ann.recoveryCodes[0]) }
    }

    @Test func aFactorIsTakenAwayWithItsRecoveryCodesAndAnotherCanBeAdded() throws {
        let ann = try enrolled()
        let session = try ann.access.signIn("ann", ann.code())
        #expect(word { _ = try ann.access.startTOTP(session.signedIn, environment: "test", from: .console) } == "totp_enabled")
        #expect(word { _ = try ann.access.confirmTOTP(session.signedIn, code: ann.code(), from: .console) } == "totp_not_started")
        try ann.access.removeTOTP(session.signedIn, from: .console)
        let user = try ann.house.ledger.store.unwrapped().user(named: "ann").unwrapped()
        #expect(user.totpSecret == nil)
        #expect(try ann.house.ledger.store.unwrapped().recoveryCodesLeft(of: user.id) == 0)
        #expect(throws: Never.self) { try ann.access.signIn("ann") }
        #expect(throws: Never.self) { try ann.access.startTOTP(session.signedIn, environment: "test", from: .console) }
    }

    @Test func theKeyLiesInAFolderForItsOwnerAloneAndIsMadeOnce() throws {
        let ann = try enrolled()
        let keys = ann.house.folder + "/keys"
        let mode = { (path: String) in try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int }
        #expect(try mode(keys) == 0o700)
        #expect(try mode(keys + "/totp.key") == 0o600)
        #expect(try Files.names(in: keys).sorted() == ["device.key", "rows.key", "totp.key"])
        let key = try Files.bytes(keys + "/totp.key")
        #expect(key.count == 32)
        #expect(throws: Never.self) { try ann.house.people().signIn("ann", ann.code()) }
        #expect(try Files.bytes(keys + "/totp.key") == key)
    }

    /// A restored database without its keys: nobody is let in without a factor, and nobody is shut out for good.
    @Test func withoutTheKeyACodeIsNotLookedAtAndARecoveryCodeOpens() throws {
        let ann = try enrolled()
        try Files.remove(ann.house.folder + "/keys/totp.key")
        let later = ann.house.people()
        #expect(word { _ = try later.signIn("ann", ann.code()) } == "second_factor_unavailable")
        #expect(throws: Never.self) { try later.signIn("ann", ann.recoveryCodes[0]) }
        #expect(try Files.names(in: ann.house.folder + "/keys").sorted() == ["device.key", "rows.key"])
    }

    /// Whoever can write the database cannot give one person another's factor.
    @Test func aSealedSecretServesNobodyElse() throws {
        let ann = try enrolled()
        try ann.house.addPerson("bob")
        let store = try ann.house.ledger.store.unwrapped()
        let sealed = try store.user(named: "ann").unwrapped().totpSecret
        let entry = AuditEntry(at: ann.house.clock.now, actor: nil, action: "test", requestId: "r")
        _ = try store.editUser(id: try store.user(named: "bob").unwrapped().id) { user in
            user.totpSecret = sealed
            return entry
        }
        #expect(word { _ = try ann.access.signIn("bob", ann.code()) } == "second_factor_unavailable")
    }

    /// R34, R40, R46: what is kept is worth nothing to whoever reads the database's files.
    @Test(.onSQLite) func noSecretStandsInTheDatabaseOrTheAudit() throws {
        let ann = try enrolled()
        let used = try ann.access.signIn("ann", ann.recoveryCodes[0])
        let renewed = try ann.access.changePassword(
            used.signedIn,
            current: House.password,
            new: "another long pass phrase",
            totp: ann.recoveryCodes[1],
            from: .from("192.0.2.7")
        )
        let token = try ann.access.createToken(name: "ci", role: nil, scope: nil, expiresAt: nil, by: ann.access.caller(renewed))
        _ = refusal { _ = try ann.access.signIn("a password typed as name", password: "a password that is wrong") }
        let audit = try ann.house.audit()
        let bare = ann.recoveryCodes.flatMap { [$0, $0.replacing("-", with: ""), $0.replacing("-", with: "").uppercased()] }
        let secrets =
            bare + [
                ann.secret, used.secret, used.signedIn.csrf, renewed.secret, renewed.signedIn.csrf,
                token.text, String(token.text.dropFirst(14).prefix(43)), House.password, "another long pass phrase",
                "a password typed as name", "a password that is wrong",
            ]
        let files = try ["gatehouse.sqlite", "gatehouse.sqlite-wal"].map { try Array(Files.bytes(ann.house.folder + "/" + $0)) }
        let raw = try Base32Reader.decode(ann.secret)
        for (index, secret) in secrets.enumerated() {
            #expect(!files.contains { Files.contains($0, secret) }, "secret \(index)")
            #expect(!audit.contains { "\($0)".contains(secret) }, "secret \(index)")
        }
        #expect(!files.contains { Data($0).range(of: Data(raw)) != nil })
        // The search finds what is there.
        #expect(files.contains { Files.contains($0, "account.recovery_code") })
        #expect("\(token)" == "NewToken(\(token.listed.id))")
    }

    // MARK: Somebody who knows only the password

    /// R59: what keeps a second factor asked for is not turned against its person.
    @Test(arguments: [nil, "000000"]) func whoKnowsOnlyThePasswordKeepsNobodyOut(guess: String?) throws {
        let ann = try enrolled()
        let here = try ann.access.signIn("ann", ann.recoveryCodes[0])
        let tries = (0..<150).map { _ in refusal { _ = try ann.access.signIn("ann", guess, from: "10.0.0.1") }?.word }
        // They are slowed down themselves.
        #expect(tries.first == (guess == nil ? "totp_required" : "wrong_totp") && tries.last == "too_many_tries")
        #expect(throws: Never.self, "in a known browser") {
            try ann.access.signIn(
                username: "ann",
                password: House.password,
                totp: ann.recoveryCodes[1],
                from: .from("192.0.2.7", device: here.device)
            )
        }
        #expect(throws: Never.self, "in a session") {
            try ann.access.reauthenticate(
                here.signedIn,
                password: House.password,
                totp: ann.recoveryCodes[2],
                from: .from("192.0.2.7")
            )
        }
        #expect(throws: Never.self, "in a new browser") { try ann.access.signIn("ann", ann.recoveryCodes[3], from: "198.51.100.1") }
    }

    /// Whoever knows the password and comes from ever more networks gets twenty guesses at codes, and one every thirty seconds after that:
    /// not even one in a hundred such attacks finds a code within a day.
    @Test func guessesAtCodesFromEverywhereAreFewAndSpareTheKnown() throws {
        let ann = try enrolled()
        let device = try ann.access.signIn("ann", ann.recoveryCodes[0]).device
        func guesses(_ guess: String = "000000", rounds: Int = 2) -> Int {
            // First they are told to wait, each for themselves; then all come back.
            (0..<rounds).reduce(0) { sum, _ in
                ann.house.clock.advance(seconds: 20)
                return sum
                    + (0..<100).count { number in
                        refusal { _ = try ann.access.signIn("ann", guess, from: "10.0.0.\(number)") }?.word == "wrong_totp"
                    }
            }
        }
        #expect(guesses() == 20)
        let refused = try #require(refusal { _ = try ann.access.signIn("ann", ann.code(), from: "10.0.0.99") })
        #expect((refused.code, refused.word, refused.retryAfter) == (.tooMany, "too_many_tries", 30))
        #expect(refused.detail.contains("a recovery code"))
        #expect(guesses(rounds: 60) <= 40, "within twenty minutes")
        while guesses(rounds: 1) == 0 {}
        // After a restart too, and when the wait is over that everybody has whose name is attacked.
        try ann.house.close()
        let again = try House(again: ann.house)
        let access = again.people()
        let strangers = ["198.51.100.1", "198.51.100.2"]
        for stranger in strangers { #expect(word { _ = try access.signIn("ann", nil, from: stranger) } == "too_many_tries") }
        ann.house.clock.advance(seconds: 20)
        let code = try ann.code()
        #expect(refusal { _ = try access.signIn("ann", code, from: strangers[0]) }?.retryAfter == 10)
        #expect(throws: Never.self, "in a known browser") {
            try access.signIn(username: "ann", password: House.password, totp: code, from: .from("192.0.2.7", device: device))
        }
        // Nobody can guess a recovery code.
        #expect(throws: Never.self, "in a new browser") { try access.signIn("ann", ann.recoveryCodes[1], from: strangers[1]) }
        ann.house.clock.advance(seconds: 30)
        let next = try ann.code()
        #expect(throws: Never.self, "thirty seconds after the last guess") { try access.signIn("ann", next, from: strangers[0]) }
    }

    /// Whoever does not know the password cannot make anybody's codes wait.
    @Test func wrongPasswordsAreNoGuessesAtCodes() throws {
        let ann = try enrolled()
        for number in 0..<30 {
            _ = refusal {
                _ = try ann.access.signIn(
                    username: "ann",
                    password: "a wrong pass phrase",
                    totp: "000000",
                    from: .from("10.0.\(number).1")
                )
            }
        }
        // Under attack, a stranger waits a moment as always.
        #expect(refusal { _ = try ann.access.signIn("ann", ann.code(), from: "198.51.100.1") }?.word == "too_many_tries")
        ann.house.clock.advance(seconds: 20)
        #expect(throws: Never.self) { try ann.access.signIn("ann", ann.code(), from: "198.51.100.1") }
    }
}

/// Takes all places of a hasher, at a moment of its clock's choice.
private final class Crush: Sendable {
    private struct Plan {
        var hasher: PasswordHasher?
        var left = 0
    }

    private let plan = Mutex(Plan())

    func begin(in hasher: PasswordHasher, after looks: Int) { plan.withLock { $0 = Plan(hasher: hasher, left: looks) } }

    func end() {
        let hasher = plan.withLock { plan in
            defer { plan = Plan() }
            return plan.hasher
        }
        hasher?.queue.withLock { ($0.running, $0.isAwaited) = (0, false) }
    }

    @Sendable func time() -> ContinuousClock.Instant {
        let hasher = plan.withLock { plan in
            defer { plan.left -= 1 }
            return plan.left == 0 ? plan.hasher : nil
        }
        hasher?.queue.withLock { ($0.running, $0.isAwaited) = (2, true) }
        return .now
    }
}
