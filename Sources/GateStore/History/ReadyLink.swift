import GateCrypto
import GateModel

/// The link of a change in the chain, hashed before its transaction. Valid only after the link it was made for, and for the same change.
struct ReadyLink: Sendable {
    private let previous: SHA256Digest
    private let row: HashedRow
    private let hash: SHA256Digest

    /// - Parameters:
    ///   - rows: the rows of the change's targets.
    ///   - head: the newest change at that time.
    init(_ change: Change, rows: [ReadyHistoryRow], after head: ChainHead) {
        // Altered names and aliases are known only within the transaction; if there are any, the row differs.
        row = ChangeRows.row(of: change, apps: [:]).hashed
        previous = head.hash
        hash = ChainLink.hash(domain: .changes, sequence: change.sequence, previous: previous, rows: [row] + rows.map(\.hashed))
    }

    /// The hash, if it is that of `row` after a link with the hash `previous`.
    func hash(of row: HashedRow, after previous: SHA256Digest) -> SHA256Digest? {
        self.previous == previous && self.row == row ? hash : nil
    }
}
