import GateCrypto

/// Whether a row, with all columns of its table, is to be obeyed: a ``RowJudge``'s word, or within a write transaction ``Signatures/trust(in:)``.
typealias RowTrust = (SignedTable, SQLRow) throws -> Bool

/// Says of rows whether the server wrote them, and whether each is the last that it wrote. As the book was at one moment: what is read after it
/// is taken was written then or later.
struct RowJudge: Sendable {
    let hash: KeyedHash
    let book: SignedBook

    /// Why a row is not obeyed.
    enum Doubt: Sendable, Equatable {
        /// It does not carry a right signature.
        case foreign
        /// It was right once, and another state took its place.
        case older
        /// It was right once, and was ended or removed.
        case removed
        /// Nobody can tell, because the list of its table is not there.
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
        // Written since the book was looked at: nobody else can sign.
        if generation > book.generation { return nil }
        guard let listed = list.rows[row.name] else { return .removed }
        return listed == generation ? nil : .older
    }

    /// Whether a row may be obeyed.
    /// - Parameter row: with all columns of the table.
    func isRight(_ table: SignedTable, _ row: SQLRow) throws -> Bool { doubt(try SignedRow(row, of: table)) == nil }
}
