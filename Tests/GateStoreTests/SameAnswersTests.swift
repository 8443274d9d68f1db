import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// The same rows on both engines, and what is asked of them inside: the answers are the same.
@Suite(.onSQLite, .timeLimit(.minutes(3))) struct SameAnswersTests {
    struct Question: Sendable, CustomTestStringConvertible {
        let name: String
        /// Nil when both answer the same, else what they answered.
        let difference: @Sendable (SQLConnection, SQLConnection) throws -> String?

        var testDescription: String { name }
    }

    private static func question(
        _ name: String,
        _ ask: @escaping @Sendable (SQLConnection) throws -> some Equatable & SendableMetatype
    ) -> Question {
        Question(name: name) { sqlite, postgres in
            let (own, other) = (try ask(sqlite), try ask(postgres))
            return own == other ? nil : "\(own) is not \(other)"
        }
    }

    /// Goes over a chain in portions.
    private static func walk(_ domain: ChainDomain, limit: Int, in db: SQLConnection) throws -> [ChainProgress] {
        var parts: [ChainProgress] = []
        repeat {
            parts.append(try ChainCheck(domain: domain).run(in: db, from: parts.last?.head ?? .empty, limit: limit))
        } while parts.last?.finished == false
        return parts
    }

    private static func walk(_ check: RowCheck, limit: Int, in db: SQLConnection) throws -> [[String]] {
        var (parts, position): ([[String]], [SQLValue]?) = ([], nil)
        repeat {
            let part = try check.run(in: db, after: position, limit: limit)
            parts.append(part.faults.map(\.description))
            position = part.position
        } while position != nil
        return parts
    }

    private static func judge(in db: SQLConnection) throws -> RowJudge {
        let key = KeyedHash(key: Scratch.random.bytes(KeyedHash.keyByteCount))!
        return RowJudge(hash: key, book: try SignedBook.read(from: db, key).0)
    }

    static let questions: [Question] =
        ChainDomain.allCases.flatMap { domain in
            [1, 2, 3, .max].map { limit in question("\(domain) by \(limit)") { try walk(domain, limit: limit, in: $0) } }
        }
        + RowCheck.allCases.flatMap { check in
            // Where rows have numbers beside their keys they come in another order; the faults are told by name below.
            [1, 2, .max].map { limit in question("\(check) by \(limit)") { try walk(check, limit: limit, in: $0).count } }
        }
        + queries.map { query in question("\(query)") { try Store.changes(query, bytes: .max, in: $0).changes } }
        + [
            question("state") { try StateLoader.load(from: $0) },
            question("state of one app") { try StateLoader.load(from: $0, of: [.shop]) },
            question("present against history") { try StateCheck.faults(in: $0) },
            question("first doubt") { try StateCheck.firstDoubt(in: $0) },
            question("first doubt of some") { try StateCheck.firstDoubt(in: $0, of: [.bank, .shop]) },
            question("apps that were touched") { db in
                try (0...14).map { try ChangeRows.apps(touchedAfter: $0, in: db).sorted() }
            },
            question("signatures") { db in try SignatureCheck.findings(in: db, judge(in: db)).map(\.fault.description).sorted() },
            question("ends of the chains") { db in try SignatureCheck.chainFaults(in: db, judge(in: db).book) },
            question("repairs") { try RepairRecord.unnoted([StoreFault(place: "changes", row: 5, problem: "x")], in: $0) },
            question("windows") { db in
                try Store.schedule(in: db, judge(in: db).isRight, at: Timestamp(milliseconds: World.start)).active
            },
        ]

    static let queries: [ChangeQuery] = {
        var queries: [ChangeQuery] = []
        for app in [nil, AppKey.shop, .bank] {
            for platform in [nil, PlatformKey.ios, .android] {
                for actor in [nil, "ann", "ci", "restore"] {
                    queries.append(ChangeQuery(app: app, platform: platform, actor: actor, limit: 500))
                    queries.append(
                        ChangeQuery(
                            app: app,
                            platform: platform,
                            actor: actor,
                            source: .api,
                            since: Timestamp(milliseconds: World.start + 2_000),
                            until: Timestamp(milliseconds: World.start + 11_000),
                            after: 2,
                            before: 12,
                            limit: 3
                        )
                    )
                }
            }
        }
        return queries
    }()

    @Test func aSoundDatabaseTellsTheSame() throws {
        let scratch = try FullFolder.make()
        let database = try scratch.copied()
        try compare(scratch, database)
    }

    private func compare(_ scratch: Scratch, _ database: PostgresDatabase) throws {
        try scratch.look { sqlite in
            try database.look { postgres in
                for question in Self.questions {
                    let difference = try question.difference(sqlite, postgres)
                    #expect(difference == nil, "\(question.name)")
                }
            }
        }
    }

    /// What somebody altered past the server is found on either side, under the same name.
    @Test(arguments: [
        "UPDATE changes SET reason = 'x' WHERE sequence = 6",
        "UPDATE change_targets SET after = '{}' WHERE sequence = 4",
        "DELETE FROM change_targets WHERE sequence = 8 AND position = 1",
        "UPDATE change_targets SET position = 7 WHERE sequence = 8 AND position = 0",
        "DELETE FROM targets WHERE app = 'bank'",
        "UPDATE targets SET gate = '{}' WHERE app = 'shop'",
        "UPDATE targets SET settings = '{}' WHERE app = 'shop'",
        "DELETE FROM retired_targets",
        "DELETE FROM own_feeds WHERE name = 'other'",
        "UPDATE own_feeds SET document = '{}'",
        "UPDATE apps SET own_feed_count = 7 WHERE key = 'bank'",
        "UPDATE apps SET name = 'x' WHERE key = 'empty'",
        "UPDATE apps SET aliases = '[]' WHERE key = 'bank'",
        "UPDATE audit SET detail = NULL WHERE sequence = 3",
        "DELETE FROM audit WHERE sequence = 3",
        "DELETE FROM audit WHERE sequence > 6",
        "UPDATE users SET disabled = 1 WHERE id = 1",
        "UPDATE users SET totp_secret = password_hash_bytes WHERE id = 1",
        "DELETE FROM tokens WHERE id = 'k7Fq2Zx1'",
        "UPDATE recovery_codes SET used_at = NULL",
        "UPDATE sessions SET expires_at = 4102444800000",
        "UPDATE sessions SET expires_at = 4000000000000000",
        "UPDATE throttles SET not_before = 4000000000000000",
        "UPDATE idempotency_records SET at = 4000000000000000 WHERE key = 'a'",
        "UPDATE windows SET document = '{}'",
        "UPDATE signatures SET content = '' WHERE name = 'users'",
        "DELETE FROM signatures WHERE name = 'heads'",
    ])
    func anAlteredOneTellsTheSame(statement: String) throws {
        let scratch = try FullFolder.make()
        let database = try scratch.copied()
        try scratch.dropTriggers()
        try scratch.tamper(statement.replacing("password_hash_bytes", with: "x'01FF00'"))
        try database.write { db in
            for table in CopiedTable.allCases { try db.execute(sql: "ALTER TABLE \(table.rawValue) DISABLE TRIGGER USER") }
            try db.execute(sql: statement.replacing("password_hash_bytes", with: "'\\x01FF00'::bytea"))
        }
        try compare(scratch, database)
    }

    /// Rows that nobody can read are mended or noted, by the same rules.
    @Test func aRepairTellsTheSame() throws {
        let scratch = try UnreadableRowTests.ruined(Scratch(server: nil))
        let database = try scratch.copied()
        func repair(_ db: SQLConnection) throws -> (RepairReport, left: [String]) {
            var work = RepairWork(db: db, reverting: [:], directory: scratch.path, now: scratch.clock.now, keepsFile: false)
            try db.transaction(.writing) { try work.run() }
            let left = try RowCheck.allCases.flatMap { try $0.run(in: db, after: nil, limit: .max).faults }
            return (work.report, try RepairRecord.unnoted(left, in: db).map(\.name))
        }
        let there = try database.write(repair)
        let copy = try Connection.copy(scratch.database)
        let here = try copy.run(repair)
        try copy.close()
        #expect(here.0.rows.map(\.fault.name) == UnreadableRowTests.rowsByNumber)
        #expect(there.0.rows.map(\.fault.name) == UnreadableRowTests.rowsByKey)
        #expect(there.0.rows.map(\.outcome) == here.0.rows.map(\.outcome))
        #expect(there.0.rows.map(\.fault.problem) == here.0.rows.map(\.fault.problem))
        #expect(here.left == [] && there.left == [])
    }

    /// Of two rows whose names come to the same, a repair finds each by its key.
    @Test func rowsOfOneNameAreEachRemoved() throws {
        let database = try FullFolder.make().copied()
        let removed = try database.write { db in
            for scope in ["ä", "ö", "name/b"] {
                try db.execute(
                    sql: "INSERT INTO throttles (scope, failures, first_failure_at, not_before) VALUES (?, 1, ?, 0)",
                    arguments: [scope, scope == "name/b" ? 0 : Int64.max]
                )
            }
            var work = RepairWork(db: db, reverting: [:], directory: "", now: .now, keepsFile: false)
            try db.transaction(.writing) { try work.run() }
            return (work.report.rows.map(\.fault.name), try db.values(String.self, sql: "SELECT scope FROM throttles ORDER BY scope"))
        }
        #expect(removed.0 == ["throttles row _", "throttles row _"])
        #expect(removed.1 == ["name/ann", "name/b"])
    }

    /// What is kept for repeated requests has bounds, which are asked for with sums.
    @Test(arguments: SQLEngine.allCases) func answersAreKeptWithinTheirBounds(engine: SQLEngine) throws {
        let kept = try engine.run { db in
            let folder = Scratch.migrations + (engine == .sqlite ? "" : "/postgresql")
            _ = try Schema.migrate(db, migrations: Migration.all(in: folder), now: .now)
            let now = Timestamp(milliseconds: World.start)
            var quota = IdempotencyRecord.Quota()
            (quota.records, quota.bytes, quota.bytesOfAll) = (3, 40, 60)
            for number in 0..<12 {
                let record = IdempotencyRecord(
                    actor: number.isMultiple(of: 3) ? "b" : "a",
                    key: "\(number)",
                    requestDigest: .zero,
                    status: 200,
                    body: [UInt8](repeating: 0, count: 15),
                    at: now.advanced(bySeconds: Int64(number))
                )
                try db.transaction(.writing) { try IdempotencyRows.insert(record, now: record.at, quota: quota, into: db) }
            }
            return try db.values(String.self, sql: "SELECT actor || key FROM idempotency_records ORDER BY actor, at")
        }
        #expect(kept == ["a10", "a11", "b6", "b9"])
    }

    /// A cursor of the server's gives every row once, beside others, and again within one transaction.
    @Test(arguments: SQLEngine.allCases) func longAnswersComeWhole(engine: SQLEngine) throws {
        try engine.run { db in
            try db.execute(sql: "CREATE TABLE numbers (n \(engine == .sqlite ? "INTEGER" : "bigint"))")
            for number in 0..<1_001 { try db.execute(sql: "INSERT INTO numbers (n) VALUES (?)", arguments: [number]) }
            func all(_ limit: Int) throws -> [Int] {
                let cursor = try db.cursor(sql: "SELECT n FROM numbers WHERE n < ? ORDER BY n", arguments: [limit])
                var numbers: [Int] = []
                while let row = try cursor.next() { numbers.append(try row.stored("n")) }
                return numbers
            }
            for limit in [0, 1, 199, 200, 201, 400, 1_001] { #expect(try all(limit) == Array(0..<limit)) }
            try db.transaction(.reading) {
                let outer = try db.cursor(sql: "SELECT n FROM numbers WHERE n < ? ORDER BY n", arguments: [450])
                var count = 0
                while try outer.next() != nil {
                    count += 1
                    if count == 1 || count == 300 { #expect(try all(401) == Array(0..<401)) }
                }
                #expect(count == 450)
                for limit in [0, 1, 199, 200, 201, 400, 1_001] { #expect(try all(limit) == Array(0..<limit)) }
                // One that nobody reads to its end.
                _ = try db.cursor(sql: "SELECT n FROM numbers ORDER BY n").next()
                _ = try db.cursor(sql: "SELECT n FROM numbers ORDER BY n").next()
            }
            try db.transaction(.writing) {
                try db.savepoint {
                    _ = try db.cursor(sql: "SELECT n FROM numbers ORDER BY n").next()
                    return false
                }
                let cursor = try db.cursor(sql: "SELECT n FROM numbers ORDER BY n")
                #expect(try cursor.next()?.stored("n") as Int? == 0)
            }
        }
    }
}
