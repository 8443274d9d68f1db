import Dispatch
import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

/// R13 to R16: whatever happens to the database, feeds go on and writes are refused until it is well again.
@Suite struct TroubleTests {
    @Test(arguments: [
        (StoreError.Code.full, ServiceError.Code.full, "disk_full"),
        (.busy, .unavailable, "database_busy"),
        (.readOnly, .unavailable, "database_read_only"),
        (.io, .unavailable, "database_unavailable"),
        (.corrupt, .unavailable, "database_unavailable"),
        (.unreadable, .unavailable, "database_unavailable"),
        (.uncertain, .unavailable, "outcome_unknown"),
    ])
    func aFailingDatabaseRefusesTheChangeAndShowsInTheHealth(failure: StoreError.Code, code: ServiceError.Code, word: String) throws {
        let house = try House()
        try house.add("shop", "ios")
        let feeds = house.sink.bytes
        house.fault.fail(at: .begun) { StoreError(failure, "/secret/path/gatehouse.sqlite did not work") }
        let error = try refusal { try house.set("shop/ios", to: Rules.kill) }.unwrapped()
        #expect((error.code, error.word) == (code, word))
        #expect(try error.retryAfter.unwrapped() > 0)
        #expect(house.sink.bytes == feeds)
        #expect(house.ledger.health.state == .degraded)
        #expect(house.ledger.health.reasons.count == 1)
        #expect(house.ledger.health.reasons[0].hasPrefix("database: "))
        // The log says where; whoever may ask for the health need not know.
        #expect(!"\(house.ledger.health) \(error)".contains("secret"))

        house.fault.mend()
        #expect(try house.set("shop/ios", to: Rules.kill).change != nil)
        #expect(house.ledger.health == Health(state: .ok, reasons: []))
    }

    /// R14, R24: on a disk that does not answer, others' changes are refused within seconds, and the health says why while it lasts.
    @Test func whileAWriteIsHeldUpOthersAreRefusedAndTheHealthSaysSo() throws {
        let house = try House()
        try house.add("shop", "ios")
        let goes = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread { [ledger = house.ledger] in
            ledger.write { _ in goes.wait() }
            ended.signal()
        }
        try blockUntil("the health shows it") { house.ledger.health.state == .degraded }
        #expect(house.ledger.health.reasons == ["database: a write takes very long, as on a slow disk; changes wait or are refused"])
        let error = try refusal { try house.set("shop/ios", to: Rules.kill) }.unwrapped()
        #expect((error.code, error.word, error.retryAfter) == (.unavailable, "database_busy", 5))
        goes.signal()
        ended.wait()
        #expect(house.ledger.health == Health(state: .ok, reasons: []))
        #expect(try house.set("shop/ios", to: Rules.kill).change != nil)
    }

    /// A disk that is really full: SQLite may not take one page more.
    @Test(.onSQLite) func aFullDatabaseIsSaidToBeFull() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.close()
        let small = try House(again: house, start: false)
        var configuration = small.configuration()
        configuration.afterOpening = ["PRAGMA max_page_count = 1"]
        try small.ledger.start(with: Store(configuration))
        small.ledger.historyChecked(fault: nil)
        let before = try small.snapshot()
        let texts = (0..<40).map { #"{"alert":{"message":"\#(String(repeating: "\($0) ", count: 160))","blocking":false}}"# }
        let errors = texts.compactMap { text in refusal { try small.set("shop/ios", to: text) } }
        #expect(errors.first?.code == .full)
        #expect(errors.first?.word == "disk_full")
        if errors.count == texts.count { #expect(try small.snapshot() == before) }
        #expect(small.sink.bytes["/feeds/shop/ios/gate.json"] != nil)
    }

    @Test func aReadOnlyDatabaseIsSaidToBeReadOnly() throws {
        let house = try House()
        try house.add("shop", "ios")
        try house.close()
        let fixed = try House(again: house, start: false)
        var configuration = fixed.configuration()
        configuration.afterOpening = [House.readOnly]
        try fixed.ledger.start(with: Store(configuration))
        fixed.ledger.historyChecked(fault: nil)
        #expect(word { try fixed.set("shop/ios", to: Rules.kill) } == "database_read_only")
        fixed.ledger.keepHouse()
        #expect(fixed.ledger.health.state == .degraded)
    }

    @Test(.onSQLite) func aDatabaseThatWasTakenAwayAndPutBackRecoversByItself() throws {
        let house = try House()
        try house.add("shop", "ios")
        let feeds = house.sink.bytes
        let file = house.folder + "/gatehouse.sqlite"
        try Files.move(file, to: file + ".away")
        #expect(word { try house.set("shop/ios", to: Rules.kill) } == "database_unavailable")
        house.ledger.keepHouse()
        #expect(house.ledger.health.state == .degraded)
        #expect(house.sink.bytes == feeds)

        try Files.move(file + ".away", to: file)
        house.ledger.keepHouse()
        #expect(house.ledger.health.state == .ok)
        #expect(try house.set("shop/ios", to: Rules.kill).change?.sequence == 3)
        try house.close()
        #expect(try Store.verify(directory: house.folder, server: house.address, migrations: House.migrations) == [])
    }

    @Test func aPublicationThatCannotBeWrittenIsTroubleUntilItCan() throws {
        let house = try House()
        try house.add("shop", "ios")
        let folder = house.folder + "/publication"
        try Files.write([], to: folder)
        house.ledger.keepHouse()
        #expect(house.ledger.health.state == .degraded)
        let reasons = house.ledger.health.reasons
        #expect(!reasons.isEmpty && reasons.allSatisfy { $0.hasPrefix("publication: ") })
        // Feeds come from memory, so a change is none the worse for it.
        #expect(try house.set("shop/ios", to: Rules.kill).change != nil)
        #expect(house.ledger.health.state == .degraded)
        try Files.remove(folder)
        house.ledger.keepHouse()
        #expect(house.ledger.health.state == .ok)
        #expect(try Files.names(in: folder) == ["shop.json"])
    }

    // MARK: History

    @Test func writesWaitUntilTheHistoryHasBeenChecked() throws {
        let house = try House(start: false)
        #expect(house.ledger.health.state == .starting)
        try house.open()
        #expect(house.ledger.health.state == .starting)
        let command = Command.createApp(AppKey("shop")!, name: "Shop")
        let error = try refusal { try house.submit(command) }.unwrapped()
        #expect((error.code, error.word, error.retryAfter) == (.starting, "starting", 1))
        // Reading and trying need not wait.
        #expect(try house.submit(command, WriteTerms(dryRun: true)).plan.tier == .notice)
        house.ledger.historyChecked(fault: nil)
        #expect(house.ledger.health.state == .ok)
        #expect(try house.submit(command).change?.sequence == 1)
    }

    @Test func aDamagedHistoryRefusesEveryWriteAndKeepsTheFeeds() throws {
        let house = try House()
        try house.add("shop", "ios")
        house.ledger.historyChecked(fault: "history: changes row 2 is not what was written")
        let error = try refusal { try house.set("shop/ios", to: Rules.kill) }.unwrapped()
        #expect((error.code, error.word) == (.unavailable, "history_damaged"))
        house.ledger.keepHouse()
        #expect(house.ledger.health.reasons == ["history: changes row 2 is not what was written"])
        #expect(house.sink.bytes["/feeds/shop/ios/gate.json"] != nil)
    }

    /// With an older database in its place, what is published is newer than what stands in it.
    @Test(arguments: [false, true]) func nothingIsSaidToBeAsWantedWhileTheHistoryIsNotFoundWhole(dryRun: Bool) throws {
        let first = try House()
        try first.add("shop", "ios")
        try first.close()
        let house = try House(again: first, start: false)
        try house.open()
        let terms = WriteTerms(dryRun: dryRun)
        #expect(try refusal { try house.set("shop/ios", to: Rules.open, terms) }.unwrapped().word == "starting")
        house.ledger.historyChecked(fault: "history: changes row 2: is missing")
        #expect(try refusal { try house.set("shop/ios", to: Rules.open, terms) }.unwrapped().word == "history_damaged")
        house.ledger.historyChecked(fault: nil)
        #expect(try house.set("shop/ios", to: Rules.open, terms).change == nil)
    }

    // MARK: A start without a database

    /// Two apps, their feeds written behind, and the database's header overwritten.
    private func ruined() throws -> (house: House, feeds: [String: [UInt8]]) {
        let house = try House()
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        try house.submit(.aliases("shop", #"[{"path":"/config.json","feed":"launchgate.json"}]"#))
        try house.set("shop/ios", to: Rules.kill)
        house.ledger.keepHouse()
        let feeds = house.sink.bytes
        try house.close()
        try Files.move(house.folder + "/gatehouse.sqlite", to: house.folder + "/kept.sqlite")
        try Files.write(Array("this is no database at all, whatever it is".utf8), to: house.folder + "/gatehouse.sqlite")
        return (house, feeds)
    }

    @Test(.onSQLite) func withAnUnreadableDatabaseTheLastFeedsAreServedAndNothingIsWritten() throws {
        let (house, feeds) = try ruined()
        let again = try House(again: house, start: false)
        let failure = #expect(throws: StoreError.self) { try again.open() }
        #expect(again.ledger.startFromPublication(because: try failure.unwrapped()) == [])
        #expect(again.sink.bytes == feeds)
        #expect(again.ledger.health.state == .degraded)
        #expect(again.ledger.health.reasons.count == 1)
        #expect(word { try again.submit(.createApp(AppKey("new")!, name: "New")) } == "database_unavailable")
        #expect(word { _ = try again.ledger.history(ChangeQuery(limit: 1), for: .admin).changes } == "database_unavailable")
        again.ledger.keepHouse()
        #expect(again.ledger.health.state == .degraded)
    }

    /// Otherwise a start without a database would say of an app that did not change since that it does not exist.
    @Test(arguments: ["/publication", "/publication/bank.json"])
    func whatSomebodyRemovesFromThePublicationIsWrittenAgain(path: String) throws {
        let house = try House()
        house.ledger.historyChecked(fault: nil)
        try house.add("shop", "ios")
        try house.add("bank", "ios")
        house.ledger.keepHouse()
        let before = try Files.bytes(house.folder + "/publication/bank.json")
        try Files.remove(house.folder + path)
        house.ledger.keepHouse()
        #expect(try Files.names(in: house.folder + "/publication") == ["bank.json", "shop.json"])
        #expect(try Files.bytes(house.folder + "/publication/bank.json") == before)
        // A removed app's stays away.
        try house.submit(.deleteApp(AppKey("bank")!), WriteTerms(confirm: "delete bank"))
        house.ledger.keepHouse()
        try Files.remove(house.folder + "/publication")
        house.ledger.keepHouse()
        #expect(try Files.names(in: house.folder + "/publication") == ["shop.json"])
    }

    @Test(.onSQLite) func aDamagedPublicationIsToldAndTheRestServed() throws {
        let (house, feeds) = try ruined()
        try Files.write([0], to: house.folder + "/publication/shop.json")
        let again = try House(again: house, start: false)
        #expect(again.ledger.startFromPublication(because: StoreError(.corrupt, "no database")) == ["shop.json"])
        #expect(again.sink.bytes == feeds.filter { $0.key.hasPrefix("/feeds/bank/") })
        again.ledger.keepHouse()
        #expect(again.ledger.health.reasons.map { $0.prefix(8) } == ["database", "damaged:"])
    }

    @Test(.onSQLite) func aDatabaseThatComesBackWinsOverWhatWasPublished() throws {
        let (house, feeds) = try ruined()
        let again = try House(again: house, start: false)
        _ = again.ledger.startFromPublication(because: StoreError(.corrupt, "no database"))
        try Files.remove(house.folder + "/gatehouse.sqlite")
        try Files.move(house.folder + "/kept.sqlite", to: house.folder + "/gatehouse.sqlite")
        try again.open()
        #expect(word { try again.set("shop/ios", to: Rules.open) } == "starting")
        again.ledger.historyChecked(fault: nil)
        #expect(again.ledger.health.state == .ok)
        #expect(again.sink.bytes == feeds)
        #expect(try again.set("shop/ios", to: Rules.open).change?.sequence == 7)
    }

    /// An app that is in `publication/` only was deleted a moment before the crash.
    @Test(.onSQLite) func feedsOfAnAppThatTheDatabaseDoesNotKnowEnd() throws {
        let (house, _) = try ruined()
        let again = try House(again: house, start: false)
        _ = again.ledger.startFromPublication(because: StoreError(.corrupt, "no database"))
        #expect(again.sink.bytes["/feeds/bank/ios/gate.json"] != nil)
        try Files.remove(house.folder + "/gatehouse.sqlite")
        try again.open()
        #expect(again.sink.bytes.isEmpty)
        again.ledger.keepHouse()
        #expect(try Files.names(in: house.folder + "/publication") == [])
    }

    /// A gate that was altered past the history is a damaged database, and not what phones get.
    @Test(.onSQLite) func aGateThatIsNotTheHistorysIsNotPublished() throws {
        let (house, feeds) = try ruined()
        let (kept, file) = (house.folder + "/kept.sqlite", house.folder + "/gatehouse.sqlite")
        let whole = Array(try Files.bytes(kept))
        let text = Array("Back at 09:30.".utf8)
        let places = whole.indices.filter { whole[$0...].starts(with: text) }
        // In the target's row and in the history's, before and after.
        #expect(places.count >= 2)
        for place in places {
            var altered = whole
            altered[place] = UInt8(ascii: "H")
            try Files.write(altered, to: file)
            let again = try House(again: house, start: false)
            do {
                try again.open()
                // A part of the history that is not in force: found by the check of its chain.
                #expect(again.sink.bytes == feeds)
            } catch let error as StoreError {
                #expect(error.code == .corrupt)
                _ = again.ledger.startFromPublication(because: error)
                #expect(again.sink.bytes == feeds)
            }
        }
    }

    /// What a version of tomorrow has written, or somebody past the program: one gate does not keep the others from being served.
    @Test func anAppThatCannotBeRenderedStaysAsItWasPublishedLast() throws {
        let house = try House()
        try house.add("shop", "ios", "android")
        try house.add("bank", "ios")
        house.ledger.keepHouse()
        let feeds = house.sink.bytes
        try house.set("bank/ios", to: Rules.kill)
        try house.put(Gate(requiredUpdate: RequiredUpdate(minimumVersion: "4.2.0", message: .text("a"))), on: "shop/android")
        let bank = house.sink.bytes.filter { $0.key.contains("bank") }

        let again = try house.restarted()
        #expect(again.sink.bytes == feeds.merging(bank) { $1 })
        #expect(
            again.ledger.health.reasons == [
                "rows: shop, whose feeds cannot be rendered, takes no changes and is served as it was published last; stop the server and run gatehouse repair --revert APP/PLATFORM@REVISION"
            ]
        )
        #expect(word { try again.set("shop/ios", to: Rules.kill) } == "app_unreadable")
        #expect(try again.set("bank/ios", to: Rules.open).change != nil)
    }

    /// R15: whatever bytes of the database change, phones get the last good feeds or the right ones, never others.
    @Test(.onSQLite) func aCorruptDatabaseNeverMakesOtherFeeds() throws {
        let (house, feeds) = try ruined()
        let (kept, file) = (house.folder + "/kept.sqlite", house.folder + "/gatehouse.sqlite")
        let whole = Array(try Files.bytes(kept))
        // Pages are mostly empty; what is not zero says something.
        let used = whole.indices.filter { whole[$0] != 0 }
        var refused = 0
        for seed in 1...120 as ClosedRange<UInt64> {
            var random = SeededGenerator(seed: seed)
            var altered = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                altered[used.randomElement(using: &random)!] = UInt8.random(in: 0...255, using: &random)
            }
            try Files.write(altered, to: file)
            let again = try House(again: house, start: false)
            do { try again.open() } catch {
                refused += 1
                _ = again.ledger.startFromPublication(because: try #require(error as? StoreError, "seed \(seed): \(error)"))
            }
            #expect(again.sink.bytes == feeds, "seed \(seed)")
        }
        #expect(refused > 0)
    }

    @Test func thePublicationIsWrittenBehindByTheHousekeeper() throws {
        let house = try House()
        try house.add("shop", "ios")
        #expect(house.ledger.folder.isEmpty)
        house.ledger.keepHouse()
        #expect(!house.ledger.folder.isEmpty)
        try house.set("shop/ios", to: Rules.kill)
        let killed = try house.killed()
        #expect(killed.sink.bytes == house.sink.bytes)
    }

    /// R24: what refuses changes stands in the health, also when it is only one table of the database that cannot be read.
    @Test func aTableThatSomebodyHoldsIsTold() throws {
        let database = try PostgresCluster.shared().database()
        let house = try House(server: database)
        try house.add("shop", "ios")
        let holder = "datname = '\(database.name)' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // Ends when its session is ended.
            _ = try? database.cluster.run("BEGIN; LOCK TABLE changes IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(600)", in: database.name)
            isDone.signal()
        }
        let locks = "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'changes'::regclass AND granted"
        try blockUntil("the table is held") { try database.cluster.run(locks, in: database.name) == "1\n" }
        #expect(try refusal { try house.submit(.set([("shop/ios", 1)], Rules.kill)) }.unwrapped().word == "database_busy")
        let told = ["database: another program holds it; changes are refused"]
        #expect(house.ledger.health.reasons == told)
        // What can be written beside the table says nothing about it.
        house.ledger.keepHouse()
        house.ledger.lookForNews()
        #expect(house.ledger.health.reasons == told)
        try database.cluster.end(sessions: holder)
        isDone.wait()
        house.ledger.lookForNews()
        #expect(house.ledger.health.state == .ok)
        try house.set("shop/ios", to: Rules.kill)
    }
}
