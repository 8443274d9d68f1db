import GateTesting
import Testing

@testable import PostgreSQL

/// Transactions, scripts, statements that stay prepared.
@Suite(.timeLimit(.minutes(2)))
struct SessionTests {
    @Test func aTransactionIsKeptOrRolledBackAsAWhole() throws {
        let session = try TestSession()
        let connection = session.connection
        let other = try session.another()
        func seen() throws -> Int64? { try other.execute("SELECT count(*) FROM kept").rows[0][0].integer }
        try connection.execute("CREATE TABLE kept (n bigint UNIQUE)")
        #expect(connection.transactionState == .idle)
        try connection.execute("BEGIN")
        #expect(connection.transactionState == .open)
        try connection.execute("INSERT INTO kept VALUES ($1)", [.integer(1)])
        #expect(try seen() == 0)
        try connection.execute("COMMIT")
        #expect(connection.transactionState == .idle)
        #expect(try seen() == 1)
        try connection.execute("BEGIN")
        try connection.execute("INSERT INTO kept VALUES ($1)", [.integer(2)])
        #expect(
            thrown { () throws(PostgresError) in try connection.execute("INSERT INTO kept VALUES ($1)", [.integer(1)]) }?.kind
                == .uniqueViolation
        )
        #expect(connection.transactionState == .failed)
        #expect(thrown { () throws(PostgresError) in try connection.execute("SELECT 1") }?.kind == .transactionFailed)
        try connection.execute("ROLLBACK")
        #expect(connection.transactionState == .idle)
        #expect(try seen() == 1)
    }

    @Test func aSavepointSavesWhatCameBeforeIt() throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.execute("CREATE TABLE kept (n bigint UNIQUE)")
        try connection.execute("BEGIN")
        try connection.execute("INSERT INTO kept VALUES (1)")
        try connection.execute("SAVEPOINT here")
        #expect(thrown { () throws(PostgresError) in try connection.execute("INSERT INTO kept VALUES (1)") } != nil)
        try connection.execute("ROLLBACK TO here")
        try connection.execute("INSERT INTO kept VALUES (2)")
        try connection.execute("COMMIT")
        #expect(try connection.execute("SELECT n FROM kept ORDER BY n").rows.map { $0[0] } == [.integer(1), .integer(2)])
    }

    @Test func whoGoesAwayLeavesNothingHalfDone() throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.execute("CREATE TABLE kept (n bigint)")
        try connection.execute("BEGIN")
        try connection.execute("INSERT INTO kept VALUES (1)")
        connection.close()
        #expect(connection.transactionState == .lost)
        #expect(!connection.isAlive)
        let error = try #require(thrown { () throws(PostgresError) in try connection.execute("COMMIT") })
        #expect(error.kind == .closed)
        #expect(error.isConnectionLost)
        #expect(!error.mayHaveBeenCarriedOut)
        let other = try session.another()
        #expect(try other.execute("SELECT n FROM kept").rows.isEmpty)
    }

    @Test func aScriptIsAllOrNothing() throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.run(script: "")
        try connection.run(
            script:
                "CREATE TABLE one (n bigint); -- with a remark\nINSERT INTO one VALUES (1); SELECT n FROM one; INSERT INTO one VALUES (2)"
        )
        #expect(try connection.execute("SELECT n FROM one").rows.count == 2)
        let error = try #require(
            thrown { () throws(PostgresError) in
                try connection.run(script: "CREATE TABLE two (n bigint); SELECT nothing FROM two; CREATE TABLE three (n bigint)")
            }
        )
        #expect(error.kind == .unknownObject)
        for table in ["two", "three"] {
            #expect(
                thrown { () throws(PostgresError) in try connection.execute("SELECT n FROM \(table)") }?.kind == .unknownObject,
                "\(table)"
            )
        }
        #expect(thrown { () throws(PostgresError) in try connection.run(script: "BEGIN; SELECT 1 / 0; COMMIT") }?.kind == .invalidValue)
        #expect(connection.transactionState == .failed)
        try connection.execute("ROLLBACK")
    }

    @Test(arguments: ["COPY (SELECT 1) TO STDOUT", "CREATE TABLE kept (n bigint); COPY kept FROM STDIN"])
    func copyingIsNotSpokenAndEndsTheConnection(_ script: String) throws {
        let session = try TestSession()
        let connection = session.connection
        let error = try #require(thrown { () throws(PostgresError) in try connection.run(script: script) })
        #expect(error.isConnectionLost)
        #expect(!connection.isAlive)
    }

    // MARK: Prepared statements

    private func prepared(_ connection: PostgresConnection) throws -> [String] {
        try connection.execute("SELECT statement FROM pg_prepared_statements ORDER BY 1").rows.compactMap { $0[0].text }
    }

    @Test func aStatementIsPreparedOnceAndThoseLongestUnusedAreForgotten() throws {
        var options = PostgresOptions()
        options.preparedStatements = 4
        let session = try TestSession(options)
        let connection = session.connection
        for round in 0..<3 {
            for number in 0..<20 {
                #expect(
                    try connection.execute("SELECT \(number) + $1::bigint", [.integer(Int64(round))]).rows[0][0]
                        == .integer(Int64(number + round))
                )
                try connection.execute("SELECT 'often'")
            }
        }
        let kept = try prepared(connection)
        #expect(kept.count == 4)
        #expect(kept.contains("SELECT 'often'"))
        #expect(kept.contains("SELECT 19 + $1::bigint"))
        #expect(!kept.contains("SELECT 0 + $1::bigint"))
    }

    @Test func aStatementThatFailsIsNotKept() throws {
        let session = try TestSession()
        let connection = session.connection
        for _ in 0..<3 {
            #expect(thrown { () throws(PostgresError) in try connection.execute("SELECT n FROM later") }?.kind == .unknownObject)
        }
        try connection.execute("CREATE TABLE later (n bigint)")
        #expect(try connection.execute("SELECT n FROM later").rows.isEmpty)
    }

    /// A migration under a server that goes on running.
    @Test func aTableThatChangesUnderAStatementIsNoFaultOfTheStatement() throws {
        let session = try TestSession()
        let connection = session.connection
        let other = try session.another()
        try connection.run(script: "CREATE TABLE kept (n bigint); INSERT INTO kept VALUES (1)")
        #expect(try connection.execute("SELECT * FROM kept").columns.names == ["n"])
        try other.execute("ALTER TABLE kept ADD COLUMN more text")
        #expect(try connection.execute("SELECT * FROM kept").columns.names == ["n", "more"])
        // Within a transaction it has to begin anew, and then succeeds.
        try connection.execute("BEGIN")
        try other.execute("ALTER TABLE kept ADD COLUMN most text")
        let error = try #require(thrown { () throws(PostgresError) in try connection.execute("SELECT * FROM kept") })
        #expect(error.kind == .staleStatement)
        #expect(error.isRepeatable)
        try connection.execute("ROLLBACK")
        #expect(try connection.execute("SELECT * FROM kept").columns.names == ["n", "more", "most"])
    }

    @Test func aSessionThatForgotItsStatementsPreparesThemAnew() throws {
        let session = try TestSession()
        let connection = session.connection
        try connection.execute("SELECT 1")
        try connection.run(script: "DEALLOCATE ALL")
        #expect(try connection.execute("SELECT 1").rows.count == 1)
    }

    @Test func aFullCacheDoesNotKeepATransactionFromEnding() throws {
        var options = PostgresOptions()
        options.preparedStatements = 1
        let session = try TestSession(options)
        let connection = session.connection
        try connection.execute("BEGIN")
        #expect(thrown { () throws(PostgresError) in try connection.execute("SELECT 1 / 0") } != nil)
        try connection.execute("ROLLBACK")
        #expect(try connection.execute("SELECT 1").rows.count == 1)
        #expect(try prepared(connection).count == 1)
    }

    @Test func theSessionBeginsAsItWasTold() throws {
        var options = PostgresOptions()
        options.settings = ["synchronous_commit": "remote_apply", "bytea_output": "escape", "statement_timeout": "1"]
        options.statementTimeout = .milliseconds(7_500)
        let session = try TestSession(options)
        let connection = session.connection
        func setting(_ name: String) throws -> PostgresValue {
            try connection.execute("SELECT current_setting($1)", [.text(name)]).rows[0][0]
        }
        #expect(try setting("synchronous_commit") == .text("remote_apply"))
        // How answers are read is not to be chosen.
        #expect(try setting("bytea_output") == .text("hex"))
        #expect(try setting("statement_timeout") == .text("7500ms"))
        #expect(try setting("application_name") == .text("gatehouse"))
        #expect(try setting("client_encoding") == .text("UTF8"))
        #expect(try connection.execute("SELECT pg_backend_pid()").rows[0][0] == .integer(Int64(connection.processID)))
        #expect(try setting("server_version").text?.hasPrefix(connection.serverVersion) == true)
        // The application's name is the address's to choose; the encoding is not.
        let named = try PostgresConnection(to: PostgresAddress(session.database.url + "?application_name=copy&client_encoding=LATIN1"))
        let row = try named.execute("SELECT current_setting('application_name'), current_setting('client_encoding'), 'é'").rows[0]
        #expect(Array(row) == [.text("copy"), .text("UTF8"), .text("é")])
    }

    /// From several threads: each call is whole.
    @Test func callsOfSeveralThreadsComeOneAfterTheOther() throws {
        let session = try TestSession()
        let connection = session.connection
        let threads = (Int64(0)..<8).map { thread in
            Background {
                try (Int64(0)..<50).allSatisfy { round in
                    let wanted = PostgresValue.integer(thread * 1_000 + round)
                    return try connection.execute("SELECT $1::bigint", [wanted]).rows[0][0] == wanted
                }
            }
        }
        for thread in threads { #expect(try thread.value() == true) }
    }
}
