import GateJSON

/// Whether a shared database on another machine can be reached.
struct Contact: Sendable {
    /// When this server last knew everything in the database; nil before the first time.
    private(set) var knewAll: Timestamp?
    private(set) var isLost = false
    /// Whether somebody else's lock kept this server from reading it.
    private(set) var isHeld = false

    mutating func heard(at time: Timestamp) { (knewAll, isLost, isHeld) = (time, false, false) }

    mutating func lost() { isLost = true }

    mutating func held() { isHeld = true }
}
