import Foundation
import GRDB
import GateTesting
import PostgreSQL
import Testing

@testable import GateStore

/// `Migrations/postgresql` beside `Migrations`: one schema, told to two engines.
@Suite(.timeLimit(.minutes(3))) struct PostgreSQLMigrationTests {
    private static let folder = ProjectFiles.migrations + "/postgresql"

    /// Both engines with all migrations and nothing in them.
    private struct Both {
        let sqlite: DatabaseQueue
        let database: PostgresDatabase
        let postgres: PostgresConnection

        init() throws {
            sqlite = try DatabaseQueue()
            for migration in try Migration.all(in: ProjectFiles.migrations) { try sqlite.write { try $0.execute(sql: migration.sql) } }
            database = try PostgresCluster.shared().database()
            postgres = try PostgresConnection(to: PostgresAddress(database.url))
            for migration in try Migration.all(in: folder) { try postgres.run(script: "BEGIN; \(migration.sql); COMMIT;") }
        }

        /// Carries a statement out in both; blobs are written `{00ff}`.
        /// - Returns: what each refused it with, nil for what was done.
        func carryOut(_ statement: String) -> (sqlite: String?, postgres: String?) {
            func refusal(_ body: () throws -> Void) -> String? {
                do { try body() } catch let error as DatabaseError { return error.message ?? "" } catch {
                    return (error as? PostgresError)?.message
                }
                return nil
            }
            return (
                refusal { try sqlite.write { try $0.execute(sql: statement.replacing(#/\{([0-9a-f]+)\}/#) { "x'\($0.1)'" }) } },
                refusal { try postgres.execute(statement.replacing(#/\{([0-9a-f]+)\}/#) { "'\\x\($0.1)'::bytea" }) }
            )
        }

        func rows(_ query: String) throws -> (sqlite: [[String]], postgres: [[String]]) {
            (
                try sqlite.read { try Row.fetchAll($0, sql: query) }.map { row in row.databaseValues.map { "\($0)".trimmingQuotes } },
                try postgres.execute(query).rows.map { row in
                    row.map { value in value.text ?? value.integer.map { "\($0)" } ?? value.bytes.map { "\($0.count) bytes" } ?? "NULL" }
                }
            )
        }
    }

    @Test func theFilesHaveTheSameNumbersAndNames() throws {
        let (own, others) = (try Migration.all(in: ProjectFiles.migrations), try Migration.all(in: Self.folder))
        #expect(own.map(\.number) == others.map(\.number))
        #expect(own.map(\.name) == others.map(\.name))
    }

    @Test func tablesColumnsAndKeysAreTheSame() throws {
        let both = try Both()
        let types = ["INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea"]
        let tables = try both.sqlite.read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
        }
        let known = try both.postgres.execute(
            "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public' ORDER BY table_name::text COLLATE \"C\""
        )
        #expect(tables == known.rows.map { $0[0].text })
        for table in tables {
            let own = try both.sqlite.read { db in
                try Row.fetchAll(db, sql: "PRAGMA table_info(\(table))").map { row in
                    let isRequired = row["notnull"] == 1 || row["pk"] != 0
                    return "\(row["name"] as String) \(types[row["type"]] ?? "?")\(isRequired ? " required" : "")"
                }
            }
            let others = try both.postgres.execute(
                """
                SELECT column_name || ' ' || data_type || CASE is_nullable WHEN 'NO' THEN ' required' ELSE '' END, data_type = 'text', collation_name::text
                FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1 ORDER BY ordinal_position
                """,
                [.text(table)]
            )
            #expect(own == others.rows.map { $0[0].text }, "\(table)")
            for column in others.rows where column[1].boolean == true { #expect(column[2].text == "C", "\(table): \(column[0])") }

            let keys = try both.sqlite.read { db in
                try Row.fetchAll(db, sql: "PRAGMA index_list(\(table))").filter { $0["unique"] == 1 }.map { index in
                    try String.fetchAll(
                        db,
                        sql: "SELECT name FROM pragma_index_info(?) ORDER BY seqno",
                        arguments: [index["name"] as String]
                    )
                    .joined(separator: ",")
                }
            }
            let rowid = try both.sqlite.read { db in
                try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info(?) WHERE pk > 0 ORDER BY pk", arguments: [table])
            }
            let otherKeys = try both.postgres.execute(
                """
                SELECT (SELECT string_agg(attname, ',' ORDER BY place) FROM unnest(indkey::int2[]) WITH ORDINALITY AS part (number, place)
                        JOIN pg_attribute ON attrelid = indrelid AND attnum = number)
                FROM pg_index WHERE indrelid = $1::text::regclass AND indisunique
                """,
                [.text(table)]
            )
            #expect(Set(keys + [rowid.joined(separator: ",")]) == Set(otherKeys.rows.compactMap { $0[0].text }), "\(table)")
        }
    }

    private static let hash = "{\(String(repeating: "ab", count: 32))}"

    private static let filled = [
        "INSERT INTO apps (key, name, aliases) VALUES ('shop', 'Shop', '[]')",
        "INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, target_count, hash) VALUES (1, 0, 'user', 'ada', 'api', 'change', 'r', 2, \(hash))",
        "INSERT INTO change_targets VALUES (1, 0, 'shop', 'android', 0, 1, '{}', '{}', NULL, NULL, '{}')",
        "INSERT INTO targets VALUES ('shop', 'android', '{}', '{}', 1, 1, 0, 0)",
        "INSERT INTO audit (sequence, at, action, outcome, request_id, hash) VALUES (1, 0, 'a', 'refused', 'r', \(hash))",
        "INSERT INTO windows (id, version, state, document) VALUES (1, 1, 'pending', '{}')",
        "INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at) VALUES ('Ada', 'ada', 'admin', '', 0, 0, 0)",
    ]

    /// What the triggers refuse, in the same words; nil where the engine says it in its own.
    private static let refusals: [(statement: String, words: String?)] = [
        ("UPDATE changes SET reason = 'x'", "changes are append-only"),
        ("UPDATE changes SET reason = reason WHERE sequence = 1", "changes are append-only"),
        ("DELETE FROM changes", "changes are append-only"),
        (
            "INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, target_count, hash) VALUES (3, 0, 'user', 'ada', 'api', 'change', 'r', 1, \(hash))",
            "a change takes the next sequence"
        ),
        (
            "INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, target_count, hash, skipped) VALUES (2, 0, 'user', 'ada', 'api', 'restore', 'r', 1, \(hash), 5)",
            "a change takes the next sequence"
        ),
        (
            "INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, target_count, hash, skipped) VALUES (7, 0, 'user', 'ada', 'api', 'change', 'r', 1, \(hash), 5)",
            nil
        ),
        (
            "INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, target_count, hash) VALUES (2, 0, 'user', 'ada', 'api', 'change', 'r', 1, {00})",
            nil
        ),
        ("UPDATE change_targets SET after = '[]'", "change_targets are append-only"),
        ("DELETE FROM change_targets", "change_targets are append-only"),
        (
            "INSERT INTO change_targets VALUES (1, 2, 'shop', 'tv', 0, 1, '{}', '{}', NULL, NULL, '{}')",
            "a change is written with all of its targets, in order"
        ),
        (
            "INSERT INTO change_targets VALUES (2, 0, 'shop', 'tv', 0, 1, '{}', '{}', NULL, NULL, '{}')",
            "a change is written with all of its targets, in order"
        ),
        ("INSERT INTO change_targets VALUES (1, 1, 'shop', 'android', 0, 1, '{}', '{}', NULL, NULL, '{}')", nil),
        ("INSERT INTO change_targets VALUES (1, 1, 'shop', 'tv', 1, 1, '{}', '{}', NULL, NULL, '{}')", nil),
        ("UPDATE audit SET detail = NULL", "audit is append-only"),
        ("DELETE FROM audit", "audit is append-only"),
        (
            "INSERT INTO audit (sequence, at, action, outcome, request_id, hash) VALUES (3, 0, 'a', 'refused', 'r', \(hash))",
            "an audit entry takes the next sequence"
        ),
        ("INSERT INTO audit (sequence, at, action, outcome, request_id, hash) VALUES (2, 0, 'a', 'odd', 'r', \(hash))", nil),
        ("DELETE FROM windows", "windows are kept"),
        ("UPDATE windows SET state = 'odd'", nil),
        ("UPDATE windows SET state = 'done', due_at = 5", nil),
        ("INSERT INTO windows (id, version, state, document) VALUES (2, 1, 'pending', '{}')", nil),
        ("INSERT INTO targets VALUES ('none', 'ios', '{}', '{}', 1, 1, 0, 0)", nil),
        ("INSERT INTO targets VALUES ('shop', 'ios', '{}', '{}', 0, 1, 0, 0)", nil),
        ("INSERT INTO targets VALUES ('shop', 'android', '{}', '{}', 1, 1, 0, 0)", nil),
        ("UPDATE users SET role = 'root'", nil),
        ("UPDATE users SET disabled = 2", nil),
        ("UPDATE users SET origin = 'elsewhere'", nil),
        ("UPDATE users SET origin = 'proxy', password_hash = 'x'", nil),
        ("UPDATE users SET invitation_digest = \(hash)", nil),
        (
            "INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at) VALUES ('ADA', 'ada', 'admin', '', 0, 0, 0)",
            nil
        ),
        ("INSERT INTO throttles VALUES ('a', 0, 0, 0)", nil),
        ("DELETE FROM apps", nil),
    ]

    @Test func bothRefuseTheSame() throws {
        let both = try Both()
        for statement in Self.filled {
            let refusals = both.carryOut(statement)
            #expect(refusals == (nil, nil), "\(statement)")
        }
        for (statement, words) in Self.refusals {
            let (own, other) = both.carryOut(statement)
            #expect(own != nil && other != nil, "\(statement): \(own ?? "done"), \(other ?? "done")")
            if let words { #expect(own == words && other == words, "\(statement): \(own ?? ""), \(other ?? "")") }
        }
        // Nothing of it was done.
        for table in ["changes", "change_targets", "targets", "audit", "windows", "users", "throttles", "apps"] {
            let (own, others) = try both.rows("SELECT * FROM \(table)")
            #expect(own.count == others.count && own.count <= 1, "\(table)")
        }
    }

    /// SQLite has no such statement.
    @Test(arguments: ["changes CASCADE", "change_targets", "audit", "windows CASCADE"])
    func aTableThatOnlyGrowsIsNotEmptied(table: String) throws {
        let both = try Both()
        #expect(throws: PostgresError.self) { try both.postgres.execute("TRUNCATE \(table)") }
    }

    @Test func bothCountTheSame() throws {
        let both = try Both()
        let record = { (actor: String, key: String, body: String) in
            "INSERT INTO idempotency_records VALUES ('\(actor)', '\(key)', \(Self.hash), 200, {\(body)}, 0)"
        }
        let feed = { (name: String) in "INSERT INTO own_feeds VALUES ('shop', '\(name)', '{}')" }
        for statement in [
            Self.filled[0], record("ada", "1", "0011"), record("ada", "2", "00"), record("bob", "1", "ff"), feed("a"), feed("b"),
            "DELETE FROM idempotency_records WHERE actor = 'bob'", "DELETE FROM idempotency_records WHERE key = '1'",
            "DELETE FROM own_feeds WHERE name = 'a'", record("ada", "3", "aabbcc"),
        ] {
            let refusals = both.carryOut(statement)
            #expect(refusals == (nil, nil), "\(statement)")
            for query in ["SELECT * FROM idempotency_usage ORDER BY actor", "SELECT key, own_feed_count FROM apps"] {
                let (own, others) = try both.rows(query)
                #expect(own == others, "after \(statement)")
            }
        }
        #expect(try both.rows("SELECT * FROM idempotency_usage").postgres == [["ada", "2", "4"]])
        #expect(try both.rows("SELECT own_feed_count FROM apps").postgres == [["1"]])
    }

    /// Lists go on by what the last one was: both have one order, and it is that of the bytes.
    @Test func bothSortByBytes() throws {
        let both = try Both()
        for key in ["b", "B", "a-b", "ab", "a_b", "é", "z", "😀", "Ａ"] {
            let refusals = both.carryOut("INSERT INTO throttles VALUES ('\(key)', 1, 0, 0)")
            #expect(refusals == (nil, nil))
        }
        let (own, others) = try both.rows("SELECT scope FROM throttles ORDER BY scope")
        #expect(own == others)
        #expect(own.map { Array($0[0].utf8) } == own.map { Array($0[0].utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }
}

extension String {
    /// A text as GRDB describes it, in quotes.
    fileprivate var trimmingQuotes: String { hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self }
}
