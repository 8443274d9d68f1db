/// Why a connection could not be made, or a statement was not carried out.
///
/// The description is for logs: it contains the statement, but no arguments, no values from the server's message and no password.
package struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One case for everything that callers handle differently. The raw values are words for logs. In brackets: the server's own codes
    /// (PostgreSQL manual, appendix A, "PostgreSQL Error Codes").
    package enum Kind: String, Sendable, CaseIterable {
        // Before there is a connection.
        /// libpq does not understand the address.
        case invalidAddress = "invalid address"
        case unknownHost = "unknown host"
        /// Nothing listens there.
        case refused
        /// No route there, or no answer in time.
        case unreachable
        /// TLS was requested and could not be set up as requested.
        case tls
        /// [28000, 28P01] Also a missing password, or any other failed proof of identity.
        case signInRefused = "sign-in refused"
        /// [3D000]
        case unknownDatabase = "unknown database"
        /// [53300]
        case tooManyConnections = "too many connections"
        /// [57P03] The server is recovering or shutting down.
        case notReady = "not ready"
        /// Too old, in an encoding other than UTF-8, or a standby where a writable server was requested.
        case unsupportedServer = "unsupported server"

        // With these the connection is lost; the running statement may have been carried out.
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
        /// [0A000, 26000] Tables have changed under a prepared statement, which is prepared again the next time.
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
        /// [P0001] By a RAISE in a trigger or function.
        case raised
        /// [25006]
        case readOnly = "read only"
        /// [53100]
        case diskFull = "disk full"
        /// [53 with another ending, 54]
        case outOfResources = "out of resources"
        /// [57014] By ``PostgresConnection/cancel(within:)`` or the statement's deadline; only the server's message says which.
        case canceled
        /// [55P03]
        case lockNotAvailable = "lock not available"
        /// [25P02] An earlier statement of the transaction failed.
        case transactionFailed = "transaction failed"
        /// [42501]
        case permissionDenied = "permission denied"
        /// [42P01, 42703, 3F000] No such table, column or schema.
        case unknownObject = "unknown object"
        /// [22] A value that its type cannot hold.
        case invalidValue = "invalid value"
        /// Found on this side; nothing was sent: a text with U+0000, a value of another kind than the parameter's, too many or too few
        /// values.
        case invalidArgument = "invalid argument"
        /// What came is not UTF-8, or not a value of its type.
        case invalidAnswer = "invalid answer"
        /// [Any other]
        case refusedStatement = "refused statement"
    }

    package internal(set) var kind: Kind
    /// The server's five-character code; nil for errors found by libpq or on this side.
    package let sqlState: String?
    /// In the server's or libpq's words, without a full stop. Messages of class 22 may contain a value.
    package let message: String
    /// In the server's words; may hold values of the row.
    package let detail: String?
    package let hint: String?
    /// The violated constraint, the column and the table, where the server names them.
    package let constraint: String?
    package let column: String?
    package let table: String?
    /// The statement's text, without its arguments; nil where there was no statement.
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

    /// Whether the connection is gone; a new one may succeed.
    package var isConnectionLost: Bool {
        switch kind {
        case .connectionLost, .timedOut, .shuttingDown, .closed: true
        default: false
        }
    }

    /// Whether the transaction, which was not carried out, may succeed when it is run again from its beginning.
    package var isRepeatable: Bool {
        switch kind {
        case .serializationFailure, .deadlock, .staleStatement: true
        default: false
        }
    }

    /// Whether the statement may have been carried out despite the error. False only where it certainly was not: after a COMMIT with true,
    /// look in the database.
    package var mayHaveBeenCarriedOut: Bool {
        switch kind {
        case .connectionLost, .timedOut, .shuttingDown: statement != nil
        // The rows could not be read, but what the statement wrote is written.
        case .invalidAnswer: true
        default: false
        }
    }

    package var description: String {
        let code = sqlState.map { " (\($0))" } ?? ""
        // "invalid input syntax for type json" and similar messages show the value.
        let words = kind == .invalidValue ? "" : ": \(message)"
        let place = statement.map { "; in: \(Self.shortened($0))" } ?? ""
        return "\(kind.rawValue)\(code)\(words)\(place)"
    }

    /// On one line, and short enough not to log a whole migration.
    private static func shortened(_ statement: String) -> String {
        let line = statement.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return line.count <= 200 ? line : line.prefix(200) + "…"
    }

    /// The same error, naming the address that could not be connected to.
    func at(_ address: PostgresAddress) -> PostgresError {
        PostgresError(kind, "\(address): \(message)", sqlState: sqlState, detail: detail, hint: hint)
    }
}
