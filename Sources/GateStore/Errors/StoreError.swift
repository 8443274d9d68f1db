/// Something could not be read or stored; says what to do about it.
package struct StoreError: Error, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// Another process uses the data folder.
        case inUse
        /// The database lacks migrations.
        case schemaTooOld
        /// The database has had migrations that this program does not know, or a newer program used the folder last.
        case schemaTooNew
        /// A migration's text or the database's tables have changed.
        case schemaChanged
        /// The engine did not accept a setting that durability depends on.
        case pragma
        /// The database's bytes are not what was written.
        case corrupt
        /// The database cannot be opened, or its files were removed under the program.
        case unreadable
        /// The connection to the database was lost during a write, which may or may not have been done.
        case uncertain
        /// Something that the server would have to sign or obey does not have its signature.
        case unsigned
        /// The key that rows are signed with is missing or invalid.
        case keyMissing
        /// The folder's keys, the keys that the database's servers share, and the secret do not belong together.
        case keysAtOdds
        /// Other users can write in the data folder.
        case exposed
        /// No room is left on the disk.
        case full
        /// The file system is read-only.
        case readOnly
        /// Another program kept the database locked.
        case busy
        /// Other writes of this process took too long, as they do where the disk is slow; nothing was begun.
        case slow
        /// The disk answered with an error.
        case io
        /// Somebody else was first: a revision or sequence is not the one the caller saw.
        case conflict
        /// There is no such row, or no database where one was expected.
        case notFound
        /// A name or key is taken.
        case duplicate
        /// There are already as many as allowed.
        case tooMany
        /// The session, token or proof behind a request is no longer valid.
        case ended
        /// A mistake in this program.
        case `internal`
    }

    /// What an engine or the system answered.
    package enum Cause: Sendable, Hashable {
        /// SQLite's extended result code.
        case sqlite(Int32)
        /// PostgreSQL's SQLSTATE, five characters.
        case postgresql(String)
        /// The `errno` of a system call.
        case system(Int32)
    }

    package let code: Code
    /// What happened, for the log: may name files and tables, never values.
    package let detail: String
    /// What a person can do about it; empty when there is nothing to do but try again.
    package let hint: String
    /// Nil for errors that gatehouse found itself.
    package let cause: Cause?
    /// What was being done, as the start of a sentence: "Writing a change". Nil until an operation of the store adds it.
    package private(set) var operation: String?
    /// The file or folder that it was about; for the log only.
    package private(set) var path: String?

    package init(_ code: Code, _ detail: String, hint: String = "", cause: Cause? = nil, operation: String? = nil, path: String? = nil) {
        self.code = code
        self.detail = detail
        self.hint = hint.isEmpty ? Self.usualHint(code) : hint
        self.cause = cause
        self.operation = operation
        self.path = path
    }

    /// The error with operation and place added, unless it already has them: the innermost caller knew best.
    func during(_ operation: String, at path: String?) -> StoreError {
        var error = self
        error.operation = self.operation ?? operation
        error.path = self.path ?? path
        return error
    }

    /// The same about a file that somebody named, outside the data folder: with its name, and what to do about it.
    func about(_ path: String, _ hint: String) -> StoreError {
        StoreError(code, "\(path): \(detail)", hint: hint, cause: cause, operation: operation, path: path)
    }

    static let keyMissing = StoreError(.keyMissing, "The key that people, tokens and windows are signed with is missing")

    static func `internal`(_ detail: String) -> StoreError { StoreError(.internal, detail) }

    package var description: String { hint.isEmpty ? "\(detail) (\(code.rawValue))" : "\(detail) (\(code.rawValue)). \(hint)" }

    private static func usualHint(_ code: Code) -> String {
        switch code {
        case .inUse: "Stop the other gatehouse first."
        case .schemaTooOld: "Run gatehouse migrate --data DIR."
        case .schemaTooNew: "Start the gatehouse that wrote this database, or a newer one."
        case .schemaChanged:
            "Use the Migrations folder of the release that made this database, with --migrations; if that is the one, the database is damaged: run gatehouse verify."
        case .pragma: "Start gatehouse with the SQLite of its own Debian release."
        case .corrupt: "Stop the server, run gatehouse verify, and put a sound copy of the data folder in its place."
        case .unreadable: "Put the database file back and give the user that gatehouse runs as the right to read and write it."
        case .uncertain: "Check whether it was done before you do it again."
        case .unsigned: "Stop the server and run gatehouse admin sign --data DIR to see what is not its own."
        case .keyMissing: "Put keys/rows.key back from the copy of the data folder; if it is lost, run gatehouse admin sign --data DIR."
        case .keysAtOdds: "Check that --data, --database and the secret of the keys belong together."
        case .exposed: "Remove the write permission of everybody but the folder's owner."
        case .full: "Free room on the disk; writes then go on by themselves."
        case .readOnly: "Mount the file system for writing; writes then go on by themselves."
        case .busy: "Close the other program that has the database open, such as a sqlite3 shell."
        case .io: "Look in the system's log for disk errors."
        case .slow: "Try again; if it stays so, look at what else uses the disk."
        case .ended: "Sign in again, or use a valid token."
        case .tooMany: "Remove or revoke some first."
        case .conflict, .notFound, .duplicate: ""
        case .internal: "Please report this with the log."
        }
    }
}
