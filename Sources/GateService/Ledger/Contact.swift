import GateJSON

/// Whether a shared database on another machine can be reached.
struct Contact: Sendable {
    /// When this server last knew everything in the database; nil before the first time.
    private(set) var knewAll: Timestamp?
    private(set) var isLost = false

    mutating func heard(at time: Timestamp) { (knewAll, isLost) = (time, false) }

    mutating func lost() { isLost = true }
}
