import Synchronization

/// A session with a PostgreSQL server, 13 or later.
///
///     let connection = try PostgresConnection(to: PostgresAddress("postgresql://gatehouse@db.example/gatehouse"))
///     try connection.execute("INSERT INTO apps (key, name) VALUES ($1, $2)", [.text("shop"), .text("Shop")])
///     let name = try connection.execute("SELECT name FROM apps WHERE key = $1", [.text("shop")]).rows[0]["name"]
///
/// No call takes longer than its deadline (``PostgresOptions``), whatever happens to the server and the network. A connection that is lost
/// stays lost; its owner makes another. Nothing is retried automatically: only the owner knows whether the interrupted work may be done
/// twice.
///
/// Thread rule: any thread; calls run one after the other, each waiting for the one before. A transaction belongs to the connection, not to
/// a thread, so whoever has one open makes sure that nobody else calls in between. ``cancel(within:)``, ``endWait()`` and
/// ``PostgresWait/end(longerThan:)`` do not wait for running calls: they are meant for other threads.
package final class PostgresConnection: Sendable {
    private let session: Mutex<Session>
    private let cancelKey: CancelKey
    private let waitBell: Bell

    /// Where it leads; shown without any password, for logs.
    package let address: PostgresAddress
    /// The ID of the server's process for this session, as in `pg_stat_activity` and in notifications.
    package let processID: Int32
    /// `15.4`
    package let serverVersion: String

    /// Makes the connection and sets up the session: text is UTF-8, every statement has a deadline, `application_name` is `gatehouse` where
    /// the address names no other.
    /// - Parameter wait: lets other threads end a wait of this connection; nil when nobody needs to.
    /// - Throws: ``PostgresError`` of the kinds that precede a connection. Its message names the address, but no password.
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
    /// rows are in memory at once, so read a long table in parts.
    /// - Parameters:
    ///   - statement: a single statement, with `$1`, `$2` … for its values; never paste values in.
    ///   - arguments: one for each parameter, each of the kind that the parameter has (``PostgresValue``). No conversion loses anything: an
    ///     integer is accepted where an integer of its size, or a double of the same value, is stored; text is accepted for every type
    ///     without a kind of its own.
    ///   - limit: how long the statement may run; nil for ``PostgresOptions/statementTimeout``.
    /// - Throws: ``PostgresError``. When its `isConnectionLost` is true, the connection is lost. In a transaction of several statements,
    ///   every other error from the server makes the transaction fail: it then accepts only ROLLBACK.
    @discardableResult
    package func execute(
        _ statement: String,
        _ arguments: [PostgresValue] = [],
        within limit: Duration? = nil
    ) throws(PostgresError) -> PostgresResult {
        try session.withLock { session throws(PostgresError) in try session.execute(statement, arguments, within: limit) }
    }

    /// Carries out the text of a script: any number of statements, without arguments. Those outside of BEGIN and COMMIT form one
    /// transaction together (PostgreSQL manual, 55.2.2.1, "Multiple Statements in a Simple Query").
    /// - Parameter limit: how long each of them, and all together, may run; nil for ``PostgresOptions/statementTimeout``.
    /// - Throws: as ``execute(_:_:within:)``, for the first statement that fails; those after it are not carried out.
    package func run(script: String, within limit: Duration? = nil) throws(PostgresError) {
        try session.withLock { session throws(PostgresError) in try session.run(script, within: limit) }
    }

    /// Known without asking the server.
    package var transactionState: PostgresTransactionState { session.withLock { $0.link.transactionState } }

    /// Whether the connection is open, as far as this side can see without asking: false as soon as the server has closed it; still true
    /// for a while on a network that swallows everything.
    package var isAlive: Bool { session.withLock { $0.link.isAlive } }

    /// Ends the session; the server rolls back an open transaction. Every later call throws ``PostgresError/Kind/closed``. Waits for
    /// another thread's running call; ``endWait()`` and ``cancel(within:)`` end that.
    package func close() { session.withLock { $0.link.close() } }

    /// Asks the server to end the statement that another thread is running here, which then throws ``PostgresError/Kind/canceled``; if
    /// there is none, nothing happens. A request that arrives as a statement ends may cancel the next one instead.
    ///
    /// libpq sends the request over a separate connection without TLS (34.7); what it sends can be used for cancelling and nothing else.
    /// - Parameter limit: how long to wait for the server to accept the request.
    /// - Throws: ``PostgresError`` when the server could not be reached, or did not answer within `limit`.
    package func cancel(within limit: Duration = .seconds(2)) throws(PostgresError) {
        try cancelKey.use(until: Deadline(after: limit))
    }

    // MARK: Notifications

    /// Subscribes to a channel's notifications from now on; within a transaction, from its commit on.
    /// - Parameter channel: 1 to 63 bytes, the longest name that the server keeps whole.
    package func listen(to channel: String) throws(PostgresError) {
        guard (1...63).contains(channel.utf8.count) else {
            throw PostgresError(.invalidArgument, "a channel's name has 1 to 63 bytes")
        }
        try execute("LISTEN \"\(channel.replacing("\"", with: "\"\""))\"")
    }

    /// Notifies everybody who listens to a channel; within a transaction only when it commits.
    /// - Parameter payload: less than 8,000 bytes.
    package func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
        try execute("SELECT pg_notify($1, $2)", [.text(channel), .text(payload)])
    }

    /// Waits for a notification on a channel that this connection listens to. Occupies the connection meanwhile: other calls wait.
    /// Notifications that arrived during other statements are returned at once.
    /// - Parameter limit: zero to look without waiting.
    /// - Returns: notifications in the order in which they were sent; none when the time is up or ``endWait()`` was called.
    /// - Throws: ``PostgresError/Kind/connectionLost`` and the like.
    package func notifications(within limit: Duration) throws(PostgresError) -> [PostgresNotification] {
        try session.withLock { session throws(PostgresError) in
            try session.link.notifications(until: Deadline(after: limit), orBell: waitBell)
        }
    }

    /// Ends the wait in ``notifications(within:)`` of another thread; if none is waiting, the next one.
    package func endWait() { waitBell.ring() }
}
