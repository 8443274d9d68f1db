import GateCrypto
import GateModel

/// The link of a change in the chain, hashed before its transaction; good only behind the row that it was made for, and for the same change.
struct ReadyLink: Sendable {
    private let previous: SHA256Digest
    private let row: HashedRow
    private let hash: SHA256Digest

    /// - Parameters:
    ///   - rows: those of the change's targets.
    ///   - head: the newest change by then.
    init(_ change: Change, rows: [ReadyHistoryRow], after head: ChainHead) {
        // Names and aliases are known to the transaction alone; with any of them the row is another one.
        row = ChangeRows.row(of: change, apps: [:]).hashed
        previous = head.hash
        hash = ChainLink.hash(domain: .changes, sequence: change.sequence, previous: previous, rows: [row] + rows.map(\.hashed))
    }

    /// The hash, if it is that of `row` behind a link with the hash `previous`.
    func hash(of row: HashedRow, after previous: SHA256Digest) -> SHA256Digest? {
        self.previous == previous && self.row == row ? hash : nil
    }
}
