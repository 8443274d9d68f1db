import PostgreSQL

/// A database of PostgreSQL, as `--database` names it: `postgresql://gatehouse@db.example/gatehouse?sslmode=verify-full`.
///
/// What it says of itself names server and database, and no password. Thread rule: any; a value.
package struct DatabaseServer: Sendable, Hashable, CustomStringConvertible {
    let address: PostgresAddress

    /// - Throws: ``SQLError/Kind/unreachable`` for what is no URL of libpq's, in words that repeat nothing of it.
    init(url: String) throws(SQLError) {
        do throws(PostgresError) { address = try PostgresAddress(url) } catch { throw SQLError(error) }
    }

    package var description: String { address.description }
}
