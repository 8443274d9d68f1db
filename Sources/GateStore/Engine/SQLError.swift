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
        /// The disk answered with an error.
        case io
        /// A mistake of the program's, and whatever has no other meaning.
        case other
    }

    /// The engine's own number of the error.
    enum Code: Sendable, Hashable {
        /// SQLite's extended result code.
        case sqlite(Int32)
    }

    let kind: Kind
    let code: Code
    /// In the engine's words, which name tables, columns and constraints; never the values that were bound.
    let message: String

    /// `SQLite error 2067: UNIQUE constraint failed: users.name_folded`
    var detail: String {
        switch code {
        case .sqlite(let number): "SQLite error \(number): \(message)"
        }
    }
}
