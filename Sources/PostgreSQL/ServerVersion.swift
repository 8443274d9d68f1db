/// The version of a PostgreSQL server, as PQserverVersion numbers it: 150004 is 15.4, 90603 is 9.6.3 (PostgreSQL manual, 34.2).
struct ServerVersion: Hashable, CustomStringConvertible {
    /// The oldest release that the PostgreSQL project still maintained when this was written. Before it, `statement_timeout` counts several
    /// statements of one message together.
    static let oldest = ServerVersion(number: 130_000)

    let number: Int32

    /// Why this version cannot be used; nil if it can.
    var fault: PostgresError? {
        if number <= 0 { return PostgresError(.unsupportedServer, "the server does not tell its version") }
        if number < Self.oldest.number {
            return PostgresError(.unsupportedServer, "PostgreSQL \(self) is too old: 13 or later is needed")
        }
        return nil
    }

    var description: String {
        number >= 100_000 ? "\(number / 10_000).\(number % 10_000)" : "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
    }
}
