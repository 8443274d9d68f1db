import GRDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension SQLError {
    /// - Parameter number: the `errno` that made the statement fail, for errors of the disk.
    init(_ error: DatabaseError, errno number: Int32 = 0) {
        self.init(
            kind: Self.kind(of: error, errno: number),
            code: .sqlite(error.extendedResultCode.rawValue),
            // GRDB keeps bound values out of it.
            message: error.message ?? "no message"
        )
    }

    /// The one place where GRDB's errors become ours. The body's other errors pass unchanged.
    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            // Still the failed call's, on whose thread this is: sqlite3_system_errno() gives no other.
            throw SQLError(error, errno: errno)
        } catch is RowDecodingError {
            // GRDB's own message shows the row, which may hold secrets.
            throw SQLDecodingError()
        }
    }

    private static func kind(of error: DatabaseError, errno number: Int32) -> Kind {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: return .duplicate
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return .reference
        // The database file was renamed or removed under the connection.
        case .SQLITE_READONLY_DBMOVED, .SQLITE_IOERR_VNODE: return .unreachable
        // The shared-memory file grows by plain writes: a full disk shows here first.
        case .SQLITE_IOERR_SHMSIZE: return .full
        // SQLite takes only ENOSPC for a full disk, and not a used-up quota or a file that may grow no further.
        case .SQLITE_IOERR_WRITE where [EDQUOT, EFBIG].contains(number), .SQLITE_IOERR_FSYNC where number == EDQUOT: return .full
        default: break
        }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL: return .busy
        case .SQLITE_CONSTRAINT: return .refused
        case .SQLITE_FULL: return .full
        case .SQLITE_READONLY: return .readOnly
        case .SQLITE_CORRUPT, .SQLITE_NOTADB: return .corrupt
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_AUTH: return .unreachable
        case .SQLITE_IOERR: return .io
        default: return .other
        }
    }
}
