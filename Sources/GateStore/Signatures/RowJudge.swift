import GateCrypto

/// Decides whether a row, with all columns of its table, is obeyed: by a ``RowJudge``, or within a write transaction by
/// ``Signatures/trust(in:)``.
typealias RowTrust = (SignedTable, SQLRow) throws -> Bool

/// Decides whether the server wrote a row, and whether it is the last state that it wrote. It uses the book as of one moment; get it before
/// reading the rows, which are then as old as the book or newer.
struct RowJudge: Sendable {
    let hash: KeyedHash
    let book: SignedBook

    /// Why a row is not obeyed.
    enum Doubt: Sendable, Equatable {
        /// It has no valid signature.
        case foreign
        /// It was valid once, and was replaced by another state.
        case older
        /// It was valid once, and was ended or removed.
        case removed
        /// It cannot be decided, because the list of its table is missing.
        case unlisted

        /// As the end of a sentence about the row.
        var words: String {
            switch self {
            case .foreign: "was not written by gatehouse"
            case .older: "is an older state that was put back"
            case .removed: "was ended or removed by gatehouse, and put back"
            case .unlisted: "cannot be told from an older state, because the list of its table is missing"
            }
        }
    }

    func doubt(_ row: SignedRow) -> Doubt? {
        guard row.isSigned(hash), let generation = row.generation else { return .foreign }
        guard row.isLive else { return nil }
        guard let list = book.lists[row.table] else { return .unlisted }
        // Written after this book was read: nobody else can sign.
        if generation > book.generation { return nil }
        guard let listed = list.rows[row.name] else { return .removed }
        return listed == generation ? nil : .older
    }

    /// Whether a row may be obeyed.
    /// - Parameter row: with all columns of the table.
    func isRight(_ table: SignedTable, _ row: SQLRow) throws -> Bool { doubt(try SignedRow(row, of: table)) == nil }
}
