import GRDB
import GateCrypto
import GateModel
import Testing

@testable import GateStore

@Suite struct ChainTests {
    private func row(_ values: [String?]) -> HashedRow {
        HashedRow(table: .audit, values: (values + Array(repeating: nil, count: 10 - values.count)).map { $0.map { Array($0.utf8) } })
    }

    private func hash(_ rows: [HashedRow], domain: ChainDomain = .audit, sequence: Int = 1, previous: SHA256Digest = .zero) -> SHA256Digest
    {
        ChainLink.hash(domain: domain, sequence: sequence, previous: previous, rows: rows)
    }

    /// The bytes written out by hand: what is hashed must not change with a release, or every history would be broken.
    @Test func theBytesOfALinkAreTheseForEver() {
        func number(_ value: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, value] }
        func text(_ value: String) -> [UInt8] { number(UInt8(value.utf8.count)) + value.utf8 }
        var bytes = text("gatehouse audit 1") + number(7) + SHA256Digest(of: "before").bytes + number(1)
        bytes += text("audit") + number(2) + text("sequence") + text("7") + text("at") + text("1774000000000")
        #expect(hash([row(["7", "1774000000000"])], sequence: 7, previous: SHA256Digest(of: "before")) == SHA256Digest(of: bytes))
    }

    @Test func noTwoHistoriesHaveTheSameBytes() {
        let rows: [[HashedRow]] = [
            [], [row([])], [row([]), row([])], [row([""])], [row(["a"])], [row([nil, "a"])], [row(["a", ""])], [row(["", "a"])],
            [row(["a", "b"])], [row(["ab"])],
            [row(["a"]), row(["b"])], [row(["b"]), row(["a"])], [row(["a\u{0}"])],
            [HashedRow(table: .changes, values: row(["a"]).values)],
        ]
        var seen: Set<SHA256Digest> = []
        for rows in rows { #expect(seen.insert(hash(rows)).inserted) }
        #expect(seen.insert(hash([], domain: .changes)).inserted)
        #expect(seen.insert(hash([], sequence: 2)).inserted)
        #expect(seen.insert(hash([], previous: SHA256Digest(of: ""))).inserted)
    }

    @Test func theFirstChangeStandsOnZero() throws {
        let store = try Scratch().store()
        #expect(try store.chainHead() == .empty)
        var world = World()
        let commit = world.saveApp(.shop)
        try store.commit(commit)
        let row = ChangeRows.row(of: commit.change, apps: [.shop: commit.apps[0]])
        #expect(try store.chainHead() == ChainHead(sequence: 1, hash: hash([row.hashed], domain: .changes)))
    }

    @Test func stepsOfAnySizeComeToTheSameEnd() throws {
        let store = try Scratch().store()
        var world = try store.fill()
        for _ in 1...9 { try store.commit(world.set([.shopIOS: .everything, .shopAndroid: .killed])) }
        let head = try store.chainHead()
        for limit in [1, 2, 5, 13, 14, 1_000] {
            var progress = try store.verifyChain(limit: limit)
            var steps = 1
            while !progress.finished {
                progress = try store.verifyChain(from: progress.head, limit: limit)
                steps += 1
            }
            #expect(progress.fault == nil)
            #expect(progress.head == head)
            #expect(steps == 13 / limit + 1)
        }
        #expect(try store.verifyAuditChain() == ChainProgress(head: .empty, fault: nil, finished: true))
    }

    @Test func aCheckFromAnAnchorLooksAtTheTailAlone() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let anchor = try store.chainHead()
        try store.commit(world.set([.shopIOS: .open]))
        try store.writer.run { db in
            try db.execute(sql: Scratch.words("DROP TRIGGER changes_are_not_updated; UPDATE changes SET reason = 'x' WHERE sequence = 2"))
        }

        #expect(try store.verifyChain(from: anchor).fault == nil)
        let whole = try store.verifyChain()
        #expect(whole.fault?.description == "changes row 2: hash does not match")
        #expect(whole.finished)
        #expect(whole.head.sequence == 1)
        let lost = try store.verifyChain(from: ChainHead(sequence: 99, hash: .zero))
        #expect(lost.fault?.description == "changes row 6: is missing: the anchor knows rows up to 99")
        #expect(
            try store.verifyChain(from: ChainHead(sequence: 4, hash: .zero)).fault?.description
                == "changes row 4: hash is not the anchor's: the history was rewritten"
        )
    }
}
