import GateTesting
import PostgreSQL

/// A connection with a database of its own, which is there for as long as this is.
final class TestSession: Sendable {
    let database: PostgresDatabase
    let connection: PostgresConnection

    init(_ options: PostgresOptions = PostgresOptions()) throws {
        database = try PostgresCluster.shared().database()
        connection = try PostgresConnection(to: PostgresAddress(database.url), options)
    }

    /// One more to the same database.
    func another(_ options: PostgresOptions = PostgresOptions()) throws -> PostgresConnection {
        try PostgresConnection(to: PostgresAddress(database.url), options)
    }
}
