import Foundation
import GateCrypto
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// R38, R59: who attacks a name, or an address that many share, does not keep the right person out.
@Suite struct KnownDeviceTests {
    private func house() throws -> (House, AccessService) {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("otto", .operator)
        return (house, house.people())
    }

    private func signIn(
        _ access: AccessService,
        _ name: String = "ann",
        _ password: String = House.password,
        from address: String = "192.0.2.7",
        device: String? = nil
    ) throws -> NewSession {
        try access.signIn(username: name, password: password, totp: nil, from: .from(address, device: device))
    }

    // MARK: Attacks

    /// Whom the right person competes with, second by second, each second before them.
    enum Attack: String, CaseIterable {
        /// Every try from an address of its own, which never comes back.
        case everNew
        /// A few hundred addresses, each of which comes back as it is told.
        case diligent
        /// One /48 of IPv6 with as many addresses as it likes.
        case oneSite

        func address(_ number: Int) -> String {
            switch self {
            case .everNew: "10.\(number >> 16 & 255).\(number >> 8 & 255).\(number & 255)"
            case .diligent: "10.0.\(number % 300 / 200).\(number % 300 % 200)"
            case .oneSite: "2001:db8:1:\(String(number % 65_536, radix: 16))::1"
            }
        }
    }

    /// Five minutes of it, then the right person comes too.
    private func attack(_ attack: Attack, on house: House, _ access: AccessService, then come: (Int) throws -> Bool) throws {
        var number = 0
        for second in 0..<480 {
            for _ in 0..<4 {
                number += 1
                #expect(throws: ServiceError.self) { try signIn(access, "ann", "guess \(number)", from: attack.address(number)) }
            }
            if second >= 300, try come(second - 300) { return }
            house.clock.advance(seconds: 1)
        }
        Issue.record("the right person was kept out for three minutes")
    }

    @Test(arguments: Attack.allCases) func aNewBrowserGetsInWithinAMinute(kind: Attack) throws {
        let (house, access) = try house()
        var due = 0
        try attack(kind, on: house, access) { second in
            guard second >= due else { return false }
            do {
                _ = try signIn(access, from: "192.0.2.7")
                #expect(second <= 60)
                return true
            } catch let error as ServiceError {
                due = second + (try error.retryAfter.unwrapped())
                return false
            }
        }
    }

    @Test(arguments: Attack.allCases) func aBrowserThatIsKnownGetsInAtOnce(kind: Attack) throws {
        let (house, access) = try house()
        let device = try signIn(access).device.unwrapped()
        try attack(kind, on: house, access) { second in
            #expect(throws: Never.self, "after \(second) s") { try signIn(access, from: "198.51.100.\(second)", device: device) }
            return second == 5
        }
    }

    /// Whoever is signed in already and gives the password again, in a browser that keeps no cookies for long.
    @Test func aSessionIsMadeFreshAtOnce() throws {
        let (house, access) = try house()
        var session = try signIn(access)
        try attack(.everNew, on: house, access) { second in
            session = try access.reauthenticate(session.signedIn, password: House.password, totp: nil, from: .from("192.0.2.7"))
            return second == 5
        }
    }

    /// How somebody proves who they are, with the right password each time.
    enum Proof: String, CaseIterable { case device, session, newBrowser, newPassword }

    /// The right password has no failures to be slowed down by, and each check of it keeps others waiting.
    @Test(arguments: Proof.allCases) func theRightPasswordHasALimit(proof: Proof) throws {
        let (house, access) = try house()
        var session = try signIn(access)
        let device = session.device
        var password = House.password
        func prove(_ number: Int) throws {
            switch proof {
            case .device: _ = try signIn(access, device: device)
            case .session:
                session = try access.reauthenticate(session.signedIn, password: password, totp: nil, from: .from("192.0.2.7"))
            case .newBrowser: _ = try signIn(access, from: "198.51.100.\(number)")
            case .newPassword:
                let next = "pass phrase number \(number)"
                let origin = RequestOrigin.from("192.0.2.7")
                session = try access.changePassword(session.signedIn, current: password, new: next, totp: nil, from: origin)
                password = next
            }
        }
        for number in 2...120 { try prove(number) }
        house.clock.advance(seconds: 20)
        let refused = try refusal { try prove(121) }.unwrapped()
        #expect(refused.code == .tooMany && refused.word == "too_many_tries" && refused.retryAfter == 40)
        // It is this person's limit and nobody else's.
        #expect(throws: Never.self) { try signIn(access, "otto") }
        house.clock.advance(seconds: 40)
        #expect(throws: Never.self) { try prove(122) }
    }

    /// A name that strangers guess at has not used up its own person's tries.
    @Test func guessesOfStrangersDoNotCountTowardsIt() throws {
        let (house, access) = try house()
        let device = try signIn(access).device.unwrapped()
        for number in 0..<40 { _ = refusal { _ = try signIn(access, "ann", "guess", from: "10.0.0.\(number)") } }
        #expect(throws: Never.self) { try signIn(access, device: device) }
        _ = house
    }

    /// What the name of a person under attack is spared is not given to guessers: they have their first few tries, and then wait.
    @Test(arguments: Attack.allCases) func guessesStayFew(kind: Attack) throws {
        let (house, access) = try house()
        var looked = 0
        for number in 0..<3_000 {
            if refusal({ _ = try signIn(access, "ann", "guess \(number)", from: kind.address(number)) })?.word == "wrong_credentials" {
                looked += 1
            }
            house.clock.advance(seconds: number % 10 == 0 ? 1 : 0)
        }
        // In five minutes; an address that comes back as told has its first try after 20 s, the next 40 s later, and so on.
        let most = [Attack.everNew: 10, .diligent: 950, .oneSite: 40][kind] ?? 0
        #expect((1...most).contains(looked), "\(looked)")
    }

    /// Twenty failures of anybody behind one address that many share, such as a proxy that nobody declared.
    @Test func whoSharesAnAddressWithGuessersIsKnownNevertheless() throws {
        let (house, access) = try house()
        let device = try signIn(access).device.unwrapped()
        for number in 0..<20 { _ = refusal { _ = try signIn(access, "name-\(number)", "guess") } }
        for _ in 0..<6 { _ = refusal { _ = try signIn(access, "ann", "guess") } }
        #expect(refusal { _ = try signIn(access) }?.retryAfter == 600)
        #expect(throws: Never.self) { try signIn(access, device: device) }
        // And another person's cookie is of no use.
        #expect(refusal { _ = try signIn(access, "otto", device: device) }?.word == "too_many_tries")
        _ = house
    }

    @Test func aSiteOfManyNetworksIsCountedToo() throws {
        let (house, access) = try house()
        for number in 0..<100 { _ = refusal { _ = try signIn(access, "name-\(number)", "guess", from: "2001:db8:1:\(number)::1") } }
        #expect(refusal { _ = try signIn(access, from: "2001:db8:1:ffff::1") }?.retryAfter == 600)
        #expect(throws: Never.self) { try signIn(access, from: "2001:db8:2:1::1") }
        house.clock.advance(seconds: 600)
        #expect(throws: Never.self) { try signIn(access, from: "2001:db8:1:ffff::1") }
    }

    /// The networks of a site share its places in the line: after so many of them, all are taken, and who comes then has waited with them.
    @Test func aSiteOfManyNetworksWaitsTogether() throws {
        let (house, access) = try house()
        for number in 0..<11 { _ = refusal { _ = try signIn(access, "ann", "guess", from: "10.0.0.\(number)") } }
        for number in 0..<1_000 {
            #expect(refusal { _ = try signIn(access, from: "2001:db8:1:\(number)::1") }?.word == "too_many_tries")
        }
        house.clock.advance(seconds: 20)
        #expect(throws: Never.self) { try signIn(access, from: "2001:db8:1:ffff::1") }
        #expect(refusal { _ = try signIn(access, from: "2001:db8:2:1::1") }?.retryAfter == 20)
    }

    @Test(arguments: [
        ("192.0.2.7", "192.0.2.7", nil), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("2001:db8::1", "2001:db8:0:0::/64", "2001:db8:0::/48"),
        ("::1", "0:0:0:0::/64", "0:0:0::/48"), ("1:0:0:5::9", "1:0:0:5::/64", "1:0:0::/48"), ("console", "console", nil),
    ])
    func anAddressStandsForItsNetworkAndItsSite(address: String, network: String, site: String?) {
        let place = NetworkPlace(address)
        #expect((place.network, place.site) == (network, site))
    }

    // MARK: The cookie

    @Test func guessingWithAStolenOneIsCountedAloneAndKeepsNobodyOut() throws {
        let (house, access) = try house()
        let device = try signIn(access).device.unwrapped()
        for number in 0..<5 {
            #expect(word { _ = try signIn(access, "ann", "guess", from: "10.0.0.\(number)", device: device) } == "wrong_credentials")
        }
        // From here on it is a stranger's: what it fails in counts as theirs does, and its owner gets in as a stranger does.
        for _ in 0..<5 { _ = refusal { _ = try signIn(access, "ann", "guess", from: "10.0.1.1", device: device) } }
        #expect(refusal { _ = try signIn(access, "ann", "guess", from: "10.0.1.1", device: device) }?.word == "too_many_tries")
        #expect(throws: Never.self) { try signIn(access, device: device) }
        house.clock.advance(seconds: 3_600)
        #expect(throws: Never.self) { try signIn(access, from: "10.0.0.1", device: device) }
    }

    @Test func aNewPasswordEndsItEverywhereAndAnotherBeginsWhereItWasGiven() throws {
        let (house, access) = try house()
        let (here, there) = (try signIn(access), try signIn(access))
        let renewed = try access.changePassword(
            here.signedIn,
            current: House.password,
            new: "another long pass phrase",
            totp: nil,
            from: .from("192.0.2.7")
        )
        let ann = try house.ledger.store.unwrapped().user(named: "ann").unwrapped()
        for old in [here, there] { #expect(access.device(.from("192.0.2.7", device: old.device), of: ann) == nil) }
        #expect(access.device(.from("192.0.2.7", device: renewed.device), of: ann) != nil)
        let fresh = try access.reauthenticate(renewed.signedIn, password: "another long pass phrase", totp: nil, from: .from("192.0.2.7"))
        #expect(access.device(.from("192.0.2.7", device: fresh.device), of: ann) != nil)
    }

    @Test func onlyWhatThisServerMadeAndNotTooLongAgoIsKnown() throws {
        let (house, access) = try house()
        let device = try signIn(access).device.unwrapped()
        let store = try house.ledger.store.unwrapped()
        let (ann, otto) = (try store.user(named: "ann").unwrapped(), try store.user(named: "otto").unwrapped())
        func isKnown(_ text: String?, _ access: AccessService, to user: UserRecord? = nil) -> Bool {
            access.device(.from("192.0.2.7", device: text), of: user ?? ann) != nil
        }
        #expect(isKnown(device, access))
        // After a restart too: the key is kept, for its owner alone.
        #expect(isKnown(device, house.people()))
        #expect(try Files.bytes(house.folder + "/keys/device.key").count == 32)
        #expect(!isKnown(device, access, to: otto))
        #expect(!isKnown(nil, access))
        for index in device.indices {
            var other = device
            other.replaceSubrange(index...index, with: device[index] == "A" ? "B" : "A")
            #expect(!isKnown(other, access))
        }
        for text in ["", "A", device + "A", String(device.dropLast()), String(repeating: "A", count: 4_000)] {
            #expect(!isKnown(text, access))
        }
        // Of another server, and of one without its key, which makes none anew at the mere look.
        #expect(!isKnown(device, try House().people()))
        try Files.remove(house.folder + "/keys/device.key")
        let later = house.people()
        #expect(!isKnown(device, later))
        #expect(try Files.names(in: house.folder + "/keys") == ["rows.key"])
        #expect(isKnown(try signIn(later).device, later))
        house.clock.advance(seconds: 400 * 86_400 - 1)
        #expect(isKnown(device, access))
        house.clock.advance(seconds: 1)
        #expect(!isKnown(device, access))
    }

    /// A folder of keys that cannot be made keeps nobody from signing in.
    @Test func withoutAKeySigningInGoesOn() throws {
        let house = try House()
        try house.addPerson("ann")
        #expect(try signIn(house.access).device == nil)
        let access = AccessService(
            store: { [ledger = house.ledger] in ledger.store },
            hasher: PasswordHasher(cost: .least),
            random: .system,
            keys: KeyFolder(dataFolder: house.folder + "/nowhere", random: .system),
            now: { [clock = house.clock] in clock.now }
        )
        #expect(try signIn(access).device == nil)
    }

    /// One that this server made by itself would be worth nothing at the others.
    @Test func aKeyThatServersShareIsNotMadeByOneOfThem() throws {
        let house = try House()
        try house.addPerson("ann")
        let access = AccessService(
            store: { [ledger = house.ledger] in ledger.store },
            hasher: PasswordHasher(cost: .least),
            random: .system,
            keys: KeyFolder(dataFolder: house.folder, random: .system, isShared: true),
            now: { [clock = house.clock] in clock.now }
        )
        #expect(try signIn(access).device == nil)
        #expect(!FileManager.default.fileExists(atPath: house.folder + "/keys/device.key"))
    }

    /// What a stranger cannot tell from outside: the same answers whether a name is one or not.
    @Test func anUnknownNameWaitsAsAKnownOneDoes() throws {
        let (house, access) = try house()
        for number in 0..<40 {
            let errors = ["ann", "nobody"].map { name in refusal { _ = try signIn(access, name, "guess", from: "10.0.0.\(number)") } }
            #expect(errors[0]?.description == errors[1]?.description)
        }
        _ = house
    }

    /// A spelling that the store takes for the same name is no fresh one, not even for a name that nobody has.
    @Test(arguments: [("ann", "ａnn"), ("nobody", "ｎobody"), ("ann", "ANN"), ("nobody", "NoBody")]) func everySpellingOfANameWaits(
        name: String,
        spelling: String
    ) throws {
        let (house, access) = try house()
        for _ in 0..<5 { #expect(refusal { _ = try signIn(access, name, "guess") }?.word == "wrong_credentials") }
        #expect(refusal { _ = try signIn(access, spelling, "guess") }?.word == "too_many_tries")
        _ = house
    }

    @Test func theCountersOfAnAttackDoNotStayForEver() throws {
        let (house, access) = try house()
        for number in 0..<50 { _ = refusal { _ = try signIn(access, "name-\(number)", "guess", from: "10.0.0.\(number)") } }
        house.clock.advance(seconds: 2 * 3_600)
        _ = refusal { _ = try signIn(access, "ann", "guess") }
        let store = try house.ledger.store.unwrapped()
        for number in 0..<50 { #expect(try store.throttle(scope: "address:10.0.0.\(number)") == nil) }
        #expect(try store.throttle(scope: "address:192.0.2.7")?.failures == 1)
    }
}
