import GateTesting
import Testing

@testable import PostgreSQL

/// What the server refuses, told apart by its own codes.
@Suite(.timeLimit(.minutes(2)))
struct ErrorTests {
    static let schema = """
        CREATE TABLE apps (key text PRIMARY KEY, name text NOT NULL, rank bigint CONSTRAINT rank_is_small CHECK (rank < 10));
        CREATE TABLE targets (app text REFERENCES apps (key), platform text, CONSTRAINT one_each UNIQUE (app, platform));
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'history is not edited'; END $$;
        CREATE TABLE history (n bigint);
        INSERT INTO history VALUES (1);
        CREATE TRIGGER history_stays BEFORE UPDATE OR DELETE ON history FOR EACH ROW EXECUTE FUNCTION refuse();
        INSERT INTO apps VALUES ('shop', 'Shop', 1);
        INSERT INTO targets VALUES ('shop', 'ios');
        CREATE FUNCTION fail(code text) RETURNS void LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION USING ERRCODE = code, MESSAGE = 'as told'; END $$;
        """

    struct Case: Sendable, CustomTestStringConvertible {
        let statement: String
        let kind: PostgresError.Kind
        let sqlState: String
        var constraint: String?
        var column: String?
        var testDescription: String { "\(kind): \(statement)" }
    }

    static let cases: [Case] = [
        Case(statement: "INSERT INTO apps VALUES ('shop', 'Other')", kind: .uniqueViolation, sqlState: "23505", constraint: "apps_pkey"),
        Case(statement: "INSERT INTO targets VALUES ('shop', 'ios')", kind: .uniqueViolation, sqlState: "23505", constraint: "one_each"),
        Case(
            statement: "INSERT INTO targets VALUES ('none', 'ios')",
            kind: .foreignKeyViolation,
            sqlState: "23503",
            constraint: "targets_app_fkey"
        ),
        Case(statement: "INSERT INTO apps VALUES ('a', 'A', 10)", kind: .checkViolation, sqlState: "23514", constraint: "rank_is_small"),
        Case(statement: "INSERT INTO apps (key) VALUES ('a')", kind: .notNullViolation, sqlState: "23502", column: "name"),
        Case(statement: "UPDATE history SET n = 2", kind: .raised, sqlState: "P0001"),
        Case(statement: "DELETE FROM history", kind: .raised, sqlState: "P0001"),
        Case(statement: "SELEKT 1", kind: .refusedStatement, sqlState: "42601"),
        Case(statement: "SELECT 1; SELECT 2", kind: .refusedStatement, sqlState: "42601"),
        Case(statement: "SELECT * FROM nowhere", kind: .unknownObject, sqlState: "42P01"),
        Case(statement: "SELECT nothing FROM apps", kind: .unknownObject, sqlState: "42703"),
        Case(statement: "SELECT 1 / 0", kind: .invalidValue, sqlState: "22012"),
        Case(statement: "SELECT fail('40001')", kind: .serializationFailure, sqlState: "40001"),
        Case(statement: "SELECT fail('40P01')", kind: .deadlock, sqlState: "40P01"),
        Case(statement: "SELECT fail('53100')", kind: .diskFull, sqlState: "53100"),
        Case(statement: "SELECT fail('53200')", kind: .outOfResources, sqlState: "53200"),
        Case(statement: "SELECT fail('55P03')", kind: .lockNotAvailable, sqlState: "55P03"),
        Case(statement: "SELECT fail('57014')", kind: .canceled, sqlState: "57014"),
        Case(statement: "SELECT fail('42501')", kind: .permissionDenied, sqlState: "42501"),
    ]

    @Test(arguments: cases)
    func aRefusalHasItsKind(_ test: Case) throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.run(script: Self.schema)
        let error = try #require(thrown { () throws(PostgresError) in try connection.execute(test.statement) })
        #expect(error.kind == test.kind)
        #expect(error.sqlState == test.sqlState)
        #expect(error.constraint == test.constraint)
        #expect(error.column == test.column)
        #expect(error.statement == test.statement)
        #expect(!error.isConnectionLost)
        #expect(!error.mayHaveBeenCarriedOut)
        #expect(error.isRepeatable == [.serializationFailure, .deadlock].contains(test.kind))
        #expect(connection.transactionState == .idle)
        #expect(try connection.execute("SELECT 1").rows.count == 1)
    }

    /// What each code means, those that no test can bring about too.
    @Test(arguments: [
        ("57P01", PostgresError.Kind.shuttingDown), ("57P02", .shuttingDown), ("57P05", .shuttingDown), ("57P03", .notReady),
        ("53300", .tooManyConnections),
        ("08006", .connectionLost), ("25006", .readOnly), ("25P02", .transactionFailed), ("25P03", .shuttingDown),
        ("28P01", .signInRefused),
        ("28000", .signInRefused), ("3D000", .unknownDatabase), ("23P01", .constraintViolation), ("54000", .outOfResources),
        ("XX000", .refusedStatement),
        ("", .refusedStatement),
    ])
    func aCodeIsAKind(_ sqlState: String, kind: PostgresError.Kind) {
        #expect(PostgresError.Kind(sqlState: sqlState) == kind)
    }

    @Test func aDatabaseThatMayOnlyBeReadSaysSo() throws {
        var options = PostgresOptions()
        options.settings = ["default_transaction_read_only": "on"]
        let session = try TestSession(options)
        let connection = session.connection
        #expect(thrown { () throws(PostgresError) in try connection.execute("CREATE TABLE kept (n bigint)") }?.kind == .readOnly)
    }

    @Test func aSettingThatDoesNotExistIsAFaultOfTheStart() throws {
        let database = try PostgresCluster.shared().database()
        var options = PostgresOptions()
        options.settings = ["synchronous_komit": "on"]
        let error = thrown { () throws(PostgresError) in try PostgresConnection(to: PostgresAddress(database.url), options) }
        #expect(error?.message.contains("synchronous_komit") == true)
    }

    /// A log is read by more people than the database.
    @Test func valuesAreInNoDescription() throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.run(script: Self.schema)
        let errors = [
            thrown { () throws(PostgresError) in
                try connection.execute("INSERT INTO apps VALUES ($1, $2)", [.text("shop"), .text("classified")])
            },
            thrown { () throws(PostgresError) in try connection.execute("INSERT INTO apps VALUES ($1, $1, 77)", [.text("classified")]) },
            thrown { () throws(PostgresError) in try connection.execute("SELECT $1::json", [.text("classified")]) },
            thrown { () throws(PostgresError) in try connection.execute("SELECT $1::timestamptz", [.text("classified")]) },
            thrown { () throws(PostgresError) in try connection.execute("SELECT $1::bigint", [.text("classified")]) },
        ]
        for error in errors {
            let error = try #require(error)
            #expect(!"\(error)".contains("classified"), "\(error)")
            #expect("\(error)".contains(error.kind.rawValue))
        }
        // Who needs them finds them by name.
        #expect(errors[0]?.detail?.contains("shop") == true)
        #expect(errors[2]?.message.contains("json") == true)
    }

    @Test func twoWhoWaitForEachOtherAreToldApart() throws {
        var options = PostgresOptions()
        options.settings = ["deadlock_timeout": "100ms"]
        let session = try TestSession(options)
        let (one, other) = (session.connection, try session.another(options))
        try one.run(script: "CREATE TABLE kept (n bigint); INSERT INTO kept VALUES (1), (2)")
        let lock = "UPDATE kept SET n = n WHERE n = $1"
        for (connection, row) in [(one, Int64(1)), (other, 2)] {
            try connection.execute("BEGIN")
            try connection.execute(lock, [.integer(row)])
        }
        let first = Background { thrown { () throws(PostgresError) in try one.execute(lock, [.integer(2)]) } }
        let second = Background { thrown { () throws(PostgresError) in try other.execute(lock, [.integer(1)]) } }
        // The one whom the server ends lets the other go on only when its transaction is over.
        let errors = [try first.value(), try second.value()].compactMap { $0 ?? nil }
        #expect(errors.map(\.kind) == [.deadlock])
        #expect(errors.first?.isRepeatable == true)
    }

    @Test func whatAnotherTransactionHasChangedIsRepeatable() throws {
        let session = try TestSession()
        let (one, other) = (session.connection, try session.another())
        try one.run(script: "CREATE TABLE kept (n bigint); INSERT INTO kept VALUES (1)")
        try one.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        try one.execute("SELECT n FROM kept")
        try other.execute("UPDATE kept SET n = 2")
        let error = try #require(thrown { () throws(PostgresError) in try one.execute("UPDATE kept SET n = 3") })
        #expect(error.kind == .serializationFailure)
        #expect(error.isRepeatable)
    }
}
