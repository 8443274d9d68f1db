import PostgreSQL

extension DatabaseServer {
    /// Whether its URL holds a password: then nobody but the server's own user may be able to read where the URL stands.
    package var holdsPassword: Bool { address.holdsPassword }
}
