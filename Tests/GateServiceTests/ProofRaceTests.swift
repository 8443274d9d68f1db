import Dispatch
import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// R57: what was proven in one moment is used in another, and between the two a reset, a sign-out or a revocation must win.
@Suite struct ProofRaceTests {
    static let renewed = "quite another pass phrase"
    static let wanted = "the pass phrase of a thief"
    private let origin = RequestOrigin.from("192.0.2.7")

    private func house() throws -> House {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob")
        try house.addPerson("otto", .operator)
        return house
    }

    enum Reset: String, CaseIterable {
        case password, disabled, deleted, console, ownChange, factor

        /// What keeps bob's old password out.
        func happen(in house: House) throws {
            switch self {
            case .password:
                var edit = PersonEdit()
                edit.password = ProofRaceTests.renewed
                _ = try house.access.editPerson("bob", edit, by: .admin)
            case .disabled:
                var edit = PersonEdit()
                edit.isDisabled = true
                _ = try house.access.editPerson("bob", edit, by: .admin)
            case .deleted: try house.access.deletePerson("bob", by: .admin)
            case .console:
                try house.access.resetPassword(username: "bob", password: ProofRaceTests.renewed, clearTOTP: false, from: .console)
            case .ownChange:
                let there = try house.access.signIn("bob", from: "198.51.100.1")
                _ = try house.access.changePassword(
                    there.signedIn,
                    current: House.password,
                    new: ProofRaceTests.renewed,
                    totp: nil,
                    from: .from("198.51.100.1")
                )
            case .factor:
                let people = house.people()
                let there = try people.signIn("bob", from: "198.51.100.1")
                let started = try people.startTOTP(there.signedIn, environment: "", from: .console)
                let step = TOTP.step(atSeconds: house.clock.now.milliseconds / 1_000)
                let code = TOTP(secret: try Base32Reader.decode(started.secret)).text(step: step)
                _ = try people.confirmTOTP(there.signedIn, code: code, from: .console)
                // The browser in which it was set up is not what this is about.
                try people.signOut(there.signedIn, from: .console)
            }
        }
    }

    /// A hash that is made anew takes its time, in which somebody may set another password: the old one must not come back by it.
    @Test(arguments: 1...12) func aHashMadeAnewDoesNotBringAnOldPasswordBack(look: Int) throws {
        let house = try house()
        let dearer = PasswordHash.Cost(operations: 2, memoryBytes: 16_384)
        let looks = Mutex(0)
        let once = Once()
        let access = AccessService(
            store: { [ledger = house.ledger] in
                let isDue = looks.withLock { looks in
                    looks += 1
                    return looks == look
                }
                if isDue { once.run { try Reset.password.happen(in: house) } }
                return ledger.store
            },
            hasher: PasswordHasher(cost: dearer),
            random: .system,
            keys: KeyFolder(dataFolder: house.folder, random: .system),
            now: { [clock = house.clock] in clock.now }
        )
        let isIn = (try? access.signIn("bob")) != nil
        #expect(once.failure == nil, "\(once.failure ?? "")")
        let hash = try house.ledger.store.unwrapped().user(named: "bob").unwrapped().passwordHash
        #expect(try hash.verifies(once.hasRun ? Self.renewed : House.password))
        #expect(isIn || once.hasRun)
        #expect(hash.needsRehash(cost: dearer) == once.hasRun, "Only who signed in has a hash made anew.")
    }

    /// Each way in that gives a password, while each kind of reset happens between the look at it and the session.
    @Test(arguments: Reset.allCases, ["sign-in", "reauthentication", "new password"])
    func noSessionIsMadeForAProofThatAResetOvertook(reset: Reset, way: String) throws {
        let house = try house()
        let session = try house.access.signIn("bob")
        let once = Once()
        let access = house.people { once.run { try reset.happen(in: house) } }
        let error = try refusal {
            switch way {
            case "sign-in": _ = try access.signIn("bob")
            case "reauthentication": _ = try access.reauthenticate(session.signedIn, password: House.password, totp: nil, from: origin)
            default:
                _ = try access.changePassword(session.signedIn, current: House.password, new: Self.wanted, totp: nil, from: origin)
            }
        }.unwrapped()
        #expect(once.hasRun && once.failure == nil, "\(once.failure ?? "")")
        #expect(error.code == .unauthenticated)
        let store = try house.ledger.store.unwrapped()
        guard reset != .deleted else { return #expect(try store.user(named: "bob") == nil) }
        let bob = try store.user(named: "bob").unwrapped()
        // Whoever had set the factor up or changed the password goes on; nobody else is there.
        let left = try store.sessions(of: bob.id)
        #expect(left.allSatisfy { $0.address == "198.51.100.1" || reset == .factor && $0.id == session.signedIn.digest }, "\(left)")
        #expect(try !bob.passwordHash.verifies(Self.wanted))
        let expected = [.disabled, .factor].contains(reset) ? House.password : Self.renewed
        #expect(try bob.passwordHash.verifies(expected))
    }

    /// The same without anything arranged: sign-ins on several threads, and a reset among them, a hundred times.
    @Test func aResetEndsEverySignInThatIsUnderWay() throws {
        let house = try house()
        let store = try house.ledger.store.unwrapped()
        let bob = try store.user(named: "bob").unwrapped()
        // More than two at once are sent away busy; here nobody is to be.
        let hashers = (0..<4).map { _ in house.people() }
        var password = House.password
        for round in 0..<100 {
            let next = "pass phrase number \(round)"
            let old = password
            DispatchQueue.concurrentPerform(iterations: 4) { worker in
                if worker == 3 {
                    var edit = PersonEdit()
                    edit.password = next
                    // A failure shows below: the old password would still be good.
                    _ = try? house.access.editPerson("bob", edit, by: .admin)
                } else {
                    for _ in 0..<3 { _ = try? hashers[worker].signIn("bob", password: old, from: "198.51.100.\(worker)") }
                }
            }
            #expect(try store.sessions(of: bob.id).isEmpty, "round \(round)")
            #expect(try store.user(id: bob.id)?.passwordHash.verifies(next) == true, "round \(round)")
            // Else the old passwords of the rounds before would keep even the right one out.
            house.clock.advance(seconds: 3_600)
            password = next
        }
    }

    /// A hash that is made anew with the password that was just given does not bring that password back.
    @Test func aHashMadeAnewDoesNotBringTheOldPasswordBack() throws {
        let house = try house()
        let store = try house.ledger.store.unwrapped()
        let once = Once()
        let dearer = AccessService(
            store: { [ledger = house.ledger] in ledger.store },
            hasher: PasswordHasher(cost: PasswordHash.Cost(operations: 2, memoryBytes: 16_384)),
            random: .system,
            now: { [clock = house.clock] in
                // First asked by the throttle: bob has been read by then, and his password has not been looked at.
                once.run { try Reset.password.happen(in: house) }
                return clock.now
            }
        )
        #expect(word { _ = try dearer.signIn("bob") } == "wrong_credentials")
        #expect(once.failure == nil)
        let bob = try store.user(named: "bob").unwrapped()
        #expect(try bob.passwordHash.verifies(Self.renewed))
        #expect(try store.sessions(of: bob.id).isEmpty)
    }
}

/// Something that happens once, whoever asks for it and however often.
final class Once: Sendable {
    private struct State {
        var hasRun = false
        var failure: String?
    }

    private let state = Mutex(State())

    var failure: String? { state.withLock { $0.failure } }
    var hasRun: Bool { state.withLock { $0.hasRun } }

    func run(_ act: () throws -> Void) {
        let isFirst = state.withLock { state in
            defer { state.hasRun = true }
            return !state.hasRun
        }
        guard isFirst else { return }
        do { try act() } catch { state.withLock { $0.failure = "\(error)" } }
    }
}
