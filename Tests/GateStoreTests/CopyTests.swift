import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateStore

/// A database there and back between the engines: what arrives is what left.
@Suite(.onSQLite, .timeLimit(.minutes(3))) struct CopyTests {
    private struct Stop: Error {}

    /// Every row of every table, by the table.
    private func content(_ db: SQLConnection) throws -> [String: [[SQLValue]]] {
        var content: [String: [[SQLValue]]] = [:]
        for table in CopiedTable.allCases {
            let rows = try CopiedRows(of: table, in: db)
            while let row = try rows.next() { content[table.rawValue, default: []].append(row) }
        }
        return content
    }

    private func faults(_ directory: String) throws -> [String] {
        try Store.verify(directory: directory, migrations: Scratch.migrations).map(\.description)
    }

    /// A folder for the way back, with the keys of another.
    private func folder(withKeysOf other: Scratch) throws -> Scratch {
        let scratch = try Scratch(server: nil)
        try FileManager.default.createDirectory(atPath: scratch.data, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: scratch.data)
        try FileManager.default.copyItem(atPath: other.data + "/keys", toPath: scratch.data + "/keys")
        return scratch
    }

    @Test func thereAndBackNothingIsAnother() throws {
        let scratch = try FullFolder.make()
        let before = try scratch.look(content)
        #expect(before.count == CopiedTable.allCases.count, "\(CopiedTable.allCases.filter { before[$0.rawValue] == nil }) is empty")
        let (state, history) = try scratch.store().closing { (try $0.loadState(), try $0.changes()) }

        let database = try PostgresCluster.shared().database()
        var told: [CopyProgress] = []
        let report = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) { told.append($0) }
        #expect(report.doubts == [])
        #expect(report.rows.map(\.count) == CopiedTable.allCases.map { before[$0.rawValue]?.count ?? 0 })
        #expect(told.first == .checking && told.last == .committing)
        let kept = try scratch.look { try ChainStore.anchor(in: $0) }
        #expect(report.anchor == kept)
        try database.look { (db: SQLConnection) throws -> Void in
            #expect(try content(db) == before)
            #expect(try db.lastNumber(of: "users") == scratch.look { try $0.lastNumber(of: "users") })
            #expect(try StateLoader.load(from: db) == state)
            #expect(try Store.changes(ChangeQuery(limit: 500), bytes: .max, in: db).changes == history)
        }

        let back = try folder(withKeysOf: scratch)
        let returned = try Store.copy(from: DatabaseServer(database.url), to: back.configuration())
        #expect(returned == report)
        #expect(try faults(back.data) == [])
        #expect(try back.look(content) == before)
        #expect(
            try Set(FileManager.default.contentsOfDirectory(atPath: back.data)) == [
                "gatehouse.sqlite", "gatehouse.lock", "keys", "version.json",
            ]
        )
        #expect(try FileManager.default.attributesOfItem(atPath: back.database)[.posixPermissions] as? Int == 0o600)
        try back.store().closing { store in
            #expect(try store.loadState() == state)
            #expect(try store.changes() == history)
            #expect(try store.doubts().isEmpty)
            // Of three people the last is gone: the fourth is the fourth.
            let now = back.clock.now
            let user = try store.createUser(
                NewUser(name: "new", role: .viewer, passwordHash: .init(stored: "x"), createdAt: now),
                audit: AuditEntry(at: now, actor: nil, action: "people.create", requestId: "r")
            )
            #expect(user.id == 4)
        }
    }

    /// What nobody can read goes along as it is, and is found on the other side under its name.
    @Test func rowsThatNobodyCanReadAreCopiedAsTheyAre() throws {
        let scratch = try UnreadableRowTests.ruined(Scratch(server: nil))
        let database = try scratch.copied()
        let found = try database.look { db in try RowCheck.allCases.flatMap { try $0.run(in: db, after: nil, limit: .max).faults } }
        #expect(found.map(\.name) == UnreadableRowTests.rowsByKey)
        let back = try folder(withKeysOf: scratch)
        _ = try Store.copy(from: DatabaseServer(database.url), to: back.configuration())
        #expect(try faults(back.data) == faults(scratch.data))
    }

    /// A text that PostgreSQL cannot keep is named, and nothing is kept of the rest.
    @Test(arguments: [("CAST(x'41004200' AS TEXT)", "a\0b"), ("CAST(x'41ff42' AS TEXT)", "no UTF-8")])
    func textsThatCannotBeKeptAreRefused(value: String, what: String) throws {
        let scratch = try FullFolder.make()
        try scratch.tamper("UPDATE tokens SET name = \(value) WHERE id = 'k7Fq2Zx1'")
        let database = try PostgresCluster.shared().database()
        do {
            _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url))
            Issue.record("\(what) was copied")
        } catch { #expect(error.code == .corrupt && error.detail.hasPrefix("tokens row k7Fq2Zx1: name holds no text"), "\(error)") }
        try database.write { try CopyWork.requireEmpty($0) }
    }

    /// An altered history is not spread.
    @Test func aHistoryThatWasAlteredIsNotCopied() throws {
        let scratch = try FullFolder.make()
        try scratch.dropTriggers()
        try scratch.tamper("UPDATE changes SET reason = 'x' WHERE sequence = 4")
        let database = try PostgresCluster.shared().database()
        #expect(code { _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) } == .corrupt)
        try database.write { try CopyWork.requireEmpty($0) }
    }

    @Test func whatIsThereIsNotWrittenOver() throws {
        let scratch = try FullFolder.make()
        let database = try scratch.copied()
        let before = try database.look(content)
        #expect(code { _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) } == .conflict)
        #expect(try database.look(content) == before)
        // One row anywhere is enough.
        let other = try PostgresCluster.shared().database()
        try other.write { db in
            for migration in try Migration.all(in: Scratch.migrations + "/postgresql") {
                try db.transaction(.writing) {
                    try db.execute(sql: migration.sql)
                    try db.execute(
                        sql: "INSERT INTO migrations (number, name, sql, applied_at) VALUES (?, ?, ?, 0)",
                        arguments: [migration.number, migration.name, migration.sql]
                    )
                }
            }
            try db.execute(sql: "INSERT INTO throttles (scope, failures, first_failure_at, not_before) VALUES ('a', 1, 0, 0)")
        }
        #expect(code { _ = try Store.copy(scratch.configuration(), to: DatabaseServer(other.url)) } == .conflict)

        let bytes = try scratch.databaseBytes()
        #expect(code { _ = try Store.copy(from: DatabaseServer(database.url), to: scratch.configuration()) } == .conflict)
        #expect(try scratch.databaseBytes() == bytes)
    }

    /// A log or journal without its database belongs to somebody; an empty one is what a reader leaves behind.
    @Test(arguments: ["-wal", "-journal"]) func whatWasLeftBehindIsNotPlayedIntoTheCopy(ending: String) throws {
        let database = try FullFolder.make().copied()
        let back = try Scratch(server: nil)
        try FileManager.default.createDirectory(
            atPath: back.data,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let left = ending == "-wal" ? Data("left".utf8) : try Scratch.journal()
        for name in [ending, "-shm"] { try left.write(to: URL(filePath: back.database + name)) }
        #expect(code { _ = try Store.copy(from: DatabaseServer(database.url), to: back.configuration()) } == .conflict)
        #expect(try Data(contentsOf: URL(filePath: back.database + ending)) == left)
        try Data().write(to: URL(filePath: back.database + ending))
        _ = try Store.copy(from: DatabaseServer(database.url), to: back.configuration())
        #expect(try back.look(content) == database.look(content))
    }

    /// Wherever it ends, nothing is there that could be taken for a copy, and the next one is whole.
    @Test func aCopyThatIsCutOffLeavesNothing() throws {
        let scratch = try FullFolder.make()
        var steps = 0
        let database = try PostgresCluster.shared().database()
        _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) { _ in steps += 1 }
        #expect(steps > 15)
        let target = try PostgresCluster.shared().database()
        let back = try folder(withKeysOf: scratch)
        for last in 1...steps {
            var (there, home) = (0, 0)
            #expect(throws: (any Error).self) {
                try Store.copy(scratch.configuration(), to: DatabaseServer(target.url)) { _ in
                    there += 1
                    if there == last { throw Stop() }
                }
            }
            try target.write { try CopyWork.requireEmpty($0) }
            #expect(throws: (any Error).self) {
                try Store.copy(from: DatabaseServer(database.url), to: back.configuration()) { _ in
                    home += 1
                    if home == last { throw Stop() }
                }
            }
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: back.data)) == ["gatehouse.lock", "keys"])
        }
        // As a process leaves them that was killed.
        for name in ["gatehouse.sqlite.new", "gatehouse.sqlite.new-journal"] {
            try Data("half of it".utf8).write(to: URL(filePath: back.data + "/" + name))
        }
        _ = try Store.copy(scratch.configuration(), to: DatabaseServer(target.url))
        _ = try Store.copy(from: DatabaseServer(target.url), to: back.configuration())
        #expect(try back.look(content) == scratch.look(content))
    }

    /// Nothing is written over a schema that is not understood, on either side.
    @Test func anOlderSchemaIsMigratedFirst() throws {
        let scratch = try FullFolder.make()
        try scratch.tamper(
            """
            DROP TABLE shared_keys; DROP TABLE server_polls; DROP TABLE servers; ALTER TABLE users DROP COLUMN origin;
            DELETE FROM migrations WHERE number >= 14; PRAGMA user_version = 13
            """
        )
        let database = try PostgresCluster.shared().database()
        #expect(code { _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) } == .schemaTooOld)
        _ = try Store.migrate(scratch.configuration())
        _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url))
        #expect(try database.look(content) == scratch.look(content))
    }

    @Test func somebodyElsesTablesAreLeftAlone() throws {
        let scratch = try FullFolder.make()
        let database = try PostgresCluster.shared().database()
        try database.write { try $0.execute(sql: "CREATE TABLE invoices (id bigint)") }
        #expect(throws: StoreError.self) { try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) }
        #expect(try database.write { try $0.hasTable("migrations") } == false)
    }

    /// A row that an index does not know any more might be passed over on the way.
    @Test func aDamagedIndexIsNoSource() throws {
        let scratch = try FullFolder.make()
        try scratch.tamper(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = sql || ' WHERE failures < 0' WHERE name = 'throttles_by_age';
            PRAGMA writable_schema = RESET;
            INSERT INTO throttles (scope, failures, first_failure_at, not_before) VALUES ('lost', 1, 0, 0);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, ' WHERE failures < 0', '') WHERE name = 'throttles_by_age';
            PRAGMA writable_schema = RESET;
            """
        )
        let database = try PostgresCluster.shared().database()
        #expect(code { _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) } == .corrupt)
        try database.write { try CopyWork.requireEmpty($0) }
    }

    /// Two at once: one is there as a whole, and the other is told.
    @Test func ofTwoCopiesIntoOneDatabaseOneIsMade() throws {
        let (first, second) = (try FullFolder.make(), try UnreadableRowTests.ruined(Scratch(server: nil)))
        let database = try PostgresCluster.shared().database()
        let done = Mutex<[String]>([])
        let refused = Mutex<[StoreError.Code]>([])
        DispatchQueue.concurrentPerform(iterations: 2) { number in
            let scratch = number == 0 ? first : second
            do {
                _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url))
                done.withLock { $0.append(scratch.path) }
            } catch { refused.withLock { $0.append((error as? StoreError)?.code ?? .internal) } }
        }
        #expect(refused.withLock { $0.allSatisfy { [.conflict, .busy].contains($0) } }, "\(refused.withLock { $0 })")
        // Both may have been in each other's way.
        let winner = done.withLock { $0 }
        #expect(winner.count + refused.withLock { $0.count } == 2 && winner.count < 2)
        if winner.isEmpty {
            try database.write { try CopyWork.requireEmpty($0) }
        } else {
            #expect(try database.look(content) == (winner == [first.path] ? first : second).look(content))
        }
    }

    /// The database goes away in the middle, as in a crash.
    @Test func aServerThatDiesInTheMiddleHasNothing() throws {
        let cluster = try PostgresCluster()
        let (scratch, database) = (try FullFolder.make(), try cluster.database())
        #expect(throws: StoreError.self) {
            try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) { step in
                if step == .copied(table: "audit", rows: try scratch.look { try ChainStore.head(of: .audit, in: $0).sequence }) {
                    try cluster.stopAtOnce()
                }
            }
        }
        try cluster.start()
        try database.write { try CopyWork.requireEmpty($0) }
        _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url))
        let back = try folder(withKeysOf: scratch)
        #expect(throws: StoreError.self) {
            try Store.copy(from: DatabaseServer(database.url), to: back.configuration()) { step in
                if case .copied("apps", _) = step { try cluster.stopAtOnce() }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: back.database))
        try cluster.start()
        _ = try Store.copy(from: DatabaseServer(database.url), to: back.configuration())
        #expect(try back.look(content) == scratch.look(content))
    }

    @Test func whereTheKeyIsNotAlongTheReportSaysSo() throws {
        let database = try FullFolder.make().copied()
        let back = try Scratch(server: nil)
        let report = try Store.copy(from: DatabaseServer(database.url), to: back.configuration())
        #expect(report.doubts == [Signatures.missingKey])
    }

    /// A row that was put in past the server stays as foreign as it was.
    @Test func whatTheServerDidNotWriteIsNamed() throws {
        let scratch = try FullFolder.make()
        try scratch.tamper("UPDATE users SET role = 'admin', apps = NULL WHERE id = 2")
        let database = try PostgresCluster.shared().database()
        let report = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url))
        #expect(report.doubts.map(\.description) == ["users row 2: was not written by gatehouse"])
    }

    @Test func aFolderInUseIsNotCopied() throws {
        let scratch = try FullFolder.make()
        let database = try PostgresCluster.shared().database()
        try scratch.store().closing { _ in
            #expect(code { _ = try Store.copy(scratch.configuration(), to: DatabaseServer(database.url)) } == .inUse)
        }
        #expect(try database.write { try $0.hasTable("migrations") } == false)
    }

    /// An anchor that was kept in the folder is held against what comes.
    @Test func anAnchorOfAnotherHistoryIsNotOverruled() throws {
        let database = try FullFolder.make().copied()
        let back = try Scratch(server: nil)
        let other = try back.store().closing { store in
            var world = World()
            try store.commit(world.saveApp(.shop, name: "Other"))
            return try store.anchor()
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: back.data) where name.hasPrefix("gatehouse.sqlite") {
            try FileManager.default.removeItem(atPath: back.data + "/" + name)
        }
        try other.write(to: back.data + "/anchor.json", doing: "x")
        #expect(code { _ = try Store.copy(from: DatabaseServer(database.url), to: back.configuration()) } == .conflict)
        #expect(!FileManager.default.fileExists(atPath: back.database))
    }

    /// What a procedure at the server takes on in portions, and a change of more targets than a portion has.
    @Test func longHistoriesAndLargeChangesArrive() throws {
        let scratch = try Scratch(server: nil)
        try scratch.store().closing { store in
            var world = World()
            try store.commit(world.saveApp(.shop))
            let keys = (0..<1_500).map { TargetKey("shop/p\($0)")! }
            for key in keys.prefix(3) { try store.commit(world.create(key)) }
            for number in 0..<1_200 { try store.commit(world.set([keys[number % 3]: number.isMultiple(of: 2) ? .killed : .open])) }
            for key in keys.dropFirst(3) { try store.commit(world.create(key)) }
            try store.commit(world.set(Dictionary(uniqueKeysWithValues: keys.map { ($0, .everything) })))
        }
        let database = try scratch.copied()
        #expect(try database.look(content) == scratch.look(content))
    }
}
