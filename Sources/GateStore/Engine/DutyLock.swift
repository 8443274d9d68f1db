import PostgreSQL

/// How fit a server is to do what the clock asks for.
package enum DutyFitness: Int64, Sendable, Comparable {
    /// It knows that it lacks something: it could not do the work, or would do it on an older state, or does not know of all of it.
    case unable
    /// It would do the work early or late.
    case clockIsOff
    case fit

    package static func < (one: DutyFitness, other: DutyFitness) -> Bool { one.rawValue < other.rawValue }
}

/// The clock's duty as one session has it: a database lock, which only one session holds and which ends with it.
///
/// Whoever is fit for the duty also holds a lock that any number may hold, one for each ``DutyFitness``. So a server that is less fit knows
/// whether there is a better one: it leaves the duty to that one, and asks for it only while there is none. If nobody is better, whoever
/// has the duty keeps it, since windows that begin at the wrong moment are better than windows that never begin.
struct DutyLock {
    /// The holder of this lock does the clock's work: "gateduty" in ASCII. The locks of those who are fit have the numbers after it.
    static let number: Int64 = 0x6761_7465_6475_7479

    private(set) var isHeld = false
    /// What this session has told the others.
    private var told = DutyFitness.unable

    /// Whether a server is at work on the database: one of its servers has the duty, had it until a few seconds ago, or could take it.
    static func isInUse(in db: SQLConnection) throws -> Bool {
        try db.value(Bool.self, sql: "SELECT EXISTS (\(locks(from: 0)))") ?? false
    }

    /// A query for the locks from a number of fitness on, held by anybody; 0 is the duty itself.
    private static func locks(from first: Int64) -> String {
        // Manual, 54.12: the two halves of the lock's number, and 1 for a lock with a single number.
        let (high, low) = (number >> 32, number & 0xFFFF_FFFF)
        return """
            SELECT 1 FROM pg_locks JOIN pg_database ON pg_database.oid = pg_locks.database AND datname = current_database()
            WHERE locktype = 'advisory' AND classid::bigint = \(high) AND objsubid = 1 AND granted
            AND objid::bigint BETWEEN \(low + first) AND \(low + DutyFitness.fit.rawValue)
            """
    }

    /// Takes the duty, keeps it, or leaves it; to be called each second. Always asks the database something, so a lost session is noticed.
    mutating func update(_ fitness: DutyFitness, on connection: PostgresConnection) throws(PostgresError) {
        try tell(fitness, on: connection)
        switch (isHeld, try isAnybodyBetter(than: fitness, on: connection)) {
        case (true, false): try connection.execute("SELECT 1")
        case (true, true):
            try connection.execute("SELECT pg_advisory_unlock(\(Self.number))")
            isHeld = false
        case (false, true): break
        case (false, false): isHeld = try isTrue("SELECT pg_try_advisory_lock(\(Self.number))", on: connection)
        }
    }

    private mutating func tell(_ fitness: DutyFitness, on connection: PostgresConnection) throws(PostgresError) {
        guard fitness != told else { return }
        // The new one first: the others must not believe for a moment that nobody is fit.
        if fitness != .unable {
            let number = Self.number + fitness.rawValue
            guard try isTrue("SELECT pg_try_advisory_lock_shared(\(number))", on: connection) else { return }
        }
        if told != .unable { try connection.execute("SELECT pg_advisory_unlock_shared(\(Self.number + told.rawValue))") }
        told = fitness
    }

    private func isAnybodyBetter(than fitness: DutyFitness, on connection: PostgresConnection) throws(PostgresError) -> Bool {
        guard fitness < .fit else { return false }
        return try isTrue("SELECT EXISTS (\(Self.locks(from: fitness.rawValue + 1)))", on: connection)
    }

    private func isTrue(_ question: String, on connection: PostgresConnection) throws(PostgresError) -> Bool {
        try connection.execute(question).rows.first?[0] == .boolean(true)
    }
}
