import Foundation
import GRDB
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

@Suite struct VerifyTests {
    /// A closed store of one's own with history, settings, deletions and audit.
    private func filled() throws -> Scratch { try Scratch(Self.template.get()) }

    /// Filled once and copied, since filling syncs the disk twenty times.
    private static let template = Result { try fill() }

    private static func fill() throws -> Scratch.Prepared {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(
            world.set(
                [.shopIOS: .open, .shopAndroid: .killed],
                settings: [.shopAndroid: PlatformSettings(versionScheme: .code, releases: ["41"])]
            )
        )
        try store.commit(world.saveApp(.bank, name: "Bank"))
        try store.commit(world.create(.bankIOS))
        try store.commit(world.delete(.bank))
        try store.commit(world.set([.shopIOS: .everything], reason: nil))
        for number in 1...5 {
            try store.appendAudit(
                AuditEntry(
                    at: scratch.clock.now,
                    actor: number == 3 ? nil : Actor(kind: .user, name: "ann"),
                    action: "session.created",
                    outcome: .succeeded,
                    subject: "ann",
                    address: "127.0.0.1",
                    requestId: "r\(number)",
                    detail: ["number": .integer(number)]
                )
            )
        }
        try store.close()
        return try scratch.prepared()
    }

    private func faults(_ scratch: Scratch, anchor: ChainAnchor? = nil) throws -> [String] {
        try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations, anchor: anchor).map(
            \.description
        )
    }

    @Test func anUntouchedDatabaseHasNoFault() throws {
        let scratch = try filled()
        #expect(try faults(scratch) == [])
        #expect(try faults(scratch) == [])
    }

    @Test(.onSQLite) func verifyingWritesNothing() throws {
        let scratch = try filled()
        let before = SHA256Digest(of: try bytes(scratch))
        _ = try faults(scratch)
        #expect(SHA256Digest(of: try bytes(scratch)) == before)
    }

    /// What `gatehouse verify` says when a row was altered with a sqlite3 shell: the row, before the triggers that had to go for it.
    @Test func anAlteredRowIsNamedFirst() throws {
        let scratch = try filled()
        try scratch.dropTriggers()
        try scratch.tamper("UPDATE changes SET reason = 'INC-2' WHERE sequence = 4")
        let found = try faults(scratch)
        #expect(found.first == "changes row 4: hash does not match")
        #expect(found.contains("schema: trigger changes_are_not_updated is missing"))
    }

    struct Mutation: CustomTestStringConvertible {
        let sql: String
        let fault: String
        var testDescription: String { sql }
    }

    /// Every column of every append-only table, in the first row, a middle one and the last.
    static let mutations: [Mutation] = {
        var mutations: [Mutation] = []
        func add(_ table: String, _ fault: String, _ condition: String, _ columns: [(String, String)]) {
            for (column, value) in columns {
                mutations.append(Mutation(sql: "UPDATE \(table) SET \(column) = \(value) WHERE \(condition)", fault: fault))
            }
        }
        let texts = ["actor_kind", "actor_name", "source", "kind", "request_id"].map { ($0, "\($0) || ' '") }
        let empties = [
            ("reason", "coalesce(reason, '') || 'x'"), ("app", "coalesce(app, '') || 'x'"), ("at", "at + 1"),
            ("apps_after", "coalesce(apps_after, '') || ' '"),
            ("actor_id", "coalesce(actor_id, '') || ' '"), ("actor_user", "coalesce(actor_user, '') || ' '"),
            ("target_count", "target_count + 1"), ("hash", "randomblob(32)"),
        ]
        for row in [1, 5, 9] { add("changes", "changes row \(row): hash does not match", "sequence = \(row)", texts + empties) }
        add(
            "changes",
            "changes row 5: hash does not match",
            "sequence = 5",
            [("reason", "NULL"), ("reason", "''"), ("reason", "CAST(x'494e432d3100' AS TEXT)"), ("actor_name", "CAST(x'ff' AS TEXT)")]
        )
        add("changes", "changes row 9: hash does not match", "sequence = 9", [("reason", "''")])
        add("changes", "changes row 9: is missing", "sequence = 9", [("sequence", "10")])
        for row in [2, 5, 9] {
            add(
                "change_targets",
                "changes row \(row): hash does not match",
                "sequence = \(row) AND position = 0",
                [
                    ("position", "7"), ("app", "app || 'x'"), ("platform", "platform || 'x'"), ("previous", "previous - 1"),
                    ("revision", "revision + 10"),
                    ("before", "before || ' '"), ("after", "after || ' '"), ("settings_before", "coalesce(settings_before, '') || ' '"),
                    ("settings_after", "coalesce(settings_after, '') || ' '"), ("feeds", "replace(feeds, 'a', 'b') || ' '"),
                ]
            )
        }
        add("change_targets", "changes row 4: hash does not match", "sequence = 5 AND position = 1", [("sequence", "4")])
        add(
            "audit",
            "audit row 4: hash does not match",
            "sequence = 4",
            [("hash", "randomblob(32)"), ("at", "at - 1"), ("outcome", "'refused'")]
        )
        for row in [1, 3, 5] {
            add(
                "audit",
                "audit row \(row): hash does not match",
                "sequence = \(row)",
                ["actor_kind", "actor_name", "action", "subject", "address", "request_id", "detail", "actor_id", "actor_user"].map {
                    ($0, "coalesce(\($0), '') || ' '")
                }
            )
        }
        mutations += [
            Mutation(sql: "DELETE FROM changes WHERE sequence = 6", fault: "changes row 6: is missing"),
            Mutation(sql: "DELETE FROM changes WHERE sequence = 9", fault: "changes row 9: is missing, but change_targets has rows of it"),
            Mutation(sql: "DELETE FROM changes WHERE sequence = 1", fault: "changes row 1: is missing"),
            Mutation(sql: "DELETE FROM change_targets WHERE sequence = 5 AND position = 1", fault: "changes row 5: hash does not match"),
            Mutation(
                sql:
                    "INSERT INTO change_targets SELECT sequence, 2, app, 'tv', previous, revision, before, after, settings_before, settings_after, feeds FROM change_targets WHERE sequence = 5 AND position = 0",
                fault: "changes row 5: hash does not match"
            ),
            // A row that says it is a restore does not explain any away: its hash covers what it says.
            Mutation(
                sql: "UPDATE changes SET skipped = 0, kind = 'restore' WHERE sequence = 5",
                fault: "changes row 5: hash does not match"
            ),
            Mutation(sql: "DELETE FROM audit WHERE sequence = 3", fault: "audit row 3: is missing"),
            Mutation(sql: "UPDATE changes SET sequence = 0 WHERE sequence = 1", fault: "changes row 1: is missing"),
            Mutation(
                sql: "UPDATE targets SET gate = '{}' WHERE platform = 'ios'",
                fault: "targets row shop/ios: is not what the history says: the gate differs"
            ),
            Mutation(
                sql: "UPDATE targets SET settings = replace(settings, '15', '16') WHERE platform = 'ios'",
                fault: "targets row shop/ios: is not what the history says: the settings differ"
            ),
            Mutation(
                sql: "UPDATE targets SET revision = 9 WHERE platform = 'ios'",
                fault: "targets row shop/ios: is not what the history says: the revision is 4"
            ),
            Mutation(
                sql: "UPDATE targets SET sequence = 3 WHERE platform = 'ios'",
                fault: "targets row shop/ios: is not what the history says: the sequence is 9"
            ),
            Mutation(
                sql: "UPDATE targets SET platform = 'tv' WHERE platform = 'ios'",
                fault: "targets row shop/tv: is not what the history says: there is no such target"
            ),
            Mutation(sql: "UPDATE apps SET name = 'Shop!'", fault: "apps row shop: is not what the history says: the name differs"),
            Mutation(
                sql: #"UPDATE apps SET aliases = '[{"path":"/a","feed":"launchgate.json"}]'"#,
                fault: "apps row shop: is not what the history says: the aliases differ"
            ),
            Mutation(sql: "DELETE FROM targets WHERE platform = 'ios'", fault: "targets row shop/ios: is missing"),
            Mutation(sql: "UPDATE retired_targets SET revision = 1", fault: "retired_targets row bank/ios: is not what the history says"),
            Mutation(sql: "DELETE FROM retired_targets", fault: "retired_targets row bank/ios: is missing"),
            Mutation(
                sql: "UPDATE targets SET app = 'nowhere' WHERE platform = 'ios'",
                fault: "targets row 1: names a row of apps that is not there"
            ),
        ]
        return mutations
    }()

    /// What PostgreSQL cannot store, bytes that are no text, nobody puts there; and a row that names nothing is told of its app.
    private static let possible = mutations.filter {
        TestEngine.current == .sqlite || !$0.sql.contains("CAST(x'") && !$0.fault.contains("names a row of")
    }

    @Test(arguments: possible) func everyColumnOfEveryRowIsCovered(mutation: Mutation) throws {
        let scratch = try filled()
        if let server = scratch.server {
            // Without triggers and foreign keys.
            let sql = mutation.sql.replacing("randomblob(32)", with: "sha256('')")
            try server.cluster.run("SET session_replication_role = replica; \(sql)", in: server.name)
            #expect(try faults(scratch).first == mutation.fault)
            return
        }
        try scratch.dropTriggers()
        let queue = try scratch.raw()
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            try db.execute(sql: mutation.sql)
            #expect(db.changesCount > 0, "the statement altered nothing")
        }
        try queue.close()
        let found = try faults(scratch)
        #expect(found.first == mutation.fault, "\(found)")
    }

    /// Names and aliases are what a change makes of them, also of an app that comes, goes and comes again.
    @Test func appsAreWhatTheHistorySaysThroughout() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(
            world.saveApp(.shop, name: "Store", aliases: [Alias(path: "/config.json", feed: .library(.launchgate), platform: nil)])
        )
        try store.commit(world.saveApp(.bank, name: "Bank again"))
        try store.commit(world.delete(.bank))
        try store.close()
        #expect(try faults(scratch) == [])
        try scratch.tamper("INSERT INTO apps (key, name, aliases) VALUES ('bank', 'Bank again', '[]')")
        #expect(try faults(scratch) == ["apps row bank: is not what the history says: it was deleted"])
        try scratch.tamper("DELETE FROM apps WHERE key = 'bank'; UPDATE apps SET name = 'Shop'")
        #expect(try faults(scratch) == ["apps row shop: is not what the history says: the name differs"])
    }

    /// A column that the table above forgets would be one that nobody hashes.
    @Test(.onSQLite) func theTableAboveNamesEveryColumn() throws {
        let store = try Scratch().store()
        for table in HistoryTable.allCases {
            let columns = try store.read("x") { db in
                try db.values(String.self, sql: "SELECT name FROM pragma_table_info('\(table.rawValue)')")
            }
            #expect(columns.filter { $0 != "hash" } == table.columns)
            for column in columns where column != "sequence" {
                #expect(
                    Self.mutations.contains { $0.sql.hasPrefix("UPDATE \(table.rawValue) SET \(column) = ") },
                    "\(table.rawValue).\(column)"
                )
            }
        }
    }

    private static let alterations = [
        ("DROP INDEX changes_by_actor", "schema: index changes_by_actor is missing"),
        ("CREATE TRIGGER quiet BEFORE INSERT ON changes BEGIN SELECT 1; END", "schema: trigger quiet is not of the migrations' making"),
        ("CREATE TABLE more (x)", "schema: table more is not of the migrations' making"),
        ("PRAGMA user_version = 2", "schema: user_version is 2, but the ledger has 16 migrations"),
        ("PRAGMA application_id = 1", "schema: application_id is 1, not gatehouse's"),
        ("UPDATE migrations SET sql = sql || ' ' WHERE number = 2", "migrations row 2: is not the migration of this release"),
        ("UPDATE migrations SET name = 'x' WHERE number = 1", "migrations row 1: is not the migration of this release"),
    ]

    /// A server's database has no header.
    @Test(arguments: alterations.filter { TestEngine.current == .sqlite || !$0.0.hasPrefix("PRAGMA") })
    func theSchemaIsThatOfTheMigrations(sql: String, fault: String) throws {
        let scratch = try filled()
        try scratch.tamper(TestEngine.current == .sqlite ? sql : Self.others[sql] ?? sql)
        #expect(try faults(scratch).first == fault)
    }

    /// In PostgreSQL's words.
    private static let others = [
        "CREATE TRIGGER quiet BEFORE INSERT ON changes BEGIN SELECT 1; END":
            "CREATE TRIGGER quiet BEFORE INSERT ON changes FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()",
        "CREATE TABLE more (x)": "CREATE TABLE more (x text)",
    ]

    @Test func aTriggerThatWasWeakenedIsFound() throws {
        let scratch = try filled()
        try scratch.tamper(
            TestEngine.current == .sqlite
                ? "DROP TRIGGER audit_is_not_deleted; CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN SELECT 1; END"
                : "ALTER TABLE audit DISABLE TRIGGER audit_is_not_deleted"
        )
        #expect(try faults(scratch) == ["schema: trigger audit_is_not_deleted is not as the migrations made it"])
    }

    @Test func anOlderSchemaIsAFaultThatNamesTheRemedy() throws {
        let scratch = try filled()
        try scratch.tamper(
            "DELETE FROM migrations WHERE number > 2; \(scratch.server == nil ? "PRAGMA user_version = 2; " : "")DROP TABLE audit"
        )
        #expect(
            try faults(scratch).contains {
                $0.hasPrefix("schema: is 2, older than this gatehouse's ") && $0.hasSuffix(": run gatehouse migrate")
            }
        )
    }

    /// R11: without something kept outside, a chain shows only partial edits.
    @Test func anAnchorFindsATailThatWasCutOffAndAHistoryRewritten() throws {
        let scratch = try filled()
        let anchor = try scratch.store().closing { try $0.anchor() }
        #expect(anchor.changes.sequence == 9)
        #expect(anchor.audit?.sequence == 5)
        #expect(try ChainAnchor(json: JSONReader.read(anchor.json.text)) == anchor)
        #expect(try faults(scratch, anchor: anchor) == [])

        let longer = try scratch.store().closing { store in
            var world = World()
            for change in try store.changes(ChangeQuery(limit: 100)).reversed() {
                _ = change
                _ = world.saveApp(.bank)
            }
            try store.commit(world.saveApp(.bank, name: "Bank"))
            return try store.anchor()
        }
        #expect(try faults(scratch, anchor: anchor) == [], "rows after the anchor are none of its business")
        #expect(try faults(scratch, anchor: longer) == [])

        try scratch.dropTriggers()
        try scratch.tamper("DELETE FROM changes WHERE sequence = 10")
        #expect(try faults(scratch, anchor: longer).first == "changes row 10: is missing: the anchor knows rows up to 10")
        try scratch.tamper("DELETE FROM audit WHERE sequence = 5")
        #expect(try faults(scratch, anchor: anchor).first == "audit row 5: is missing: the anchor knows rows up to 5")

        // The same acts again, by somebody who computes all hashes anew.
        let forged = try Scratch()
        let store = try forged.store()
        var world = World()
        for _ in 1...9 { try store.commit(world.saveApp(.bank, actor: "forger")) }
        try store.close()
        #expect(try faults(forged) == [])
        #expect(
            try faults(forged, anchor: ChainAnchor(changes: anchor.changes, audit: nil)).first
                == "changes row 9: hash is not the anchor's: the history was rewritten"
        )
    }

    @Test(arguments: [
        "[]", "{}", #"{"changes":{"sequence":1}}"#, #"{"changes":{"sequence":-1,"hash":"00"}}"#, #"{"changes":{"sequence":1,"hash":"zz"}}"#,
    ])
    func whatIsNoAnchorIsRefused(text: String) {
        #expect(throws: ModelError.self) { try ChainAnchor(json: JSONReader.read(text)) }
    }

    @Test func aDatabaseInUseOrMissingIsAnError() throws {
        let scratch = try Scratch()
        #expect(code { _ = try Store.verify(directory: scratch.data, server: scratch.address) } == .notFound)
        let store = try scratch.store()
        #expect(code { _ = try Store.verify(directory: scratch.data, server: scratch.address) } == .inUse)
        try store.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [])
    }

    private func bytes(_ scratch: Scratch) throws -> [UInt8] {
        let queue = try scratch.raw()
        defer { try? queue.close() }  // only reads
        return try queue.read { db in
            try ["changes", "change_targets", "targets", "audit", "migrations"].flatMap {
                try Row.fetchAll(db, sql: "SELECT * FROM \($0)").map(\.description)
            }
        }.joined().utf8.map { $0 }
    }

    /// What a start believes would be served: a page that was lost has fewer rows, each of them right.
    @Test(arguments: [
        ("DELETE FROM targets WHERE platform = 'ios'", "targets row shop/ios: is missing"),
        ("DELETE FROM targets", "targets row shop/android: is missing"),
        ("DELETE FROM apps", "apps row shop: is missing"),
        ("DELETE FROM apps; DELETE FROM targets", "targets row shop/android: is missing"),
        ("DELETE FROM retired_targets", "targets row bank/ios: is missing"),
    ])
    func aStartBelievesNoStateThatLacksSomething(sql: String, fault: String) throws {
        let scratch = try filled()
        try scratch.dropTriggers()
        if let server = scratch.server {
            try server.cluster.run("SET session_replication_role = replica; " + sql, in: server.name)
        } else {
            let queue = try scratch.raw()
            try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA foreign_keys = OFF; " + sql) }
            try queue.close()
        }
        let store = try scratch.store()
        let error = #expect(throws: StoreError.self) { _ = try store.loadState() }
        #expect(error?.code == .corrupt)
        #expect(error.map { "\($0)".contains(fault) } == true, "\(error.map { "\($0)" } ?? "")")
        try store.close()
    }
}
