import GRDB
import GateModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The one place where the errors of SQLite, the system and the model become a ``StoreError``.
extension StoreError {
    /// - Parameter doing: what was tried, as the start of a sentence: "Reading the history".
    init(_ error: any Error, doing: String) {
        switch error {
        case let error as StoreError: self = error
        case let error as DatabaseError: self.init(sqlite: error, doing: doing)
        // GRDB's own words show the row, and with it what may be secret.
        case is RowDecodingError: self.init(.corrupt, "\(doing): a stored value is missing or not of its column's type")
        case let error as ModelError: self.init(.corrupt, "\(doing): a stored value cannot be read: \(error.detail)")
        case let error as JSONError: self.init(.corrupt, "\(doing): a stored document is not JSON: \(error)")
        default: self.init(.internal, "\(doing): \(error)")
        }
    }

    /// The error that `errno` holds after a failed system call.
    init(errno number: Int32, doing: String) {
        let detail = "\(doing): \(String(cString: strerror(number)))"
        switch number {
        case ENOSPC, EDQUOT: self.init(.full, detail)
        case EROFS: self.init(.readOnly, detail)
        case EACCES, EPERM, ENOENT, ENOTDIR, EISDIR, ELOOP: self.init(.unreadable, detail)
        default: self.init(.io, detail)
        }
    }

    private init(sqlite error: DatabaseError, doing: String) {
        // Result code, message and SQL text; GRDB keeps the values that were bound out of it.
        let detail = "\(doing): SQLite error \(error.extendedResultCode.rawValue): \(error.message ?? "no message")"
        self.init(Self.code(of: error), detail)
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
