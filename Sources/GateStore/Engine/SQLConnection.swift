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
    }

    init(_ database: Database) { engine = .sqlite(database) }

    // MARK: Statements

    /// Runs all statements of a text, one after the other. Only a text with one statement can have arguments.
    func execute(sql: String, arguments: SQLArguments = []) throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.execute(sql: sql, arguments: arguments.sqlite) }
        }
    }

    /// The statement of a text, read by the engine the first time and kept for the next.
    func cachedStatement(sql: String) throws -> SQLStatement {
        switch engine {
        case .sqlite(let database): SQLStatement(try SQLError.translating { try database.cachedStatement(sql: sql) })
        }
    }

    /// The statement of a text, for what is rarely asked.
    private func statement(_ sql: String) throws -> SQLStatement {
        switch engine {
        case .sqlite(let database): SQLStatement(try SQLError.translating { try database.makeStatement(sql: sql) })
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

    /// How many rows the last INSERT, UPDATE or DELETE touched; not those that its triggers did.
    var changesCount: Int {
        switch engine {
        case .sqlite(let database): database.changesCount
        }
    }

    /// The number that the last INSERT gave its row by itself.
    var lastInsertedID: Int64 {
        switch engine {
        case .sqlite(let database): database.lastInsertedRowID
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
        }
    }

    /// All of `body` or nothing.
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

    /// A part of a transaction that can be taken back alone.
    /// - Parameter body: whether what it did is to stay.
    func savepoint(_ body: () throws -> Bool) throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.inSavepoint { try body() ? .commit : .rollback } }
        }
    }

    private func begin(_ kind: Transaction) throws {
        switch engine {
        // As kept statements: GRDB's own `inTransaction` has SQLite read both words anew each time.
        case .sqlite:
            try cachedStatement(sql: kind == .writing ? "BEGIN IMMEDIATE TRANSACTION" : "BEGIN DEFERRED TRANSACTION").execute()
        }
    }

    private func commit() throws { try cachedStatement(sql: "COMMIT TRANSACTION").execute() }

    /// Takes back a transaction that a failing disk kept from being rolled back by ``transaction(_:_:)``.
    func rollBack() throws {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.rollback() }
        }
    }

    // MARK: The schema

    func hasTable(_ name: String) throws -> Bool {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.tableExists(name) }
        }
    }

    /// The names of a table's columns, in their order.
    func columns(of table: String) throws -> [String] {
        switch engine {
        case .sqlite(let database): try SQLError.translating { try database.columns(in: table).map(\.name) }
        }
    }

    /// Has statements of this connection call `body` by a name, with any number of values; what they get is NULL. SQLite's alone: an
    /// engine in another process has to be asked afterwards.
    func addFunction(_ name: String, _ body: @escaping @Sendable ([SQLValue]) -> Void) {
        switch engine {
        case .sqlite(let database):
            database.add(
                function: DatabaseFunction(name) { values in
                    body(values.map(SQLValue.init))
                    return nil
                }
            )
        }
    }
}
