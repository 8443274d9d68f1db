import GateTesting
import Glibc
import PostgreSQL
import Synchronization
import Testing

/// Servers that end, links that fall silent, statements that take too long: a call ends within its deadline, and says what happened.
@Suite(.timeLimit(.minutes(3)))
struct LostConnectionTests {
    private static var brief: PostgresOptions {
        var options = PostgresOptions()
        options.statementTimeout = .milliseconds(300)
        options.answerTimeout = .milliseconds(300)
        return options
    }

    /// A cluster of their own: the one of all tests must not end.
    @Test func aServerThatEndsIsAConnectionLostAndANewOneWorks() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.database()
        let address = try PostgresAddress(database.url)
        // Before version 14 an end at once was told as a crash.
        let ends = [(cluster.stopAtOnce, try cluster.version() < 14 ? "57P02" : "57P01"), (cluster.stopInOrder, "57P01")]
        for (stop, code) in ends {
            let idle = try PostgresConnection(to: address)
            let busy = try PostgresConnection(to: address)
            let waiting = try PostgresConnection(to: address)
            let untouched = try PostgresConnection(to: address)
            try idle.execute("BEGIN")
            try waiting.listen(to: "gate")
            let began = SuspendingClock.now
            let sleeping = Background {
                thrown { () throws(PostgresError) in try busy.execute("SELECT pg_sleep(60)", within: .seconds(100)) }
            }
            let listening = Background { thrown { () throws(PostgresError) in try waiting.notifications(within: .seconds(100)) } }
            try blockUntil("the statement is under way") {
                try cluster.run("SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'") == "1\n"
            }
            try stop()
            let ended = [
                try sleeping.value() ?? nil, try listening.value() ?? nil,
                thrown { () throws(PostgresError) in try idle.execute("COMMIT") },
            ]
            for (error, hasStatement) in zip(ended, [true, false, true]) {
                let error = try #require(error)
                #expect(error.isConnectionLost, "\(error)")
                #expect([PostgresError.Kind.shuttingDown, .connectionLost].contains(error.kind), "\(error)")
                #expect(error.mayHaveBeenCarriedOut == hasStatement, "\(error)")
            }
            // As a warning beside the answer, and as an answer.
            #expect(ended[0]?.sqlState == code)
            #expect(SuspendingClock.now - began < .seconds(60))
            for connection in [idle, busy, waiting, untouched] {
                #expect(!connection.isAlive)
                #expect(connection.transactionState == .lost)
                #expect(thrown { () throws(PostgresError) in try connection.execute("SELECT 1") }?.kind == .closed)
            }
            let refused = try #require(thrown { () throws(PostgresError) in try PostgresConnection(to: address) })
            #expect(refused.kind == .refused)
            try cluster.start()
            #expect(try PostgresConnection(to: address).execute("SELECT 1").rows.count == 1)
        }
    }

    @Test func aSessionThatAnAdministratorEndsSaysSo() throws {
        let session = try TestSession()
        try session.another().execute("SELECT pg_terminate_backend($1)", [.integer(Int64(session.connection.processID))])
        let error = try #require(thrown { () throws(PostgresError) in try session.connection.execute("SELECT 1") })
        #expect(error.kind == .shuttingDown, "\(error)")
        #expect(error.sqlState == "57P01")
        #expect(!session.connection.isAlive)
    }

    @Test func isAliveSeesTheEndWithoutAStatement() throws {
        let session = try TestSession()
        #expect(session.connection.isAlive)
        let other = try session.another()
        try session.database.cluster.end(sessions: "pid = \(session.connection.processID)")
        #expect(!session.connection.isAlive)
        #expect(other.isAlive)
    }

    @Test func aTransactionThatIsLeftIdleMayBeEndedByTheServer() throws {
        var options = PostgresOptions()
        options.settings = ["idle_in_transaction_session_timeout": "50ms"]
        let session = try TestSession(options)
        try session.connection.execute("BEGIN")
        let connection = session.connection
        // The end of the stream wakes the wait.
        let error = thrown { () throws(PostgresError) in try connection.notifications(within: .seconds(60)) }
        #expect(error?.isConnectionLost == true)
        #expect(error?.sqlState == "25P03", "\(String(describing: error))")
    }

    /// Nothing crosses the link any more and nobody says so: a call ends with its deadline, whatever it is.
    @Test(arguments: ["SELECT 1", "SELECT repeat('x', 10000000)", "COMMIT"])
    func aLinkThatFallsSilentEndsTheCallInTime(_ statement: String) throws {
        let database = try PostgresCluster.shared().database()
        let proxy = try TestProxy(to: database.cluster.socket)
        defer { proxy.end() }
        let address = try PostgresAddress("postgresql://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=disable")
        let connection = try PostgresConnection(to: address, Self.brief)
        // As long as they like: what is brief is the call on the silent link.
        try connection.execute("BEGIN", within: .seconds(60))
        try connection.execute("SELECT 1", within: .seconds(60))
        proxy.fallSilent()
        // It is there, as far as anybody can see.
        #expect(connection.isAlive)
        let began = SuspendingClock.now
        let error = try #require(thrown { () throws(PostgresError) in try connection.execute(statement) })
        let took = SuspendingClock.now - began
        #expect(error.kind == .timedOut)
        #expect(error.isConnectionLost)
        #expect(error.mayHaveBeenCarriedOut)
        #expect(took >= .milliseconds(600) && took < .seconds(30), "\(took)")
        #expect(!connection.isAlive)
        // What comes when the link speaks again is nobody's.
        proxy.speakAgain()
        #expect(thrown { () throws(PostgresError) in try connection.execute("SELECT 1") }?.kind == .closed)
        #expect(try PostgresConnection(to: address).execute("SELECT 2").rows[0][0] == .integer(2))
    }

    /// More than the sockets hold: it cannot even be sent.
    @Test func aSilentLinkEndsACallThatCannotBeSent() throws {
        let database = try PostgresCluster.shared().database()
        let proxy = try TestProxy(to: database.cluster.socket)
        defer { proxy.end() }
        let address = try PostgresAddress("postgresql://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=disable")
        let connection = try PostgresConnection(to: address, Self.brief)
        try connection.execute("SELECT length($1)", [.text("a")], within: .seconds(60))
        proxy.fallSilent()
        let error = thrown { () throws(PostgresError) in
            try connection.execute("SELECT length($1)", [.text(String(repeating: "a", count: 64 << 20))])
        }
        #expect(error?.kind == .timedOut)
    }

    /// Whoever knows that the server is gone need not let others wait for their deadlines.
    @Test func whatIsWaitedForCanBeGivenUpFromElsewhere() throws {
        let database = try PostgresCluster.shared().database()
        let proxy = try TestProxy(to: database.cluster.socket)
        defer { proxy.end() }
        let address = try PostgresAddress("postgresql://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=disable")
        var options = PostgresOptions()
        (options.connectTimeout, options.statementTimeout) = (.seconds(600), .seconds(600))
        let wait = try PostgresWait()
        func givenUp(_ body: @escaping @Sendable () throws(PostgresError) -> Void) throws -> PostgresError? {
            let isOver = Mutex(false)
            let waiting = Background {
                defer { isOver.withLock { $0 = true } }
                return thrown(body)
            }
            while !isOver.withLock(\.self) {
                // Nobody has waited for that long.
                wait.end(longerThan: .seconds(300))
                wait.end(longerThan: .milliseconds(50))
            }
            return try waiting.value() ?? nil
        }
        let connection = try PostgresConnection(to: address, options, wait)
        proxy.fallSilent()
        let error = try givenUp { () throws(PostgresError) in try connection.execute("SELECT 1") }
        #expect(error?.kind == .connectionLost)
        #expect(error?.mayHaveBeenCarriedOut == true)
        #expect(!connection.isAlive)
        let attempt = try givenUp { [options] () throws(PostgresError) in _ = try PostgresConnection(to: address, options, wait) }
        #expect(attempt?.kind == .unreachable)
        // What was ended as nobody waited is not the next one's.
        proxy.speakAgain()
        wait.end(longerThan: .zero)
        let next = try PostgresConnection(to: address, options, wait)
        wait.end(longerThan: .zero)
        #expect(try next.execute("SELECT 2").rows[0][0] == .integer(2))
    }

    @Test func aLinkThatBreaksIsAConnectionLost() throws {
        let database = try PostgresCluster.shared().database()
        let proxy = try TestProxy(to: database.cluster.socket)
        let address = try PostgresAddress("postgresql://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=disable")
        let connection = try PostgresConnection(to: address)
        proxy.end()
        let error = try #require(thrown { () throws(PostgresError) in try connection.execute("SELECT 1") })
        #expect(error.kind == .connectionLost, "\(error)")
        #expect(error.sqlState == nil)
    }

    // MARK: Statements that take too long

    @Test func theServerEndsAStatementThatTakesTooLongAndTheConnectionStays() throws {
        var options = PostgresOptions()
        options.statementTimeout = .milliseconds(500)
        options.answerTimeout = .seconds(60)
        let session = try TestSession(options)
        let connection = session.connection
        let error = try #require(thrown { () throws(PostgresError) in try connection.execute("SELECT pg_sleep(60)") })
        #expect(error.kind == .canceled)
        #expect(error.message.contains("timeout"))
        #expect(!error.isConnectionLost)
        #expect(thrown { () throws(PostgresError) in try connection.run(script: "SELECT pg_sleep(60)") }?.kind == .canceled)
        // One may have longer, and the next has not.
        #expect(try connection.execute("SELECT pg_sleep(0.7)", within: .seconds(30)).rows.count == 1)
        try connection.run(script: "SELECT pg_sleep(0.7)", within: .seconds(30))
        #expect(thrown { () throws(PostgresError) in try connection.execute("SELECT pg_sleep(60)") }?.kind == .canceled)
    }

    /// What is set in a transaction is taken back with it.
    @Test func aLongerTimeInATransactionEndsWithIt() throws {
        let session = try TestSession()
        let connection = session.connection
        func timeout() throws -> PostgresValue { try connection.execute("SELECT current_setting('statement_timeout')").rows[0][0] }
        for end in ["COMMIT", "ROLLBACK"] {
            try connection.execute("BEGIN")
            let longer = try connection.execute("SELECT current_setting('statement_timeout')", within: .seconds(77)).rows[0][0]
            #expect(longer == .text("77s"))
            try connection.execute(end, within: .seconds(77))
            let after = try connection.execute("SELECT current_setting('statement_timeout')", within: .seconds(77)).rows[0][0]
            #expect(after == .text("77s"), "\(end)")
            #expect(try timeout() == .text("10s"), "\(end)")
        }
        // Set before a transaction that failed.
        #expect(thrown { () throws(PostgresError) in try connection.run(script: "BEGIN; SELECT 1 / 0", within: .seconds(66)) } != nil)
        #expect(connection.transactionState == .failed)
        try connection.execute("ROLLBACK")
        #expect(try timeout() == .text("10s"))
    }

    @Test func anotherThreadCancelsWhatIsUnderWay() throws {
        let session = try TestSession()
        let (connection, other) = (session.connection, try session.another())
        let sleeping = Background {
            thrown { () throws(PostgresError) in try connection.execute("SELECT pg_sleep(60)", within: .seconds(100)) }
        }
        let query = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'PgSleep'"
        try blockUntil("the statement is under way") { try !other.execute(query, [.integer(Int64(connection.processID))]).rows.isEmpty }
        try connection.cancel()
        let error = try sleeping.value() ?? nil
        #expect(error?.kind == .canceled)
        #expect(connection.isAlive)
        // With nothing under way nothing happens.
        try connection.cancel()
        #expect(try connection.execute("SELECT 1").rows.count == 1)
    }

    @Test func cancellingOverASilentLinkEndsInTime() throws {
        let database = try PostgresCluster.shared().database()
        let proxy = try TestProxy(to: database.cluster.socket)
        defer { proxy.end() }
        let connection = try PostgresConnection(
            to: PostgresAddress("postgresql://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=disable")
        )
        proxy.fallSilent()
        #expect(thrown { () throws(PostgresError) in try connection.cancel(within: .milliseconds(200)) }?.kind == .timedOut)
        proxy.end()
        #expect(thrown { () throws(PostgresError) in try connection.cancel(within: .seconds(60)) }?.kind == .unreachable)
    }
}
