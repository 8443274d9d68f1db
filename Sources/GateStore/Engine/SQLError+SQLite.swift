import GRDB

extension SQLError {
    init(_ error: DatabaseError) {
        self.init(
            kind: Self.kind(of: error),
            code: .sqlite(error.extendedResultCode.rawValue),
            // GRDB keeps bound values out of it.
            message: error.message ?? "no message"
        )
    }

    /// The one place where GRDB's errors become ours. The body's other errors pass unchanged.
    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError { throw SQLError(error) } catch is RowDecodingError {
            // GRDB's own message shows the row, which may hold secrets.
            throw SQLDecodingError()
        }
    }

    private static func kind(of error: DatabaseError) -> Kind {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: return .duplicate
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return .reference
        // The database file was renamed or removed under the connection.
        case .SQLITE_READONLY_DBMOVED, .SQLITE_IOERR_VNODE: return .unreachable
        // The shared-memory file grows by plain writes: a full disk shows here first.
        case .SQLITE_IOERR_SHMSIZE: return .full
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
