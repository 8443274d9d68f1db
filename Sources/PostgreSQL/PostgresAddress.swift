/// Where a database is, as a libpq URL: `postgresql://gatehouse@db.example/gatehouse?sslmode=verify-full` (PostgreSQL manual, 34.1.1.2,
/// "Connection URIs"). Several servers, `target_session_attrs`, services and everything else that libpq reads are left to libpq; what the
/// URL leaves out comes from libpq's environment (`PGHOST`, `PGPASSWORD`, `PGPASSFILE` and so on, 34.15) and password file (34.16).
///
/// The URL may hold a password. It is handed to libpq and goes nowhere else: descriptions and errors contain no part of the URL except the
/// names of server and database. Thread rule: any; a value.
package struct PostgresAddress: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    let url: String
    /// `database "gatehouse" at db.example:5432`, from what the URL names.
    package let description: String
    /// Whether the URL holds a password, of the user or of a certificate's key. Such a URL must not stand on a command line.
    package let holdsPassword: Bool

    /// - Throws: ``PostgresError/Kind/invalidAddress``, with a message that repeats nothing of the URL: when a URL is misread, any of its
    ///   parts may hold a piece of the password.
    package init(_ url: String) throws(PostgresError) {
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://"), !url.utf8.contains(0) else {
            throw PostgresError(.invalidAddress, "the address of the database is not a URL that begins with postgresql://")
        }
        guard let parts = ConnectionParts(url) else {
            throw PostgresError(
                .invalidAddress,
                "the address of the database is not a URL that libpq understands; write %40 for @, %2F for / and %25 for % in a password"
            )
        }
        // A password with an @ or a / that was not written as %40 or %2F ends too early, and the rest is read as a server, a port or a
        // database.
        let isSplit =
            [parts["host"], parts["dbname"], parts["port"]].contains { $0?.contains("@") == true }
            || parts["port"].map { !$0.allSatisfy { $0.isASCII && $0.isNumber || $0 == "," } } == true
        if isSplit {
            throw PostgresError(
                .invalidAddress,
                "the address of the database names an impossible server, port or database; write %40 for @ and %2F for / in a password"
            )
        }
        self.url = url
        description = parts.description
        holdsPassword = parts.holdsPassword
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
