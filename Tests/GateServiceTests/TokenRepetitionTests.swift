import GateModel
import GateTesting
import Testing

@testable import GateService

/// A token is made once under an Idempotency-Key, and told once.
@Suite struct TokenRepetitionTests {
    private func key(_ key: String, _ body: String = "body") -> IdempotencyKey { IdempotencyKey(key: key, request: Array(body.utf8)) }

    private func make(_ name: String, _ key: IdempotencyKey, by caller: Caller, in house: House) throws(ServiceError) -> NewToken {
        try house.access.createToken(
            name: name,
            role: nil,
            scope: nil,
            expiresAt: nil,
            by: caller,
            repetition: (key, { Answer(status: 409, body: Array("\($0)".utf8)) })
        )
    }

    @Test func aRepetitionIsToldWhichTokenWasMadeAndNotItsText() throws {
        let house = try House()
        try house.addPerson("ann")
        let ann = house.access.caller(try house.access.signIn("ann"))
        #expect(try house.ledger.repeated(key("k"), by: ann) == nil)
        let made = try make("ci", key("k"), by: ann, in: house)
        let kept = try house.ledger.repeated(key("k"), by: ann).unwrapped()
        let text = String(decoding: kept.body, as: UTF8.self)
        #expect(kept.status == 409 && text.contains("token_made") && text.contains(#""ci" (\#(made.listed.id))"#))
        let secret = try made.text.split(separator: "_").last.unwrapped()
        #expect(!text.contains(secret) && !text.contains(made.text))

        let error = try refusal { _ = try house.ledger.repeated(key("k", "other"), by: ann) }.unwrapped()
        #expect((error.code, error.word) == (.idempotencyKeyReused, "idempotency_key_reused"))
        try house.addPerson("bob")
        let bob = house.access.caller(try house.access.signIn("bob"))
        #expect(try house.ledger.repeated(key("k"), by: bob) == nil)
        _ = try make("ci", key("k"), by: bob, in: house)

        house.clock.advance(seconds: 86_401)
        #expect(try house.ledger.repeated(key("k"), by: ann) == nil)
    }

    /// Of two that come at once, neither finds a kept answer when it looks.
    @Test func whoeverIsSecondMakesNothing() throws {
        let house = try House()
        try house.addPerson("ann")
        let ann = house.access.caller(try house.access.signIn("ann"))
        _ = try make("ci", key("k"), by: ann, in: house)
        let entries = try house.audit().count
        #expect(word { _ = try make("ci", key("k"), by: ann, in: house) } == "already_done")
        #expect(try house.access.tokens(for: ann).count == 1)
        #expect(try house.audit().count == entries)
    }

    @Test func whatIsRefusedLeavesTheKeyFree() throws {
        let house = try House()
        try house.addPerson("ann")
        let ann = house.access.caller(try house.access.signIn("ann"))
        #expect(word { _ = try make(" ", key("k"), by: ann, in: house) } == "invalid_name")
        #expect(try house.ledger.repeated(key("k"), by: ann) == nil)
        _ = try make("ci", key("k"), by: ann, in: house)
    }
}
