/// How far a check of a chain has come.
package struct ChainProgress: Sendable, Equatable {
    /// The last link found to be right.
    package let head: ChainHead
    /// The first fault, at which the check stopped.
    package let fault: StoreFault?
    /// Whether the end of the chain, or a fault, was reached.
    package let finished: Bool
}
