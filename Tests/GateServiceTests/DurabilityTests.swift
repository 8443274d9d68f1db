import Dispatch
import Foundation
import GateJSON
import GateModel
import GateStore
import Synchronization
import Testing

@testable import GateService

/// Commit, then publish, then answer; what was answered outlives the process.
@Suite struct DurabilityTests {
    @Test(arguments: StoreConfiguration.CommitStep.allCases) func aCommitThatFailsPublishesNothing(step: StoreConfiguration.CommitStep)
        throws
    {
        let house = try House()
        try house.add("shop", "ios", "android")
        let before = try house.snapshot()
        let batches = house.sink.batches.count
        let key = IdempotencyKey(key: "k", request: [1])
        let command = try Command.set([("shop/ios", 1), ("shop/android", 1)], Rules.kill)
        let terms = WriteTerms(confirm: "kill 2 targets")

        house.fault.fail(at: step)
        #expect(refusal { _ = try house.answer(command, terms, key: key) } != nil)
        #expect(try house.snapshot() == before)
        #expect(house.sink.batches.count == batches)
        #expect(house.ledger.events(after: 0, for: .admin).items?.count == 3)

        house.fault.mend()
        #expect(try house.submit(command, terms, key: key).change?.sequence == 4)
    }

    @Test func aFeedThatCannotBeRenderedIsRefusedBeforeAnythingIsWritten() throws {
        var app = App(key: AppKey("shop")!, name: "Shop")
        let message = Message.text("\u{0}")
        let key = TargetKey("shop/ios")!
        app.platforms[.ios] = Target(
            key: key,
            settings: .standard(for: .ios),
            gate: Gate(alert: Alert(message: message, blocking: true)),
            revision: 1,
            sequence: 1,
            since: Timestamp(milliseconds: 0),
            changedAt: Timestamp(milliseconds: 0)
        )
        #expect(word { _ = try PublishedApp(rendering: app) } == "feed_not_rendered")
    }

    /// Otherwise a dry run would promise what the commit cannot do.
    @Test func aRuleThatCannotBePublishedIsRefusedByTheDryRunToo() throws {
        let house = try House()
        try house.add("shop", "ios")
        // A kept text is taken as it is, and somebody has altered this one in the database.
        let edit = try PreparedEdit(GateEdit(json: #"{"alert":{"message":{"default":"a","de":" b"},"blocking":true}}"#.json), from: .kept)
        let command = Command.gates(
            [
                TargetCommand(
                    target: TargetKey("shop/ios")!,
                    revision: 1,
                    action: .restore(edit),
                    pointer: "/targets/0",
                    editPointer: "/set"
                )
            ],
            kind: .set
        )
        for terms in [WriteTerms(dryRun: true), WriteTerms()] {
            let refused = try refusal { try house.submit(command, terms) }.unwrapped()
            #expect((refused.code, refused.word) == (.invalid, "unpublishable_message"))
            #expect(refused.field == "/set/alert/message/de")
        }
        #expect(try house.revision("shop/ios") == 1)
    }

    @Test func theSameStateHasTheSameBytesAfterAKill() throws {
        let house = try House()
        try house.add("shop", "ios", "android", "macos")
        try house.submit(.aliases("shop", #"[{"path":"/config.json","feed":"launchgate.json"}]"#))
        try house.set("shop/ios", to: Rules.kill)
        try house.set("shop/android", to: Rules.require)
        let killed = try house.killed()
        #expect(killed.sink.bytes == house.sink.bytes)
        #expect(try killed.snapshot() == house.snapshot())
        #expect(killed.sink.bytes["/config.json"] != nil)
        try killed.close()
        #expect(try Store.verify(directory: killed.folder, server: killed.address, migrations: House.migrations) == [])
    }

    /// A crash between a deletion and the writing behind leaves the app's file; should the database fail one day, it would come back.
    @Test func aStartRemovesTheFeedsOfAppsThatAreGone() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        house.ledger.keepHouse()
        #expect(try Files.names(in: house.folder + "/publication") == ["bank.json", "shop.json"])
        try house.submit(.deleteApp(AppKey("bank")!), WriteTerms(confirm: "delete bank"))
        let killed = try house.killed()
        #expect(try Files.names(in: killed.folder + "/publication") == ["shop.json"])
        #expect(killed.sink.bytes["/feeds/bank/launchgate.json"] == nil)
    }

    /// R9: of two writers with the same revision one wins, in every round.
    @Test func ofTwoWritersWithOneRevisionOneWins() throws {
        let house = try House()
        try house.add("shop", "ios")
        for round in 1...200 {
            let commands = try ["a", "b"].map {
                try Command.set([("shop/ios", round)], #"{"alert":{"message":"\#(round)\#($0)","blocking":false}}"#)
            }
            let words = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                let word = word { try house.submit(commands[index]) } ?? "won"
                words.withLock { $0.append(word) }
            }
            #expect(words.withLock { $0.sorted() } == ["stale_revision", "won"])
        }
        #expect(try house.revision("shop/ios") == 201)
        #expect(house.ledger.sequence == 202)
        #expect(house.sink.batches.count == 203)
    }

    /// R3: whoever was answered finds the new bytes, whatever others do meanwhile.
    @Test func whoeverWasAnsweredFindsTheNewFeed() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        let old = Mutex(0)
        DispatchQueue.concurrentPerform(iterations: 2) { index in
            let app = index == 0 ? "shop" : "bank"
            for round in 1...50 {
                let outcome = try? house.set("\(app)/ios", to: #"{"alert":{"message":"\#(app)-\#(round)","blocking":true}}"#)
                let seen = house.sink.text("/feeds/\(app)/launchgate.json")?.contains("\(app)-\(round)\"") == true
                if outcome?.change == nil || !seen { old.withLock { $0 += 1 } }
            }
        }
        #expect(old.withLock { $0 } == 0)
        #expect(house.ledger.sequence == 104)
    }
}
