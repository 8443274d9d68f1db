import PostgreSQL

extension SQLError {
    init(_ error: PostgresError) {
        self.init(
            kind: Self.kind(of: error),
            code: .postgresql(error.sqlState ?? Self.usualState(of: error)),
            // The server's message about a value that its type cannot hold repeats the value.
            message: error.kind == .invalidValue ? "a value does not fit its type" : error.message
        )
    }

    /// The one place where libpq's errors become ours. The body's other errors pass unchanged.
    static func translatingPostgres<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as PostgresError { throw SQLError(error) }
    }

    private static func kind(of error: PostgresError) -> Kind {
        switch error.kind {
        case .connectionLost, .timedOut, .shuttingDown, .closed: return .connectionLost
        case .invalidAddress, .unknownHost, .refused, .unreachable, .tls, .signInRefused, .unknownDatabase, .tooManyConnections, .notReady,
            .unsupportedServer:
            return .unreachable
        // Like a file that we may not write: somebody who runs the server has to grant the rights.
        case .permissionDenied: return .unreachable
        case .uniqueViolation: return .duplicate
        case .foreignKeyViolation: return .reference
        case .checkViolation, .notNullViolation, .constraintViolation, .raised: return .refused
        case .diskFull: return .full
        case .readOnly: return .readOnly
        // A transaction that may succeed when it is repeated, or a lock that did not become free in time.
        case .serializationFailure, .deadlock, .staleStatement, .lockNotAvailable: return .busy
        // Cancelled by an administrator or by a time limit set for the role, or a server out of memory: it may work later.
        case .canceled: return .busy
        // Class 54 is a statement that is too long or too deep, and always will be.
        case .outOfResources where error.sqlState?.hasPrefix("54") != true: return .busy
        case .outOfResources, .transactionFailed, .unknownObject, .invalidValue, .invalidArgument, .invalidAnswer, .refusedStatement: break
        }
        switch error.sqlState {
        case "XX001", "XX002": return .corrupt
        case "58030": return .io
        default: return .other
        }
    }

    /// The code that the standard or PostgreSQL has for an error that no server reported.
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
