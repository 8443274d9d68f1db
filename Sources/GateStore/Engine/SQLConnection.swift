import GRDB

/// A connection to the database while its ``SQLQueue`` lends it: good until the closure ends that it was handed to, and on its thread
/// alone.
///
/// Statements are written once for all engines: with `?` for each parameter in its order, or `:name`; see ``SQLArguments``. Errors are
/// ``SQLError`` by their meaning, or ``SQLDecodingError`` for a value that is not what it was read as.
struct SQLConnection {
    private let engine: Engine

    private enum Engine {
        case sqlite(Database)
        case postgresql(PostgresSession)
    }

    /// Which engine it leads to, for the few things that have to be asked otherwise there.
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
    /// Outside a transaction each is one of its own to SQLite, and all together are one to PostgreSQL.
    func execute(sql: String, arguments: SQLArguments = []) throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.execute(sql: sql, arguments: arguments.sqlite) }
        case .postgresql(let session): try session.execute(sql, arguments)
        }
    }

    /// The statement of a text, read by the engine the first time and kept for the next. PostgreSQL finds what is wrong with it when it is
    /// run.
    func cachedStatement(sql: String) throws -> SQLStatement {
        switch engine {
        case .sqlite(let database): SQLStatement(try SQLError.translating { try database.cachedStatement(sql: sql) })
        case .postgresql(let session): SQLStatement(try session.statement(sql))
        }
    }

    /// The statement of a text, for what is rarely asked.
    private func statement(_ sql: String) throws -> SQLStatement {
        switch engine {
        case .sqlite(let database): SQLStatement(try SQLError.translating { try database.makeStatement(sql: sql) })
        case .postgresql(let session): SQLStatement(try session.statement(sql))
        }
    }

    /// The first row of an answer, and nil for none.
    func row(sql: String, arguments: SQLArguments = []) throws -> SQLRow? { try statement(sql).row(arguments: arguments) }

    /// All rows of an answer.
    func rows(sql: String, arguments: SQLArguments = []) throws -> [SQLRow] { try statement(sql).rows(arguments: arguments) }

    /// The rows of an answer one by one, for what may be long.
    func cursor(sql: String, arguments: SQLArguments = []) throws -> SQLCursor { try statement(sql).cursor(arguments: arguments) }

    /// The first column of the first row; nil when that is NULL or there is none.
    func value<Value: SQLReadable>(_ type: Value.Type, sql: String, arguments: SQLArguments = []) throws -> Value? {
        try statement(sql).value(type, arguments: arguments)
    }

    /// The first column of all rows.
    func values<Value: SQLReadable>(_ type: Value.Type, sql: String, arguments: SQLArguments = []) throws -> [Value] {
        try statement(sql).values(type, arguments: arguments)
    }

    /// How many rows the last INSERT, UPDATE or DELETE touched; not those that its triggers did. Asked for after a text with one statement:
    /// of several PostgreSQL tells none.
    var changesCount: Int {
        switch engine {
        case .sqlite(let database): database.changesCount
        case .postgresql(let session): session.changesCount
        }
    }

    // MARK: Transactions

    enum Transaction {
        /// Takes the writers' lock at once, so that nothing that it reads is another by the time it writes.
        case writing
        /// One state, as of its first read.
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
    /// A statement that fails takes back itself alone in SQLite, and makes all of the transaction fail in PostgreSQL: there a body that
    /// passes over the error ends in another one at the COMMIT. Whoever wants to go on after an error wraps the statement in
    /// ``savepoint(_:)``, which comes to the same in both.
    /// - Throws: within another transaction, which goes on.
    func transaction<Value>(_ kind: Transaction, _ body: () throws -> Value) throws -> Value {
        try begin(kind)
        do {
            let value = try body()
            try commit()
            return value
        } catch {
            // The error that counts is the one that is thrown. A full disk makes SQLite roll back by itself.
            if isInsideTransaction { try? rollBack() }
            throw error
        }
    }

    /// A part of a transaction that can be taken back alone, and is when it throws.
    /// - Parameter body: whether what it did is to stay.
    func savepoint(_ body: () throws -> Bool) throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.inSavepoint { try body() ? .commit : .rollback } }
        case .postgresql(let session): try session.savepoint(body)
        }
    }

    /// A transaction that is taken back in any case; it keeps no writer out.
    func trial(_ body: () throws -> Void) throws {
        try execute(sql: "BEGIN")
        // The error that counts is the body's; a connection that cannot roll back is closed by whoever lends it.
        defer { if isInsideTransaction { try? rollBack() } }
        try body()
    }

    private func begin(_ kind: Transaction) throws {
        switch engine {
        // As kept statements: GRDB's own `inTransaction` has SQLite read both words anew each time.
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

    /// Takes back a transaction that a failing disk kept from being rolled back by ``transaction(_:_:)``.
    func rollBack() throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.rollback() }
        case .postgresql(let session): try session.rollBack()
        }
    }

    // MARK: What only one engine has

    /// What gives a column's raw bytes, once its ``SQLValue/bytes`` are taken: those of a text of SQLite's whatever stands in it, behind a
    /// NUL too. PostgreSQL keeps no text with a NUL and none that is no UTF-8, so that the column itself tells all.
    func rawBytes(of column: String) -> String {
        switch engine {
        case .sqlite: "CAST(\(column) AS BLOB)"
        case .postgresql: column
        }
    }

    /// The name of the number that SQLite gives each row, which is right whatever has become of the row's key. Nil for PostgreSQL, which
    /// has none; there the key is what its column takes.
    var rowNumber: String? {
        switch engine {
        case .sqlite: "rowid"
        case .postgresql: nil
        }
    }

    /// The highest number that a table has given a row by itself, which may be gone by now: none gets it again. 0 before the first.
    /// - Precondition: the table's key is `id`, and numbers are given to it (AUTOINCREMENT, IDENTITY).
    func lastNumber(of table: String) throws -> Int {
        switch engine {
        case .sqlite: return try value(Int.self, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table]) ?? 0
        case .postgresql:
            let numbers = try value(String.self, sql: "SELECT pg_get_serial_sequence(?, 'id')", arguments: [table])
            // Quoted by the server where it has to be.
            let row = try numbers.flatMap { numbers in try self.row(sql: "SELECT last_value, is_called FROM \(numbers)") }
            guard let row else { return 0 }
            let (last, isGiven): (Int, Bool) = (try row.stored("last_value"), try row.stored("is_called"))
            return isGiven ? last : last - 1
        }
    }

    /// Has a table go on behind a number, in the transaction that is under way.
    /// - Precondition: as of ``lastNumber(of:)``, and no row has a higher one.
    func setLastNumber(_ number: Int, of table: String) throws {
        switch engine {
        case .sqlite:
            try execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
            try execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, number])
        // setval() would outlive the transaction.
        case .postgresql: try execute(sql: "ALTER TABLE \(table) ALTER COLUMN id RESTART WITH \(number + 1)")
        }
    }

    /// How many rows one INSERT had best bring: each statement is a way there and back to a server, and none to a file.
    var rowsOfAnInsert: [Int] {
        switch engine {
        case .sqlite: [1]
        // Few sizes, so that few texts are prepared; 256 rows of the longest table have 4,000 parameters, and there can be 65,535.
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

    /// Has statements of this connection call `body` by a name, with any number of values; what they get is NULL. SQLite's alone: an
    /// engine in another process has to be asked afterwards.
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
