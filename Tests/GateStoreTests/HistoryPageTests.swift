import GRDB
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// A reading of the history takes as much memory as it was given, and says what it left out.
@Suite struct HistoryPageTests {
    private static func gate(_ bytes: Int) -> Gate {
        Gate(alert: Alert(message: .localized(["default": "a", "de": String(repeating: "x", count: bytes)]), blocking: false))
    }

    /// A text of any length, as none can be written any more.
    private func filled(_ scratch: Scratch, rounds: Int, bytes: Int) throws -> (store: Store, world: World) {
        let store = try scratch.store()
        var world = try store.fill()
        for round in 0..<rounds {
            try store.commit(
                world.set([.shopIOS: round.isMultiple(of: 2) ? Self.gate(bytes) : .open, .shopAndroid: Self.gate(bytes + round)])
            )
        }
        return (store, world)
    }

    @Test func aPageEndsWhereItsBytesEnd() throws {
        let scratch = try Scratch()
        let (store, world) = try filled(scratch, rounds: 10, bytes: 400)
        let whole = try store.changes(ChangeQuery(limit: 500), bytes: .max)
        #expect(whole.changes == world.changes.reversed())
        #expect(!whole.isCut)
        var read: [Change] = []
        var query = ChangeQuery(limit: 500)
        while true {
            let page = try store.changes(query, bytes: 6_000)
            read += page.changes
            try #require(read.count <= world.changes.count)
            query.before = page.changes.last?.sequence
            guard page.isCut else { break }
        }
        #expect(read == world.changes.reversed())
    }

    /// However large it is, the first change comes, with as many of its targets as fit and the number of the others.
    @Test func theFirstChangeIsShownInPart() throws {
        let scratch = try Scratch()
        let (store, world) = try filled(scratch, rounds: 1, bytes: 3_000)
        let newest = try #require(world.changes.last)
        #expect(newest.targets.count == 2)
        for (bytes, told) in [(100_000, 2), (6_500, 1), (100, 0)] {
            let page = try store.changes(ChangeQuery(limit: 5), bytes: bytes)
            #expect(page.changes.first?.targets == Array(newest.targets.prefix(told)))
            #expect(page.changes.first?.omitted == 2 - told)
            #expect(page.changes.first?.sequence == newest.sequence)
        }
    }

    /// What is out of sight takes no room, and is not counted among what is left out.
    @Test func whatIsOutOfSightIsNotThere() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(world.saveApp(.bank))
        try store.commit(world.create(.bankIOS))
        try store.commit(world.set([.shopIOS: Self.gate(3_000), .bankIOS: .killed]))
        let page = try store.changes(ChangeQuery(limit: 1), bytes: 2_500, of: .only([.bank]))
        let newest = try #require(page.changes.first)
        #expect(newest.sequence == world.changes.count)
        #expect(newest.targets.map(\.target) == [.bankIOS])
        #expect(newest.omitted == 0)
        #expect(try store.changes(ChangeQuery(limit: 1), bytes: 100, of: .only([])).changes == [])
    }

    @Test func theLastChangeOfATargetIsItsOwnPart() throws {
        let scratch = try Scratch()
        let (store, world) = try filled(scratch, rounds: 1, bytes: 10)
        let newest = try #require(world.changes.last)
        for target in newest.targets {
            let part = try store.change(sequence: newest.sequence, of: target.target)
            #expect(part?.targets == [target])
            #expect(part?.at == newest.at)
        }
        #expect(try store.change(sequence: newest.sequence, of: TargetKey("none/ios")!) == nil)
        #expect(try store.change(sequence: 99, of: .shopIOS) == nil)
    }

    /// The trigger that keeps a change's rows in order still does, now that it looks the last one up.
    @Test(.onSQLite) func rowsOfAChangeComeInOrder() throws {
        let scratch = try Scratch()
        _ = try filled(scratch, rounds: 0, bytes: 0).store.close()
        let database = try scratch.raw()
        for (position, isTaken) in [(1, false), (0, true), (0, false), (2, false), (1, true), (2, false)] {
            let insert = """
                INSERT INTO change_targets (sequence, position, app, platform, previous, revision, before, after, feeds)
                VALUES ((SELECT max(sequence) FROM changes), \(position), 'a\(position)', 'ios', 0, 1, '{}', '{}', '{}')
                """
            try database.write { db in
                let last = try Int.fetchOne(db, sql: "SELECT max(sequence) FROM changes") ?? 0
                if try Int.fetchOne(db, sql: "SELECT target_count FROM changes WHERE sequence = ?", arguments: [last]) != 2 {
                    try db.execute(
                        sql: """
                            INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, target_count, hash)
                            VALUES (?, 0, 'user', 'ann', 'api', 'set', 'r', 2, zeroblob(32))
                            """,
                        arguments: [last + 1]
                    )
                }
                if isTaken { try db.execute(sql: insert) } else { #expect(throws: DatabaseError.self) { try db.execute(sql: insert) } }
            }
        }
    }
}
