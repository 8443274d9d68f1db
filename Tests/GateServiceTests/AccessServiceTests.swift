import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

@Suite struct AccessServiceTests {
    static let password = "a long pass phrase"
    private let home = RequestOrigin.from("127.0.0.1", loopback: true)

    private func house() throws -> House {
        let house = try House()
        try house.access.createFirstAdministrator(name: "Ann", password: Self.password, from: .console)
        return house
    }

    // MARK: Set-up

    @Test func theFirstAdministratorIsMadeOnceWithTheCode() throws {
        let house = try House()
        #expect(try house.access.needsSetup())
        let code = try house.access.setupCode().unwrapped()
        #expect(code.utf8.count == 43)
        let user = try house.access.setUp(code: code, username: "ann", password: Self.password, from: home)
        #expect((user.name, user.role, user.scope) == ("ann", .admin, .all))
        #expect(try !house.access.needsSetup())
        #expect(house.access.setupCode() == nil)
        #expect(word { _ = try house.access.setUp(code: code, username: "eve", password: Self.password, from: home) } == "setup_code")
        #expect(word { try house.access.createFirstAdministrator(name: "eve", password: Self.password, from: .console) } == "exists")
        #expect(try house.ledger.store.unwrapped().audit(AuditQuery(limit: 9)).map(\.entry.action) == ["people.create"])
    }

    @Test func theSetUpIsForTheServersOwnMachineOnly() throws {
        let house = try House()
        let code = try house.access.setupCode().unwrapped()
        let error = try refusal {
            _ = try house.access.setUp(code: code, username: "ann", password: Self.password, from: .from("192.0.2.1"))
        }.unwrapped()
        #expect((error.code, error.word) == (.forbidden, "setup_not_local"))
        #expect(try house.access.needsSetup())
    }

    @Test func aWrongOldOrReplacedCodeMakesNobody() throws {
        let house = try House()
        #expect(word { _ = try house.access.setUp(code: "", username: "ann", password: Self.password, from: home) } == "setup_code")
        let first = try house.access.setupCode().unwrapped()
        let second = try house.access.setupCode().unwrapped()
        #expect(word { _ = try house.access.setUp(code: first, username: "ann", password: Self.password, from: home) } == "setup_code")
        #expect(
            word { _ = try house.access.setUp(code: second + "x", username: "ann", password: Self.password, from: home) } == "setup_code"
        )
        house.clock.advance(seconds: 1_800)
        #expect(word { _ = try house.access.setUp(code: second, username: "ann", password: Self.password, from: home) } == "setup_code")
        #expect(try house.access.needsSetup())
    }

    @Test func aRefusedNameOrPasswordLeavesTheCodeGood() throws {
        let house = try House()
        let code = try house.access.setupCode().unwrapped()
        let short = try refusal { _ = try house.access.setUp(code: code, username: "ann", password: "short", from: home) }.unwrapped()
        #expect((short.word, short.field) == ("invalid_password", "/password"))
        let name = try refusal { _ = try house.access.setUp(code: code, username: "a b", password: Self.password, from: home) }.unwrapped()
        #expect((name.word, name.field) == ("invalid_username", "/username"))
        #expect(try house.access.setUp(code: code, username: "ann", password: Self.password, from: home).name == "ann")
    }

    @Test(arguments: ["", " ann", "-ann", ".ann", "änn", "a/b", "a\nb", String(repeating: "a", count: 65)]) func aBadNameIsRefused(
        name: String
    ) throws {
        #expect(
            word { try House().access.createFirstAdministrator(name: name, password: Self.password, from: .console) } == "invalid_username"
        )
    }

    @Test(arguments: [
        ("elevenchars", false), ("twelve chars", true), (String(repeating: "ab c", count: 32), true),
        (String(repeating: "ab c", count: 32) + "d", false),
        ("            ", false), ("aaaaaaaaaaaa", false), ("abababababab", false), ("Password1234", false), ("Password123!", false),
        ("gatehouse2026", false), ("abcdefghijkl", false),
        ("password-1234", false),
        ("gatehousegatehouse", false), ("administrator", false), ("michaeljackson", false), ("Michael Jackson!", false),
        ("q1w2e3r4t5y6", false),
        ("trustno1trustno1", false), ("monkeymonkey", false), ("qwertyuiop[]", false), ("qwertyuiop, my dear", true),
        ("longnamelongname", false), ("🐌🐈🐕🐎🐖🐏🐑🐐🦙🦌🐇a", true), ("zwölf Zeichen", true),
    ])
    func passwordsAreLongAndNotTheFirstThatAnybodyTries(password: String, isTaken: Bool) throws {
        let error = word { try PasswordRules.check(password, username: "longname") }
        #expect(error == (isTaken ? nil : "invalid_password"))
    }

    // MARK: Sessions

    @Test func theRightPasswordMakesASessionThatItsSecretNames() throws {
        let house = try house()
        let new = try house.access.signIn(username: "ANN", password: Self.password, totp: nil, from: home)
        #expect(new.secret.utf8.count == 43)
        #expect(new.signedIn.user.name == "Ann")
        #expect(new.signedIn.expiresAt == house.clock.now.advanced(bySeconds: 43_200))
        let found = try house.access.session(new.secret).unwrapped()
        #expect(found == new.signedIn)
        #expect(house.access.matches(new.signedIn.csrf, found))
        #expect(!house.access.matches("", found))
        #expect(!house.access.matches(new.secret, found))
        #expect(new.signedIn.csrf != new.secret)
    }

    @Test func aSecretThatNamesNoSessionIsNobody() throws {
        let house = try house()
        let new = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        for secret in [
            "", "x", new.secret + "A", String(new.secret.dropLast()), String(new.secret.dropLast()) + (new.secret.last == "A" ? "E" : "A"),
        ] {
            #expect(try house.access.session(secret) == nil)
        }
    }

    @Test func anIdleSessionEnds() throws {
        let house = try house()
        let new = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        house.clock.advance(seconds: 1_799)
        #expect(try house.access.session(new.secret) != nil)
        house.clock.advance(seconds: 1_799)
        #expect(try house.access.session(new.secret) != nil)
        house.clock.advance(seconds: 1_800)
        #expect(try house.access.session(new.secret) == nil)
    }

    @Test func aSessionEndsAtTheLatestAfterTwelveHours() throws {
        let house = try house()
        let new = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        for _ in 0..<28 {
            house.clock.advance(seconds: 1_500)
            #expect(try house.access.session(new.secret) != nil)
        }
        house.clock.advance(seconds: 1_200)
        #expect(try house.access.session(new.secret) == nil)
    }

    @Test func theCSRFTokenStaysTheSameForASessionAndOnlyForIt() throws {
        let house = try house()
        let one = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        let other = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        house.clock.advance(seconds: 600)
        #expect(try house.access.session(one.secret)?.csrf == one.signedIn.csrf)
        #expect(one.signedIn.csrf != other.signedIn.csrf)
        #expect(one.secret != other.secret)
    }

    @Test func signingOutEndsTheSessionAndNoOther() throws {
        let house = try house()
        let one = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        let other = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        try house.access.signOut(one.signedIn, from: home)
        #expect(try house.access.session(one.secret) == nil)
        #expect(try house.access.session(other.secret) != nil)
    }

    @Test func sessionsOutliveARestart() throws {
        let house = try house()
        let new = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        try house.close()
        let again = try House(again: house)
        #expect(try again.access.session(new.secret) == new.signedIn)
    }

    /// The same answer, so that nobody learns which names exist.
    @Test func anUnknownNameAndAWrongPasswordAreRefusedAlike() throws {
        let house = try house()
        let errors = try [
            ("ann", "a wrong pass phrase"), ("eve", Self.password), ("", ""), ("ann", ""), (String(repeating: "e", count: 5_000), "x"),
            ("ann\0", Self.password),
        ].map { name, password in
            try refusal { _ = try house.access.signIn(username: name, password: password, totp: nil, from: home) }.unwrapped()
        }
        #expect(Set(errors.map(\.description)).count == 1)
        #expect(errors[0].code == .unauthenticated)
        #expect(errors[0].word == "wrong_credentials")
    }

    @Test func signInsAreAudited() throws {
        let house = try house()
        _ = refusal { _ = try house.access.signIn(username: "ann", password: "a wrong pass phrase", totp: nil, from: .from("192.0.2.7")) }
        house.access.writeRefusals(all: true)
        _ = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: .from("192.0.2.7"))
        let entries = try house.access.audit(AuditQuery(limit: 2), for: .admin).entries
        #expect(entries.map(\.entry.action) == ["session.create", "session.create"])
        #expect(Set(entries.map(\.entry.outcome)) == [.refused, .succeeded])
        #expect(entries.allSatisfy { $0.entry.address == "192.0.2.7" })
        #expect(!entries.contains { "\($0)".contains("pass phrase") })
    }

    // MARK: Throttle

    private func tryIn(_ house: House, _ password: String, from address: String, name: String = "ann") -> ServiceError? {
        refusal { _ = try house.access.signIn(username: name, password: password, totp: nil, from: .from(address)) }
    }

    /// After five failures 1 s, then 2, 4, … up to 15 minutes; meanwhile not even the right password is looked at.
    @Test func failuresOfOneNameAtOneAddressWaitLongerAndLonger() throws {
        let house = try house()
        for _ in 0..<5 { #expect(tryIn(house, "wrong", from: "192.0.2.7")?.word == "wrong_credentials") }
        var waits: [Int] = []
        for _ in 0..<13 {
            let error = try tryIn(house, Self.password, from: "192.0.2.7").unwrapped()
            #expect((error.code, error.word) == (.tooMany, "too_many_tries"))
            waits.append(try error.retryAfter.unwrapped())
            house.clock.advance(seconds: Int64(waits.last ?? 0))
            // Out of the way of the limit per address, which has a memory of ten minutes.
            try house.ledger.store.unwrapped().clearThrottle(scope: "address:192.0.2.7")
            #expect(tryIn(house, "wrong", from: "192.0.2.7")?.word == "wrong_credentials")
        }
        #expect(waits.prefix(5) == [1, 2, 4, 8, 16])
        #expect(waits.max() == 900)
    }

    @Test func aSuccessForgivesTheFailuresOfItsAddress() throws {
        let house = try house()
        for _ in 0..<4 { _ = tryIn(house, "wrong", from: "192.0.2.7") }
        #expect(tryIn(house, Self.password, from: "192.0.2.7") == nil)
        for _ in 0..<4 { #expect(tryIn(house, "wrong", from: "192.0.2.7")?.word == "wrong_credentials") }
        #expect(tryIn(house, Self.password, from: "192.0.2.7") == nil)
    }

    /// R38: an attack from everywhere delays the right person by half a minute at most.
    @Test func anAttackOnANameFromEverywhereLetsTheRightPersonInWithinHalfAMinute() throws {
        let house = try house()
        for attempt in 0..<200 {
            _ = tryIn(house, "wrong", from: "198.51.100.\(attempt)")
            house.clock.advance(seconds: attempt < 20 ? 32 : 1)
        }
        if let error = tryIn(house, Self.password, from: "192.0.2.7") {
            #expect(try error.retryAfter.unwrapped() <= 30)
            house.clock.advance(seconds: Int64(error.retryAfter ?? 0))
        }
        #expect(tryIn(house, Self.password, from: "192.0.2.7") == nil)
    }

    @Test func oneAddressTriesTwentyTimesInTenMinutes() throws {
        let house = try house()
        for attempt in 0..<20 { #expect(tryIn(house, "wrong", from: "192.0.2.7", name: "name-\(attempt)")?.word == "wrong_credentials") }
        let error = try tryIn(house, Self.password, from: "192.0.2.7").unwrapped()
        #expect((error.word, error.retryAfter) == ("too_many_tries", 600))
        #expect(tryIn(house, Self.password, from: "192.0.2.8") == nil)
        house.clock.advance(seconds: 600)
        #expect(tryIn(house, Self.password, from: "192.0.2.7") == nil)
    }

    /// Else whoever waits as long as they were told is sent away again.
    @Test func whoIsSlowedDownForSeveralReasonsIsToldTheLongestWait() throws {
        let house = try house()
        for _ in 0..<5 { _ = tryIn(house, "wrong", from: "192.0.2.7") }
        for attempt in 0..<15 { _ = tryIn(house, "wrong", from: "192.0.2.7", name: "name-\(attempt)") }
        let error = try tryIn(house, Self.password, from: "192.0.2.7").unwrapped()
        #expect((error.word, error.retryAfter) == ("too_many_tries", 600))
        house.clock.advance(seconds: 600)
        #expect(tryIn(house, Self.password, from: "192.0.2.7") == nil)
    }

    @Test func anIPv6NetworkCountsAsOneAddress() throws {
        let house = try house()
        for attempt in 0..<20 { _ = tryIn(house, "wrong", from: "2001:db8:1:2::\(attempt + 1)", name: "name-\(attempt)") }
        #expect(tryIn(house, Self.password, from: "2001:db8:1:2:ffff::1")?.word == "too_many_tries")
        #expect(tryIn(house, Self.password, from: "2001:db8:1:3::1") == nil)
    }

    @Test func aRestartForgivesNothing() throws {
        let house = try house()
        for _ in 0..<6 { _ = tryIn(house, "wrong", from: "192.0.2.7") }
        #expect(tryIn(house, Self.password, from: "192.0.2.7")?.word == "too_many_tries")
        try house.close()
        let again = try House(again: house)
        #expect(tryIn(again, Self.password, from: "192.0.2.7")?.word == "too_many_tries")
    }

    // MARK: Tokens

    private func caller(_ house: House, _ token: String) throws -> Caller {
        try house.access.caller(token: token, source: .gatectl, requestId: "r", address: "192.0.2.7")
    }

    @Test func aTokenSpeaksForItsRoleAndScope() throws {
        let house = try house()
        let scope = AppScope.only([AppKey("shop")!])
        let text = try house.access.createToken(name: "ci", role: .operator, scope: scope, createdBy: "Ann", from: .console)
        let caller = try caller(house, text)
        #expect((caller.actor, caller.role, caller.scope) == (Actor(kind: .token, name: "ci", id: caller.token?.id), .operator, scope))
        #expect((caller.source, caller.requestId, caller.address) == (.gatectl, "r", "192.0.2.7"))
        #expect(
            word { _ = try house.access.createToken(name: " ", role: .admin, scope: .all, createdBy: "Ann", from: .console) }
                == "invalid_name"
        )
    }

    /// `gate_`, 8 characters, `_`, 43 characters, 6 of checksum: a shape that secret scanners can know.
    @Test func aTokenHasItsForm() throws {
        let house = try house()
        let text = try house.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "Ann", from: .console)
        #expect(text.wholeMatch(of: /gate_[a-z2-9]{8}_[A-Za-z0-9_-]{43}[0-9a-f]{6}/) != nil)
    }

    @Test func aTokenThatIsChangedAnywhereIsRefused() throws {
        let house = try house()
        let text = try house.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "Ann", from: .console)
        for index in text.indices {
            var other = text
            other.replaceSubrange(index...index, with: text[index] == "a" ? "b" : "a")
            #expect(word { _ = try caller(house, other) } == "unauthenticated", "\(text.distance(from: text.startIndex, to: index))")
        }
        for other in ["", "gate_", text + "a", " " + text, String(text.dropLast()), text.uppercased()] {
            #expect(word { _ = try caller(house, other) } == "unauthenticated")
        }
    }

    /// A secret that fits its checksum, and is not the one that was given out.
    @Test func anotherSecretUnderAKnownIdIsRefused() throws {
        let house = try house()
        let text = try house.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "Ann", from: .console)
        let body = text.prefix(14) + String(repeating: "A", count: 43)
        let forged = body + SHA256Digest(of: String(body)).hexadecimal.prefix(6)
        #expect(TokenText(String(forged)) != nil)
        #expect(word { _ = try caller(house, String(forged)) } == "unauthenticated")
    }

    @Test func aTokenEndsWithItsTimeOrWhenItIsRevoked() throws {
        let house = try house()
        let one = try house.access.createToken(name: "one", role: .admin, scope: .all, createdBy: "Ann", from: .console)
        let two = try house.access.createToken(name: "two", role: .admin, scope: .all, createdBy: "Ann", from: .console)
        let store = try house.ledger.store.unwrapped()
        let id = try TokenText(two).unwrapped().id
        try store.revokeToken(
            id: id,
            at: house.clock.now,
            audit: AuditEntry(at: house.clock.now, actor: nil, action: "token.revoke", requestId: "r")
        )
        #expect(word { _ = try caller(house, two) } == "unauthenticated")
        house.clock.advance(seconds: AccessService.tokenLifetime - 1)
        #expect(try caller(house, one).actor.name == "one")
        house.clock.advance(seconds: 1)
        #expect(word { _ = try caller(house, one) } == "unauthenticated")
    }

    /// R34, R40: what is kept is worth nothing to whoever reads the files.
    @Test(.onSQLite) func noSecretStandsInTheFiles() throws {
        let house = try house()
        let session = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home)
        let token = try house.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "Ann", from: .console)
        let files = try ["gatehouse.sqlite", "gatehouse.sqlite-wal"].map { try Array(Files.bytes(house.folder + "/" + $0)) }
        let secrets = [session.secret, session.signedIn.csrf, token, String(token.dropFirst(14).prefix(43)), Self.password]
        for secret in secrets {
            #expect(!files.contains { Files.contains($0, secret) })
        }
        // The search finds what is there.
        #expect(files.contains { Files.contains($0, "token.create") })
    }

    // MARK: Hashing

    @Test func ofThreePasswordsAtOnceOneIsSentAway() throws {
        let hasher = PasswordHasher(cost: .least)
        #expect(hasher.enter(.newcomer) && hasher.enter(.known))
        for lane in [PasswordHasher.Lane.newcomer, .returning] {
            let error = refusal { _ = try hasher.verifies(Self.password, nil, in: lane) }
            #expect((error?.code, error?.word, error?.retryAfter) == (.unavailable, "busy", 1))
        }
        hasher.leave(.newcomer, after: .zero)
        let hash = try hasher.hash(Self.password)
        #expect(try hasher.verifies(Self.password, hash, in: .known))
        #expect(try !hasher.verifies("another", hash, in: .known))
        #expect(try !hasher.verifies("nobody has this password", nil, in: .newcomer))
        #expect(hasher.queue.withLock { $0.running } == 1)
    }

    @Test func withoutADatabaseNobodyIsRecognised() throws {
        let house = try House(start: false)
        #expect(refusal { _ = try house.access.session(String(repeating: "a", count: 43)) }?.word == "database_unavailable")
        #expect(
            refusal { _ = try house.access.signIn(username: "ann", password: Self.password, totp: nil, from: home) }?.code == .unavailable
        )
        #expect(house.access.setupCode() == nil)
    }
}
