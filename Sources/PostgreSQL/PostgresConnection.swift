import Synchronization

/// A session with a PostgreSQL server, 13 or later.
///
///     let connection = try PostgresConnection(to: PostgresAddress("postgresql://gatehouse@db.example/gatehouse"))
///     try connection.execute("INSERT INTO apps (key, name) VALUES ($1, $2)", [.text("shop"), .text("Shop")])
///     let name = try connection.execute("SELECT name FROM apps WHERE key = $1", [.text("shop")]).rows[0]["name"]
///
/// No call takes longer than its deadline (``PostgresOptions``), whatever has become of server and network. A connection that is lost stays
/// lost; its owner makes another. There are no automatic attempts: only the owner knows whether what was under way may be done twice.
///
/// Thread rule: any thread; calls come one after the other, the next waiting for the one before. A transaction is the connection's and not
/// a thread's, so whoever has one under way sees to it that nobody else calls in between. ``cancel(within:)``, ``endWait()`` and
/// ``PostgresWait/end(longerThan:)`` wait for nothing and nobody: they are meant for other threads.
package final class PostgresConnection: Sendable {
    private let session: Mutex<Session>
    private let cancelKey: CancelKey
    private let waitBell: Bell

    /// Where it leads, without any password: for logs.
    package let address: PostgresAddress
    /// Of the server's process for this session, as it stands in `pg_stat_activity` and in notifications.
    package let processID: Int32
    /// `15.4`
    package let serverVersion: String

    /// Makes the connection, and the beginning of the session: text is UTF-8, every statement has a deadline, `application_name` is
    /// `gatehouse` where the address names no other.
    /// - Parameter wait: by which others can end what this connection waits for; nil when nobody will.
    /// - Throws: ``PostgresError`` of the kinds that come before there is a connection. Its message names the address, and no password.
    package init(
        to address: PostgresAddress,
        _ options: PostgresOptions = PostgresOptions(),
        _ wait: PostgresWait? = nil
    ) throws(PostgresError) {
        waitBell = try Bell()
        let session = try Session(address, options, wait)
        self.address = address
        cancelKey = session.link.cancelKey
        processID = session.link.processID
        serverVersion = session.link.version.description
        self.session = Mutex(session)
    }

    /// Carries out one statement, which the server prepares the first time and then keeps (``PostgresOptions/preparedStatements``). All
    /// rows are in memory at once: who reads a long table asks for one part after the other.
    /// - Parameters:
    ///   - statement: one, with `$1`, `$2` … for what may differ; never with values pasted in.
    ///   - arguments: one for each parameter, each of the kind that the statement has there (``PostgresValue``). Nothing is converted where
    ///     it could lose anything: an integer goes where one of its size, or a double that is the same number, is kept; text wherever there
    ///     is no kind of its own.
    ///   - limit: how long the statement may run; nil for ``PostgresOptions/statementTimeout``.
    /// - Throws: ``PostgresError``. When its `isConnectionLost` is true, so is the connection. When the transaction is one of several
    ///   statements, it is failed after every other error of the server's, and takes nothing but ROLLBACK.
    @discardableResult
    package func execute(
        _ statement: String,
        _ arguments: [PostgresValue] = [],
        within limit: Duration? = nil
    ) throws(PostgresError) -> PostgresResult {
        try session.withLock { session throws(PostgresError) in try session.execute(statement, arguments, within: limit) }
    }

    /// Carries out statements as they stand in a file, any number of them, without arguments. Those that stand outside of BEGIN and COMMIT
    /// are one transaction together (PostgreSQL manual, 55.2.2.1, "Multiple Statements in a Simple Query").
    /// - Parameter limit: how long each of them, and all together, may run; nil for ``PostgresOptions/statementTimeout``.
    /// - Throws: as ``execute(_:_:within:)``; for the first that fails, behind which none is carried out.
    package func run(script: String, within limit: Duration? = nil) throws(PostgresError) {
        try session.withLock { session throws(PostgresError) in try session.run(script, within: limit) }
    }

    /// Without asking the server.
    package var transactionState: PostgresTransactionState { session.withLock { $0.link.transactionState } }

    /// Whether the connection is there as far as this side can see without asking: false as soon as the server has closed it, true for a
    /// while on a network that swallows everything.
    package var isAlive: Bool { session.withLock { $0.link.isAlive } }

    /// Ends the session; the server rolls back what is under way. Every later call throws ``PostgresError/Kind/closed``. Waits for the call
    /// of another thread; ``endWait()`` and ``cancel(within:)`` end that.
    package func close() { session.withLock { $0.link.close() } }

    /// Asks the server to end the statement that another thread has under way here, which then throws ``PostgresError/Kind/canceled``;
    /// without one nothing happens. One that comes as a statement ends may meet the one after it.
    ///
    /// Libpq asks over a connection of its own without TLS (34.7); what crosses it is good for this and nothing else.
    /// - Parameter limit: how long to wait for it to be taken.
    /// - Throws: ``PostgresError`` when the server could not be reached, or did not answer within `limit`.
    package func cancel(within limit: Duration = .seconds(2)) throws(PostgresError) {
        try cancelKey.use(until: Deadline(after: limit))
    }

    // MARK: Notifications

    /// Has everything that is notified on a channel from now on come here; within a transaction from its commit on.
    /// - Parameter channel: 1 to 63 bytes, the longest name that the server keeps whole.
    package func listen(to channel: String) throws(PostgresError) {
        guard (1...63).contains(channel.utf8.count) else {
            throw PostgresError(.invalidArgument, "a channel's name has 1 to 63 bytes")
        }
        try execute("LISTEN \"\(channel.replacing("\"", with: "\"\""))\"")
    }

    /// Tells all who listen to a channel; within a transaction when it commits, and only then.
    /// - Parameter payload: less than 8,000 bytes.
    package func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
        try execute("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)])
    }

    /// Waits until something was notified on a channel that this connection listens to. Has the connection all the while: other calls wait.
    /// What was notified while other statements were carried out is given back at once.
    /// - Parameter limit: zero to look and not to wait.
    /// - Returns: in the order in which they were sent; none when the time was up, or ``endWait()`` was called.
    /// - Throws: ``PostgresError/Kind/connectionLost`` and its like.
    package func notifications(within limit: Duration) throws(PostgresError) -> [PostgresNotification] {
        try session.withLock { session throws(PostgresError) in
            try session.link.notifications(until: Deadline(after: limit), orBell: waitBell)
        }
    }

    /// Ends the wait of ``notifications(within:)`` that is under way in another thread; when there is none, the next one.
    package func endWait() { waitBell.ring() }
}
