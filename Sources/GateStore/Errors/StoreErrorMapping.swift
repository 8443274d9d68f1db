import GRDB
import GateJSON
import GateModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The one place where the errors of SQLite, the system and the model become a ``StoreError``.
extension StoreError {
    /// - Parameters:
    ///   - doing: what was tried, as the start of a sentence: "Reading the history".
    ///   - path: the file that it was tried on.
    init(_ error: any Error, doing: String, at path: String? = nil) {
        switch error {
        case let error as StoreError: self = error.during(doing, at: path)
        case let error as DatabaseError: self.init(sqlite: error, doing: doing, at: path)
        // GRDB's own words show the row, and with it what may be secret.
        case is RowDecodingError:
            self.init(.corrupt, "\(doing): a stored value is missing or not of its column's type", operation: doing, path: path)
        case let error as ModelError:
            // Its own sentence repeats the value.
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
            case ENOSPC, EDQUOT: .full
            case EROFS: .readOnly
            case EACCES, EPERM, ENOENT, ENOTDIR, EISDIR, ELOOP: .unreadable
            default: .io
            }
        self.init(code, "\(doing): \(String(cString: strerror(number)))", cause: .system(number), operation: doing, path: path)
    }

    private init(sqlite error: DatabaseError, doing: String, at path: String?) {
        // Result code and message; GRDB keeps the values that were bound out of it.
        let number = error.extendedResultCode.rawValue
        let detail = "\(doing): SQLite error \(number): \(error.message ?? "no message")"
        self.init(Self.code(of: error), detail, cause: .sqlite(number), operation: doing, path: path)
    }

    private static func code(of error: DatabaseError) -> Code {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: return .duplicate
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return .notFound
        // The database file was renamed or removed under the connection.
        case .SQLITE_READONLY_DBMOVED, .SQLITE_IOERR_VNODE: return .unreadable
        // The shared-memory file grows by plain writes: that it cannot is how a full disk shows first.
        case .SQLITE_IOERR_SHMSIZE: return .full
        default: break
        }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: return .busy
        case .SQLITE_FULL: return .full
        case .SQLITE_READONLY: return .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .corrupt
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: return .unreadable
        case .SQLITE_IOERR: return .io
        default: return .internal
        }
    }
}
