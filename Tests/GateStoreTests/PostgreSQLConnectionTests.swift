import Foundation
import GateTesting
import PostgreSQL
import Synchronization
import Testing

@testable import GateStore

/// What is PostgreSQL's own behind the connection: its codes, the lock of its writers, a server that goes away.
@Suite(.timeLimit(.minutes(3))) struct PostgreSQLConnectionTests {
    private static let tables = """
        CREATE TABLE p (id BIGINT PRIMARY KEY, name TEXT NOT NULL UNIQUE, n BIGINT CHECK (n > 0));
        CREATE TABLE c (p BIGINT NOT NULL REFERENCES p (id));
        CREATE FUNCTION two() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'two stays'; END $$;
        CREATE TRIGGER t BEFORE DELETE ON p FOR EACH ROW WHEN (OLD.id = 2) EXECUTE FUNCTION two();
        INSERT INTO p VALUES (1, 'one', 1), (2, 'two', 2);
        INSERT INTO c VALUES (1);
        """

    @Test(arguments: [
        ("INSERT INTO p VALUES (1, 'three', 3)", SQLError.Kind.duplicate, "23505", "p_pkey"),
        ("INSERT INTO p VALUES (3, 'one', 3)", .duplicate, "23505", "p_name_key"),
        ("INSERT INTO c VALUES (9)", .reference, "23503", "c_p_fkey"),
        ("DELETE FROM p WHERE id = 1", .reference, "23503", "c_p_fkey"), ("DELETE FROM p WHERE id = 2", .refused, "P0001", "two stays"),
        ("INSERT INTO p VALUES (3, 'three', 0)", .refused, "23514", "p_n_check"),
        ("INSERT INTO p VALUES (3, NULL, 3)", .refused, "23502", "name"),
        ("SELECT 1 +", .other, "42601", "syntax"), ("SELECT * FROM q", .other, "42P01", "q"),
        ("INSERT INTO p VALUES (3, 'x', 'many')", .other, "22P02", "does not fit its type"),
        ("SELECT 1 / (id - 1) FROM p", .other, "22012", "type"),
    ])
    func errorsByTheirMeaning(sql: String, kind: SQLError.Kind, state: String, word: String) throws {
        try SQLEngine.postgresql.run { db in
            try db.execute(sql: Self.tables)
            let error = #expect(throws: SQLError.self) { try db.execute(sql: sql) }
            #expect(error?.kind == kind)
            #expect(error?.code == .postgresql(state))
            #expect(error?.message.contains(word) == true, "\(error?.message ?? "")")
            #expect(error?.message.contains("many") == false)
            #expect(error?.detail == "PostgreSQL error \(state): \(error?.message ?? "")")
            #expect(self.kind { _ = try db.row(sql: sql) } == kind)
            #expect(self.kind { _ = try db.rows(sql: sql) } == kind)
            #expect(self.kind { while try db.cursor(sql: sql).next() != nil {} } == kind)
            #expect(self.kind { try db.cachedStatement(sql: sql).execute() } == kind)
            #expect(self.kind { try db.execute(sql: "SELECT 1; \(sql)") } == kind)
            #expect(try db.values(String.self, sql: "SELECT name FROM p ORDER BY id") == ["one", "two"])
        }
    }

    /// What the load or whoever looks after the server is to blame for is no mistake of the program's, and names the remedy.
    @Test(arguments: [
        ("57014", StoreError.Code.busy, "statement_timeout"), ("53200", .busy, "ran out"), ("53100", .full, "disk"),
        ("53300", .unreadable, "connections"), ("42501", .unreadable, "createdb --owner gatehouse"), ("54001", .internal, "report"),
    ])
    func whatIsNoMistakeOfTheProgramsIsToldAsSuch(state: String, code: StoreError.Code, remedy: String) throws {
        try SQLEngine.postgresql.run { db in
            let error = #expect(throws: SQLError.self) { try db.execute(sql: "DO $$ BEGIN RAISE 'x' USING ERRCODE = '\(state)'; END $$") }
            let told = StoreError(try #require(error), doing: "Testing")
            #expect(told.code == code)
            #expect(told.hint.contains(remedy), "\(told.hint)")
        }
    }

    /// A role that may look at a table, and no more.
    @Test func aRoleWithoutRightsIsNoMistakeOfTheProgramsEither() throws {
        try SQLEngine.postgresql.run { db in
            try db.execute(sql: Self.tables)
            let refusal = kind {
                try db.transaction(.writing) {
                    try db.execute(sql: "GRANT SELECT ON p TO pg_monitor; SET LOCAL ROLE pg_monitor; UPDATE p SET n = 7")
                }
            }
            #expect(refusal == .unreachable)
        }
    }

    @Test func whatIsRefusedBeforeItIsSent() throws {
        try SQLEngine.postgresql.run { db in
            try db.transaction(.writing) {
                for (sql, value) in [
                    ("SELECT ?", .text("a\0b")), ("SELECT ?::bigint", .text("7")), ("SELECT ?::bigint", .real(0.5)),
                    ("SELECT ?", .integer(7)),
                    ("SELECT ?::bytea", .text("a")), ("SELECT ?::text", .blob([7])), ("SELECT ?::boolean", .integer(1)),
                ] as [(String, SQLValue)] { #expect(kind { _ = try db.row(sql: sql, arguments: [value]) } == .other) }
                #expect(kind { try db.execute(sql: "SELECT ?; SELECT ?", arguments: [1, 2]) } == .other)
                // The transaction goes on.
                let one = try db.value(Int.self, sql: "SELECT 1")
                #expect(one == 1)
            }
        }
    }

    @Test func whatIsReadAsSQLiteReadsIt() throws {
        try SQLEngine.postgresql.run { db in
            let row = try #require(
                try db.row(sql: "SELECT 1 = 1 AS t, 1 > 2 AS f, 'NaN'::float8 AS n, 7::int2 AS i, 0.5::float4 AS r", arguments: [])
            )
            #expect(try row.all() == ["t": .integer(1), "f": .integer(0), "n": .null, "i": .integer(7), "r": .real(0.5)])
            #expect(try (row.stored("t") as Bool, row.stored("f") as Bool) == (true, false))
            #expect(try db.row(sql: "SELECT ?::float8 AS n", arguments: [Double.nan])?.all() == ["n": .null])
        }
    }

    /// To PostgreSQL the COMMIT of a failed transaction is a rollback without an error.
    @Test func aFailedTransactionIsNotCommitted() throws {
        try SQLEngine.postgresql.run { db in
            try db.execute(sql: Self.tables)
            var code: SQLError.Code?
            do {
                try db.transaction(.writing) {
                    try db.execute(sql: "INSERT INTO p (id, name) VALUES (3, 'three')")
                    let refusal = kind { try db.execute(sql: "INSERT INTO p (id, name) VALUES (3, 'four')") }
                    #expect(refusal == .duplicate)
                }
            } catch let error as SQLError { code = error.code }
            #expect(code == .postgresql("25P02"))
            #expect(try (db.isInsideTransaction, db.value(Int.self, sql: "SELECT count(*) FROM p")) == (false, 2))
        }
    }

    /// Nor is a savepoint kept in which an error was passed over; what was before it is.
    @Test func aFailedSavepointIsNotKept() throws {
        try SQLEngine.postgresql.run { db in
            try db.execute(sql: Self.tables)
            try db.transaction(.writing) {
                try db.execute(sql: "INSERT INTO p (id, name) VALUES (3, 'three')")
                let refusal = kind { try db.savepoint { kind { try db.execute(sql: "INSERT INTO c VALUES (9)") } == .reference } }
                #expect(refusal == .other)
            }
            #expect(try db.value(Int.self, sql: "SELECT count(*) FROM p") == 3)
        }
    }

    @Test func aTransactionThatIsLeftOpenIsTakenBack() throws {
        let database = try PostgresCluster.shared().database()
        defer { withExtendedLifetime(database) {} }
        let (one, two) = (try SQLQueue(database), try SQLQueue(database))
        try one.run { try $0.execute(sql: "CREATE TABLE t (n BIGINT)") }
        try one.run { try $0.execute(sql: "BEGIN; INSERT INTO t VALUES (1)") }
        let (isInside, count) = try one.run { db in (db.isInsideTransaction, try db.value(Int.self, sql: "SELECT count(*) FROM t")) }
        #expect((isInside, count) == (false, 0))
        try two.run { db in try db.transaction(.writing) { try db.execute(sql: "DROP TABLE t") } }
        #expect(kind { try one.read { try $0.execute(sql: "CREATE TABLE u (n BIGINT)") } } == .readOnly)
        try one.close()
        #expect(kind { try one.run { _ in } } == .connectionLost)
    }

    /// Also where the database's own default is one snapshot for all of a transaction: what the writer before did is seen.
    @Test(arguments: ["read committed", "repeatable read", "serializable"])
    func theSecondWriterWaitsForTheFirst(isolation: String) throws {
        let database = try PostgresCluster.shared().database()
        defer { withExtendedLifetime(database) {} }
        try database.cluster.run("ALTER DATABASE \(database.name) SET default_transaction_isolation = '\(isolation)'")
        let (one, two) = (try SQLQueue(database), try SQLQueue(database))
        try one.run { try $0.execute(sql: "CREATE TABLE t (sequence BIGINT PRIMARY KEY); INSERT INTO t VALUES (1)") }
        @Sendable func takeNext(_ db: SQLConnection) throws -> Int? {
            try db.value(Int.self, sql: "INSERT INTO t SELECT max(sequence) + 1 FROM t RETURNING sequence")
        }
        let taken = Mutex<Result<Int?, any Error>?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        try one.run { db in
            try db.transaction(.writing) {
                Thread.detachNewThread {
                    let result = Result { try two.run { db in try db.transaction(.writing) { try takeNext(db) } } }
                    taken.withLock { $0 = result }
                    isDone.signal()
                }
                let waiting = """
                    SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
                    WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()
                    """
                try blockUntil("the other waits for the lock") { try db.value(Int.self, sql: waiting) != 0 }
                #expect(try takeNext(db) == 2)
            }
        }
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(try taken.withLock { $0 }?.get() == 3)
        #expect(try two.run { try $0.values(Int.self, sql: "SELECT sequence FROM t ORDER BY sequence") } == [1, 2, 3])
    }

    /// A process that is frozen, or cut off, in the middle of its transaction: the others do not wait for longer than they would have.
    @Test func whoStandsStillInATransactionIsPassedBy() throws {
        let database = try PostgresCluster.shared().database()
        defer { withExtendedLifetime(database) {} }
        let (one, two) = (try SQLQueue(database), try SQLQueue(database))
        try one.run { try $0.execute(sql: "CREATE TABLE t (n BIGINT)") }
        try one.run { db in
            let error = #expect(throws: SQLError.self) {
                try db.transaction(.writing) {
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                    try two.run { db in try db.transaction(.writing) { try db.execute(sql: "INSERT INTO t VALUES (2)") } }
                    try db.execute(sql: "INSERT INTO t VALUES (3)")
                }
            }
            #expect(error?.kind == .connectionLost)
        }
        #expect(try one.run { try $0.values(Int.self, sql: "SELECT n FROM t") } == [2])
    }

    @Test func aServerThatGoesAwayAndComesBack() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.database()
        defer { withExtendedLifetime(database) {} }
        let queue = try SQLQueue(database)
        try queue.run { try $0.execute(sql: "CREATE TABLE t (n BIGINT)") }
        // Lost in the middle of a transaction: nothing of it is there afterwards, and nothing more is done in it.
        try queue.run { db in
            let error = #expect(throws: SQLError.self) {
                try db.transaction(.writing) {
                    try db.execute(sql: "INSERT INTO t VALUES (1)")
                    try cluster.stopAtOnce()
                    try cluster.start()
                    try db.execute(sql: "INSERT INTO t VALUES (2)")
                }
            }
            #expect(error?.kind == .connectionLost)
            #expect(error.map { StoreError($0, doing: "Testing").code } == .unreadable)
            #expect(kind { try db.execute(sql: "INSERT INTO t VALUES (3)") } == .connectionLost)
            #expect(kind { try db.transaction(.writing) { try db.execute(sql: "INSERT INTO t VALUES (4)") } } == .connectionLost)
            #expect(!db.isInsideTransaction)
        }
        #expect(try queue.read { try $0.value(Int.self, sql: "SELECT count(*) FROM t") } == 0)
        // An error of the body is the one that counts, and the next call works.
        struct Other: Error {}
        #expect(throws: Other.self) {
            try queue.run { db in
                try db.transaction(.writing) {
                    try cluster.stopAtOnce()
                    throw Other()
                }
            }
        }
        #expect(kind { try queue.run { _ in } } == .unreachable)
        try cluster.start()
        try queue.run { db in try db.transaction(.writing) { try db.execute(sql: "INSERT INTO t VALUES (5)") } }
        // Lost while nobody asked for anything: nobody is told.
        try cluster.stopInOrder()
        try cluster.start()
        #expect(try queue.run { try $0.values(Int.self, sql: "SELECT n FROM t") } == [5])
        let nowhere = SQLQueue.Server(address: try PostgresAddress(cluster.url(database: "none")), busyTimeout: 1)
        #expect(kind { _ = try SQLQueue(nowhere) } == .unreachable)
    }

    /// Of a server that takes connections and says nothing each attempt lasts a second here: who waits behind one shares what came of it.
    @Test func aSilentServerIsWaitedForOnce() throws {
        let cluster = try PostgresCluster()
        let database = try cluster.database()
        defer { withExtendedLifetime(database) {} }
        let address = try PostgresAddress(database.url + (database.url.contains("?") ? "&" : "?") + "connect_timeout=1")
        let queue = try SQLQueue(SQLQueue.Server(address: address, busyTimeout: 1))
        try cluster.end(sessions: "datname = '\(database.name)'")
        let server = try #require(
            try String(contentsOfFile: cluster.folder + "/data/postmaster.pid", encoding: .utf8).split(separator: "\n").first.flatMap {
                pid_t($0)
            }
        )
        kill(server, SIGSTOP)
        defer { kill(server, SIGCONT) }
        let callers = 12
        let kinds = Mutex<[SQLError.Kind?]>([])
        let isDone = DispatchSemaphore(value: 0)
        let began = SuspendingClock.now
        for _ in 0..<callers {
            Thread.detachNewThread {
                var kind: SQLError.Kind?
                do { try queue.run { _ in } } catch { kind = (error as? SQLError)?.kind }
                kinds.withLock { [kind] in $0.append(kind) }
                isDone.signal()
            }
        }
        for _ in 0..<callers { #expect(isDone.wait(timeout: .now() + 60) == .success) }
        #expect(kinds.withLock { $0 } == Array(repeating: .unreachable, count: callers))
        #expect(SuspendingClock.now - began < .seconds(callers - 2))
        kill(server, SIGCONT)
        try queue.run { try $0.execute(sql: "CREATE TABLE t (n BIGINT)") }
    }

    /// Whoever waits behind a call that is given up because nothing answers is not to wait for the same silence once more.
    @Test func whoWaitsBehindACallThatIsGivenUpWaitsNoLonger() throws {
        let cluster = try PostgresCluster.shared()
        let database = try cluster.database()
        let queue = try SQLQueue(SQLQueue.Server(address: PostgresAddress(database.url), busyTimeout: 60))
        let kinds = Mutex<[SQLError.Kind?]>([])
        let (isComing, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        func call(_ sql: String) {
            Thread.detachNewThread {
                isComing.signal()
                var kind: SQLError.Kind?
                do { try queue.run { try $0.execute(sql: sql) } } catch { kind = (error as? SQLError)?.kind }
                kinds.withLock { [kind] in $0.append(kind) }
                isDone.signal()
            }
        }
        call("SELECT pg_sleep(50)")
        try blockUntil("the first call waits") {
            let which = "datname = '\(database.name)' AND state = 'active' AND query LIKE '%pg_sleep(50)%'"
            return try cluster.run("SELECT count(*) FROM pg_stat_activity WHERE \(which)") == "1\n"
        }
        call("SELECT 1")
        for _ in 0..<2 { isComing.wait() }
        // From its signal to the queue are some microseconds.
        usleep(200_000)
        queue.endWait(longerThan: .zero)
        for _ in 0..<2 { #expect(isDone.wait(timeout: .now() + 30) == .success) }
        #expect(kinds.withLock { $0 } == [.connectionLost, .connectionLost])
        // Who comes later asks anew.
        try queue.run { try $0.execute(sql: "SELECT 1") }
    }

    /// More texts than are kept, and the first once more.
    @Test func manyTexts() throws {
        try SQLEngine.postgresql.run { db in
            for number in Array(1...600) + [1] {
                let sum = try db.value(Int.self, sql: "SELECT \(number) + ?::bigint", arguments: [1])
                #expect(sum == number + 1)
            }
        }
    }

    private func kind(_ body: () throws -> Void) -> SQLError.Kind? {
        do { try body() } catch { return (error as? SQLError)?.kind }
        return nil
    }
}
