/// What was copied.
package struct CopyReport: Sendable, Hashable {
    /// The heads of both chains, which are the same in the copy.
    package let anchor: ChainAnchor
    /// Row counts by table, in the order of copying.
    package let rows: [Table]
    /// Rows of people, tokens, sessions and windows, and lists of them, that the server did not write, or that cannot be checked because
    /// the key is not in the data folder. They were copied as they are, neither better nor worse than before.
    package let doubts: [StoreFault]

    package struct Table: Sendable, Hashable {
        package let name: String
        package let count: Int
    }
}
