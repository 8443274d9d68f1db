import PostgreSQL

/// The PostgreSQL side of a ``SQLConnection``. Thread rule: one thread at a time; ``PostgresQueue`` lends it.
final class PostgresSession {
    /// The lock that every writing transaction takes first, with `pg_advisory_xact_lock`: "gatehous" in ASCII. It belongs to the database
    /// that is written to and keeps out only other writers; readers do not take it.
    static let writersLock: Int64 = 0x6761_7465_686F_7573

    private let server: SQLQueue.Server
    private let connection: PostgresConnection
    private var translations: [String: SQLTranslation] = [:]
    /// As many texts as the server keeps prepared; the program has fewer, but builds some from parts.
    private static let mostTranslations = 256
    /// Rows changed by the last INSERT, UPDATE or DELETE; 0 after a text of several statements, for which the server gives no number.
    private(set) var changesCount = 0
    private var openSavepoints = 0
    /// Whether the open transaction is read-only, so the outcome of its COMMIT does not matter.
    private var isReading = false
    /// For ``CommitFate``. Read once: a crash of the server ends the session.
    private let life: String
    /// Numbers for the texts of cursors: the same text always gets the same name, and the server can keep the prepared statement.
    private var cursorNumbers: [String: Int] = [:]
    /// Names of the transaction's open cursors. A cursor that is not read to its end stays until the transaction ends.
    private var openCursors: Set<String> = []
    /// Rows that a cursor fetches at a time. A row of the history has documents of a few thousand bytes.
    private static let portion = 200

    /// - Parameter wait: lets other threads end its waits.
    init(_ server: SQLQueue.Server, _ wait: PostgresWait) throws {
        let busyTimeout = Duration.seconds(max(0.001, server.busyTimeout))
        var options = PostgresOptions()
        // The server's lock timeout comes first, so a lock that cannot be had is told apart from a slow statement.
        options.statementTimeout = max(server.patience.map { .seconds($0) } ?? options.statementTimeout, busyTimeout + .seconds(5))
        options.preparedStatements = Self.mostTranslations
        options.settings = [
            "lock_timeout": "\(max(1, Int(server.busyTimeout * 1_000)))",
            // In '…' a backslash is an ordinary character, as SQLTranslation reads it and the standard says.
            "standard_conforming_strings": "on",
            // A process whose network or machine is gone must not keep the writers' lock for as long as TCP would go on waiting for it.
            "tcp_keepalives_idle": "1", "tcp_keepalives_interval": "1", "tcp_keepalives_count": "2", "tcp_user_timeout": "3000",
        ]
        // Nor must a frozen process whose system still answers for it. Between two statements of a transaction there is little to do.
        if server.patience == nil { options.settings["idle_in_transaction_session_timeout"] = Self.longestPause }
        connection = try SQLError.translatingPostgres { try PostgresConnection(to: server.address, options, wait) }
        self.server = server
        do {
            let answer = try SQLError.translatingPostgres { [connection] in try connection.execute(CommitFate.lifeQuery) }
            life = answer.rows.first?[0].text ?? ""
        } catch {
            connection.close()
            throw error
        }
        do { try server.settle(SQLConnection(self)) } catch {
            connection.close()
            throw error
        }
    }

    /// How long the server tolerates an idle session that keeps others out: less than the others wait (``StoreConfiguration/busyTimeout``).
    static let longestPause = "3s"

    /// The same within a writing transaction, which keeps out all servers, and with them a kill that must be in force within a second. No
    /// writer needs more than a few milliseconds between two of its statements, but where it waits for something else: then it says so
    /// (``limitingWriting(_:)``).
    static let longestWritingPause = "750ms"

    /// The statement after which the open transaction may be idle for this long, until its end.
    static func limitingWriting(_ limit: String) -> String {
        "SELECT set_config('idle_in_transaction_session_timeout', '\(limit)', true)"
    }

    private var limitingPause: String {
        server.patience == nil ? "SET LOCAL idle_in_transaction_session_timeout = '\(Self.longestWritingPause)';" : ""
    }

    /// The statement after which the server ends the session, and with it the locks that it holds, once it has been idle for this long
    /// outside of a transaction; "0" is for ever. PostgreSQL 13 has no such limit, and there it does nothing.
    static func limitingIdleness(_ limit: String) -> String {
        "SELECT set_config(name, '\(limit)', false) FROM pg_settings WHERE name = 'idle_session_timeout'"
    }

    /// As far as this side can see.
    var isAlive: Bool { connection.isAlive }

    func close() { connection.close() }

    /// Rolls back what was left open: the next caller begins outside a transaction, and the writers' lock is released.
    func endLending() {
        isReading = false
        openSavepoints = 0
        openCursors = []
        guard isInsideTransaction else { return }
        do { try rollBack() } catch {
            // The server rolls it back when the connection is gone; the next caller gets a new one.
            connection.close()
        }
    }

    // MARK: Statements

    func statement(_ sql: String) throws -> PostgresStatement { PostgresStatement(try translation(of: sql), of: self) }

    func execute(_ sql: String, _ arguments: SQLArguments) throws {
        let translation = try translation(of: sql)
        guard translation.isScript else {
            _ = try run(translation, arguments)
            return
        }
        guard arguments.isEmpty, translation.parameters == .places(0) else {
            throw SQLError(kind: .other, code: .postgresql("42601"), message: "a text of several statements has no parameters")
        }
        try run(script: sql)
        changesCount = 0
    }

    func run(_ translation: SQLTranslation, _ arguments: SQLArguments) throws -> PostgresResult {
        let values = try arguments.postgres(for: translation.parameters)
        let result = try SQLError.translatingPostgres { try connection.execute(translation.text, values) }
        if translation.isCounting { changesCount = result.affectedRows }
        return result
    }

    /// The rows, in portions within a transaction. All rows are in memory at once outside of a transaction, and for a statement without
    /// cursors in PostgreSQL, such as an INSERT.
    func cursor(_ translation: SQLTranslation, _ arguments: SQLArguments) throws -> PostgresRows {
        guard connection.transactionState == .open, !translation.isCounting else { return PostgresRows(try run(translation, arguments)) }
        let values = try arguments.postgres(for: translation.parameters)
        let name = newCursorName(for: translation.text)
        _ = try SQLError.translatingPostgres {
            try connection.execute("DECLARE \(name) NO SCROLL CURSOR FOR \(translation.text)", values)
        }
        openCursors.insert(name)
        var isAtEnd = false
        return PostgresRows { [self] in
            guard !isAtEnd else { return nil }
            return try SQLError.translatingPostgres {
                let result = try connection.execute("FETCH \(Self.portion) FROM \(name)")
                if result.rows.count < Self.portion {
                    isAtEnd = true
                    try connection.execute("CLOSE \(name)")
                    openCursors.remove(name)
                }
                return result
            }
        }
    }

    private func newCursorName(for text: String) -> String {
        if cursorNumbers.count >= Self.mostTranslations { cursorNumbers.removeAll(keepingCapacity: true) }
        let number = cursorNumbers[text] ?? cursorNumbers.count + 1
        cursorNumbers[text] = number
        let name = "cursor_\(number)"
        return openCursors.contains(name) ? (2...).lazy.map { "\(name)_\($0)" }.first { !self.openCursors.contains($0) } ?? name : name
    }

    private func run(script: String) throws { try SQLError.translatingPostgres { try connection.run(script: script) } }

    private func translation(of sql: String) throws -> SQLTranslation {
        if let known = translations[sql] { return known }
        let translation = try SQLTranslation(sql)
        // Those in use are soon translated again.
        if translations.count >= Self.mostTranslations { translations.removeAll(keepingCapacity: true) }
        translations[sql] = translation
        return translation
    }

    // MARK: Transactions

    var isInsideTransaction: Bool { [.open, .failed].contains(connection.transactionState) }

    func begin(_ kind: SQLConnection.Transaction) throws {
        // PostgreSQL would only warn.
        guard !isInsideTransaction else {
            throw SQLError(kind: .other, code: .postgresql("25001"), message: "there is a transaction already")
        }
        openSavepoints = 0
        openCursors = []
        isReading = kind == .reading
        do {
            switch kind {
            case .writing:
                // Whatever the database's default is: each statement must see what was committed before it, so everything after the lock
                // sees the previous writer's work. A single snapshot for the transaction would be older than the lock.
                try run(
                    script: """
                        BEGIN TRANSACTION ISOLATION LEVEL READ COMMITTED; \(limitingPause)
                        SELECT pg_advisory_xact_lock(\(Self.writersLock))
                        """
                )
            case .reading: try run(script: "BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
            }
        } catch {
            // The thrown error is the one that counts; what cannot be rolled back here is rolled back when the lending ends.
            if isInsideTransaction { try? rollBack() }
            throw error
        }
    }

    func commit() throws {
        switch connection.transactionState {
        case .open where isReading: try run(script: "COMMIT")
        case .open: try commitForSure()
        case .lost: try run(script: "COMMIT")
        // PostgreSQL would accept a COMMIT here, and roll everything back.
        case .failed: throw Self.failed
        case .idle: throw SQLError(kind: .other, code: .postgresql("25P01"), message: "there is no transaction")
        }
    }

    /// Commits. If the connection is lost meanwhile, asks the server for the outcome, if it can be reached within seconds.
    private func commitForSure() throws {
        let asked = try SQLError.translatingPostgres { try connection.execute("SELECT pg_current_xact_id_if_assigned()::text") }
        do { try run(script: "COMMIT") } catch let error as SQLError where error.kind == .connectionLost {
            // No number where nothing was written.
            guard let transaction = asked.rows.first?[0].text else { throw error }
            switch CommitFate(address: server.address, transaction: transaction, life: life).isCommitted() {
            case true: return
            case false: throw error
            case nil: throw SQLError(kind: .uncertain, code: error.code, message: error.message)
            }
        }
    }

    func rollBack() throws { try run(script: "ROLLBACK") }

    /// - Parameter body: returns whether to keep what it did.
    func savepoint(_ body: () throws -> Bool) throws {
        let name = "savepoint_\(openSavepoints + 1)"
        try run(script: "SAVEPOINT \(name)")
        openSavepoints += 1
        defer { openSavepoints -= 1 }
        do {
            if try body() {
                // A statement in it failed and the body ignored the error: nothing of it can be kept.
                if connection.transactionState == .failed { throw Self.failed }
                return try run(script: "RELEASE SAVEPOINT \(name)")
            }
        } catch {
            // The thrown error is the one that counts. What cannot be rolled back alone is rolled back with the whole transaction.
            try? takeBack(name)
            throw error
        }
        try takeBack(name)
    }

    private func takeBack(_ savepoint: String) throws {
        try run(script: "ROLLBACK TO SAVEPOINT \(savepoint); RELEASE SAVEPOINT \(savepoint)")
    }

    private static let failed = SQLError(
        kind: .other,
        code: .postgresql("25P02"),
        message: "an earlier statement failed, and with it the whole transaction"
    )

    // MARK: The schema

    func hasTable(_ name: String) throws -> Bool {
        let sql = "SELECT count(*) FROM pg_catalog.pg_class WHERE oid = to_regclass(quote_ident(?)) AND relkind IN ('r', 'p')"
        return try statement(sql).row([name])?.stored(at: 0) == 1
    }

    func columns(of table: String) throws -> [SQLColumn] {
        let sql = """
            SELECT attname::text, format_type(atttypid, atttypmod) FROM pg_catalog.pg_attribute
            WHERE attrelid = to_regclass(quote_ident(?)) AND attnum > 0 AND NOT attisdropped ORDER BY attnum
            """
        let columns = try statement(sql).rows([table]).map { SQLColumn(name: try $0.stored(at: 0), type: try $0.stored(at: 1)) }
        guard try !columns.isEmpty || hasTable(table) else {
            throw SQLError(kind: .other, code: .postgresql("42P01"), message: "no such table: \(table)")
        }
        return columns
    }
}
