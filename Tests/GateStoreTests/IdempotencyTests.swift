import GRDB
import GateCrypto
import GateModel
import Testing

@testable import GateStore

@Suite struct IdempotencyTests {
    private func record(
        _ scratch: Scratch,
        actor: String = "user:ann",
        key: String = "k1",
        body: [UInt8] = Array("{\"changed\":true}".utf8)
    ) -> IdempotencyRecord {
        IdempotencyRecord(
            actor: actor,
            key: key,
            requestDigest: SHA256Digest(of: "request"),
            status: 200,
            body: body,
            at: scratch.clock.now
        )
    }

    @Test func theFirstAnswerIsKeptForADayPerActor() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let first = record(scratch)
        try store.saveIdempotency(first)
        #expect(try store.idempotencyRecord(actor: "user:ann", key: "k1") == first)
        #expect(try store.idempotencyRecord(actor: "token:ann", key: "k1") == nil)
        #expect(try store.idempotencyRecord(actor: "user:ann", key: "K1") == nil)
        scratch.clock.advance(seconds: 86_399)
        #expect(try store.idempotencyRecord(actor: "user:ann", key: "k1") == first)
        scratch.clock.advance(seconds: 1)
        #expect(try store.idempotencyRecord(actor: "user:ann", key: "k1") == nil)
    }

    @Test func aKeyIsTakenOnceAndFreeAgainAfterADay() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        try store.saveIdempotency(record(scratch))
        #expect(code { try store.saveIdempotency(record(scratch)) } == .duplicate)
        try store.saveIdempotency(record(scratch, actor: "user:ben"))
        try store.saveIdempotency(record(scratch, key: "k2", body: []))
        scratch.clock.advance(seconds: 86_400)
        let again = record(scratch)
        try store.saveIdempotency(again)
        #expect(try store.idempotencyRecord(actor: "user:ann", key: "k1") == again)
    }

    @Test func whatHasExpiredIsRemovedByTheNextWrite() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        for number in 1...20 { try store.saveIdempotency(record(scratch, key: "k\(number)")) }
        scratch.clock.advance(seconds: 90_000)
        try store.saveIdempotency(record(scratch))
        #expect(try store.read("x") { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM idempotency_records") } == 1)
    }

    @Test func aChangeWhoseKeyWasUsedMeanwhileIsNotWritten() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let before = world
        let commit = world.set([.shopIOS: .open]).with(record(scratch))
        try store.saveIdempotency(record(scratch))
        #expect(code { try store.commit(commit) } == .duplicate)
        #expect(try store.loadState() == before.state)
    }

    @Test func recordAndChangeSurviveTogether() throws {
        let scratch = try Scratch()
        let kept = record(scratch, body: (0...255).map { UInt8($0) })
        let world = try scratch.store().closing { store in
            var world = try store.fill()
            try store.commit(world.set([.shopIOS: .open]).with(kept))
            return world
        }
        let store = try scratch.store()
        #expect(try store.idempotencyRecord(actor: kept.actor, key: kept.key) == kept)
        #expect(try store.loadState() == world.state)
    }
}
