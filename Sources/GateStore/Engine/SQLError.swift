/// What an engine answered in place of a result, by its meaning.
struct SQLError: Error, Sendable, Hashable {
    enum Kind: Sendable, Hashable, CaseIterable {
        /// Another one holds a lock for longer than was waited.
        case busy
        /// A name, key or number is there already: a UNIQUE or PRIMARY KEY constraint.
        case duplicate
        /// What a row names is not there, or something still names the row: a FOREIGN KEY constraint.
        case reference
        /// Another constraint, or a trigger that refuses the statement.
        case refused
        /// No room on the disk.
        case full
        /// The database cannot be written.
        case readOnly
        /// The database's bytes are not what was written.
        case corrupt
        /// The database cannot be opened, or has another place than it had.
        case unreachable
        /// The connection broke while something was asked: it may have been carried out. The next caller gets another connection.
        case connectionLost
        /// The connection broke during a COMMIT, and nobody could say afterwards whether it was carried out.
        case uncertain
        /// The disk answered with an error.
        case io
        /// A mistake of the program's, and whatever has no other meaning.
        case other
    }

    /// The engine's own number of the error.
    enum Code: Sendable, Hashable {
        /// SQLite's extended result code.
        case sqlite(Int32)
        /// PostgreSQL's SQLSTATE, of five characters; where no server said anything, what it would have said.
        case postgresql(String)
    }

    let kind: Kind
    let code: Code
    /// In the engine's words, which name tables, columns and constraints; never the values that were bound.
    let message: String

    /// Whether a statement that the session had kept is none any more, because somebody altered a table since: the transaction did nothing, and
    /// succeeds when it is repeated.
    var isStale: Bool { [.postgresql("0A000"), .postgresql("26000")].contains(code) && kind == .busy }

    /// `SQLite error 2067: UNIQUE constraint failed: users.name_folded`, `PostgreSQL error 23505: duplicate key value violates …`
    var detail: String {
        switch code {
        case .sqlite(let number): "SQLite error \(number): \(message)"
        case .postgresql(let state): "PostgreSQL error \(state): \(message)"
        }
    }
}
