import Foundation
import GRDB
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

@Suite struct MigrationTests {
    /// A folder of migrations of a test's own.
    private func folder(_ scratch: Scratch, _ files: [String: String]) throws -> String {
        let path = scratch.path + "/migrations-\(UUID().uuidString)"
        let own = path + (TestEngine.current == .sqlite ? "" : "/postgresql")
        try FileManager.default.createDirectory(atPath: own, withIntermediateDirectories: true)
        for (name, sql) in files { try Data(sql.utf8).write(to: URL(filePath: own + "/" + name)) }
        return path
    }

    /// The project's own, as files to alter.
    private func own() throws -> [String: String] {
        var files: [String: String] = [:]
        let folder = Scratch.migrations + (TestEngine.current == .sqlite ? "" : "/postgresql")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".sql") {
            files[name] = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
        }
        return files
    }

    /// The file name of the migration after those.
    private func next(_ files: [String: String], _ name: String) -> String { String(format: "%04d_%@.sql", files.count + 1, name) }

    @Test(.onSQLite) func anEmptyDatabaseGetsEveryMigrationAndTheLedgerKeepsTheirText() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        let files = try own()
        let queue = try scratch.raw()
        try queue.read { db in
            let rows = try Row.fetchAll(db, sql: "SELECT * FROM migrations ORDER BY number")
            #expect(rows.count == files.count)
            for (index, row) in rows.enumerated() {
                #expect(row["number"] == index + 1)
                let name = String(format: "%04d_%@.sql", index + 1, row["name"] as String)
                #expect(row["sql"] == files[name])
                #expect(row["applied_at"] == scratch.clock.now.milliseconds)
            }
            #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == files.count)
            #expect(try Int.fetchOne(db, sql: "PRAGMA application_id") == 0x4741_5445)
            let loose = try String.fetchAll(
                db,
                sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND NOT strict AND name NOT LIKE 'sqlite_%'"
            )
            #expect(loose == [])
        }
    }

    @Test(.onSQLite) func anOlderSchemaIsRefusedWithTheCommandAndMigrateMendsIt() throws {
        let shelf = try Scratch()
        let scratch = try Scratch(migrations: folder(shelf, own().filter { $0.key < "0002" }))
        let error = #expect(throws: StoreError.self) { _ = try scratch.store() }
        #expect(error?.code == .schemaTooOld)
        #expect(error?.hint == "Run gatehouse migrate --data \(scratch.data)")
        let migrated = try Store.migrate(scratch.configuration())
        #expect(try migrated.applied == Array(2...own().count))
        // As it was, for its owner's eyes alone, and readable by the version before.
        let copy = try #require(migrated.copy)
        let old = try DatabaseQueue(path: copy)
        #expect(try old.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == 1)
        #expect(try old.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
        let rights = try FileManager.default.attributesOfItem(atPath: copy)[.posixPermissions] as? Int
        #expect(rights == 0o600)
        #expect(try Store.migrate(scratch.configuration()) == Store.Migrated(applied: [], copy: nil))
        try scratch.store().close()

        // By steps or at once, the schema is the same.
        let fresh = try Scratch()
        try fresh.store().close()
        let all = "SELECT type, name, sql FROM sqlite_schema ORDER BY type, name"
        #expect(try scratch.raw().read { try Row.fetchAll($0, sql: all) } == fresh.raw().read { try Row.fetchAll($0, sql: all) })
    }

    /// Rows of a schema before identifiers were kept, with the hashes that its release gave them.
    @Test(.onSQLite) func historyFromBeforeIdentifiersKeepsItsHashes() throws {
        let shelf = try Scratch()
        let scratch = try Scratch(migrations: folder(shelf, own().filter { $0.key < "0007" }))
        try scratch.tamper(
            """
            INSERT INTO apps (key, name, aliases) VALUES ('shop', 'Shop', '[]');
            INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, app, target_count, apps_after, hash)
            VALUES (1, 1774000001000, 'token', 'check', 'api', 'create', 'r1', 'shop', 0, '{"shop":{"name":"Shop","aliases":[]}}',
                x'de07816a69d459322376ee58308ea89f0a0eb92ce0e6401b1b6da46349acb237');
            INSERT INTO audit (sequence, at, actor_kind, actor_name, action, outcome, request_id, hash)
            VALUES (1, 1774000001000, 'token', 'check', 'token.create', 'succeeded', 'r1',
                x'42e0d3763e65d9d0ee88a07ee54b087ec44c21b3d8daf79a24e91cf00e1126d9');
            """
        )
        _ = try Store.migrate(scratch.configuration())
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
        let store = try scratch.store()
        let check = Actor(kind: .token, name: "check")
        #expect(try store.changes(ChangeQuery(before: 2)).first?.actor == check)
        #expect(try store.audit().map(\.entry.actor) == [check])
        #expect(try store.changes(ChangeQuery(actor: "check")).count == 1)
    }

    @Test func aNewerSchemaIsRefused() throws {
        let scratch = try Scratch()
        var files = try own()
        files[next(files, "later")] = "CREATE TABLE later (x INTEGER);"
        let later = try folder(scratch, files)
        try scratch.store { $0.migrations = later }.close()
        #expect(code { _ = try scratch.store() } == .schemaTooNew)
        #expect(code { _ = try Store.migrate(scratch.configuration()) } == .schemaTooNew)
    }

    @Test func aMigrationThatWasEditedIsRefusedAndNamed() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        var files = try own()
        files["0002_people.sql"]! += "\n-- one more line\n"
        let edited = try folder(scratch, files)
        let error = #expect(throws: StoreError.self) { _ = try scratch.store { $0.migrations = edited } }
        #expect(error?.code == .schemaChanged)
        #expect(error?.detail.contains("Migration 2 (people)") == true)
    }

    @Test func aMigrationThatFailsLeavesNothingOfItself() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        var files = try own()
        let name = next(files, "broken")
        files[name] = "CREATE TABLE half (x INTEGER); INSERT INTO nowhere VALUES (1);"
        let broken = try folder(scratch, files)
        var configuration = scratch.configuration()
        configuration.migrations = broken
        #expect(code { _ = try Store.migrate(configuration) } == .internal)
        try scratch.store().close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
        // There a row that names another one which is not there is refused by itself.
        guard TestEngine.current == .sqlite else { return }
        files[name] = "PRAGMA defer_foreign_keys = ON; INSERT INTO targets VALUES ('a', 'ios', '{}', '{}', 1, 1, 0, 0);"
        configuration.migrations = try folder(scratch, files)
        #expect(code { _ = try Store.migrate(configuration) } == .schemaChanged)
        try scratch.store().close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
    }

    @Test func foldersThatAreNoMigrationsAreRefused() throws {
        let scratch = try Scratch()
        let sql = "CREATE TABLE x (y INTEGER) STRICT;"
        for files in [
            [:], ["0001_a.sql": sql, "0003_b.sql": sql], ["0002_a.sql": sql], ["1_a.sql": sql], ["0001_a.sql": sql, "0001_b.sql": sql],
            ["0001_A.sql": sql],
        ] {
            let path = try folder(scratch, files)
            #expect(code { _ = try scratch.store { $0.migrations = path } } == .schemaChanged, "\(files.keys.sorted())")
        }
        #expect(code { _ = try scratch.store { $0.migrations = scratch.path + "/nowhere" } } == .schemaChanged)
        #expect(!FileManager.default.fileExists(atPath: scratch.data))
    }

    @Test func anotherProgramsDatabaseIsLeftAlone() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.data, withIntermediateDirectories: false)
        try scratch.tamper("CREATE TABLE theirs (x INTEGER)")
        #expect(code { _ = try scratch.store() } == .corrupt)
        #expect(code { _ = try Store.migrate(scratch.configuration()) } == .corrupt)
    }
}
