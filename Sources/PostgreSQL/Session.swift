/// The session of a connection: its settings, its prepared statements and the time they may take. Thread rule: one thread at a time; the
/// lock of ``PostgresConnection`` ensures it.
final class Session {
    let link: Link
    private let options: PostgresOptions
    private var statements: StatementCache
    /// The `statement_timeout` that the server was last given, in milliseconds; nil when it may no longer hold.
    private var statementTimeout: Int?
    /// Whether it was set within a transaction, whose end may undo it.
    private var isTimeoutOfTransaction = false

    init(_ address: PostgresAddress, _ options: PostgresOptions, _ wait: PostgresWait?) throws(PostgresError) {
        link = try Link(to: address, options, wait)
        self.options = options
        statements = StatementCache(capacity: options.preparedStatements)
        do throws(PostgresError) {
            if let fault = link.version.fault { throw fault }
            if let encoding = link.parameter("server_encoding"), encoding != "UTF8" {
                throw PostgresError(.unsupportedServer, "the database is encoded in \(encoding): one in UTF8 is needed")
            }
            // What reading the answers relies on: bytes in hex, and doubles that are read back as the same number. And the time limit of
            // statements.
            let ours = [
                "bytea_output": "hex", "extra_float_digits": "1", "statement_timeout": String(options.statementTimeout.timeoutMilliseconds),
            ]
            let settings = options.settings.merging(ours) { $1 }
            for (name, value) in settings.sorted(by: { $0.key < $1.key }) {
                _ = try execute("SELECT set_config($1, $2, false)", [.text(name), .text(value)], within: nil)
            }
        } catch {
            link.close()
            throw error.at(address)
        }
    }

    func execute(_ statement: String, _ arguments: [PostgresValue], within limit: Duration?) throws(PostgresError) -> PostgresResult {
        try Self.check(statement, arguments)
        let deadline = try begin(within: limit)
        let wasIdle = link.transactionState == .idle
        while true {
            let (prepared, isNew) = try prepare(statement, until: deadline)
            let values = try Self.encode(arguments, as: prepared.parameters, of: statement)
            do throws(PostgresError) {
                let reply = try link.execute(prepared.name, of: statement, values, until: deadline)
                return PostgresResult(columns: PostgresColumns(names: reply.names), rows: reply.rows, affectedRows: reply.affectedRows)
            } catch  where !isNew && ["0A000", "26000"].contains(error.sqlState) {
                // "cached plan must not change result type", or the session was told to forget its statements: the server refuses before it
                // has done anything.
                statements.remove(statement)
                guard wasIdle else {
                    // Otherwise a repeated transaction would run into one stale statement after the other. The server forgets them with the
                    // session.
                    statements.removeAll()
                    var error = error
                    error.kind = .staleStatement
                    throw error
                }
            }
        }
    }

    func run(_ script: String, within limit: Duration?) throws(PostgresError) {
        try Self.check(script, [])
        let deadline = try begin(within: limit)
        _ = try link.run(script, until: deadline)
    }

    // MARK: Time

    /// Sets the server's time limit for the next statement.
    /// - Returns: the latest moment at which the call ends.
    private func begin(within limit: Duration?) throws(PostgresError) -> Deadline {
        let limit = limit ?? options.statementTimeout
        let deadline = Deadline(after: limit + options.answerTimeout)
        let state = link.transactionState
        if isTimeoutOfTransaction, state == .idle { (statementTimeout, isTimeoutOfTransaction) = (nil, false) }
        let wanted = limit.timeoutMilliseconds
        // A failed transaction accepts only its end, which takes no time.
        guard wanted != statementTimeout, state != .failed else { return deadline }
        _ = try link.run("SET statement_timeout = \(wanted)", until: deadline)
        (statementTimeout, isTimeoutOfTransaction) = (wanted, state == .open)
        return deadline
    }

    // MARK: Statements

    private func prepare(_ statement: String, until deadline: Deadline) throws(PostgresError) -> (StatementCache.Prepared, isNew: Bool) {
        if let prepared = statements.use(statement) { return (prepared, false) }
        // A failed transaction would refuse it.
        while link.transactionState != .failed, let old = statements.evict() {
            _ = try link.run("DEALLOCATE \(old.name)", until: deadline)
        }
        let name = statements.newName()
        let prepared = StatementCache.Prepared(name: name, parameters: try link.prepare(statement, as: name, until: deadline))
        statements.insert(prepared, for: statement)
        return (prepared, true)
    }

    /// For libpq a text would end at U+0000, and the rest would be lost silently.
    private static func check(_ statement: String, _ arguments: [PostgresValue]) throws(PostgresError) {
        guard !statement.utf8.contains(0) else {
            throw PostgresError(.invalidArgument, "a statement cannot hold the character U+0000")
        }
        for (index, argument) in arguments.enumerated() {
            guard argument.text?.utf8.contains(0) != true else {
                throw PostgresError(
                    .invalidArgument,
                    "$\(index + 1) holds the character U+0000, which PostgreSQL cannot keep",
                    statement: statement
                )
            }
        }
    }

    private static func encode(
        _ arguments: [PostgresValue],
        as types: [PostgresType],
        of statement: String
    ) throws(PostgresError) -> [PostgresType.Encoded] {
        guard arguments.count == types.count else {
            throw PostgresError(
                .invalidArgument,
                "the statement has \(types.count) parameters, and \(arguments.count) arguments were given",
                statement: statement
            )
        }
        var encoded: [PostgresType.Encoded] = []
        for (index, (argument, type)) in zip(arguments, types).enumerated() {
            guard let value = type.encode(argument) else {
                throw PostgresError(
                    .invalidArgument,
                    "$\(index + 1) is \(type), which cannot hold this value: \(argument.kind)",
                    statement: statement
                )
            }
            encoded.append(value)
        }
        return encoded
    }
}
