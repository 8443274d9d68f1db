import PostgreSQL

/// A PostgreSQL database, as `--database` names it: `postgresql://gatehouse@db.example/gatehouse?sslmode=verify-full`.
///
/// Its description names server and database, but no password. Thread rule: any; a value.
package struct DatabaseServer: Sendable, Hashable, CustomStringConvertible {
    let address: PostgresAddress

    /// - Throws: ``SQLError/Kind/unreachable`` for a text that is not a libpq URL; the message repeats nothing of it.
    init(url: String) throws(SQLError) {
        do throws(PostgresError) { address = try PostgresAddress(url) } catch { throw SQLError(error) }
    }

    package var description: String { address.description }
}
