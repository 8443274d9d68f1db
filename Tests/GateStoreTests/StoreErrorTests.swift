import GRDB
import GateJSON
import GateModel
import Testing

@testable import GateStore

#if canImport(Glibc)
    import Glibc
#endif

@Suite struct StoreErrorTests {
    @Test(arguments: [
        (ResultCode.SQLITE_FULL, StoreError.Code.full), (.SQLITE_IOERR_SHMSIZE, .full), (.SQLITE_IOERR_WRITE, .io),
        (.SQLITE_IOERR_FSYNC, .io), (.SQLITE_IOERR_READ, .io),
        (.SQLITE_READONLY, .readOnly), (.SQLITE_READONLY_DIRECTORY, .readOnly), (.SQLITE_READONLY_DBMOVED, .unreadable),
        (.SQLITE_CANTOPEN, .unreadable),
        (.SQLITE_CANTOPEN_ISDIR, .unreadable), (.SQLITE_PERM, .unreadable), (.SQLITE_AUTH, .unreadable), (.SQLITE_BUSY, .busy),
        (.SQLITE_BUSY_SNAPSHOT, .busy),
        (.SQLITE_BUSY_RECOVERY, .busy), (.SQLITE_LOCKED, .busy), (.SQLITE_CORRUPT, .corrupt), (.SQLITE_CORRUPT_INDEX, .corrupt),
        (.SQLITE_NOTADB, .corrupt),
        (.SQLITE_CONSTRAINT_UNIQUE, .duplicate), (.SQLITE_CONSTRAINT_PRIMARYKEY, .duplicate), (.SQLITE_CONSTRAINT_FOREIGNKEY, .notFound),
        (.SQLITE_CONSTRAINT_TRIGGER, .internal), (.SQLITE_CONSTRAINT_CHECK, .internal), (.SQLITE_NOMEM, .internal),
        (.SQLITE_ERROR, .internal), (.SQLITE_MISUSE, .internal),
    ])
    func sqliteCodes(result: ResultCode, code: StoreError.Code) {
        let error = StoreError(
            SQLError(DatabaseError(resultCode: result, message: "message", sql: "SELECT ?", arguments: ["a secret"])),
            doing: "Testing"
        )
        #expect(error.code == code)
        #expect(error.detail.hasPrefix("Testing: SQLite error \(result.rawValue)"))
        #expect(error.cause == .sqlite(result.rawValue))
        #expect(!"\(error)".contains("secret"))
    }

    @Test(arguments: [
        (ENOSPC, StoreError.Code.full), (EDQUOT, .full), (EFBIG, .full), (EROFS, .readOnly), (EACCES, .unreadable), (EPERM, .unreadable),
        (ENOTDIR, .unreadable), (EIO, .io), (EMFILE, .io),
    ])
    func systemErrors(number: Int32, code: StoreError.Code) {
        let error = StoreError(errno: number, doing: "Testing", at: "/data/anchor.json")
        #expect((error.code, error.cause) == (code, .system(number)))
        #expect((error.operation, error.path) == ("Testing", "/data/anchor.json"))
    }

    /// The disk is sound, and whoever looks for its errors looks in vain.
    @Test(arguments: [
        (ResultCode.SQLITE_IOERR_WRITE, EDQUOT, StoreError.Code.full), (.SQLITE_IOERR_WRITE, EFBIG, .full),
        (.SQLITE_IOERR_FSYNC, EDQUOT, .full),
        (.SQLITE_IOERR_WRITE, EIO, .io), (.SQLITE_IOERR_READ, EFBIG, .io), (.SQLITE_IOERR_FSYNC, EFBIG, .io),
    ])
    func aLimitIsNoFaultOfTheDisk(result: ResultCode, number: Int32, code: StoreError.Code) {
        let error = StoreError(SQLError(DatabaseError(resultCode: result), errno: number), doing: "Testing")
        #expect(error.code == code)
        #expect(error.hint.contains("quota") == (code == .full), "\(error)")
    }

    @Test func valuesThatCannotBeReadAreCorrupt() {
        #expect(StoreError(ModelError.malformed("x"), doing: "Testing").code == .corrupt)
        #expect(code { _ = try JSONReader.read("{") } == nil)
        #expect(StoreError(StoreError(.conflict, "x"), doing: "Testing").code == .conflict)
        struct Other: Error {}
        #expect(StoreError(Other(), doing: "Testing").code == .internal)
    }

    /// The nearest place knows best, and a place further out fills in what is missing.
    @Test func anErrorKeepsItsCauseOnItsWayOut() {
        let disk = StoreError(errno: ENOSPC, doing: "Writing a page", at: "/data/gatehouse.sqlite-wal")
        let outside = StoreError(disk, doing: "Writing a change", at: "/data/gatehouse.sqlite")
        #expect((outside.operation, outside.path, outside.cause) == ("Writing a page", "/data/gatehouse.sqlite-wal", .system(ENOSPC)))
        let found = StoreError(StoreError(.conflict, "x"), doing: "Writing a change", at: "/data/gatehouse.sqlite")
        #expect((found.operation, found.path, found.cause) == ("Writing a change", "/data/gatehouse.sqlite", nil))
    }

    /// It goes into the log: where the value stands, and not what it is.
    @Test func aValueThatCannotBeReadIsNotRepeated() {
        let refused = ModelError.invalid(
            "invalid_zone",
            "\"a secret\" is no time zone; name one as Europe/Berlin, or UTC.",
            field: "/start/zone"
        )
        let error = StoreError(refused, doing: "Reading a window")
        #expect(error.detail == "Reading a window: a stored value at /start/zone cannot be read (invalid_zone)")
    }

    @Test func everyCodeThatPeopleCanMendNamesTheRemedy() {
        for code in StoreError.Code.allCases where ![.conflict, .notFound, .duplicate].contains(code) {
            #expect(!StoreError(code, "x").hint.isEmpty, "\(code)")
        }
    }
}
