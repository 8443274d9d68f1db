import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Synchronization
import Testing

@testable import GateService

/// What a ledger learns of changes that it did not make itself: a second store, of another ledger, on the same database.
@Suite struct LedgerTests {
    /// Two houses in one folder, as two servers on one database would be. The lock of the folder keeps that from happening for as long as
    /// its file is there.
    private func pair() throws -> (here: House, there: House) {
        let here = try House()
        try here.add("shop", "ios", "android")
        try here.add("bank", "ios")
        try unlock(here.folder)
        return (here, try House(again: here))
    }

    /// Takes a running store's locks away, which no other process can: a second one is let into the folder.
    private func unlock(_ folder: String) throws {
        let locked = [folder, folder + "/gatehouse.lock"].map { URL(filePath: $0).resolvingSymlinksInPath().path }
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            // One that another test has closed meanwhile leads nowhere.
            guard let place = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"), locked.contains(place)
            else { continue }
            #expect(flock(try #require(Int32(name)), LOCK_UN) == 0)
        }
    }

    private func expectSame(_ here: House, _ there: House, _ comment: Comment? = nil) throws {
        #expect(try here.snapshot() == there.snapshot(), comment)
        #expect(here.ledger.scheduleVersion == there.ledger.scheduleVersion, comment)
        #expect(
            try here.ledger.history(ChangeQuery(limit: 100), for: .admin).changes
                == there.ledger.history(ChangeQuery(limit: 100), for: .admin).changes,
            comment
        )
    }

    @Test func aChangeThatAnotherStoreCommitsIsPublished() throws {
        let (here, there) = try pair()
        let before = here.ledger.sequence
        here.clock.advance(seconds: 60)
        try there.set("shop/ios", to: Rules.kill)
        #expect(here.ledger.sequence == before)
        #expect(try here.target("shop/ios").gate == .open)

        let told = Mutex<[Int]>([])
        here.ledger.observeChanges { change in told.withLock { $0.append(change.sequence) } }
        #expect(try here.ledger.learn())

        try expectSame(here, there)
        #expect(try here.target("shop/ios").gate.killSwitch != nil)
        #expect(here.sink.text("/feeds/shop/ios/bellerophon.json")?.contains(#""apiInactive":true"#) == true)
        #expect(here.ledger.events(after: before, for: .admin).items?.map(\.sequence) == [before + 1])
        #expect(here.ledger.lastChange(of: try here.target("shop/ios"), for: .admin)?.sequence == before + 1)
        #expect(here.ledger.lastPublished == here.clock.now)
        #expect(told.withLock { $0 } == [before + 1])
        #expect(try !here.ledger.learn(), "There is nothing new.")
        #expect(try sequenceOnDisk(of: here) == here.ledger.sequence)
    }

    /// How far the kept feeds come, in the folder's own word.
    private func sequenceOnDisk(of house: House) throws -> Int? {
        house.ledger.keepHouse()
        return Int(try String(contentsOfFile: house.folder + "/publication.sequence", encoding: .utf8).dropLast())
    }

    /// After a change and after a start, also of a folder whose word was cleared away: a start that believed an older one would take a lost
    /// log for the whole.
    @Test func theFolderSaysHowFarItsFeedsCome() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(try sequenceOnDisk(of: house) == house.ledger.sequence)
        try house.set("shop/ios", to: Rules.kill)
        #expect(try sequenceOnDisk(of: house) == house.ledger.sequence)
        try house.close()
        try Files.remove(house.folder + "/publication.sequence")
        let again = try House(again: house)
        #expect(try sequenceOnDisk(of: again) == house.ledger.sequence)
        try again.close()
    }

    /// A crash between a deletion's commit and its file leaves feeds behind that a start without a database would serve.
    @Test func aStartRemovesTheFilesOfAppsThatAreGone() throws {
        let house = try House()
        try house.add("shop", "ios")
        house.ledger.keepHouse()
        try house.close()
        let path = house.folder + "/publication"
        try Files.write(Files.bytes(path + "/shop.json"), to: path + "/gone.json")
        let again = try House(again: house)
        #expect(try Files.names(in: path) == ["shop.json"])
        try again.close()
    }

    /// Once a second, and not within somebody's change: a log that only grows makes every read of the database slower.
    @Test(.onSQLite) func theLogIsFoldedInWhileNobodyWaits() throws {
        let house = try House()
        try house.add("shop", "ios")
        let store = try house.ledger.store.unwrapped()
        for number in 1...1_000 where !store.needsCheckpoint {
            try house.set("shop/ios", to: number.isMultiple(of: 2) ? Rules.open : Rules.kill)
        }
        try #require(store.needsCheckpoint)
        let before = try Files.bytes(house.folder + "/gatehouse.sqlite")
        house.ledger.keepHouse()
        #expect(try Files.bytes(house.folder + "/gatehouse.sqlite") != before)
    }

    /// Apps that come, go and get other names and addresses, and several changes at once.
    @Test func everyKindOfChangeIsLearned() throws {
        let (here, there) = try pair()
        let steps: [(String, () throws -> Void)] = [
            ("new app", { try there.add("news", "ios") }),
            ("alias", { try there.submit(.aliases("shop", #"[{"path":"/config.json","feed":"launchgate.json"}]"#)) }),
            (
                "alias that moves",
                {
                    try there.submit(.aliases("shop", "[]"))
                    try there.submit(.aliases("bank", #"[{"path":"/config.json","feed":"launchgate.json"}]"#))
                }
            ),
            ("settings", { try there.submit(.settings("shop/ios", #"{"releases":["4.2.0"]}"#)) }),
            (
                "gates",
                {
                    try there.set("shop/ios", "bank/ios", to: Rules.notify)
                    try there.set("shop/android", to: Rules.kill)
                }
            ),
            (
                "platform that goes",
                { try there.submit(.deletePlatform(TargetKey("shop/android")!), WriteTerms(confirm: "delete shop/android")) }
            ),
            ("app that goes", { try there.submit(.deleteApp(AppKey("news")!), WriteTerms(confirm: "delete news")) }),
            ("app that comes again", { try there.add("news", "ios") }),
            ("window", { _ = try there.make(there.draft("shop/ios", in: 60)) }),
        ]
        for (name, step) in steps {
            try step()
            #expect(try here.ledger.learn(), "\(name)")
            try expectSame(here, there, "\(name)")
            #expect(here.ledger.health == there.ledger.health, "\(name)")
        }
        #expect(here.ledger.windowCounts[.pending] == 1)
        #expect(try here.revision("news/ios") == 3, "A key that is used again goes on counting.")
    }

    /// What was learned is what the next change is planned on: both sides write in turn, and no sequence is made twice.
    @Test(.onSQLite) func changesOfBothSidesFollowEachOther() throws {
        let (here, there) = try pair()
        for (round, rule) in [Rules.kill, Rules.open, Rules.kill].enumerated() {
            try there.set("shop/ios", to: rule)
            #expect(throws: ServiceError.self, "Round \(round): what is not known yet is a conflict.") {
                try here.set("bank/ios", to: Rules.block)
            }
            try here.ledger.learn()
            try here.set("bank/ios", to: rule)
            try there.ledger.learn()
            try expectSame(here, there, "Round \(round)")
        }
        #expect(here.sink.bytes == there.sink.bytes)
    }

    /// More changes than are kept in memory: whoever asks for those before is told to read everything anew.
    @Test func whoIsFarBehindReadsEverythingAnew() throws {
        let (here, there) = try pair()
        let before = here.ledger.sequence
        for number in 1...1_010 { try there.submit(.editApp(AppKey("bank")!, name: "Bank \(number)", aliases: nil)) }
        try here.ledger.learn()
        #expect(here.ledger.events(after: before, for: .admin).items == nil)
        #expect(here.ledger.events(after: before + 10, for: .admin).items?.first?.sequence == before + 11)
        #expect(try here.ledger.app(AppKey("bank")!, for: .admin).name == "Bank 1010")
    }

    /// An app that the other side left unreadable is sealed and served as it was; the others are learned.
    @Test func whatCannotBeReadIsSealed() throws {
        let (here, there) = try pair()
        let served = here.sink.text("/feeds/bank/ios/bellerophon.json")
        try there.set("shop/ios", to: Rules.kill)
        try there.put(House.unreadable, on: "bank/ios")
        try here.ledger.learn()
        #expect(here.sink.text("/feeds/bank/ios/bellerophon.json") == served)
        #expect(try here.target("shop/ios").gate.killSwitch != nil)
        #expect(throws: ServiceError.self) { try here.target("bank/ios") }
        #expect(here.ledger.health.reasons.count == 1)
        #expect(here.ledger.health.reasons.first?.contains("; bank takes no changes and is served as it was published last; ") == true)
        #expect(throws: ServiceError.self) { try here.set("bank/ios", to: Rules.kill) }
        try here.set("shop/ios", to: Rules.open)
    }
}
