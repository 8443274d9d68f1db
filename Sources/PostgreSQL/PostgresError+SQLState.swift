extension PostgresError.Kind {
    /// What a server's code means here (PostgreSQL manual, appendix A: five characters, of which the first two are the class).
    init(sqlState: String) {
        self =
            switch sqlState {
            case "28000", "28P01": .signInRefused
            case "3D000": .unknownDatabase
            case "53300": .tooManyConnections
            case "57P03": .notReady
            case "57P01", "57P02", "57P04", "57P05": .shuttingDown
            case "40001": .serializationFailure
            case "40P01": .deadlock
            case "23505": .uniqueViolation
            case "23503": .foreignKeyViolation
            case "23514": .checkViolation
            case "23502": .notNullViolation
            case "P0001": .raised
            case "25006": .readOnly
            case "53100": .diskFull
            case "57014": .canceled
            case "55P03": .lockNotAvailable
            case "25P02": .transactionFailed
            // 25P03: the server ended a session that was idle in a transaction.
            case "25P03": .shuttingDown
            case "42501": .permissionDenied
            case "42P01", "42703", "3F000": .unknownObject
            case "26000": .staleStatement
            default: Self(class: sqlState.prefix(2))
            }
    }

    private init(class errorClass: Substring) {
        self =
            switch errorClass {
            case "08": .connectionLost
            case "22": .invalidValue
            case "23": .constraintViolation
            case "53", "54": .outOfResources
            default: .refusedStatement
            }
    }
}
