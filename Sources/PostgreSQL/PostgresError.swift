/// Why a connection could not be made, or a statement was not carried out.
///
/// The description is for logs: it tells the statement, and neither arguments, nor the values in the server's words, nor any password.
package struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What there is to be done differently about. The raw values are words for logs. In brackets the server's own codes (PostgreSQL
    /// manual, appendix A, "PostgreSQL Error Codes").
    package enum Kind: String, Sendable, CaseIterable {
        // Before there is a connection.
        /// The address is none that libpq understands.
        case invalidAddress = "invalid address"
        case unknownHost = "unknown host"
        /// Nothing listens there.
        case refused
        /// No way there, or no answer in time.
        case unreachable
        /// TLS was asked for and could not be had as asked for.
        case tls
        /// [28000, 28P01], a password that is missing, and what cannot be proved in another way.
        case signInRefused = "sign-in refused"
        /// [3D000]
        case unknownDatabase = "unknown database"
        /// [53300]
        case tooManyConnections = "too many connections"
        /// [57P03] It recovers, or goes down.
        case notReady = "not ready"
        /// Too old, of another encoding than UTF-8, or a standby where writes were asked for.
        case unsupportedServer = "unsupported server"

        // The connection is lost with these; what was under way may have been carried out.
        case connectionLost = "connection lost"
        /// No answer within the call's deadline.
        case timedOut = "timed out"
        /// [57P01, 57P02, 57P04, 57P05] The server ended the connection.
        case shuttingDown = "shutting down"
        /// The connection was closed on this side; nothing was sent.
        case closed

        // The transaction may be tried again from its beginning.
        /// [40001]
        case serializationFailure = "serialization failure"
        /// [40P01]
        case deadlock
        /// [0A000, 26000] Tables have changed under a prepared statement, which is prepared anew the next time.
        case staleStatement = "stale statement"

        // The statement was refused.
        /// [23505]
        case uniqueViolation = "unique violation"
        /// [23503]
        case foreignKeyViolation = "foreign key violation"
        /// [23514]
        case checkViolation = "check violation"
        /// [23502]
        case notNullViolation = "not null violation"
        /// [23 with another ending]
        case constraintViolation = "constraint violation"
        /// [P0001] By a RAISE of a trigger or function.
        case raised
        /// [25006]
        case readOnly = "read only"
        /// [53100]
        case diskFull = "disk full"
        /// [53 with another ending, 54]
        case outOfResources = "out of resources"
        /// [57014] By ``PostgresConnection/cancel(within:)`` or the statement's deadline; the server says which in words alone.
        case canceled
        /// [55P03]
        case lockNotAvailable = "lock not available"
        /// [25P02] An earlier statement of the transaction failed.
        case transactionFailed = "transaction failed"
        /// [42501]
        case permissionDenied = "permission denied"
        /// [42P01, 42703, 3F000] No such table, column or schema.
        case unknownObject = "unknown object"
        /// [22] A value that its type does not hold.
        case invalidValue = "invalid value"
        /// Found on this side, and nothing was sent: a text with U+0000, a value of another kind than the parameter's, too many or too few.
        case invalidArgument = "invalid argument"
        /// What came is no UTF-8, or no such value.
        case invalidAnswer = "invalid answer"
        /// [Any other]
        case refusedStatement = "refused statement"
    }

    package internal(set) var kind: Kind
    /// The server's code of five characters; nil for what libpq or this side found.
    package let sqlState: String?
    /// In the server's or libpq's words, without a full stop. Those of class 22 may hold a value.
    package let message: String
    /// In the server's words; may hold values of the row.
    package let detail: String?
    package let hint: String?
    /// The name of the constraint that was violated; of the column and the table that the server names.
    package let constraint: String?
    package let column: String?
    package let table: String?
    /// The statement's text, without its arguments; nil where it was none.
    package internal(set) var statement: String?

    init(
        _ kind: Kind,
        _ message: String,
        sqlState: String? = nil,
        detail: String? = nil,
        hint: String? = nil,
        constraint: String? = nil,
        column: String? = nil,
        table: String? = nil,
        statement: String? = nil
    ) {
        (self.kind, self.message, self.sqlState, self.detail, self.hint) = (kind, message, sqlState, detail, hint)
        (self.constraint, self.column, self.table, self.statement) = (constraint, column, table, statement)
    }

    /// Whether the connection is gone, and another one may do better.
    package var isConnectionLost: Bool {
        switch kind {
        case .connectionLost, .timedOut, .shuttingDown, .closed: true
        default: false
        }
    }

    /// Whether the same transaction may succeed when it is run again from its beginning; it was not carried out.
    package var isRepeatable: Bool {
        switch kind {
        case .serializationFailure, .deadlock, .staleStatement: true
        default: false
        }
    }

    /// Whether what was asked for may have been carried out all the same. False only where that is certain: a COMMIT with true here must be
    /// looked for in the database.
    package var mayHaveBeenCarriedOut: Bool {
        switch kind {
        case .connectionLost, .timedOut, .shuttingDown: statement != nil
        // The rows did not come, but what the statement wrote is written.
        case .invalidAnswer: true
        default: false
        }
    }

    package var description: String {
        let code = sqlState.map { " (\($0))" } ?? ""
        // "invalid input syntax for type json" and its like show the value.
        let words = kind == .invalidValue ? "" : ": \(message)"
        let place = statement.map { "; in: \(Self.shortened($0))" } ?? ""
        return "\(kind.rawValue)\(code)\(words)\(place)"
    }

    /// On one line, and not a whole migration.
    private static func shortened(_ statement: String) -> String {
        let line = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= 200 ? line : line.prefix(200) + "…"
    }

    /// With the place that an attempt to connect was for.
    func at(_ address: PostgresAddress) -> PostgresError {
        PostgresError(kind, "\(address): \(message)", sqlState: sqlState, detail: detail, hint: hint)
    }
}
