import GRDB

/// A connection to the database, lent by its ``SQLQueue``: valid until the closure that received it ends, and only on that closure's
/// thread.
///
/// Statements are written once for all engines: with `?` for each parameter in its order, or `:name`; see ``SQLArguments``. Errors are
/// ``SQLError``, classified by meaning, or ``SQLDecodingError`` for a value of another kind than it was read as.
struct SQLConnection {
    private let engine: Engine

    private enum Engine {
        case sqlite(Database)
        case postgresql(PostgresSession)
    }

    /// The engine behind it, for the few queries that differ between engines.
    enum Kind: Sendable {
        case sqlite
        case postgresql
    }

    var kind: Kind {
        switch engine {
        case .sqlite: .sqlite
        case .postgresql: .postgresql
        }
    }

    init(_ database: Database) { engine = .sqlite(database) }

    init(_ session: PostgresSession) { engine = .postgresql(session) }

    // MARK: Statements

    /// Runs all statements of a text, one after the other. Only a text with one statement can have arguments.
    ///
    /// Outside a transaction, SQLite runs each statement as its own transaction, and PostgreSQL all of them as one.
    func execute(sql: String, arguments: SQLArguments = []) throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.execute(sql: sql, arguments: arguments.sqlite) }
        case .postgresql(let session): try session.execute(sql, arguments)
        }
    }

    /// The statement of a text, parsed by the engine the first time and kept for the next. PostgreSQL finds errors in it only when it is
    /// run.
    func cachedStatement(sql: String) throws -> SQLStatement {
        switch engine {
        case .sqlite(let database): SQLStatement(try SQLError.translating { try database.cachedStatement(sql: sql) })
        case .postgresql(let session): SQLStatement(try session.statement(sql))
        }
    }

    /// The statement of a text, for rare queries.
    private func statement(_ sql: String) throws -> SQLStatement {
        switch engine {
        case .sqlite(let database): SQLStatement(try SQLError.translating { try database.makeStatement(sql: sql) })
        case .postgresql(let session): SQLStatement(try session.statement(sql))
        }
    }

    /// The first row of an answer; nil if there is none.
    func row(sql: String, arguments: SQLArguments = []) throws -> SQLRow? { try statement(sql).row(arguments: arguments) }

    /// All rows of an answer.
    func rows(sql: String, arguments: SQLArguments = []) throws -> [SQLRow] { try statement(sql).rows(arguments: arguments) }

    /// The rows of an answer one by one, for long answers.
    func cursor(sql: String, arguments: SQLArguments = []) throws -> SQLCursor { try statement(sql).cursor(arguments: arguments) }

    /// The first column of the first row; nil when that is NULL or there is none.
    func value<Value: SQLReadable>(_ type: Value.Type, sql: String, arguments: SQLArguments = []) throws -> Value? {
        try statement(sql).value(type, arguments: arguments)
    }

    /// The first column of all rows.
    func values<Value: SQLReadable>(_ type: Value.Type, sql: String, arguments: SQLArguments = []) throws -> [Value] {
        try statement(sql).values(type, arguments: arguments)
    }

    /// How many rows the last INSERT, UPDATE or DELETE touched, without those that its triggers touched. Use it only after a text with one
    /// statement: for several, PostgreSQL gives no number.
    var changesCount: Int {
        switch engine {
        case .sqlite(let database): database.changesCount
        case .postgresql(let session): session.changesCount
        }
    }

    // MARK: Transactions

    enum Transaction {
        /// Takes the writers' lock at once, so what it reads cannot change before it writes.
        case writing
        /// Sees one state throughout, that of its first read.
        case reading
    }

    var isInsideTransaction: Bool {
        switch engine {
        case .sqlite(let database): database.isInsideTransaction
        case .postgresql(let session): session.isInsideTransaction
        }
    }

    /// All of `body` or nothing.
    ///
    /// In SQLite a failing statement undoes only itself; in PostgreSQL it makes the whole transaction fail, and a body that ignores the
    /// error gets another one at the COMMIT. To go on after an error, wrap the statement in ``savepoint(_:)``, which behaves the same in
    /// both.
    /// - Throws: within another transaction, which stays open.
    func transaction<Value>(_ kind: Transaction, _ body: () throws -> Value) throws -> Value {
        try begin(kind)
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            // The thrown error is the one that counts. On a full disk SQLite has already rolled back by itself.
            if isInsideTransaction { try? rollBack() }
            throw error
        }
    }

    /// A part of a transaction that can be rolled back alone; it is rolled back when it throws.
    /// - Parameter body: returns whether to keep what it did.
    func savepoint(_ body: () throws -> Bool) throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.inSavepoint { try body() ? .commit : .rollback } }
        case .postgresql(let session): try session.savepoint(body)
        }
    }

    /// A transaction that is always rolled back; it keeps no writer out.
    func trial(_ body: () throws -> Void) throws {
        try execute(sql: "BEGIN")
        // The body's error is the one that counts; a connection that cannot roll back is closed by its lender.
        defer { if isInsideTransaction { try? rollBack() } }
        try body()
    }

    private func begin(_ kind: Transaction) throws {
        switch engine {
        // As cached statements: GRDB's own `inTransaction` has SQLite parse both statements each time.
        case .sqlite:
            try cachedStatement(sql: kind == .writing ? "BEGIN IMMEDIATE TRANSACTION" : "BEGIN DEFERRED TRANSACTION").execute()
        case .postgresql(let session): try session.begin(kind)
        }
    }

    private func commit() throws {
        switch engine {
        case .sqlite: try cachedStatement(sql: "COMMIT TRANSACTION").execute()
        case .postgresql(let session): try session.commit()
        }
    }

    /// Rolls back a transaction that ``transaction(_:_:)`` could not roll back because of a failing disk.
    func rollBack() throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.rollback() }
        case .postgresql(let session): try session.rollBack()
        }
    }

    // MARK: What only one engine has

    /// The SQL expression whose ``SQLValue/bytes`` are a column's raw bytes. For SQLite these include text after a NUL and text that is not
    /// UTF-8. PostgreSQL stores neither, so there it is the column itself.
    func rawBytes(of column: String) -> String {
        switch engine {
        case .sqlite: "CAST(\(column) AS BLOB)"
        case .postgresql: column
        }
    }

    /// The name of the number that SQLite gives each row, which identifies it even if its key is damaged. Nil for PostgreSQL, which has no
    /// such number; there a key always has its column's type.
    var rowNumber: String? {
        switch engine {
        case .sqlite: "rowid"
        case .postgresql: nil
        }
    }

    /// The highest number that a table has assigned to a row, even if that row is gone: it is never assigned again. 0 before the first.
    /// - Precondition: the table's key is `id`, and the engine assigns it (AUTOINCREMENT, IDENTITY).
    func lastNumber(of table: String) throws -> Int {
        switch engine {
        case .sqlite: return try value(Int.self, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table]) ?? 0
        case .postgresql:
            let numbers = try value(String.self, sql: "SELECT pg_get_serial_sequence(?, 'id')", arguments: [table])
            // The server has quoted the name where necessary.
            let row = try numbers.flatMap { numbers in try self.row(sql: "SELECT last_value, is_called FROM \(numbers)") }
            guard let row else { return 0 }
            let (last, isGiven): (Int, Bool) = (try row.stored("last_value"), try row.stored("is_called"))
            return isGiven ? last : last - 1
        }
    }

    /// Makes a table continue its numbers after this one, within the open transaction.
    /// - Precondition: as for ``lastNumber(of:)``, and no row has a higher number.
    func setLastNumber(_ number: Int, of table: String) throws {
        switch engine {
        case .sqlite:
            try execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
            try execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, number])
        // setval() would outlive the transaction.
        case .postgresql: try execute(sql: "ALTER TABLE \(table) ALTER COLUMN id RESTART WITH \(number + 1)")
        }
    }

    /// The best numbers of rows for one INSERT: for a server each statement costs a round trip, for a file none.
    var rowsOfAnInsert: [Int] {
        switch engine {
        case .sqlite: [1]
        // Few sizes, so few texts are prepared; 256 rows of the widest table have 4,000 parameters, of 65,535 allowed.
        case .postgresql: [256, 32, 4, 1]
        }
    }

    // MARK: The schema

    func hasTable(_ name: String) throws -> Bool {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.tableExists(name) }
        case .postgresql(let session): try session.hasTable(name)
        }
    }

    /// The names of a table's columns, in their order.
    func columns(of table: String) throws -> [String] { try typedColumns(of: table).map(\.name) }

    /// A table's columns, in their order.
    func typedColumns(of table: String) throws -> [SQLColumn] {
        switch engine {
        case .sqlite(let database):
            try SQLError.translating { try database.columns(in: table).map { SQLColumn(name: $0.name, type: $0.type) } }
        case .postgresql(let session): try session.columns(of: table)
        }
    }

    /// Defines an SQL function of this connection that calls `body`, with any number of values, and returns NULL. Only for SQLite: an
    /// engine in another process cannot call us.
    /// - Precondition: the engine is SQLite.
    func addFunction(_ name: String, _ body: @escaping @Sendable ([SQLValue]) -> Void) {
        switch engine {
        case .sqlite(let database):
            database.add(
                function: DatabaseFunction(name) { values in
                    body(values.map(SQLValue.init))
                    return nil
                }
            )
        case .postgresql: preconditionFailure("PostgreSQL cannot call functions of this process.")
        }
    }
}
