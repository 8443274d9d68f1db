import PostgreSQL

/// A database of PostgreSQL, as `--database` names it: `postgresql://gatehouse@db.example/gatehouse?sslmode=verify-full`.
///
/// What it says of itself names server and database, and no password. Thread rule: any; a value.
package struct DatabaseServer: Sendable, Hashable, CustomStringConvertible {
    let address: PostgresAddress

    /// - Throws: ``StoreError/Code/unreadable`` for what is no URL of libpq's, in words that repeat nothing of it.
    package init(_ url: String) throws(StoreError) {
        do throws(PostgresError) { address = try PostgresAddress(url) } catch {
            throw StoreError(
                .unreadable,
                error.message,
                hint: "Write postgresql://USER@HOST/DATABASE, and give the password by PGPASSFILE or PGPASSWORD."
            )
        }
    }

    package var description: String { address.description }
}
