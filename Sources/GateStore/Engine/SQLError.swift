/// An engine's error, classified by its meaning.
struct SQLError: Error, Sendable, Hashable {
    enum Kind: Sendable, Hashable, CaseIterable {
        /// Somebody else held a lock for longer than we waited.
        case busy
        /// A name, key or number already exists: a UNIQUE or PRIMARY KEY constraint.
        case duplicate
        /// A row refers to something that does not exist, or something still refers to the row: a FOREIGN KEY constraint.
        case reference
        /// Another constraint, or a trigger that refuses the statement.
        case refused
        /// No room on the disk.
        case full
        /// The database cannot be written.
        case readOnly
        /// The database's bytes are not what was written.
        case corrupt
        /// The database cannot be opened, or is no longer where it was.
        case unreachable
        /// The connection broke during a statement, which may have been carried out. The next caller gets another connection.
        case connectionLost
        /// The connection broke during a COMMIT, and it could not be found out whether it was carried out.
        case uncertain
        /// The disk answered with an error.
        case io
        /// A mistake in the program, and anything else.
        case other
    }

    /// The engine's own error code.
    enum Code: Sendable, Hashable {
        /// SQLite's extended result code.
        case sqlite(Int32)
        /// PostgreSQL's SQLSTATE, five characters; for errors that no server reported, the code it would have used.
        case postgresql(String)
    }

    let kind: Kind
    let code: Code
    /// In the engine's words, which name tables, columns and constraints; never the values that were bound.
    let message: String

    /// Whether a statement that the session had prepared is stale, because somebody has altered a table since: the transaction did nothing,
    /// and succeeds when it is repeated.
    var isStale: Bool { [.postgresql("0A000"), .postgresql("26000")].contains(code) && kind == .busy }

    /// `SQLite error 2067: UNIQUE constraint failed: users.name_folded`, `PostgreSQL error 23505: duplicate key value violates …`
    var detail: String {
        switch code {
        case .sqlite(let number): "SQLite error \(number): \(message)"
        case .postgresql(let state): "PostgreSQL error \(state): \(message)"
        }
    }
}
