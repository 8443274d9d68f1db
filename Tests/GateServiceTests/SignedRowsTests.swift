import Foundation
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// What becomes, in the service's words, of people, tokens and windows that somebody wrote past the server.
@Suite struct SignedRowsTests {
    /// Runs SQL on the database of a house that is closed, and opens it anew.
    private func tampered(_ house: House, _ sql: String) throws -> House {
        try house.close()
        if let server = house.server {
            try server.cluster.run(sql, in: server.name)
            return try House(again: house)
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = [house.folder + "/gatehouse.sqlite", sql]
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return try House(again: house)
    }

    @Test func somebodyWhoWasMadeAnAdministratorIsToldWhatAWrongPasswordIsTold() throws {
        let first = try House()
        try first.addPerson("ann")
        try first.addPerson("ben", .viewer)
        let token = try first.access.createToken(
            name: "x",
            role: nil,
            scope: nil,
            expiresAt: nil,
            by: first.access.caller(first.access.signIn("ben"))
        )
        let session = try first.access.signIn("ben")
        let house = try tampered(first, "UPDATE users SET role = 'admin' WHERE name = 'ben'")
        #expect(word { _ = try house.access.signIn("ben") } == "wrong_credentials")
        #expect(word { _ = try house.access.signIn("ann") } == nil)
        #expect(try house.access.session(session.secret) == nil)
        #expect(word { _ = try house.access.caller(bearing: token) } == "unauthenticated")
        // Administrators see them, as somebody who cannot sign in, and can be rid of them.
        #expect(try house.access.listPeople().first { $0.name == "ben" }?.isDisabled == true)
        var edit = PersonEdit()
        edit.isDisabled = false
        #expect(word { _ = try house.access.editPerson("ben", edit, by: .admin) } == "unsigned_record")
        try house.access.deletePerson("ben", by: .admin)
        #expect(try house.ledger.store.unwrapped().doubts().isEmpty)
    }

    /// Whoever has a link and the database's file does not become more with it than the link was made for.
    @Test func anInvitationOfSomebodyWhoWasMadeAnAdministratorOpensNothing() throws {
        let first = try House()
        try first.addPerson("ann")
        let invitation = try first.access.invitePerson(name: "ben", role: .viewer, scope: .all, by: .admin).invitation.unwrapped()
        let house = try tampered(first, "UPDATE users SET role = 'admin' WHERE name = 'ben'")
        let error = try refusal {
            _ = try house.access.acceptInvitation(invitation.token, password: "what I chose myself", totp: nil, from: .from("192.0.2.7"))
        }.unwrapped()
        #expect((error.code, error.word) == (.forbidden, "invitation"))
        #expect(try house.access.listPeople().first { $0.name == "ben" }?.hasPassword == false)
    }

    @Test func aTokenThatReachesFurtherThanItWasMadeForOpensNothing() throws {
        let first = try House()
        try first.addPerson("ann")
        let token = try first.access.createToken(
            name: "x",
            role: .viewer,
            scope: nil,
            expiresAt: nil,
            by: first.access.caller(first.access.signIn("ann"))
        )
        let house = try tampered(first, "UPDATE tokens SET role = 'admin'")
        #expect(word { _ = try house.access.caller(bearing: token) } == "unauthenticated")
        #expect(try house.access.tokens(for: .admin).map(\.isActive) == [false])
    }

    /// A window that was to show a notice becomes a kill.
    @Test func aWindowThatBecameAKillDoesNotFireAndNobodyRunsIt() throws {
        let first = try House()
        try first.add("shop", "ios")
        try first.make(first.draft("shop/ios", set: #"{"alert":{"message":"Sale.","blocking":false}}"#, in: 60, until: 120))
        try first.make(first.draft("shop/ios", set: #"{"forceUpdate":{"message":"Update."}}"#, in: 90))
        let house = try tampered(
            first,
            #"UPDATE windows SET document = replace(document, '"set":{"alert"', '"set":{"killSwitch":{"message":"x","retryInterval":15},"alert"') WHERE id = 1"#
        )
        house.pass(70)
        #expect(try house.state("shop/ios") == .open)
        #expect(word { _ = try house.run(1) } == "unsigned_record")
        #expect(word { _ = try house.schedule.cancel(1, by: .admin) } == "unsigned_record")
        house.pass(60)
        #expect(try house.state("shop/ios") == .blocked, "the other one is carried out")
        #expect(try house.target("shop/ios").gate.killSwitch == nil)
    }
}
