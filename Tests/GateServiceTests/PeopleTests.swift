import GateCrypto
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

@Suite struct PeopleTests {
    /// ann and bob are administrators, sam one of the app shop only; otto is an operator, vera a viewer.
    private func house() throws -> House {
        let house = try House()
        try house.addPerson("ann")
        try house.addPerson("bob")
        try house.addPerson("sam", .admin, .only("shop"))
        try house.addPerson("otto", .operator)
        try house.addPerson("vera", .viewer)
        return house
    }

    @Test func peopleAreListedByNameAndFoundByNameOrId() throws {
        let house = try house()
        let people = try house.access.listPeople()
        #expect(people.map(\.name) == ["ann", "bob", "otto", "sam", "vera"])
        let vera = try people.last.unwrapped()
        #expect(try house.access.editPerson("VERA", PersonEdit(), by: .admin) == vera)
        #expect(try house.access.editPerson(String(vera.id), PersonEdit(), by: .admin) == vera)
        for name in ["eve", "99", "", "999999999999999999999"] {
            #expect(word { _ = try house.access.editPerson(name, PersonEdit(), by: .admin) } == "user_not_found")
        }
    }

    /// A name of digits could be another's id.
    @Test func aNumberIsNoName() throws {
        let house = try house()
        let error = try refusal { try house.addPerson("42") }.unwrapped()
        #expect((error.word, error.field) == ("invalid_username", "/username"))
        #expect(throws: Never.self) { try house.addPerson("42a") }
    }

    @Test func aNameIsThereOnce() throws {
        let house = try house()
        let error = try refusal { try house.addPerson("OTTO") }.unwrapped()
        #expect((error.code, error.word, error.field) == (.exists, "exists", "/username"))
    }

    /// The last administrator of all apps who can sign in stays one, whichever way it is tried, and whoever tries.
    @Test func theLastAdministratorStays() throws {
        let house = try house()
        let ways: [(String, (Caller) throws -> Void)] = [
            ("delete", { try house.access.deletePerson("ann", by: $0) }),
            ("disable", { _ = try house.access.editPerson("ann", PersonEdit { $0.isDisabled = true }, by: $0) }),
            ("demote", { _ = try house.access.editPerson("ann", PersonEdit { $0.role = .operator }, by: $0) }),
            ("narrow", { _ = try house.access.editPerson("ann", PersonEdit { $0.scope = .only("shop") }, by: $0) }),
        ]
        _ = try house.access.editPerson("bob", PersonEdit { $0.isDisabled = true }, by: .admin)
        let before = try house.access.listPeople()
        let session = try house.access.signIn("ann")
        for (name, way) in ways {
            for caller in [Caller.admin, house.access.caller(session)] {
                let error = refusal { try way(caller) }
                #expect((error?.code, error?.word) == (.conflict, "last_administrator"), "\(name)")
            }
        }
        #expect(try house.access.listPeople() == before)
        #expect(try house.access.session(session.secret) != nil, "what was refused ends no session")
        _ = try house.access.editPerson("bob", PersonEdit { $0.isDisabled = false }, by: .admin)
        #expect(throws: Never.self) { try ways[0].1(.admin) }
    }

    /// Nobody gives, changes or takes away more than they have.
    @Test func anAdministratorOfSomeAppsReachesNoFurther() throws {
        let house = try house()
        try house.addPerson("olga", .operator, .only("shop"))
        let sam = house.access.caller(try house.access.signIn("sam"))
        let refused: [(String, () throws -> Void)] = [
            (
                "an administrator of all",
                { _ = try house.access.createPerson(name: "x", role: .admin, scope: .all, password: House.password, by: sam) }
            ),
            (
                "a viewer of all",
                { _ = try house.access.createPerson(name: "x", role: .viewer, scope: .all, password: House.password, by: sam) }
            ),
            (
                "an operator of another app",
                {
                    _ = try house.access.createPerson(
                        name: "x",
                        role: .operator,
                        scope: .only("shop", "bank"),
                        password: House.password,
                        by: sam
                    )
                }
            ),
            ("himself", { _ = try house.access.editPerson("sam", PersonEdit { $0.scope = .all }, by: sam) }),
            ("another's scope", { _ = try house.access.editPerson("olga", PersonEdit { $0.scope = .only("bank") }, by: sam) }),
            (
                "another's password",
                { _ = try house.access.editPerson("ann", PersonEdit { $0.password = "another long pass phrase" }, by: sam) }
            ),
            (
                "an administrator of all made smaller",
                {
                    _ = try house.access.editPerson("ann", PersonEdit { ($0.role, $0.scope) = (.viewer, .only("shop")) }, by: sam)
                }
            ),
            ("an administrator of all kept out", { _ = try house.access.editPerson("ann", PersonEdit { $0.isDisabled = true }, by: sam) }),
            ("a person of all apps", { try house.access.deletePerson("vera", by: sam) }),
            ("a token", { _ = try house.access.createToken(name: "x", role: .viewer, scope: .all, expiresAt: nil, by: sam) }),
        ]
        for (name, way) in refused { #expect(word { try way() } == "forbidden", "\(name)") }
        #expect(throws: Never.self) {
            try house.access.createPerson(name: "x", role: .admin, scope: .only("shop"), password: House.password, by: sam)
        }
        #expect(throws: Never.self) { try house.access.editPerson("olga", PersonEdit { $0.role = .viewer }, by: sam) }
        #expect(throws: Never.self) { try house.access.deletePerson("olga", by: sam) }
    }

    @Test func nobodyBelowAnAdministratorTouchesPeople() throws {
        let house = try house()
        for name in ["otto", "vera"] {
            let caller = house.access.caller(try house.access.signIn(name))
            #expect(
                word { _ = try house.access.createPerson(name: "x", role: .viewer, scope: .all, password: House.password, by: caller) }
                    == "forbidden"
            )
            #expect(word { _ = try house.access.editPerson(name, PersonEdit { $0.role = .admin }, by: caller) } == "forbidden")
            #expect(word { try house.access.deletePerson("vera", by: caller) } == "forbidden")
        }
    }

    /// R34: what a signed-in browser may do does not outlast its reason.
    @Test func aPersonsSessionsEndWhenTheirRightsOrPasswordChange() throws {
        let house = try house()
        let edits: [(String, PersonEdit)] = [
            ("role", PersonEdit { $0.role = .viewer }), ("apps", PersonEdit { $0.scope = .only("shop") }),
            ("password", PersonEdit { $0.password = "another long pass phrase" }),
            ("disabled", PersonEdit { $0.isDisabled = true }),
        ]
        for (name, edit) in edits {
            let password = try house.audit().contains { $0.detail?["password"] != nil } ? "another long pass phrase" : House.password
            let session = try house.access.signIn("otto", password: password)
            let others = try house.access.signIn("vera")
            _ = try house.access.editPerson("otto", edit, by: .admin)
            #expect(try house.access.session(session.secret) == nil, "\(name)")
            #expect(try house.access.session(others.secret) != nil, "\(name)")
        }
        #expect(word { _ = try house.access.signIn("otto", password: "another long pass phrase") } == "wrong_credentials")
    }

    @Test func whatChangesNothingIsNotToldOfAndEndsNoSession() throws {
        let house = try house()
        let session = try house.access.signIn("otto")
        let before = try house.audit().count
        _ = try house.access.editPerson(
            "otto",
            PersonEdit {
                $0.role = .operator
                $0.scope = .all
                $0.isDisabled = false
                $0.clearsTOTP = true
            },
            by: .admin
        )
        #expect(try house.audit().count == before)
        #expect(try house.access.session(session.secret) != nil)
    }

    @Test func onesOwnPasswordIsNotChangedWithoutTheOldOne() throws {
        let house = try house()
        let session = try house.access.signIn("ann")
        let token = try house.access.createToken(name: "ci", role: nil, scope: nil, expiresAt: nil, by: house.access.caller(session))
        for caller in [house.access.caller(session), try house.access.caller(bearing: token)] {
            #expect(
                word { _ = try house.access.editPerson("ann", PersonEdit { $0.password = "another long pass phrase" }, by: caller) }
                    == "own_password"
            )
            #expect(word { _ = try house.access.editPerson("ann", PersonEdit { $0.clearsTOTP = true }, by: caller) } == "own_password")
            #expect(throws: Never.self) {
                try house.access.editPerson("otto", PersonEdit { $0.password = "another long pass phrase" }, by: caller)
            }
        }
    }

    @Test func everythingAboutPeopleIsInTheAuditWithBeforeAndAfterAndNoSecret() throws {
        let house = try house()
        let caller = house.access.caller(try house.access.signIn("ann"))
        _ = try house.access.editPerson(
            "otto",
            PersonEdit {
                $0.role = .viewer
                $0.scope = .only("shop")
                $0.password = "another long pass phrase"
            },
            by: caller
        )
        try house.access.deletePerson("otto", by: caller)
        let entries = try house.audit().suffix(2)
        #expect(entries.map(\.action) == ["people.update", "people.delete"])
        #expect(entries.allSatisfy { $0.actor == caller.actor && $0.subject == "otto" && $0.address == "192.0.2.7" && $0.requestId == "r" })
        #expect(
            entries.first?.detail.map { JSONValue.object($0).text }
                == #"{"role":{"before":"operator","after":"viewer"},"apps":{"before":null,"after":["shop"]},"password":"changed","tokens":"revoked"}"#
        )
    }

    /// A sign-in that makes a hash anew must not bring back whom an administrator has kept out meanwhile.
    @Test func anEditSeesThePersonAsTheyAreWhenItIsWritten() throws {
        let house = try house()
        let store = try house.ledger.store.unwrapped()
        let stale = try store.user(named: "otto").unwrapped()
        _ = try house.access.editPerson("otto", PersonEdit { $0.isDisabled = true }, by: .admin)
        let entry = AuditEntry(at: house.clock.now, actor: nil, action: "test", requestId: "r")
        let after = try store.editUser(id: stale.id) { user in
            user.passwordHash = stale.passwordHash
            return entry
        }
        #expect(after.disabled)
        #expect(try store.user(named: "otto")?.disabled == true)
    }
}
