import GateJSON
import GateModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The one place where the errors of the engine, the system and the model become a ``StoreError``.
extension StoreError {
    /// - Parameters:
    ///   - doing: what was attempted, as the start of a sentence: "Reading the history".
    ///   - path: the file that it was attempted on.
    init(_ error: any Error, doing: String, at path: String? = nil) {
        switch error {
        case let error as StoreError: self = error.during(doing, at: path)
        case let error as SQLError: self.init(error, doing: doing, at: path)
        case is SQLDecodingError:
            self.init(.corrupt, "\(doing): a stored value is missing or not of its column's type", operation: doing, path: path)
        case let error as ModelError:
            // Its own message repeats the value.
            let place = error.field.isEmpty ? "" : " at \(error.field)"
            self.init(.corrupt, "\(doing): a stored value\(place) cannot be read (\(error.code))", operation: doing, path: path)
        case let error as JSONError: self.init(.corrupt, "\(doing): a stored document is not JSON: \(error)", operation: doing, path: path)
        default: self.init(.internal, "\(doing): \(error)", operation: doing, path: path)
        }
    }

    /// The error that `errno` holds after a failed system call on the file or folder at `path`.
    package init(errno number: Int32, doing: String, at path: String) {
        let code: Code =
            switch number {
            case ENOSPC, EDQUOT, EFBIG: .full
            case EROFS: .readOnly
            case EACCES, EPERM, ENOENT, ENOTDIR, EISDIR, ELOOP: .unreadable
            default: .io
            }
        self.init(
            code,
            "\(doing): \(String(cString: strerror(number)))",
            hint: [EDQUOT, EFBIG].contains(number) ? Self.limitHint : "",
            cause: .system(number),
            operation: doing,
            path: path
        )
    }

    private init(_ error: SQLError, doing: String, at path: String?) {
        self.init(
            Self.code(of: error),
            "\(doing): \(error.detail)",
            hint: Self.hint(for: error, at: path),
            cause: Cause(error.code),
            operation: doing,
            path: path
        )
    }

    /// Empty for the code's usual hint, which is about files.
    private static func hint(for error: SQLError, at path: String?) -> String {
        let state: String
        switch error.code {
        case .sqlite(let number): return error.kind == .full && number & 0xFF == 10 ? limitHint : hint(forSQLite: number, at: path)
        case .postgresql(let number): state = number
        }
        return switch error.kind {
        case .unreachable where state == "42501":
            "Give the role the rights: createdb --owner gatehouse gatehouse makes a database that is its own; in another one it must own the schema."
        case .unreachable, .connectionLost: "Check that PostgreSQL runs and accepts connections; writes then go on by themselves."
        case .uncertain: "Check whether it was done before you do it again."
        case .readOnly: "Name the PostgreSQL that takes writes, not its standby; writes then go on by themselves."
        case .busy where state == "57014": "Try again; if it stays so, look for a statement_timeout of the role or the database."
        case .busy where state.hasPrefix("53"): "Look at PostgreSQL's log for what ran out; writes then go on by themselves."
        case .busy: "Try again; if it stays so, look in pg_stat_activity for who holds the lock."
        case .full: "Free room on the disk of PostgreSQL; writes then go on by themselves."
        case .corrupt: "Look at PostgreSQL's log, and restore a sound backup."
        case .io: "Look in the logs of PostgreSQL and of its system for disk errors."
        case .duplicate, .reference, .refused, .other: ""
        }
    }

    /// For a disk that has room, but not for this file or this user.
    private static let limitHint =
        "Free room, or raise the quota or the limit on the size of a file (ulimit -f, LimitFSIZE=); writes then go on by themselves."

    /// For the extended result codes whose remedy is not that of their kind.
    private static func hint(forSQLite number: Int32, at path: String?) -> String {
        switch number {
        // SQLITE_READONLY_ROLLBACK: only a writer may roll back.
        case 776:
            "A change was interrupted. Start the server once, which undoes it, or move gatehouse.sqlite-journal away if it is not this database's."
        // SQLITE_READONLY_DIRECTORY
        case 1_544:
            "Give the user that gatehouse runs as the right to write in the folder: chmod u+w \(path.flatMap(DataDirectory.parent)?.asShellWord ?? "DIR")"
        default: ""
        }
    }

    private static func code(of error: SQLError) -> Code {
        switch error.kind {
        case .duplicate: .duplicate
        case .reference: .notFound
        case .busy: .busy
        case .full: .full
        case .readOnly: .readOnly
        case .corrupt: .corrupt
        case .unreachable, .connectionLost: .unreadable
        case .uncertain: .uncertain
        case .io: .io
        case .refused, .other: .internal
        }
    }
}

extension StoreError.Cause {
    fileprivate init(_ code: SQLError.Code) {
        switch code {
        case .sqlite(let number): self = .sqlite(number)
        case .postgresql(let state): self = .postgresql(state)
        }
    }
}
