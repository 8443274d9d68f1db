import GateJSON

/// Whether a database is to be reached that is on another machine, and shared.
struct Contact: Sendable {
    /// When this server last knew all that is in the database; nil before the first time.
    private(set) var knewAll: Timestamp?
    private(set) var isLost = false

    mutating func heard(at time: Timestamp) { (knewAll, isLost) = (time, false) }

    mutating func lost() { isLost = true }
}
