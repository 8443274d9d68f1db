/// What a copy is at.
package enum CopyProgress: Sendable, Hashable {
    /// Looking through what is to be copied: its chains, and the present against the history.
    case checking
    /// Rows of a table that are in the copy; of the history those of the changes.
    case copied(table: String, rows: Int)
    /// Looking through the copy in the same way, before it is committed.
    case checkingCopy
    /// Everything is in the copy as it was, and is being made durable.
    case committing
}
