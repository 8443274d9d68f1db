import Foundation
import GateJSON
import GateModel
import GateStore
import GateTesting
import Testing

@testable import GateService

@Suite(.onSQLite) struct BackupServiceTests {
    private func service(_ house: House, interval: Int64 = 3_600, kept: Int = 48) throws -> BackupService {
        BackupService(ledger: house.ledger, folder: try BackupFolder(house.folder + "/backups"), interval: interval, kept: kept)
    }

    private func create(_ backups: BackupService, by caller: Caller, key: String? = nil, request: [UInt8] = [1]) throws -> Answer {
        try backups.create(by: caller, idempotency: key.map { IdempotencyKey(key: $0, request: request) }) {
            Answer(status: 201, body: Array($0.name.utf8))
        }
    }

    @Test func theFirstIsMadeAtOnceAndTheNextWhenItIsTime() throws {
        let house = try House()
        try house.add("shop", "ios")
        let backups = try service(house)
        backups.start()
        #expect(backups.lastAt == nil)
        backups.keep()
        #expect(backups.lastAt == house.clock.now)
        #expect(try backups.list(by: .admin).map(\.sequence) == [2])
        try house.set("shop/ios", to: Rules.kill)
        house.clock.advance(seconds: 3_599)
        backups.keep()
        #expect(try backups.list(by: .admin).count == 1)
        house.clock.advance(seconds: 1)
        backups.keep()
        #expect(try backups.list(by: .admin).map(\.sequence) == [3, 2])
        // A new server finds them, and waits for its turn.
        let next = try service(house)
        next.start()
        #expect(next.lastAt == house.clock.now)
        house.clock.advance(seconds: 1_800)
        next.keep()
        #expect(try next.list(by: .admin).count == 2)
    }

    /// By half an hour, so that the last one is of a time to come: the next is made an hour from now, and not from then.
    @Test func aClockThatIsPutBackPutsNoBackupOff() throws {
        let house = try House()
        try house.add("shop", "ios")
        try service(house).keep()
        house.clock.advance(seconds: -1_800)
        let backups = try service(house)
        backups.start()
        #expect(backups.lastAt == house.clock.now)
        house.clock.advance(seconds: 3_599)
        backups.keep()
        #expect(try backups.list(by: .admin).count == 1)
        house.clock.advance(seconds: 1)
        backups.keep()
        #expect(try backups.list(by: .admin).count == 2)
    }

    @Test func anOldBackupIsATroubleUntilThereIsANewOne() throws {
        let house = try House()
        try house.add("shop", "ios")
        let backups = try service(house)
        backups.keep()
        #expect(house.ledger.health.state == .ok)
        let first = house.clock.now
        let path = house.folder + "/backups"
        // The folder is gone, and a file in its place keeps it so.
        try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
        try Data().write(to: URL(filePath: path))
        house.clock.advance(seconds: 7_200)
        backups.keep()
        #expect(house.ledger.health.state == .ok, "twice the interval is not over")
        #expect(backups.failureCount == 1)
        house.clock.advance(seconds: 1)
        backups.keep()
        #expect(house.ledger.health.reasons == ["backup: the last good one is of \(first)"])
        #expect(backups.failureCount == 1, "tried again after a minute")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        house.clock.advance(seconds: 60)
        backups.keep()
        #expect(house.ledger.health.state == .ok)
        #expect(
            house.told.all.contains {
                $0.operation == "Writing the backup" || $0.operation == "Making a backup" || $0.operation == "Making the database"
            },
            "\(house.told.all)"
        )
    }

    @Test func onlyAdministratorsMakeAndSeeBackupsAndTheAuditTellsOfThem() throws {
        let house = try House()
        let backups = try service(house)
        for caller in [Caller.viewer, .operator, .banker] {
            #expect(throws: ServiceError.self) { _ = try create(backups, by: caller) }
            #expect(throws: ServiceError.self) { _ = try backups.list(by: caller) }
        }
        let made = try create(backups, by: .admin)
        let backup = try #require(try backups.list(by: .admin).first)
        #expect(made.body == Array(backup.name.utf8))
        let line = try #require(try house.access.audit(AuditQuery(limit: 1), for: .admin).entries.first).entry
        #expect(line.action == "backup.create")
        #expect(line.subject == backup.name)
        #expect(line.actor?.name == "ann")
    }

    @Test func aRequestThatIsRepeatedUnderItsKeyMakesOne() throws {
        let house = try House()
        let backups = try service(house)
        func count() throws -> Int { try backups.list(by: .admin).count }
        let first = try create(backups, by: .admin, key: "k")
        house.clock.advance(seconds: 60)
        #expect(try create(backups, by: .admin, key: "k") == first)
        #expect(try count() == 1)
        #expect(word { _ = try create(backups, by: .admin, key: "k", request: [2]) } == "idempotency_key_reused")
        #expect(word { _ = try create(backups, by: .operator, key: "k") } == "forbidden")
        #expect(try create(backups, by: .admin, key: "other") != first)
        #expect(try count() == 2)
        // Nothing can be kept while the history is damaged; a backup is made all the same.
        house.ledger.historyChecked(fault: "history: changes row 3: is missing")
        house.clock.advance(seconds: 60)
        #expect(try create(backups, by: .admin, key: "late").status == 201)
        #expect(try count() == 3)
    }

    /// An older database in the place of the right one, copied every hour, would in the end have taken the place of every good backup.
    @Test func ofADamagedHistoryTheClockMakesNoBackups() throws {
        let house = try House(start: false)
        try house.open()
        let backups = try service(house)
        backups.keep()
        #expect(try backups.list(by: .admin).isEmpty, "not checked yet")
        house.ledger.historyChecked(fault: "history: changes row 3: is missing")
        backups.keep()
        #expect(try backups.list(by: .admin).isEmpty)
        house.ledger.historyChecked(fault: nil)
        backups.keep()
        #expect(try backups.list(by: .admin).count == 1)
    }

    @Test func olderOnesThanAreToBeKeptGo() throws {
        let house = try House()
        let backups = try service(house, interval: 60, kept: 2)
        for _ in 1...5 {
            backups.keep()
            house.clock.advance(seconds: 60)
        }
        #expect(try backups.list(by: .admin).count == 2)
    }

    /// Somebody who polls with the sequence of a change that a restore has taken away is told to begin anew.
    @Test func whoSawALostChangeStartsAnew() throws {
        func change(_ sequence: Int, skipped: Int = 0) -> Change {
            Change(
                sequence: sequence,
                at: Timestamp(milliseconds: 0),
                actor: Actor(kind: .system, name: "x"),
                source: .api,
                kind: skipped > 0 ? .restore : .set,
                reason: nil,
                requestId: "r",
                app: nil,
                targets: [],
                skipped: skipped
            )
        }
        let recent = RecentChanges([change(1), change(2), change(10, skipped: 7), change(11)], floor: 0)
        func after(_ sequence: Int) -> [Int]? { recent.after(sequence, newest: 11, limit: 9)?.changes.map(\.sequence) }
        #expect(after(0) == [1, 2, 10, 11])
        #expect(after(2) == [10, 11])
        for lost in 3...9 { #expect(after(lost) == nil) }
        #expect(after(10) == [11])
        #expect(after(11) == [])
        #expect(after(12) == nil)
    }
}

/// On both engines.
struct NoBackupsTests {
    @Test func whoHasNoFolderIsToldWhatTheDatabaseAllows() throws {
        let detail = ServiceError.noBackups(of: try House().ledger).detail
        let isFile = TestEngine.current == .sqlite
        #expect(detail.contains("--backup-dir DIR") == isFile)
        #expect(detail.contains("pg_dump") != isFile)
    }
}
