import PostgreSQL

extension SQLError {
    init(_ error: PostgresError) {
        self.init(
            kind: Self.kind(of: error),
            code: .postgresql(error.sqlState ?? Self.usualState(of: error)),
            // The server's words for a value that its type does not hold repeat the value.
            message: error.kind == .invalidValue ? "a value is none of its type" : error.message
        )
    }

    /// The one place where libpq's errors become ours. Those of the body that are none of libpq's pass as they are.
    static func translatingPostgres<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as PostgresError { throw SQLError(error) }
    }

    private static func kind(of error: PostgresError) -> Kind {
        switch error.kind {
        case .connectionLost, .timedOut, .shuttingDown, .closed: return .connectionLost
        case .invalidAddress, .unknownHost, .refused, .unreachable, .tls, .signInRefused, .unknownDatabase, .tooManyConnections, .notReady,
            .unsupportedServer:
            return .unreachable
        // As a file that its owner does not let us write: somebody who looks after the server gives the rights.
        case .permissionDenied: return .unreachable
        case .uniqueViolation: return .duplicate
        case .foreignKeyViolation: return .reference
        case .checkViolation, .notNullViolation, .constraintViolation, .raised: return .refused
        case .diskFull: return .full
        case .readOnly: return .readOnly
        // A transaction that may succeed when it is repeated, or a lock that was not to be had in time.
        case .serializationFailure, .deadlock, .staleStatement, .lockNotAvailable: return .busy
        // An administrator, a deadline that somebody has set for the role, or a server without memory: another time it works.
        case .canceled: return .busy
        // Class 54 is a statement that is too long or too deep whenever it is tried.
        case .outOfResources where error.sqlState?.hasPrefix("54") != true: return .busy
        case .outOfResources, .transactionFailed, .unknownObject, .invalidValue, .invalidArgument, .invalidAnswer, .refusedStatement: break
        }
        switch error.sqlState {
        case "XX001", "XX002": return .corrupt
        case "58030": return .io
        default: return .other
        }
    }

    /// What the standard, or PostgreSQL, would have said where no server did.
    private static func usualState(of error: PostgresError) -> String {
        switch error.kind {
        case .connectionLost, .timedOut, .shuttingDown: "08006"
        case .closed: "08003"
        case .invalidAddress, .unknownHost, .refused, .unreachable, .tls, .signInRefused, .unknownDatabase, .tooManyConnections, .notReady,
            .unsupportedServer:
            "08001"
        case .invalidArgument: "22023"
        case .outOfResources: "53000"
        default: "XX000"
        }
    }
}
