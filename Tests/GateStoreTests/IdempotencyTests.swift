import GateCrypto
import GateModel
import GateTesting
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
        #expect(try store.read("x") { db in try db.value(Int.self, sql: "SELECT count(*) FROM idempotency_records") } == 1)
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

    // MARK: Bounds

    private func keys(_ store: Store, of actor: String) throws -> [String] {
        try store.read("x") { db in
            try db.values(String.self, sql: "SELECT key FROM idempotency_records WHERE actor = ? ORDER BY at, key", arguments: [actor])
        }
    }

    private func store(_ scratch: Scratch, _ change: (inout IdempotencyRecord.Quota) -> Void) throws -> Store {
        try scratch.store { change(&$0.idempotency) }
    }

    /// Whoever writes more than anybody sane gives up the oldest of their own, and nobody else's.
    @Test func anActorsOldestGoFirst() throws {
        let scratch = try Scratch()
        let store = try store(scratch) { $0.records = 3 }
        try store.saveIdempotency(record(scratch, actor: "user:ben", key: "b"))
        for number in 1...5 {
            scratch.clock.advance(seconds: 1)
            try store.saveIdempotency(record(scratch, key: "k\(number)"))
        }
        #expect(try keys(store, of: "user:ann") == ["k3", "k4", "k5"])
        #expect(try keys(store, of: "user:ben") == ["b"])
    }

    @Test func anActorsAnswersAreBoundedInBytes() throws {
        let scratch = try Scratch()
        let store = try store(scratch) { $0.bytes = 1_000 }
        for number in 1...5 {
            scratch.clock.advance(seconds: 1)
            try store.saveIdempotency(record(scratch, key: "k\(number)", body: Array(repeating: 0x20, count: 400)))
        }
        #expect(try keys(store, of: "user:ann") == ["k4", "k5"])
        // The answer that is being given stays, whatever it takes: it was promised.
        scratch.clock.advance(seconds: 1)
        try store.saveIdempotency(record(scratch, key: "large", body: Array(repeating: 0x20, count: 5_000)))
        #expect(try keys(store, of: "user:ann") == ["large"])
    }

    /// When all together are too many, the one who has most gives way.
    @Test func theFullestActorMakesRoomForTheOthers() throws {
        let scratch = try Scratch()
        let store = try store(scratch) { $0.bytesOfAll = 2_000 }
        for number in 1...4 {
            scratch.clock.advance(seconds: 1)
            try store.saveIdempotency(record(scratch, key: "k\(number)", body: Array(repeating: 0x20, count: 400)))
        }
        for number in 1...3 {
            scratch.clock.advance(seconds: 1)
            try store.saveIdempotency(record(scratch, actor: "user:ben", key: "b\(number)", body: Array(repeating: 0x20, count: 200)))
        }
        #expect(try keys(store, of: "user:ben") == ["b1", "b2", "b3"])
        #expect(try keys(store, of: "user:ann") == ["k2", "k3", "k4"])
    }

    /// What is counted is what is there, also after what expired went, and after a write that failed.
    @Test func theCountIsTrue() throws {
        let scratch = try Scratch()
        let store = try store(scratch) { $0.records = 4 }
        func check() throws {
            let counted = try store.read("x") { db in
                try db.rows(sql: "SELECT * FROM idempotency_usage ORDER BY actor").map { try $0.all() }
            }
            let found = try store.read("x") { db in
                try db.rows(
                    sql:
                        "SELECT actor, count(*) AS records, sum(length(body)) AS bytes FROM idempotency_records GROUP BY actor ORDER BY actor"
                ).map { try $0.all() }
            }
            #expect(counted == found)
        }
        for number in 1...12 {
            scratch.clock.advance(seconds: number == 7 ? 86_400 : 10)
            try store.saveIdempotency(
                record(
                    scratch,
                    actor: number % 3 == 0 ? "user:ben" : "user:ann",
                    key: "k\(number)",
                    body: Array(repeating: 1, count: number)
                )
            )
            try check()
        }
        #expect(code { try store.saveIdempotency(record(scratch, actor: "user:ben", key: "k12")) } == .duplicate)
        try check()
        scratch.clock.advance(seconds: 86_400)
        try store.saveIdempotency(record(scratch, actor: "user:eve"))
        try check()
    }
}
