import GateModel
import GateTesting
import Testing

@testable import GateService

@Suite struct IdempotencyTests {
    private func key(_ key: String, _ body: String = "body") -> IdempotencyKey { IdempotencyKey(key: key, request: Array(body.utf8)) }

    @Test func theSameKeyGivesTheFirstAnswerByteForByte() throws {
        let house = try House()
        try house.add("shop", "ios")
        let command = try Command.set([("shop/ios", 1)], Rules.kill)
        let first = try house.answer(command, key: key("k"))
        house.clock.advance(seconds: 3_600)
        try house.set("shop/ios", to: Rules.open)
        #expect(try house.answer(command, key: key("k")) == first)
        #expect(house.ledger.sequence == 4)

        try house.close()
        let again = try House(again: house)
        #expect(try again.answer(command, key: key("k")) == first)
    }

    @Test func anotherBodyUnderTheSameKeyIsRefused() throws {
        let house = try House()
        try house.add("shop", "ios")
        _ = try house.answer(.set([("shop/ios", 1)], Rules.kill), key: key("k"))
        let error = try refusal { _ = try house.answer(.set([("shop/ios", 2)], Rules.open), key: key("k", "other")) }.unwrapped()
        #expect((error.code, error.word) == (.idempotencyKeyReused, "idempotency_key_reused"))
        #expect(house.ledger.sequence == 3)
    }

    @Test func aKeyMeansNothingToAnotherActor() throws {
        let house = try House()
        try house.add("shop", "ios")
        _ = try house.answer(.set([("shop/ios", 1)], Rules.kill), key: key("k"))
        #expect(try house.submit(.set([("shop/ios", 2)], Rules.open), by: .operator, key: key("k", "other")).change != nil)
    }

    /// Names are for people: tokens may share one, and a person's may be given to the next.
    @Test func equalNamesShareNoKeys() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.addPerson("ann")
        let callers = try ["ci", "ci"].map { name in
            try house.access.caller(
                token: house.access.createToken(name: name, role: .operator, scope: .all, createdBy: "ann", from: .console),
                source: .api,
                requestId: "r",
                address: "192.0.2.7"
            )
        }
        #expect(callers[0].actor.name == callers[1].actor.name)
        _ = try house.answer(.set([("shop/ios", 1)], Rules.kill), by: callers[0], key: key("k"))
        #expect(try house.submit(.set([("shop/ios", 2)], Rules.open), by: callers[1], key: key("k", "other")).change != nil)
        // Each goes on having its own.
        #expect(
            word { _ = try house.answer(.set([("shop/ios", 3)], Rules.kill), by: callers[0], key: key("k", "other")) }
                == "idempotency_key_reused"
        )

        func signIn() throws -> Caller {
            try house.addPerson("bob", .operator)
            return house.access.caller(try house.access.signIn("bob"))
        }
        let first = try signIn()
        _ = try house.answer(.set([("shop/ios", 3)], Rules.kill), by: first, key: key("p"))
        try house.access.deletePerson("bob", by: .admin)
        let second = try signIn()
        #expect(first.actor == second.actor)
        #expect(try house.submit(.set([("shop/ios", 4)], Rules.open), by: second, key: key("p", "other")).change != nil)
    }

    @Test func aDryRunDoesNotUseTheKeyUp() throws {
        let house = try House()
        try house.add("shop", "ios")
        let command = try Command.set([("shop/ios", 1)], Rules.kill)
        _ = try house.answer(command, WriteTerms(dryRun: true), key: key("k", "dry"))
        #expect(try house.submit(command, key: key("k")).change != nil)
        // And after the change it is still a trial, not the kept answer.
        #expect(word { _ = try house.answer(command, WriteTerms(dryRun: true), key: key("k")) } == "stale_revision")
    }

    @Test func aRefusalDoesNotUseTheKeyUp() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(word { _ = try house.answer(.set([("shop/ios", 9)], Rules.kill), key: key("k", "stale")) } == "stale_revision")
        #expect(try house.submit(.set([("shop/ios", 1)], Rules.kill), key: key("k")).change != nil)
    }

    /// Else the second of two equal requests could do what the first did not.
    @Test func anAnswerThatNothingChangedIsRepeatedToo() throws {
        let house = try House()
        try house.add("shop", "ios")
        let command = try Command.set([("shop/ios", 1)], Rules.open)
        let first = try house.answer(command, key: key("k"))
        try house.set("shop/ios", to: Rules.kill)
        #expect(try house.answer(command, key: key("k")) == first)
        #expect(try house.target("shop/ios").gate.killSwitch != nil)
        #expect(word { _ = try house.answer(command, key: key("k", "other")) } == "idempotency_key_reused")
    }

    @Test func aKeyIsForgottenAfterADay() throws {
        let house = try House()
        try house.add("shop", "ios")
        _ = try house.answer(.set([("shop/ios", 1)], Rules.kill), key: key("k"))
        house.clock.advance(seconds: 86_399)
        #expect(word { _ = try house.answer(.set([("shop/ios", 2)], Rules.open), key: key("k", "other")) } == "idempotency_key_reused")
        house.clock.advance(seconds: 2)
        #expect(try house.submit(.set([("shop/ios", 2)], Rules.open), key: key("k", "other")).change != nil)
    }

    /// Who may not write any more is told so, and not what was once done.
    @Test func aKeptAnswerIsNotForSomebodyWithoutTheRole() throws {
        let house = try House()
        try house.add("shop", "ios")
        let command = try Command.set([("shop/ios", 1)], Rules.kill)
        _ = try house.answer(command, by: .named("otto", .operator), key: key("k"))
        #expect(word { _ = try house.answer(command, by: .named("otto", .viewer), key: key("k")) } == "forbidden")
    }
}
