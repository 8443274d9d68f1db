import PostgreSQL

extension DatabaseServer {
    /// Whether its URL holds a password: then only the server's own user may be able to read the place where the URL is written.
    package var holdsPassword: Bool { address.holdsPassword }
}
