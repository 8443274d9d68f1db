/// Where a connection stands, by its own account and without asking the server (PQtransactionStatus; PostgreSQL manual, 34.2).
package enum PostgresTransactionState: Sendable, Hashable {
    /// In none: each statement is one of its own.
    case idle
    case open
    /// A statement of it failed: nothing but its end is taken.
    case failed
    /// There is no connection any more.
    case lost
}
