/// The transaction state of a connection, known without asking the server (PQtransactionStatus; PostgreSQL manual, 34.2).
package enum PostgresTransactionState: Sendable, Hashable {
    /// No transaction is open: each statement is a transaction of its own.
    case idle
    case open
    /// One of its statements failed: only its end is accepted.
    case failed
    /// The connection is gone.
    case lost
}
