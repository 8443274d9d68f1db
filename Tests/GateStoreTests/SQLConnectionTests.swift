import GRDB
import GateTesting
import Testing

@testable import GateStore

/// What everything above the engine stands on: values, rows, errors by their meaning, transactions.
@Suite(.timeLimit(.minutes(3))) struct SQLConnectionTests {
    // MARK: Values

    @Test(
        arguments: [
            SQLValue.null, .integer(0), .integer(-1), .integer(.max), .integer(.min), .integer(9_007_199_254_740_993),
            .real(0.5), .real(-1e300), .real(.infinity), .real(7),
            .text(""), .text("7"), .text("shop"), .text("Zoë 🚦 \u{FFFD}"), .text("'; DROP TABLE x; --"),
            .text(String(repeating: "a", count: 5_000)),
            .blob([]), .blob([0]), .blob([0, 255, 0]), .blob(Array("shop".utf8)), .blob(Array(repeating: 7, count: 5_000)),
        ],
        SQLEngine.allCases
    )
    func aValueComesBackAsItWent(value: SQLValue, engine: SQLEngine) throws {
        try engine.run { db in
            try db.execute(sql: "CREATE TABLE t (v \(engine.type(of: value))) \(engine.strict)")
            try db.execute(sql: "INSERT INTO t (v) VALUES (?)", arguments: [value])
            #expect(try db.value(SQLValue.self, sql: "SELECT v FROM t") ?? .null == value)
            #expect(try db.row(sql: "SELECT v FROM t")?.stored("v") as SQLValue? ?? .null == value)
            #expect(try db.rows(sql: "SELECT v FROM t").map { try $0.stored(at: 0) as SQLValue } == [value])
            let cursor = try db.cursor(sql: "SELECT v FROM t")
            #expect(try cursor.next()?.stored(at: 0) as SQLValue? ?? .null == value)
            #expect(try cursor.next() == nil)
            #expect(try db.value(Int.self, sql: "SELECT count(*) FROM t WHERE v IS NOT DISTINCT FROM :v", arguments: ["v": value]) == 1)
        }
    }

    /// What nobody may rely on: whoever writes texts that must come back whole looks for a NUL first.
    @Test func whatSQLiteDoesNotKeep() throws {
        let row = try SQLQueue.inMemory().run {
            try $0.row(sql: "SELECT ? AS t, ? AS n", arguments: ["a\0b", Double.nan])?.all()
        }
        #expect(row == ["t": .text("a"), "n": .null])
    }

    @Test(arguments: [
        (SQLValue.null, nil as [UInt8]?), (.integer(-12), Array("-12".utf8)), (.text("ä"), [0xC3, 0xA4]), (.blob([0, 1]), [0, 1]),
        (.text(""), []),
        (.real(0.5), Array("0.5".utf8)),
    ])
    func theBytesAreThoseOfACast(value: SQLValue, bytes: [UInt8]?) throws {
        #expect(value.bytes == bytes)
        try SQLQueue.inMemory().run { db in
            let cast = try db.row(sql: "SELECT CAST(? AS BLOB) AS v", arguments: [value])
            #expect(try cast?.stored("v") == bytes)
        }
    }

    // MARK: Reading

    /// A row that an engine answered, and one that was made, are read alike: nothing is converted but a text to its bytes and back.
    @Test(
        arguments: [
            (SQLValue.null, nil, nil, nil, nil, nil), (.integer(7), 7, nil, true, nil, nil), (.integer(0), 0, nil, false, nil, nil),
            (.real(7), nil, 7, nil, nil, nil), (.text("7"), nil, nil, nil, "7", [0x37]), (.text(""), nil, nil, nil, "", []),
            (.blob([0x37]), nil, nil, nil, "7", [0x37]), (.blob([0xFF]), nil, nil, nil, nil, [0xFF]),
        ] as [(SQLValue, Int?, Double?, Bool?, String?, [UInt8]?)],
        SQLEngine.allCases
    )
    func aValueIsReadAsItsKindAlone(
        _ expected: (value: SQLValue, integer: Int?, real: Double?, truth: Bool?, text: String?, bytes: [UInt8]?),
        engine: SQLEngine
    ) throws {
        let (value, integer, real, truth, text, bytes) = expected
        func check<Value: SQLReadable & Equatable>(_ row: SQLRow, _ expected: Value?) throws {
            if let expected {
                #expect(try row.stored("v") == expected)
                #expect(try row.storedIfAny("v") == expected)
                #expect(try row.stored(at: 1) == expected)
            } else {
                #expect(throws: SQLDecodingError.self) { try row.stored("v") as Value }
                if value.isNull {
                    #expect(try row.storedIfAny("v") as Value? == nil)
                } else {
                    #expect(throws: SQLDecodingError.self) { try row.storedIfAny("v") as Value? }
                }
            }
        }
        func check(_ row: SQLRow) throws {
            #expect(row.columns == ["k", "v"])
            try check(row, integer)
            try check(row, integer.map(Int64.init))
            try check(row, real)
            try check(row, truth)
            try check(row, text)
            try check(row, bytes)
        }
        try check(SQLRow(columns: ["k", "v"], values: [.integer(1), value]))
        try engine.run { db in
            let sql = engine.statement("SELECT 1 AS k, ?::\(engine.type(of: value).lowercased()) AS v")
            try check(#require(try db.row(sql: sql, arguments: [value])))
            try check(#require(try db.rows(sql: sql, arguments: [value]).first))
            let cursor = try db.cursor(sql: sql, arguments: [value])
            try check(#require(try cursor.next()))
            #expect(try cursor.next() == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func aColumnThatIsNotThere(engine: SQLEngine) throws {
        for row in [
            SQLRow(columns: ["v"], values: [.integer(1)]), try engine.run { try #require(try $0.row(sql: "SELECT 1 AS v")) },
        ] {
            #expect(throws: SQLDecodingError.self) { try row.stored("w") as Int }
            #expect(throws: SQLDecodingError.self) { try row.stored("V") as Int }
            #expect(throws: SQLDecodingError.self) { try row.stored("w") as SQLValue }
            #expect(try row.stored("w") as Int? == nil)
            #expect(try row.storedIfAny("w") as String? == nil)
        }
    }

    @Test(arguments: SQLEngine.allCases)
    func manyRows(engine: SQLEngine) throws {
        try engine.run { db in
            try db.execute(sql: "CREATE TABLE t (n INTEGER) \(engine.strict); INSERT INTO t VALUES (1), (2), (NULL)")
            let all = "SELECT n FROM t ORDER BY n IS NULL, n"
            #expect(try db.values(Int?.self, sql: all) == [1, 2, nil])
            #expect(throws: SQLDecodingError.self) { try db.values(Int.self, sql: all) }
            #expect(try db.value(Int.self, sql: "SELECT n FROM t WHERE n IS NULL") == nil)
            #expect(try db.value(Int.self, sql: "SELECT n FROM t WHERE n > 2") == nil)
            #expect(try db.rows(sql: "SELECT n FROM t WHERE n > 2").isEmpty)
            var read: [Int?] = []
            let cursor = try db.cursor(sql: all)
            while let row = try cursor.next() { read.append(try row.stored(at: 0)) }
            #expect(read == [1, 2, nil])
            let statement = try db.cachedStatement(sql: "SELECT n FROM t WHERE n >= ? ORDER BY n")
            for least in 1...3 { #expect(try statement.values(Int.self, arguments: [least]) == Array([1, 2].drop { $0 < least })) }
        }
    }

    /// A statement that is kept tells of the columns that there are, also when a migration has added one meanwhile.
    @Test(arguments: SQLEngine.allCases)
    func aKeptStatementFollowsTheSchema(engine: SQLEngine) throws {
        try engine.run { db in
            try db.execute(sql: "CREATE TABLE t (a INTEGER) \(engine.strict); INSERT INTO t VALUES (1)")
            #expect(try db.cachedStatement(sql: "SELECT * FROM t").row()?.columns == ["a"])
            try db.execute(sql: "ALTER TABLE t ADD COLUMN b TEXT DEFAULT 'x'")
            #expect(try db.cachedStatement(sql: "SELECT * FROM t").row()?.stored("b") == "x")
            #expect(try db.columns(of: "t") == ["a", "b"])
            #expect(try (db.hasTable("t"), db.hasTable("u")) == (true, false))
            #expect(kind { _ = try db.columns(of: "u") } == .other)
        }
    }

    // MARK: Arguments

    @Test(
        arguments: [
            ("SELECT ?::bigint AS a, ? AS b, ?::bytea AS c", [1, "b", nil], ["a": .integer(1), "b": .text("b"), "c": .null]),
            ("SELECT ?::bigint AS a, ? AS b, ? AS c", SQLArguments([1]) + ["b"] + [nil], ["a": .integer(1), "b": .text("b"), "c": .null]),
            (
                "SELECT ?::bigint AS a, ?::bytea AS b, ?::float8 AS c", [true, [7] as [UInt8], 0.5],
                ["a": .integer(1), "b": .blob([7]), "c": .real(0.5)]
            ),
            ("SELECT :a::bigint AS p, :b AS q, :a AS r", ["a": 1, "b": "x"], ["p": .integer(1), "q": .text("x"), "r": .integer(1)]),
            ("SELECT 1 AS a", [], ["a": .integer(1)]),
        ] as [(String, SQLArguments, [String: SQLValue])],
        SQLEngine.allCases
    )
    func argumentsGoToTheirParameters(_ given: (sql: String, arguments: SQLArguments, row: [String: SQLValue]), engine: SQLEngine) throws {
        let (sql, arguments, row) = (engine.statement(given.sql), given.arguments, given.row)
        try engine.run { db in
            let (plain, kept) = (try db.row(sql: sql, arguments: arguments), try db.cachedStatement(sql: sql).row(arguments: arguments))
            #expect(try plain?.all() == row)
            #expect(try kept?.all() == row)
        }
    }

    @Test(
        arguments: [
            ("SELECT ?", []), ("SELECT ?", [1, 2]), ("SELECT ?, ?", [1]), ("SELECT 1", [1]), ("SELECT :a", ["b": 1]),
        ] as [(String, SQLArguments)],
        SQLEngine.allCases
    )
    func asManyArgumentsAsParameters(_ given: (sql: String, arguments: SQLArguments), engine: SQLEngine) throws {
        let (sql, arguments) = given
        try engine.run { db in
            #expect(kind { try db.execute(sql: sql, arguments: arguments) } == .other)
            #expect(kind { _ = try db.row(sql: sql, arguments: arguments) } == .other)
            #expect(kind { _ = try db.cursor(sql: sql, arguments: arguments) } == .other)
            #expect(kind { try db.cachedStatement(sql: sql).execute(arguments: arguments) } == .other)
            // Nor are those of the time before taken again.
            #expect(kind { _ = try db.cachedStatement(sql: sql).rows(arguments: arguments) } == .other)
        }
    }

    // MARK: Errors

    private static let tables = """
        PRAGMA foreign_keys = ON;
        CREATE TABLE p (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, n INTEGER CHECK (n > 0)) STRICT;
        CREATE TABLE c (p INTEGER NOT NULL REFERENCES p (id)) STRICT;
        CREATE TRIGGER t BEFORE DELETE ON p WHEN OLD.id = 2 BEGIN SELECT RAISE(ABORT, 'two stays'); END;
        INSERT INTO p VALUES (1, 'one', 1), (2, 'two', 2);
        INSERT INTO c VALUES (1);
        """

    /// The same for what PostgreSQL understands; what it says by itself is its own.
    private static func tables(_ engine: SQLEngine) -> String {
        if engine == .sqlite { return tables }
        return """
            CREATE TABLE p (
                id BIGINT GENERATED BY DEFAULT AS IDENTITY (START WITH 3) PRIMARY KEY, name TEXT NOT NULL UNIQUE, n BIGINT CHECK (n > 0)
            );
            INSERT INTO p VALUES (1, 'one', 1), (2, 'two', 2);
            """
    }

    @Test(arguments: [
        ("INSERT INTO p VALUES (1, 'three', 3)", SQLError.Kind.duplicate, 1555, "p.id"),
        ("INSERT INTO p VALUES (3, 'one', 3)", .duplicate, 2067, "p.name"),
        ("INSERT INTO p (rowid, name) VALUES (1, 'x')", .duplicate, 1555, "p.id"),
        ("INSERT INTO c VALUES (9)", .reference, 787, "FOREIGN KEY"), ("DELETE FROM p WHERE id = 1", .reference, 787, "FOREIGN KEY"),
        ("DELETE FROM p WHERE id = 2", .refused, 1811, "two stays"), ("INSERT INTO p VALUES (3, 'three', 0)", .refused, 275, "n > 0"),
        ("INSERT INTO p VALUES (3, NULL, 3)", .refused, 1299, "p.name"), ("INSERT INTO p VALUES (3, 'x', 'many')", .refused, 3091, "p.n"),
        ("SELECT", .other, 1, "incomplete"), ("SELECT * FROM q", .other, 1, "q"), ("BEGIN; BEGIN", .other, 1, "transaction"),
    ])
    func errorsByTheirMeaning(sql: String, kind: SQLError.Kind, number: Int32, word: String) throws {
        try SQLQueue.inMemory().run { db in
            try db.execute(sql: Self.tables)
            let error = #expect(throws: SQLError.self) { try db.execute(sql: sql) }
            #expect(error?.kind == kind)
            #expect(error?.code == .sqlite(number))
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            #expect(error?.detail == "SQLite error \(number): \(error?.message ?? "")")
            // What goes wrong leaves the connection as it was, and the same error comes on every way in.
            if sql.contains(";") { return try db.execute(sql: "ROLLBACK") }
            #expect(self.kind { _ = try db.row(sql: sql) } == kind)
            #expect(self.kind { _ = try db.rows(sql: sql) } == kind)
            #expect(self.kind { while try db.cursor(sql: sql).next() != nil {} } == kind)
            #expect(self.kind { try db.cachedStatement(sql: sql).execute() } == kind)
            #expect(try db.values(String.self, sql: "SELECT name FROM p ORDER BY id") == ["one", "two"])
        }
    }

    /// What was bound may be secret.
    @Test(arguments: SQLEngine.allCases)
    func anErrorDoesNotTellWhatWasBound(engine: SQLEngine) throws {
        try engine.run { db in
            try db.execute(sql: Self.tables(engine))
            let error = #expect(throws: SQLError.self) {
                try db.execute(sql: "INSERT INTO p VALUES (?, ?, ?)", arguments: [3, "a secret", -1])
            }
            #expect(!"\(String(describing: error))".contains("secret"))
        }
    }

    @Test func errorsOfTheFile() throws {
        let folder = try GateTesting.TemporaryFolder()
        let path = folder.path + "/a.sqlite"
        let queue = try SQLQueue(file(path))
        try queue.run { try $0.execute(sql: "CREATE TABLE t (v BLOB) STRICT; PRAGMA max_page_count = 4") }
        #expect(kind { try queue.run { try $0.execute(sql: "INSERT INTO t VALUES (zeroblob(65536))") } } == .full)
        let reader = try SQLQueue(file(path, isReadOnly: true))
        #expect(kind { try reader.run { try $0.execute(sql: "DELETE FROM t") } } == .readOnly)
        #expect(kind { try queue.read { try $0.execute(sql: "DELETE FROM t") } } == .readOnly)
        try queue.run { db in
            let other = try db.transaction(.writing) {
                try SQLQueue(file(path)).run { other in kind { try other.transaction(.writing) {} } }
            }
            #expect(other == .busy)
        }
        try reader.close()
        try queue.close()
        #expect(kind { _ = try SQLQueue(file(folder.path + "/none/a.sqlite")) } == .unreachable)
        #expect(kind { _ = try SQLQueue(file(folder.path + "/none.sqlite", isReadOnly: true)) } == .unreachable)
        let other = try folder.file("b.sqlite", String(repeating: "no database", count: 1_000))
        #expect(
            kind { _ = try SQLQueue(file(other)).run { try $0.value(Int.self, sql: "SELECT count(*) FROM t") } }
                == .corrupt
        )
    }

    @Test(arguments: SQLError.Kind.allCases)
    func everyMeaningHasItsCode(kind: SQLError.Kind) {
        let codes: [SQLError.Kind: StoreError.Code] = [
            .busy: .busy, .duplicate: .duplicate, .reference: .notFound, .refused: .internal, .full: .full, .readOnly: .readOnly,
            .corrupt: .corrupt, .unreachable: .unreadable, .connectionLost: .unreadable, .uncertain: .uncertain, .io: .io,
            .other: .internal,
        ]
        let error = StoreError(SQLError(kind: kind, code: .sqlite(1), message: "m"), doing: "Testing", at: "/data")
        #expect(error.code == codes[kind])
        #expect((error.detail, error.cause, error.path) == ("Testing: SQLite error 1: m", .sqlite(1), "/data"))
        let other = StoreError(SQLError(kind: kind, code: .postgresql("XX000"), message: "m"), doing: "Testing")
        #expect(other.code == codes[kind])
        #expect((other.detail, other.cause) == ("Testing: PostgreSQL error XX000: m", .postgresql("XX000")))
        #expect(!other.hint.contains("SQLite") && !other.hint.contains("sqlite3") && !other.hint.contains("file"))
    }

    // MARK: Transactions

    @Test(arguments: SQLEngine.allCases)
    func allOrNothing(engine: SQLEngine) throws {
        try engine.run { db in
            func names() throws -> [String] { try db.values(String.self, sql: "SELECT name FROM p WHERE id > 2 ORDER BY id") }
            try db.execute(sql: Self.tables(engine))
            let three = try db.transaction(.writing) {
                #expect(db.isInsideTransaction)
                let three = try db.value(Int.self, sql: "INSERT INTO p (name) VALUES ('three') RETURNING id")
                #expect(db.changesCount == 1)
                return three
            }
            #expect(try (three, db.isInsideTransaction, names()) == (3, false, ["three"]))
            struct Other: Error {}
            #expect(throws: Other.self) {
                try db.transaction(.writing) {
                    try db.execute(sql: "INSERT INTO p (name) VALUES ('four')")
                    throw Other()
                }
            }
            #expect(
                kind { try db.transaction(.writing) { try db.execute(sql: "INSERT INTO p (name) VALUES ('five'), ('one')") } } == .duplicate
            )
            #expect(try (db.isInsideTransaction, names()) == (false, ["three"]))
            // A constraint that is looked at last makes the COMMIT fail.
            try db.execute(sql: "CREATE TABLE d (p INTEGER REFERENCES p (id) DEFERRABLE INITIALLY DEFERRED) \(engine.strict)")
            #expect(kind { try db.transaction(.writing) { try db.execute(sql: "INSERT INTO d VALUES (9)") } } == .reference)
            #expect(try (db.isInsideTransaction, db.rows(sql: "SELECT * FROM d").count) == (false, 0))
            // One within another is a mistake, which takes nothing with it.
            try db.transaction(.writing) {
                try db.execute(sql: "INSERT INTO p (name) VALUES ('six')")
                for nested in [SQLConnection.Transaction.reading, .writing] { #expect(kind { try db.transaction(nested) {} } == .other) }
            }
            #expect(try names() == ["three", "six"])
            // One that was left open, as a failing disk may leave it, can be taken back.
            try db.execute(sql: "BEGIN; INSERT INTO p (name) VALUES ('lost')")
            try db.rollBack()
            #expect(try (db.isInsideTransaction, names()) == (false, ["three", "six"]))
            try db.transaction(.writing) {
                try db.savepoint {
                    try db.execute(sql: "INSERT INTO p (name) VALUES ('seven')")
                    return false
                }
                try db.savepoint {
                    try db.execute(sql: "INSERT INTO p (name) VALUES ('eight')")
                    return true
                }
                #expect(throws: Other.self) {
                    try db.savepoint {
                        try db.execute(sql: "INSERT INTO p (name) VALUES ('nine')")
                        throw Other()
                    }
                }
            }
            #expect(try names() == ["three", "six", "eight"])
        }
    }

    /// Rows that are read do not count.
    @Test(arguments: SQLEngine.allCases)
    func howManyRowsWereTouched(engine: SQLEngine) throws {
        try engine.run { db in
            try db.execute(sql: Self.tables(engine))
            try db.execute(sql: "UPDATE p SET n = 5")
            let rows = try db.rows(sql: "SELECT * FROM p WHERE id = 1")
            #expect((rows.count, db.changesCount) == (1, 2))
            try db.execute(sql: "UPDATE p SET n = 6 WHERE id > ?", arguments: [2])
            #expect(db.changesCount == 0)
            try db.execute(sql: "INSERT INTO p (id, name) VALUES (9, 'nine')")
            try db.cachedStatement(sql: "DELETE FROM p WHERE id = :id").execute(arguments: ["id": 9])
            #expect(db.changesCount == 1)
        }
    }

    /// A statement that fails in a savepoint is taken back with it, and the transaction goes on.
    @Test(arguments: SQLEngine.allCases)
    func aSavepointThatFails(engine: SQLEngine) throws {
        try engine.run { db in
            try db.execute(sql: Self.tables(engine))
            func add(_ name: String) throws { try db.execute(sql: "INSERT INTO p (name) VALUES (?)", arguments: [name]) }
            func addTwo(_ first: String, _ second: String) throws -> Bool {
                try add(first)
                try db.savepoint {
                    try add("within")
                    return true
                }
                try add(second)
                return true
            }
            try db.transaction(.writing) {
                try add("three")
                let refusal = kind { try db.savepoint { try addTwo("four", "one") } }
                #expect(refusal == .duplicate)
                try add("five")
            }
            let names = try db.values(String.self, sql: "SELECT name FROM p WHERE id > 2 ORDER BY id")
            #expect(names == ["three", "five"])
        }
    }

    /// One of a reader's is of one moment; one of a writer's keeps other writers out from its first word on.
    @Test(arguments: SQLEngine.allCases)
    func whatTransactionsKeepOut(engine: SQLEngine) throws {
        let folder = try GateTesting.TemporaryFolder()
        let database = engine == .postgresql ? try PostgresCluster.shared().database() : nil
        defer { withExtendedLifetime(database) {} }
        func queue() throws -> SQLQueue {
            try database.map { try SQLQueue($0, busyTimeout: 0.05) } ?? SQLQueue(file(folder.path + "/a.sqlite"))
        }
        let (one, two) = (try queue(), try queue())
        if engine == .sqlite { try one.run { try $0.execute(sql: "PRAGMA journal_mode = WAL") } }
        try one.run { try $0.execute(sql: "CREATE TABLE t (n INTEGER) \(engine.strict)") }
        func count(_ db: SQLConnection) throws -> Int? { try db.value(Int.self, sql: "SELECT count(*) FROM t") }
        try one.run { db in
            try db.transaction(.reading) {
                #expect(try count(db) == 0)
                try two.run { other in try other.transaction(.writing) { try other.execute(sql: "INSERT INTO t VALUES (1)") } }
                #expect(try count(db) == 0)
            }
            #expect(try count(db) == 1)
            try db.transaction(.writing) {
                let other = try two.run { other in kind { try other.transaction(.writing) {} } }
                #expect(try (other, two.run(count)) == (.busy, 1))
            }
        }
    }

    @Test func aFunctionIsToldWhatAStatementGivesIt() throws {
        try SQLQueue.inMemory().run { db in
            let told = Told()
            db.addFunction("tell") { told.values.append($0) }
            let answer = try db.row(sql: "SELECT tell(1, 'a', x'07', NULL, 0.5) AS v")?.all()
            #expect(answer == ["v": .null])
            #expect(told.values == [[.integer(1), .text("a"), .blob([7]), .null, .real(0.5)]])
        }
    }

    private final class Told: @unchecked Sendable {
        // Unchecked: one connection calls it, on its own thread, while the test waits.
        var values: [[SQLValue]] = []
    }

    private func file(_ path: String, isReadOnly: Bool = false) -> SQLQueue.File {
        SQLQueue.File(path: path, label: "test", busyTimeout: 0.05, isReadOnly: isReadOnly)
    }

    private func kind(_ body: () throws -> Void) -> SQLError.Kind? {
        do { try body() } catch { return (error as? SQLError)?.kind }
        return nil
    }
}
