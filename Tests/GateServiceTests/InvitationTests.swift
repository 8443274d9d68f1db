import Dispatch
import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// Links with which people set their own password: what one opens, for how long, and what takes it back.
@Suite struct InvitationTests {
    static let chosen = "what I chose myself"

    private func house() throws -> House {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob", .operator)
        return house
    }

    private func invite(_ name: String, in house: House, _ role: Role = .operator, _ scope: AppScope = .all, by caller: Caller = .admin)
        throws -> Invitation
    {
        try house.access.invitePerson(name: name, role: role, scope: scope, by: caller).invitation.unwrapped()
    }

    private func renew(_ name: String, in house: House, by caller: Caller = .admin) throws -> Invitation {
        try house.access.invitePerson(name, by: caller).invitation.unwrapped()
    }

    private func accept(
        _ token: String,
        in house: House,
        _ password: String = chosen,
        totp: String? = nil,
        from address: String = "192.0.2.7"
    ) throws -> NewSession {
        try house.access.acceptInvitation(token, password: password, totp: totp, from: .from(address))
    }

    private func person(_ name: String, in house: House) throws -> Person {
        try house.access.listPeople().first { $0.name == name }.unwrapped()
    }

    // MARK: What is stored of whoever invites

    /// A link that would open nothing is not made: what a proxy's word adds during a session is stored only with the next one.
    @Test func whoseRightsAreNotStoredYetInvitesNobody() throws {
        let house = try house()
        func paula(_ role: Role) -> ProxiedPerson {
            ProxiedPerson(name: "paula", rights: SignInGroups.Rights(role: role, scope: .all, groups: ["g"]))
        }
        func caller(_ session: SignedIn) -> Caller { session.caller(source: .dashboard, requestId: "r", address: "192.0.2.7") }
        let session = try house.access.signIn(paula(.operator), from: .from("192.0.2.7")).signedIn
        let grown = caller(try house.access.follow(session, paula(.admin), from: .from("192.0.2.7")))
        #expect(refusal { _ = try invite("cid", in: house, by: grown) }?.word == "rights_not_stored")
        #expect(try house.access.listPeople().contains { $0.name == "cid" } == false)
        _ = try invite("dan", in: house)
        #expect(word { _ = try renew("dan", in: house, by: grown) } == "rights_not_stored")
        // What is no link is done with the rights of the request.
        _ = try house.access.createPerson(name: "eve", role: .viewer, scope: .all, password: Self.chosen, by: grown)
        let again = try house.access.signIn(paula(.admin), from: .from("192.0.2.7")).signedIn
        let stored = caller(try house.access.follow(again, paula(.admin), from: .from("192.0.2.7")))
        #expect(try accept(invite("cid", in: house, by: stored).token, in: house).signedIn.user.name == "cid")
        #expect(try accept(renew("dan", in: house, by: stored).token, in: house).signedIn.user.name == "dan")
    }

    // MARK: Once, for a while

    @Test func whoIsInvitedSetsTheirPasswordAndIsIn() throws {
        let house = try house()
        let invitation = try invite("cid", in: house, .operator, .only("shop"))
        #expect(invitation.token.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        #expect(invitation.expiresAt == house.clock.now.advanced(bySeconds: 72 * 3_600))
        #expect("\(invitation)" == "Invitation(until \(invitation.expiresAt))")
        let before = try person("cid", in: house)
        #expect(!before.hasPassword && before.invitedUntil == invitation.expiresAt && !before.isDisabled)
        for password in ["", Self.chosen, House.password] {
            #expect(word { _ = try house.access.signIn("cid", password: password, from: "198.51.100.1") } == "wrong_credentials")
        }

        let session = try accept(invitation.token, in: house)
        #expect(
            session.signedIn.user.name == "cid" && session.signedIn.user.role == .operator && session.signedIn.user.scope == .only("shop")
        )
        #expect(try house.access.session(session.secret)?.user.name == "cid")
        #expect(house.access.isFresh(session.signedIn, seconds: 300))
        let after = try person("cid", in: house)
        #expect(after.hasPassword && after.invitedUntil == nil)
        #expect(throws: Never.self) { try house.access.signIn("cid", password: Self.chosen, from: "198.51.100.2") }
    }

    /// Wrong, used and expired ones are answered with the same words, and none does anything.
    @Test func whatDoesNotOpenIsAnsweredAlike() throws {
        let house = try house()
        let used = try invite("cid", in: house)
        let expired = try invite("dora", in: house)
        let session = try accept(used.token, in: house)
        house.clock.advance(seconds: Invitation.lifetime)
        let replaced = try renew("bob", in: house)
        _ = try renew("bob", in: house)
        let before = try house.ledger.store.unwrapped().users()
        let tokens = [used.token, expired.token, replaced.token, RandomSource.system.secret(), "", "x", used.token + "x", session.secret]
        let errors = try tokens.map { token in try refusal { _ = try accept(token, in: house, "another long pass phrase") }.unwrapped() }
        for error in errors {
            #expect((error.code, error.word, error.detail) == (.forbidden, "invitation", errors[0].detail))
            #expect(error.isCounted && error.field == "/invitation" && error.detail.contains("ask an administrator for a new one"))
        }
        #expect(try house.ledger.store.unwrapped().users() == before)
    }

    @Test func itIsGoodForSeventyTwoHours() throws {
        let house = try house()
        let (late, early) = (try invite("cid", in: house), try invite("dora", in: house))
        house.clock.advance(seconds: Invitation.lifetime - 1)
        #expect(throws: Never.self) { try accept(early.token, in: house) }
        house.clock.advance(seconds: 1)
        #expect(word { _ = try accept(late.token, in: house) } == "invitation")
        // The list goes on saying until when it was.
        #expect(try person("cid", in: house).invitedUntil == late.expiresAt)
    }

    @Test func aRefusedPasswordLeavesTheInvitationGood() throws {
        let house = try house()
        let invitation = try invite("lantern", in: house)
        for password in ["short", "aaaaaaaaaaaa", "LanternLantern", String(repeating: "a long pass phrase ", count: 8)] {
            let error = try refusal { _ = try accept(invitation.token, in: house, password) }.unwrapped()
            #expect((error.word, error.field) == ("invalid_password", "/password"))
        }
        #expect(throws: Never.self) { try accept(invitation.token, in: house) }
    }

    // MARK: What takes it back

    @Test(arguments: ["disabled", "enabled again", "deleted", "given a password", "reset at the console", "another role", "other apps"])
    func itEndsWithWhatItStoodOn(what: String) throws {
        let house = try house()
        let invitation = try invite("cid", in: house)
        switch what {
        case "disabled": _ = try house.access.editPerson("cid", PersonEdit { $0.isDisabled = true }, by: .admin)
        case "enabled again":
            for isDisabled in [true, false] {
                _ = try house.access.editPerson("cid", PersonEdit { $0.isDisabled = isDisabled }, by: .admin)
            }
        case "deleted": try house.access.deletePerson("cid", by: .admin)
        case "given a password": _ = try house.access.editPerson("cid", PersonEdit { $0.password = House.password }, by: .admin)
        case "another role": _ = try house.access.editPerson("cid", PersonEdit { $0.role = .admin }, by: .admin)
        case "other apps": _ = try house.access.editPerson("cid", PersonEdit { $0.scope = .only("shop") }, by: .admin)
        default: try house.access.resetPassword(username: "cid", password: House.password, clearTOTP: false, from: .console)
        }
        #expect(word { _ = try accept(invitation.token, in: house) } == "invitation")
        guard what != "deleted" else { return }
        #expect(try person("cid", in: house).invitedUntil == nil)
        if ["another role", "other apps", "disabled", "given a password"].contains(what) {
            #expect(try house.audit().last { $0.action == "people.update" }?.detail?["invitation"] == .string("ended"))
        }
    }

    /// Whoever made a link may still have it, and must not get in with it as somebody else once they are out themselves.
    @Test(arguments: ["demoted", "narrowed", "disabled", "deleted", "revoked", "signed out", "narrowed to what it gives"])
    func itEndsWithTheRightsOfWhoMadeIt(what: String) throws {
        let house = try house()
        try house.addPerson("mia")
        try house.addPerson("vic", .admin, .only("shop"))
        let session = try house.access.signIn("mia")
        let ci = try house.access.createToken(name: "ci", role: .admin, scope: .all, createdBy: "ann", from: .console)
        let token = try house.access.caller(token: ci, source: .api, requestId: "r", address: "192.0.2.7")
        let invitation = try renew("vic", in: house, by: what == "revoked" ? token : house.access.caller(session))
        switch what {
        case "demoted": _ = try house.access.editPerson("mia", PersonEdit { $0.role = .operator }, by: .admin)
        case "narrowed": _ = try house.access.editPerson("mia", PersonEdit { $0.scope = .only("bank") }, by: .admin)
        case "narrowed to what it gives":
            _ = try house.access.editPerson("mia", PersonEdit { $0.scope = .only("bank", "shop") }, by: .admin)
        case "disabled": _ = try house.access.editPerson("mia", PersonEdit { $0.isDisabled = true }, by: .admin)
        case "deleted": try house.access.deletePerson("mia", by: .admin)
        case "revoked": try house.access.revokeToken(token.token.unwrapped().id, by: .admin)
        default: try house.access.signOut(session.signedIn, from: .from("192.0.2.7"))
        }
        guard ["signed out", "narrowed to what it gives"].contains(what) else {
            #expect(word { _ = try accept(invitation.token, in: house) } == "invitation")
            // Nothing of it was done.
            #expect(throws: Never.self) { try house.access.signIn("vic", from: "198.51.100.3") }
            return
        }
        #expect(try accept(invitation.token, in: house).signedIn.user.name == "vic")
    }

    /// The rights of whoever made it are looked at again in the transaction that uses it.
    @Test func itEndsWhileItIsBeingUsed() throws {
        let house = try house()
        try house.addPerson("mia")
        let invitation = try renew("bob", in: house, by: house.access.caller(house.access.signIn("mia")))
        let isDone = Mutex(false)
        // A session's secret is drawn between what is read before and written after.
        let people = house.people(between: {
            let isFirst = isDone.withLock { done in
                defer { done = true }
                return !done
            }
            if isFirst { #expect(throws: Never.self) { try house.access.deletePerson("mia", by: .admin) } }
        })
        let refused = refusal {
            _ = try people.acceptInvitation(invitation.token, password: Self.chosen, totp: nil, from: .from("192.0.2.7"))
        }
        #expect(refused?.word == "invitation")
        #expect(isDone.withLock { $0 })
        #expect(throws: Never.self) { try house.access.signIn("bob", from: "198.51.100.3") }
    }

    @Test(arguments: [.server, .person(1), .person(.max), .token("abcdefgh")] as [InvitationToken.Issuer])
    func aTokenTellsWhoMadeIt(issuer: InvitationToken.Issuer) throws {
        let made = InvitationToken(by: issuer, random: .system)
        #expect(made.text.wholeMatch(of: /[A-Za-z0-9_-]{43}/) != nil)
        #expect(InvitationToken(made.text)?.issuer == issuer)
        #expect(InvitationToken(by: issuer, random: .system).text != made.text)
    }

    @Test(arguments: ["", "x", String(repeating: "A", count: 42), String(repeating: "A", count: 44), String(repeating: "_", count: 43)])
    func whatNoServerMadeIsNoToken(text: String) { #expect(InvitationToken(text) == nil) }

    @Test func onesOwnNewPasswordEndsItToo() throws {
        let house = try house()
        let invitation = try renew("bob", in: house)
        let session = try house.access.signIn("bob")
        _ = try house.access.changePassword(
            session.signedIn,
            current: House.password,
            new: "quite another pass phrase",
            totp: nil,
            from: .from("192.0.2.7")
        )
        #expect(word { _ = try accept(invitation.token, in: house) } == "invitation")
    }

    /// The scope, the second factor that is taken away, a name: what changes nothing of who may do what lets the link stand.
    @Test func whatConcernsNothingOfItLeavesIt() throws {
        let house = try house()
        let invitation = try invite("cid", in: house, .operator, .only("shop"))
        _ = try house.access.editPerson(
            "cid",
            PersonEdit { ($0.role, $0.scope, $0.isDisabled, $0.clearsTOTP) = (.operator, .only("shop"), false, true) },
            by: .admin
        )
        #expect(throws: Never.self) { try accept(invitation.token, in: house) }
    }

    // MARK: For who has a password

    @Test func whoForgotTheirPasswordKeepsItUntilTheLinkIsUsed() throws {
        let house = try house()
        let old = try house.access.signIn("bob")
        let token = try house.access.createToken(name: "laptop", role: nil, scope: nil, expiresAt: nil, by: house.access.caller(old))
        let first = try renew("bob", in: house)
        let invitation = try renew("bob", in: house)
        #expect(try person("bob", in: house).hasPassword && person("bob", in: house).invitedUntil == invitation.expiresAt)
        #expect(throws: Never.self) { try house.access.signIn("bob", from: "198.51.100.1") }
        #expect(try house.access.session(old.secret) != nil)
        #expect(word { _ = try accept(first.token, in: house) } == "invitation")

        let session = try accept(invitation.token, in: house)
        #expect(word { _ = try house.access.signIn("bob", from: "198.51.100.1") } == "wrong_credentials")
        #expect(try house.access.session(old.secret) == nil)
        #expect(try house.access.session(session.secret) != nil)
        #expect(word { _ = try house.access.caller(bearing: token) } == "unauthenticated")
    }

    @Test func theSessionThatTheBrowserHadEnds() throws {
        let house = try house()
        let ann = try house.access.signIn("ann")
        let invitation = try invite("cid", in: house)
        func accept(_ token: String) throws {
            _ = try house.access.acceptInvitation(token, password: Self.chosen, totp: nil, replacing: ann.secret, from: .from("192.0.2.7"))
        }
        #expect(word { try accept("x") } == "invitation")
        #expect(try house.access.session(ann.secret) != nil)
        try accept(invitation.token)
        #expect(try house.access.session(ann.secret) == nil)
    }

    /// A link alone does not open what takes a second factor; wrong codes are slowed down, from wherever they come.
    @Test func theSecondFactorIsStillAskedFor() throws {
        let house = try house()
        let access = house.people()
        let session = try access.signIn("bob")
        let started = try access.startTOTP(session.signedIn, environment: "", from: .console)
        func code() throws -> String {
            TOTP(secret: try Base32Reader.decode(started.secret)).text(
                step: TOTP.step(atSeconds: house.clock.now.milliseconds / 1_000)
            )
        }
        let recovery = try access.confirmTOTP(session.signedIn, code: code(), from: .console)
        house.clock.advance(seconds: 60)
        let invitation = try renew("bob", in: house)
        func accept(_ totp: String?, from address: String = "192.0.2.7") throws -> NewSession {
            try access.acceptInvitation(invitation.token, password: Self.chosen, totp: totp, from: .from(address))
        }
        for totp in [nil, "", " "] {
            #expect(refusal { _ = try accept(totp) }.map { "\($0.code) \($0.word)" } == "unauthenticated totp_required")
        }
        for number in 1...5 { #expect(word { _ = try accept("00000\(number)", from: "198.51.100.\(number)") } == "wrong_totp") }
        #expect(word { _ = try accept(code(), from: "198.51.100.99") } == "too_many_tries")
        // Nobody's signing in waits for it.
        #expect(throws: Never.self) { try access.signIn("bob", code()) }
        house.clock.advance(seconds: 60)
        _ = try accept(recovery[0])
        #expect(word { _ = try access.signIn("bob", password: Self.chosen) } == "totp_required")
    }

    // MARK: Who may invite whom

    @Test func nobodyInvitesFurtherThanTheyReachOrThemselves() throws {
        let house = try house()
        try house.addPerson("sam", .admin, .only("shop"))
        let sam = house.access.caller(try house.access.signIn("sam"))
        #expect(word { _ = try house.access.invitePerson(name: "eve", role: .viewer, scope: .all, by: sam) } == "forbidden")
        #expect(word { _ = try house.access.invitePerson("bob", by: sam) } == "forbidden")
        #expect(word { _ = try house.access.invitePerson("nobody", by: sam) } == "user_not_found")
        #expect(word { _ = try house.access.invitePerson("sam", by: sam) } == "own_password")
        let bob = house.access.caller(try house.access.signIn("bob"))
        #expect(word { _ = try house.access.invitePerson("sam", by: bob) } == "forbidden")
        // Nor does an operator invite whom they do reach.
        try house.addPerson("vic", .viewer)
        #expect(word { _ = try house.access.invitePerson("vic", by: bob) } == "forbidden")
        _ = try house.access.editPerson("bob", PersonEdit { $0.isDisabled = true }, by: .admin)
        let error = try refusal { _ = try house.access.invitePerson("bob", by: .admin) }.unwrapped()
        #expect((error.code, error.word) == (.conflict, "user_disabled"))
        #expect(word { _ = try house.access.invitePerson(name: "BOB", role: .viewer, scope: .all, by: .admin) } == "exists")
        #expect(word { _ = try house.access.invitePerson(name: "b b", role: .viewer, scope: .all, by: .admin) } == "invalid_username")
    }

    /// Who made the link may still have it, and was not to reach what the person came to do since.
    @Test func aLinkDoesNotReachWhatItsPersonCameToReachLater() throws {
        let house = try house()
        try house.addPerson("sam", .admin, .only("shop"))
        let sam = house.access.caller(try house.access.signIn("sam"))
        let invitation = try invite("cid", in: house, .viewer, .only("shop"), by: sam)
        _ = try house.access.editPerson("cid", PersonEdit { ($0.role, $0.scope) = (.admin, .all) }, by: .admin)
        #expect(word { _ = try accept(invitation.token, in: house) } == "invitation")
    }

    /// Somebody who has not come yet does not let people in.
    @Test func whoHasNoPasswordIsNotTheAdministratorWhoStays() throws {
        let house = try house()
        let invitation = try invite("cid", in: house, .admin)
        #expect(word { try house.access.deletePerson("ann", by: .admin) } == "last_administrator")
        _ = try accept(invitation.token, in: house)
        #expect(throws: Never.self) { try house.access.deletePerson("ann", by: .admin) }
    }

    // MARK: Races

    @Test(arguments: ["disabled", "deleted", "password", "console", "renewed", "used", "expired"])
    func nothingIsSetByALinkThatWasOvertaken(what: String) throws {
        let house = try house()
        let invitation = try invite("cid", in: house)
        let once = Once()
        let slow = house.people {
            once.run {
                switch what {
                case "disabled": _ = try house.access.editPerson("cid", PersonEdit { $0.isDisabled = true }, by: .admin)
                case "deleted": try house.access.deletePerson("cid", by: .admin)
                case "password": _ = try house.access.editPerson("cid", PersonEdit { $0.password = House.password }, by: .admin)
                case "console": try house.access.resetPassword(username: "cid", password: House.password, clearTOTP: false, from: .console)
                case "renewed": _ = try house.access.invitePerson("cid", by: .admin)
                case "used":
                    _ = try house.access.acceptInvitation(
                        invitation.token,
                        password: House.password,
                        totp: nil,
                        from: .from("198.51.100.1")
                    )
                default: house.clock.advance(seconds: Invitation.lifetime)
                }
            }
        }
        let error = try refusal {
            _ = try slow.acceptInvitation(invitation.token, password: Self.chosen, totp: nil, from: .from("192.0.2.7"))
        }.unwrapped()
        #expect(once.hasRun && once.failure == nil, "\(once.failure ?? "")")
        #expect((error.code, error.word) == (.forbidden, "invitation"))
        let store = try house.ledger.store.unwrapped()
        guard let cid = try store.user(named: "cid") else { return #expect(what == "deleted") }
        #expect(try !cid.passwordHash.verifies(Self.chosen))
        #expect(try store.sessions(of: cid.id).allSatisfy { $0.address == "198.51.100.1" })
    }

    /// Whoever set a second factor up meanwhile, in a browser that was still signed in, is not passed by.
    @Test func aSecondFactorThatCameMeanwhileIsNotPassedBy() throws {
        let house = try house()
        let people = house.people()
        let session = try people.signIn("bob")
        let started = try people.startTOTP(session.signedIn, environment: "", from: .console)
        let step = TOTP.step(atSeconds: house.clock.now.milliseconds / 1_000)
        let code = TOTP(secret: try Base32Reader.decode(started.secret)).text(step: step)
        let invitation = try renew("bob", in: house)
        let once = Once()
        let slow = house.people { once.run { _ = try people.confirmTOTP(session.signedIn, code: code, from: .console) } }
        #expect(
            word { _ = try slow.acceptInvitation(invitation.token, password: Self.chosen, totp: nil, from: .from("192.0.2.7")) }
                == "invitation"
        )
        #expect(once.hasRun && once.failure == nil, "\(once.failure ?? "")")
        let bob = try house.ledger.store.unwrapped().user(named: "bob").unwrapped()
        #expect(try bob.totpSecret != nil && bob.passwordHash.verifies(House.password))
        #expect(try people.session(session.secret) != nil)
    }

    /// An administrator of one app, while the person whom they invite comes to reach further, or is kept out.
    @Test(arguments: [("all apps", "forbidden"), ("disabled", "user_disabled"), ("deleted", "user_not_found")])
    func nobodyIsInvitedWhoIsOutOfReachByThen(what: String, refusal: String) throws {
        let house = try house()
        try house.addPerson("sam", .admin, .only("shop"))
        try house.addPerson("cid", .viewer, .only("shop"))
        let sam = house.access.caller(try house.access.signIn("sam"))
        let once = Once()
        let slow = house.people {
            once.run {
                switch what {
                case "all apps": _ = try house.access.editPerson("cid", PersonEdit { $0.scope = .all }, by: .admin)
                case "disabled": _ = try house.access.editPerson("cid", PersonEdit { $0.isDisabled = true }, by: .admin)
                default: try house.access.deletePerson("cid", by: .admin)
                }
            }
        }
        #expect(word { _ = try slow.invitePerson("cid", by: sam) } == refusal)
        #expect(once.hasRun && once.failure == nil, "\(once.failure ?? "")")
        #expect(try house.access.listPeople().allSatisfy { $0.invitedUntil == nil })
        #expect(try house.audit().allSatisfy { $0.action != "people.invite" })
    }

    /// Of many that bring it at once one is in, and the password is theirs.
    @Test func ofManyAtOnceOneIsIn() throws {
        let house = try house()
        let invitation = try invite("cid", in: house)
        let won = Mutex<[Int]>([])
        let refused = Mutex<[String?]>([])
        // More than two at once are sent away busy; here nobody is to be.
        let doors = (0..<4).map { _ in house.people() }
        DispatchQueue.concurrentPerform(iterations: 4) { number in
            do {
                _ = try doors[number].acceptInvitation(
                    invitation.token,
                    password: "pass phrase number \(number)",
                    totp: nil,
                    from: .from("192.0.2.\(number)")
                )
                won.withLock { $0.append(number) }
            } catch { refused.withLock { $0.append((error as? ServiceError)?.word) } }
        }
        let winner = try won.withLock { $0.count == 1 ? $0[0] : nil }.unwrapped()
        #expect(refused.withLock { $0 } == ["invitation", "invitation", "invitation"])
        #expect(throws: Never.self) { try house.access.signIn("cid", password: "pass phrase number \(winner)") }
    }

    // MARK: Guessing

    @Test func aNetworkTriesTwentyTimesInTenMinutesAndKeepsNobodyFromSigningIn() throws {
        let house = try house()
        let invitation = try invite("cid", in: house)
        for _ in 0..<20 { #expect(word { _ = try accept("x", in: house) } == "invitation") }
        let error = try refusal { _ = try accept(invitation.token, in: house) }.unwrapped()
        #expect((error.code, error.word, error.retryAfter) == (.tooMany, "too_many_tries", 600))
        #expect(throws: Never.self) { try house.access.signIn("bob") }
        #expect(throws: Never.self) { try house.access.signIn("ann") }
        // Nor anybody elsewhere from using theirs; and here it goes on when the time is over, after a restart too.
        let other = try invite("dora", in: house)
        #expect(throws: Never.self) { try accept(other.token, in: house, from: "198.51.100.1") }
        try house.close()
        let again = try House(again: house)
        #expect(word { _ = try accept(invitation.token, in: again) } == "too_many_tries")
        house.clock.advance(seconds: 600)
        #expect(throws: Never.self) { try accept(invitation.token, in: again) }
        try again.close()
    }

    @Test func aSiteOfManyNetworksIsCountedTooAndWrongPasswordsDoNotCountHere() throws {
        let house = try house()
        let invitation = try invite("cid", in: house)
        for number in 0..<40 { #expect(word { _ = try accept("x", in: house, from: "2001:db8:1:\(number)::1") } == "invitation") }
        #expect(word { _ = try accept(invitation.token, in: house, from: "2001:db8:1:ffff::1") } == "too_many_tries")
        for _ in 0..<20 { _ = word { _ = try house.access.signIn("ann", password: "wrong") } }
        #expect(throws: Never.self) { try accept(invitation.token, in: house) }
    }

    // MARK: What is kept of it

    @Test(.onSQLite) func eachStepIsInTheAuditAndNoSecretWithIt() throws {
        let house = try house()
        let caller = house.access.caller(try house.access.signIn("ann"))
        let first = try invite("cid", in: house, .viewer, .only("shop"), by: caller)
        let second = try renew("cid", in: house, by: caller)
        _ = word { _ = try accept(first.token, in: house) }
        _ = try accept(second.token, in: house)
        house.access.writeRefusals(all: true)
        let entries = try house.audit().suffix(5)
        let told = Set(entries.map { "\($0.action) \($0.outcome.rawValue) \($0.actor?.name ?? "-") \($0.subject ?? "-")" })
        #expect(
            told == [
                "people.create succeeded ann cid", "people.invite succeeded ann cid", "people.accept refused - -",
                "people.accept succeeded cid cid",
                "session.create succeeded cid cid",
            ]
        )
        let details = entries.map { $0.detail.map { JSONValue.object($0).text } ?? "" }.joined(separator: "\n")
        #expect(details.contains(#"{"role":"viewer","apps":["shop"],"invitedUntil":"\#(first.expiresAt)"}"#))
        #expect(details.contains(#"{"invitedUntil":"\#(second.expiresAt)","replaced":true}"#))
        #expect(details.contains(#""code":"invitation""#))

        let files = try ["gatehouse.sqlite", "gatehouse.sqlite-wal"].map { try Array(Files.bytes(house.folder + "/" + $0)) }
        for secret in [first.token, second.token, Self.chosen] {
            #expect(!files.contains { Files.contains($0, secret) } && !details.contains(secret))
        }
        // The search finds what is there.
        #expect(files.contains { Files.contains($0, "people.accept") })
    }

    /// Administrators see whose link is being tried out when it is known.
    @Test func theAuditNamesWhoseLinkWasRefused() throws {
        let house = try house()
        let invitation = try invite("cid", in: house)
        house.clock.advance(seconds: Invitation.lifetime)
        #expect(word { _ = try accept(invitation.token, in: house) } == "invitation")
        #expect(word { _ = try accept(RandomSource.system.secret(), in: house) } == "invitation")
        let refused = try house.audit().filter { $0.action == "people.accept" }
        #expect(Set(refused.map { "\($0.outcome.rawValue) \($0.subject ?? "-")" }) == ["refused cid", "refused -"])
    }

    @Test func itOutlivesARestart() throws {
        let house = try house()
        let invitation = try invite("cid", in: house)
        try house.close()
        let again = try House(again: house)
        #expect(throws: Never.self) { try accept(invitation.token, in: again) }
        try again.close()
    }

    /// Nobody can tell from the time that an answer takes, or from its words, who has not come yet.
    @Test func whoHasNoPasswordIsRefusedAsAWrongPasswordIs() throws {
        let house = try house()
        _ = try invite("cid", in: house)
        let missing = try refusal { _ = try house.access.signIn("cid", password: "", from: "198.51.100.1") }.unwrapped()
        let wrong = try refusal { _ = try house.access.signIn("bob", password: "", from: "198.51.100.2") }.unwrapped()
        #expect((missing.code, missing.word, missing.detail) == (wrong.code, wrong.word, wrong.detail))
        let dear = PasswordHash.Cost(operations: 4, memoryBytes: 33_554_432)
        let clock = ContinuousClock()
        let door = house.people(cost: dear)
        let time = clock.measure { _ = word { _ = try door.signIn("cid", password: "a long pass phrase", from: "198.51.100.3") } }
        // What a hash costs is the least of some: whatever else the machine does makes one seem dearer.
        let hash = (0..<5).map { _ in clock.measure { _ = try? PasswordHash(of: "x", cost: dear) } }.min() ?? .zero
        #expect(time > hash / 4, "a hash was looked at")
    }
}
