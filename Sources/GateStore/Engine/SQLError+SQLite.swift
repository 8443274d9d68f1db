import GRDB

extension SQLError {
    init(_ error: DatabaseError) {
        self.init(
            kind: Self.kind(of: error),
            code: .sqlite(error.extendedResultCode.rawValue),
            // GRDB keeps the values that were bound out of it.
            message: error.message ?? "no message"
        )
    }

    /// The one place where GRDB's errors become ours. Those of the body that are none of GRDB's pass as they are.
    static func translating<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError { throw SQLError(error) } catch is RowDecodingError {
            // GRDB's own words show the row, and with it what may be secret.
            throw SQLDecodingError()
        }
    }

    private static func kind(of error: DatabaseError) -> Kind {
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID: return .duplicate
        case .SQLITE_CONSTRAINT_FOREIGNKEY: return .reference
        // The database file was renamed or removed under the connection.
        case .SQLITE_READONLY_DBMOVED, .SQLITE_IOERR_VNODE: return .unreachable
        // The shared-memory file grows by plain writes: that it cannot is how a full disk shows first.
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
