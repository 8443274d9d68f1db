import GRDB

/// A parsed statement, to be run as often as wanted with different arguments. Valid only on its own connection, and with only one open
/// ``SQLCursor`` at a time.
struct SQLStatement {
    private let engine: Engine

    private enum Engine {
        case sqlite(Statement)
        case postgresql(PostgresStatement)
    }

    init(_ statement: Statement) { engine = .sqlite(statement) }

    init(_ statement: PostgresStatement) { engine = .postgresql(statement) }

    /// Runs it to its end, for its effect.
    func execute(arguments: SQLArguments = []) throws {
        switch engine {
        case .sqlite(let statement): try SQLError.translating { try statement.execute(arguments: arguments.sqlite) }
        case .postgresql(let statement): _ = try statement.run(arguments)
        }
    }

    /// The first row of its answer; nil if there is none.
    func row(arguments: SQLArguments = []) throws -> SQLRow? {
        switch engine {
        case .sqlite(let statement):
            try SQLError.translating {
                try Row.fetchOne(statement, arguments: arguments.sqlite).map { SQLRow($0, columns: statement.columnNames) }
            }
        case .postgresql(let statement): try statement.row(arguments)
        }
    }

    /// All rows of its answer.
    func rows(arguments: SQLArguments = []) throws -> [SQLRow] {
        switch engine {
        case .sqlite(let statement):
            try SQLError.translating {
                let rows = try Row.fetchAll(statement, arguments: arguments.sqlite)
                let columns = statement.columnNames
                return rows.map { SQLRow($0, columns: columns) }
            }
        case .postgresql(let statement): try statement.rows(arguments)
        }
    }

    /// The rows of its answer one by one, for long answers.
    func cursor(arguments: SQLArguments = []) throws -> SQLCursor {
        switch engine {
        case .sqlite(let statement):
            try SQLError.translating {
                SQLCursor(try Row.fetchCursor(statement, arguments: arguments.sqlite), columns: statement.columnNames)
            }
        case .postgresql(let statement): SQLCursor(try statement.cursor(arguments))
        }
    }

    /// The first column of the first row; nil when that is NULL or there is none.
    func value<Value: SQLReadable>(_: Value.Type, arguments: SQLArguments = []) throws -> Value? {
        try row(arguments: arguments).flatMap { try $0.stored(at: 0) }
    }

    /// The first column of all rows.
    func values<Value: SQLReadable>(_: Value.Type, arguments: SQLArguments = []) throws -> [Value] {
        try rows(arguments: arguments).map { try $0.stored(at: 0) }
    }
}
