import GateTesting
import PostgreSQL
import Testing

/// What goes into the database comes out of it.
@Suite(.timeLimit(.minutes(2)))
struct ValueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let type: String
        let value: PostgresValue
        var testDescription: String { "\(type): \("\(value)".prefix(60))" }

        init(_ type: String, _ value: PostgresValue) { (self.type, self.value) = (type, value) }
    }

    static let cases: [Case] = [
        Case("bigint", .integer(.min)), Case("bigint", .integer(.max)), Case("bigint", .integer(0)), Case("bigint", .null),
        Case("integer", .integer(Int64(Int32.min))), Case("integer", .integer(Int64(Int32.max))),
        Case("smallint", .integer(-32_768)), Case("smallint", .integer(32_767)), Case("oid", .integer(4_294_967_295)),
        Case("boolean", .boolean(true)), Case("boolean", .boolean(false)), Case("boolean", .null),
        Case("double precision", .double(0.1)), Case("double precision", .double(-0.0)),
        Case("double precision", .double(.greatestFiniteMagnitude)), Case("double precision", .double(.leastNonzeroMagnitude)),
        Case("double precision", .double(1.0 / 3)), Case("double precision", .double(9_007_199_254_740_992)),
        Case("double precision", .double(.infinity)), Case("double precision", .double(-.infinity)),
        Case("real", .double(0.5)), Case("real", .double(Double(Float(0.1)))), Case("real", .double(Double(Float.greatestFiniteMagnitude))),
        Case("text", .text("")), Case("text", .text("Ünïcödé · 🇦🇹 · 𝔸 · e\u{301} · \u{FFFD} · \u{10FFFF}")),
        Case("text", .text("\u{1}\n\t\r\\'\"$1")),
        Case("text", .text(String(repeating: "𝔸", count: 1 << 18))), Case("text", .null), Case("varchar(5)", .text("12345")),
        Case("bytea", .bytes([])), Case("bytea", .bytes(Array(0...255))), Case("bytea", .bytes([0, 0, 0])), Case("bytea", .null),
        Case("bytea", .bytes([UInt8](repeating: 0x5C, count: 1 << 20))),
        Case("numeric", .text("123456789012345678901234567890.000000001")), Case("uuid", .text("a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11")),
        Case("timestamptz", .text("2026-11-23 10:00:00.123456+00")), Case("json", .text("{\"a\":[1, null]}")),
        Case("text[]", .text("{a,\"b c\"}")),
    ]

    @Test(arguments: cases)
    func aValueComesBackAsItWas(of test: Case) throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.execute("CREATE TABLE kept (value \(test.type))")
        let written = try connection.execute("INSERT INTO kept VALUES ($1)", [test.value])
        #expect(written.affectedRows == 1)
        let result = try connection.execute("SELECT value FROM kept")
        #expect(result.rows.count == 1)
        // NaN and the like aside, the very same; -0 too.
        #expect(result.rows[0]["value"] == test.value)
        if let number = test.value.double { #expect(result.rows[0][0].double?.sign == number.sign) }
    }

    @Test func notANumberComesBack() throws {
        let session = try TestSession()
        let connection = session.connection
        for type in ["real", "double precision"] {
            let answer = try connection.execute("SELECT $1::\(type)", [.double(.nan)]).rows[0][0]
            #expect(answer.double?.isNaN == true, "\(type)")
        }
    }

    /// A database may have been told to write numbers shortened and bytes in another way.
    @Test func settingsOfTheDatabaseDoNotAlterValues() throws {
        let database = try PostgresCluster.shared().database()
        try database.cluster.run("ALTER DATABASE \(database.name) SET extra_float_digits = -15")
        try database.cluster.run("ALTER DATABASE \(database.name) SET bytea_output = 'escape'")
        let connection = try PostgresConnection(to: PostgresAddress(database.url))
        let row = try connection.execute("SELECT $1::double precision, $2::bytea", [.double(0.1 + 0.2), .bytes([1, 92, 255])]).rows[0]
        #expect(Array(row) == [.double(0.1 + 0.2), .bytes([1, 92, 255])])
    }

    @Test func manyRowsHaveColumnsByPlaceAndName() throws {
        let session = try TestSession()
        let connection = session.connection
        let result = try connection.execute(
            "SELECT n, 'row ' || n AS name, NULL AS name FROM generate_series(1::bigint, $1) AS n",
            [.integer(20_000)]
        )
        #expect(result.columns.names == ["n", "name", "name"])
        #expect(result.rows.count == 20_000)
        #expect(result.affectedRows == 20_000)
        #expect(result.rows.enumerated().allSatisfy { Array($1) == [.integer(Int64($0 + 1)), .text("row \($0 + 1)"), .null] })
        #expect(result.rows[7]["name"] == .text("row 8"))
        #expect(result.columns.index(of: "other") == nil)
        let none = try connection.execute("SELECT 1 AS one WHERE false")
        #expect(none.columns.names == ["one"])
        #expect(none.rows.isEmpty)
    }

    @Test func rowsThatWereTouchedAreCounted() throws {
        let session = try TestSession()
        let connection = session.connection
        let counts: [(String, Int)] = [
            ("CREATE TABLE kept (n bigint)", 0), ("INSERT INTO kept SELECT generate_series(1, 10)", 10),
            ("UPDATE kept SET n = n + 1 WHERE n > 7", 3),
            ("DELETE FROM kept WHERE n = 100", 0), ("DELETE FROM kept", 10), ("", 0), ("-- nothing", 0),
        ]
        for (statement, count) in counts { #expect(try connection.execute(statement).affectedRows == count, "\(statement)") }
    }

    struct Misfit: Sendable, CustomTestStringConvertible {
        let type: String
        let value: PostgresValue
        var testDescription: String { "\(type) for \(value)" }

        init(_ type: String, _ value: PostgresValue) { (self.type, self.value) = (type, value) }
    }

    static let misfits: [Misfit] = [
        Misfit("integer", .integer(Int64(Int32.max) + 1)), Misfit("smallint", .integer(-32_769)), Misfit("oid", .integer(-1)),
        Misfit("integer", .text("1")), Misfit("integer", .double(1)), Misfit("bigint", .boolean(true)), Misfit("bigint", .bytes([1])),
        Misfit("double precision", .integer(.max)), Misfit("real", .double(0.1)), Misfit("double precision", .text("1")),
        Misfit("boolean", .integer(1)), Misfit("boolean", .text("t")), Misfit("text", .integer(1)), Misfit("text", .bytes([65])),
        Misfit("text", .boolean(true)), Misfit("bytea", .text("\\x00")), Misfit("uuid", .integer(1)), Misfit("numeric", .double(0.1)),
    ]

    /// Before it is sent: the transaction that it is in goes on.
    @Test(arguments: misfits)
    func aValueOfAnotherKindIsRefused(_ misfit: Misfit) throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.execute("CREATE TABLE kept (value \(misfit.type))")
        try connection.execute("BEGIN")
        let error = try #require(
            thrown { () throws(PostgresError) in try connection.execute("INSERT INTO kept VALUES ($1)", [misfit.value]) }
        )
        #expect(error.kind == .invalidArgument)
        #expect(error.message.hasPrefix("$1 is "), "\(error)")
        #expect(!error.mayHaveBeenCarriedOut)
        #expect(connection.transactionState == .open)
    }

    @Test func whatPostgreSQLCannotHoldIsRefusedBeforeItIsSent() throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.execute("BEGIN")
        let cases: [(String, [PostgresValue])] = [
            ("SELECT $1::text", [.text("a\0b")]), ("SELECT $1::text", [.text("\0")]), ("SELECT $1::text", []), ("SELECT 1", [.null]),
            ("SELECT $1::text", [.text("a"), .text("b")]), ("SELECT 1 \0; DROP TABLE kept", []),
        ]
        for (statement, arguments) in cases {
            let error = thrown { () throws(PostgresError) in try connection.execute(statement, arguments) }
            #expect(error?.kind == .invalidArgument, "\(statement)")
            #expect(connection.transactionState == .open, "\(statement)")
        }
        #expect(thrown { () throws(PostgresError) in try connection.run(script: "SELECT 1 \0") }?.kind == .invalidArgument)
    }

    @Test func textThatIsNoUTF8IsNotMadeUp() throws {
        // A database of no encoding could hold it, and is refused.
        let database = try PostgresCluster.shared().database("ENCODING 'SQL_ASCII' TEMPLATE template0")
        let error = try #require(thrown { () throws(PostgresError) in try PostgresConnection(to: PostgresAddress(database.url)) })
        #expect(error.kind == .unsupportedServer)
        #expect(error.message.contains("SQL_ASCII"))
        #expect(error.message.contains(database.name))
    }
}
