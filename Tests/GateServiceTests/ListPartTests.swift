import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// Lists of people and tokens are read in parts: there may be a thousand people with two hundred tokens each, and every row names apps.
@Suite struct ListPartTests {
    /// Ann and bob, each with tokens that name more and more apps.
    private func house() throws -> House {
        let house = try House()
        for (name, role) in [("ann", Role.admin), ("bob", .viewer)] {
            try house.addPerson(name, role)
            for number in 1...4 {
                house.clock.advance(seconds: 1)
                let apps = try (1...number).map { try AppKey(validating: "app-\($0)") }
                _ = try house.access.createToken(
                    name: "\(name) \(number)",
                    role: .viewer,
                    scope: .only(Set(apps)),
                    expiresAt: nil,
                    by: house.access.caller(house.access.signIn(name))
                )
            }
        }
        return house
    }

    private func word(_ work: () throws(ServiceError) -> Void) -> String? {
        do throws(ServiceError) { try work() } catch { return "\(error.word) \(error.field ?? "-")" }
        return nil
    }

    @Test func aListIsTheSameInPartsOfAnySize() throws {
        let house = try house()
        let bob = house.access.caller(try house.access.signIn("bob"))
        for caller in [Caller.admin, bob] {
            let all = try house.access.tokens(for: caller)
            for limit in 1...all.count {
                var (found, last): ([ListedToken], String?) = ([], nil)
                while case let part = try house.access.tokens(for: caller, ListPart(after: last, limit: limit)), !part.isEmpty {
                    #expect(part.count <= limit)
                    found += part
                    last = part.last?.id
                }
                #expect(found == all)
            }
        }
        let people = try house.access.listPeople()
        #expect(people.map(\.name) == ["ann", "bob"])
        #expect(try house.access.listPeople(ListPart(limit: 1)) == [people[0]])
        #expect(try house.access.listPeople(ListPart(after: people[0].id)) == [people[1]])
        #expect(try house.access.listPeople(ListPart(after: people[1].id)).isEmpty)
    }

    /// A part ends with the item with which the apps have more bytes than asked for: what does not fit into an answer is not even read.
    @Test(arguments: [(bytes: 0, tokens: 1), (32, 1), (33, 2), (57, 2), (58, 3), (1_000, 8)])
    func aPartHasOnlySoManyBytes(bytes: Int, tokens: Int) throws {
        let house = try house()
        // The newest name four apps, three and so on: 33 bytes, then 25.
        #expect(try house.access.tokens(for: .admin, ListPart(bytes: bytes)).count == tokens)
    }

    @Test func whatTheCallerDoesNotSeeIsNoPlaceInTheirList() throws {
        let house = try house()
        let store = try house.ledger.store.unwrapped()
        let bob = house.access.caller(try house.access.signIn("bob"))
        let anns = try house.access.tokens(for: .admin).first { $0.owner == "ann" }.unwrapped()
        let own = try house.access.tokens(for: bob).first.unwrapped()
        #expect(own.owner == "bob")
        let refusal = "malformed cursor"
        #expect(word { () throws(ServiceError) in _ = try house.access.tokens(for: bob, ListPart(after: anns.id)) } == refusal)
        #expect(word { () throws(ServiceError) in _ = try house.access.tokens(for: bob, ListPart(after: own.id)) } == nil)
        #expect(word { () throws(ServiceError) in _ = try house.access.tokens(for: .admin, ListPart(after: "nothing1")) } == refusal)
        let gone = try store.user(named: "bob").unwrapped()
        try house.access.deletePerson("bob", by: .admin)
        #expect(word { () throws(ServiceError) in _ = try house.access.listPeople(ListPart(after: gone.id)) } == refusal)
    }

    /// It is the only item of its own list.
    @Test func aTokenSeesItselfAndNothingBehind() throws {
        let house = try house()
        let text = try house.access.createToken(name: "ci", role: .viewer, scope: .all, createdBy: "ann", from: .console)
        let caller = try house.access.caller(token: text, source: .api, requestId: "r", address: "192.0.2.7")
        let listed = try house.access.tokens(for: caller)
        #expect(listed.map(\.name) == ["ci"])
        #expect(try house.access.tokens(for: caller, ListPart(after: listed[0].id)).isEmpty)
        let other = try house.access.tokens(for: .admin).first { $0.name != "ci" }.unwrapped()
        #expect(
            word { () throws(ServiceError) in _ = try house.access.tokens(for: caller, ListPart(after: other.id)) } == "malformed cursor"
        )
    }
}
