/// What a copy is doing.
package enum CopyProgress: Sendable, Hashable {
    /// Checking the source: its chains, and the present state against the history.
    case checking
    /// How many rows of a table are in the copy; for the history, the rows of changes.
    case copied(table: String, rows: Int)
    /// Checking the copy in the same way, before it is committed.
    case checkingCopy
    /// Everything has been copied unchanged, and is being committed.
    case committing
}
