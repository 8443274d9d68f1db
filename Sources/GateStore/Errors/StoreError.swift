/// Something could not be read or kept, and what to do about it.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// Another process has the data folder.
        case inUse
        /// The database needs migrations that it has not had.
        case schemaTooOld
        /// The database has had migrations that this program does not know, or a newer program had the folder last.
        case schemaTooNew
        /// A migration's text, or the database's tables, are not what they were.
        case schemaChanged
        /// SQLite did not take a setting that durability stands on.
        case pragma
        /// The database's bytes are not what was written.
        case corrupt
        /// The database cannot be opened, or its files were removed under the program.
        case unreadable
        /// The database was lost while it wrote: what was asked for may have been done, or not.
        case uncertain
        /// Something that the server would have to sign, or obey, does not carry its signature.
        case unsigned
        /// The key that rows are signed with is not there, or is no key.
        case keyMissing
        /// The keys of the folder, those that the servers of the database share, and the secret do not belong together.
        case keysAtOdds
        /// Others can write in the data folder.
        case exposed
        /// No room is left on the disk.
        case full
        /// The file system is read-only.
        case readOnly
        /// Another program kept the database locked.
        case busy
        /// The disk answered with an error.
        case io
        /// Somebody else was first: a revision or sequence is not the one that was seen.
        case conflict
        /// There is no such row, or no database where one was expected.
        case notFound
        /// A name or key is taken.
        case duplicate
        /// There are as many of them as there may be.
        case tooMany
        /// What a request was let in by, or had proven, does not stand any more.
        case ended
        /// A mistake of this program.
        case `internal`
    }

    /// What an engine or the system answered.
    package enum Cause: Sendable, Hashable {
        /// SQLite's extended result code.
        case sqlite(Int32)
        /// PostgreSQL's SQLSTATE, of five characters.
        case postgresql(String)
        /// The `errno` of a system call.
        case system(Int32)
    }

    package let code: Code
    /// What happened, for the log: may name files and tables, never values.
    package let detail: String
    /// What a person can do about it; empty when there is nothing but to try again.
    package let hint: String
    /// Nil for what gatehouse found by itself.
    package let cause: Cause?
    /// What was being done, as the start of a sentence: "Writing a change". Nil for an error that no operation of the store gave out yet.
    package private(set) var operation: String?
    /// The file or folder that it was about; for the log alone.
    package private(set) var path: String?

    package init(_ code: Code, _ detail: String, hint: String = "", cause: Cause? = nil, operation: String? = nil, path: String? = nil) {
        self.code = code
        self.detail = detail
        self.hint = hint.isEmpty ? Self.usualHint(code) : hint
        self.cause = cause
        self.operation = operation
        self.path = path
    }

    /// The error with what was being done and where, as far as it does not say so already: whoever was nearest knew best.
    func during(_ operation: String, at path: String?) -> StoreError {
        var error = self
        error.operation = self.operation ?? operation
        error.path = self.path ?? path
        return error
    }

    static let keyMissing = StoreError(.keyMissing, "The key that people, tokens and windows are signed with is missing")

    static func `internal`(_ detail: String) -> StoreError { StoreError(.internal, detail) }

    package var description: String { hint.isEmpty ? "\(detail) (\(code.rawValue))" : "\(detail) (\(code.rawValue)). \(hint)" }

    private static func usualHint(_ code: Code) -> String {
        switch code {
        case .inUse: "Stop the other gatehouse first."
        case .schemaTooOld: "Run gatehouse migrate --data DIR."
        case .schemaTooNew: "Start the gatehouse that wrote this database, or a newer one."
        case .schemaChanged: "Use the Migrations folder of the release that made this database."
        case .pragma: "Start gatehouse with the SQLite of its own Debian release."
        case .corrupt: "Stop the server, run gatehouse verify, and put a sound copy of the data folder in its place."
        case .unreadable: "Put the database file back and give the user that gatehouse runs as the right to read and write it."
        case .uncertain: "Look whether it was done before it is done again."
        case .unsigned: "Stop the server and look with gatehouse admin sign --data DIR at what is not its own."
        case .keyMissing: "Put keys/rows.key back from the copy of the data folder; if it is lost, run gatehouse admin sign --data DIR."
        case .keysAtOdds: "See that --data, --database and the secret of the keys belong together."
        case .exposed: "Take the right to write from everybody but the folder's owner."
        case .full: "Free room on the disk; writes then go on by themselves."
        case .readOnly: "Mount the file system for writing; writes then go on by themselves."
        case .busy: "Close the other program that has the database open, such as a sqlite3 shell."
        case .io: "Look at the system's log for errors of the disk."
        case .ended: "Sign in again, or take a token that stands."
        case .tooMany: "Remove or revoke some first."
        case .conflict, .notFound, .duplicate: ""
        case .internal: "Please report this with the log."
        }
    }
}
