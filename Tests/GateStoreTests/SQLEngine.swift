import GateTesting
import PostgreSQL

@testable import GateStore

/// What the same statements are tried on.
enum SQLEngine: String, CaseIterable, Sendable {
    case sqlite
    case postgresql

    /// Lends a connection to an empty database, which nobody else has and which ends with the call.
    func run<Value>(_ body: (SQLConnection) throws -> Value) throws -> Value {
        switch self {
        case .sqlite: return try SQLQueue.inMemory().run(body)
        case .postgresql:
            let database = try PostgresCluster.shared().database()
            let queue = try SQLQueue(database, busyTimeout: 0.05)
            // It is dropped when nobody has any further use for it.
            defer { withExtendedLifetime(database) {} }
            let value = try queue.run(body)
            try queue.close()
            return value
        }
    }

    /// What a table ends with.
    var strict: String { self == .sqlite ? "STRICT" : "" }

    /// A statement with the types of its parameters (`?::bigint`), as far as the engine wants them: SQLite takes every value anywhere.
    func statement(_ sql: String) -> String { self == .sqlite ? sql.replacing(/::[a-z0-9]+/, with: "") : sql }

    /// What a column or a parameter has to be to hold a value.
    func type(of value: SQLValue) -> String {
        if self == .sqlite { return "ANY" }
        return switch value {
        case .null, .text: "text"
        case .integer: "bigint"
        case .real: "float8"
        case .blob: "bytea"
        }
    }
}

extension SQLQueue {
    convenience init(_ database: PostgresDatabase, busyTimeout: Double = 20) throws {
        try self.init(Server(address: PostgresAddress(database.url), busyTimeout: busyTimeout))
    }
}
