/// What was copied.
package struct CopyReport: Sendable, Hashable {
    /// The heads of both chains, which are those of the copy as well.
    package let anchor: ChainAnchor
    /// Rows by their table, in the order in which they were copied.
    package let rows: [Table]
    /// Rows of people, tokens, sessions and windows, and lists of them, that the server did not write, or that nobody can judge because
    /// the key is not in the data folder. They were copied as they are, and are as good, or as bad, as before.
    package let doubts: [StoreFault]

    package struct Table: Sendable, Hashable {
        package let name: String
        package let count: Int
    }
}
