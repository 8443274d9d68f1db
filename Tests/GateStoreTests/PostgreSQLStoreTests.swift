import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import PostgreSQL
import Synchronization
import Testing

@testable import GateStore

/// What a store on PostgreSQL has of its own: settings of sessions, sessions that are lost, and several stores on one database. Everything
/// else of it the other suites show when they run on that engine (``TestEngine``).
@Suite(.timeLimit(.minutes(3))) struct PostgreSQLStoreTests {
    private func scratch(_ cluster: PostgresCluster? = nil) throws -> Scratch {
        try Scratch(server: (cluster ?? .shared()).database())
    }

    private func audit(_ action: String = "a") -> AuditEntry {
        AuditEntry(at: Timestamp(milliseconds: 0), actor: nil, action: action, requestId: "r")
    }

    private func add(_ name: String, _ role: Role = .admin, to store: Store) throws -> UserRecord {
        try store.createUser(
            NewUser(
                name: name,
                role: role,
                passwordHash: PasswordHash(stored: "$argon2id$"),
                createdAt: Timestamp(milliseconds: World.start)
            ),
            audit: audit()
        )
    }

    // MARK: Settings

    @Test(arguments: [("synchronous_commit", "off"), ("synchronous_commit", "local"), ("client_encoding", "LATIN1")])
    func aSettingThatDoesNotHoldIsNamed(name: String, value: String) throws {
        let scratch = try scratch()
        let error = #expect(throws: StoreError.self) { _ = try scratch.store { $0.afterPragmas = ["SET \(name) = '\(value)'"] } }
        #expect(error?.code == .pragma)
        #expect(error?.detail.hasPrefix("PostgreSQL's \(name) is") == true)
        try scratch.store().close()
    }

    /// Whoever runs the database may have made every session of it forgetful.
    @Test(arguments: [("off", "on"), ("local", "on"), ("remote_write", "on"), ("on", "on"), ("remote_apply", "remote_apply")])
    func whatIsAcknowledgedIsOnTheDiskWhateverTheDatabaseIsUsedTo(usual: String, own: String) throws {
        let scratch = try scratch()
        try scratch.tamper("ALTER DATABASE \(try #require(scratch.server).name) SET synchronous_commit = \(usual)")
        let store = try scratch.store()
        #expect(try store.writer.run { try $0.value(String.self, sql: "SHOW synchronous_commit") } == own)
    }

    @Test func whoReadsCannotWrite() throws {
        let store = try scratch().store()
        let error = #expect(throws: SQLError.self) { try store.reader.run { try $0.execute(sql: "DELETE FROM throttles") } }
        #expect(error?.kind == .readOnly)
    }

    // MARK: Schema

    /// An empty database that nobody meant to make is more likely a wrong name.
    @Test func anEmptyDatabaseIsMadeOnlyWhenThatIsMeant() throws {
        let scratch = try scratch()
        #expect(code { _ = try scratch.store { $0.createIfMissing = false } } == .notFound)
        try FileManager.default.createDirectory(
            atPath: scratch.data,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        #expect(code { _ = try scratch.store { $0.createIfMissing = false } } == .notFound)
        try scratch.store().close()
        try scratch.store { $0.createIfMissing = false }.close()
    }

    @Test(arguments: [
        ("ALTER TABLE users ADD COLUMN more text", "schema: table users is not as the migrations made it"),
        ("ALTER TABLE users ENABLE ROW LEVEL SECURITY", "schema: table users is not as the migrations made it"),
        ("ALTER TABLE audit DISABLE TRIGGER audit_is_gapless", "schema: trigger audit_is_gapless is not as the migrations made it"),
        (
            "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$",
            "schema: function refuse() is not as the migrations made it"
        ),
        (
            "CREATE RULE nothing AS ON UPDATE TO throttles DO INSTEAD NOTHING",
            "schema: rule nothing on throttles is not of the migrations' making"
        ),
        ("CREATE TABLE child () INHERITS (throttles)", "schema: inheritance child of throttles is not of the migrations' making"),
        ("ALTER TABLE targets DROP CONSTRAINT targets_app_fkey", "schema: constraint targets_app_fkey on targets is missing"),
        ("CREATE VIEW people AS SELECT name FROM users", "schema: rule _RETURN on people is not of the migrations' making"),
        ("CREATE INDEX quick ON users (role)", "schema: index quick is not of the migrations' making"),
    ])
    func whateverIsNotOfTheMigrationsMakingIsFound(sql: String, fault: String) throws {
        let scratch = try scratch()
        try scratch.store().close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
        let server = try #require(scratch.server)
        try server.cluster.run(sql, in: server.name)
        #expect(
            try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations).map(\.description).contains(
                fault
            )
        )
    }

    // MARK: Signatures

    @Test func whoTurnsTheTriggersOffGetsNothingSignedAndNothingUnsigned() throws {
        let scratch = try scratch()
        let store = try scratch.store()
        _ = try add("ann", to: store)
        var world = try store.fill()
        try scratch.tamper("ALTER TABLE users DISABLE TRIGGER signed_users_are_told")
        #expect(code { _ = try add("ben", to: store) } == .unsigned)
        #expect(try store.users().map(\.name) == ["ann"])
        // A kill is not kept waiting by it.
        try store.commit(world.set([.shopIOS: .everything]))
    }

    /// Nobody gets a signature by having the server touch what they made.
    @Test func aForeignRowStaysForeignWhenTheServerWritesIt() throws {
        let scratch = try scratch()
        let store = try scratch.store()
        _ = try add("ann", to: store)
        let ben = try add("ben", .viewer, to: store)
        try scratch.tamper("UPDATE users SET role = 'admin' WHERE name = 'ben'")
        #expect(try store.user(id: ben.id)?.mayEnter == false)
        try store.writer.run { db in
            try db.transaction(.writing) {
                try store.signatures.begin(db)
                try db.execute(sql: "UPDATE users SET apps = NULL, role = 'operator' WHERE name = 'ben'")
                try store.signatures.finish(db)
            }
        }
        store.signatures.committed()
        #expect(try store.user(id: ben.id)?.mayEnter == false)
        #expect(try store.doubts().rows.map(\.row) == ["\(ben.id)"])
    }

    // MARK: Several stores

    /// What one signs the other obeys, and neither takes the other's for a stranger's.
    /// A store with a folder of its own, and the same keys.
    private func second(_ one: Scratch, waiting busyTimeout: Double = 0.05) throws -> (Store, GateTesting.TemporaryFolder) {
        let folder = try GateTesting.TemporaryFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        try FileManager.default.copyItem(atPath: one.data + "/keys", toPath: folder.path + "/keys")
        let store = try one.store { configuration in
            configuration.directory = folder.path
            configuration.busyTimeout = busyTimeout
        }
        return (store, folder)
    }

    /// A kill at one server must be in force within a second, whatever another one does.
    @Test func whoStandsStillInAWriteIsPassedByWithinASecond() throws {
        let one = try scratch()
        let here = try one.store()
        let (there, folder) = try second(one, waiting: 60)
        defer { withExtendedLifetime(folder) {} }
        var waited = Duration.zero
        let error = #expect(throws: SQLError.self) {
            try here.writer.run { db in
                try db.transaction(.writing) {
                    let begun = ContinuousClock.now
                    _ = try add("other", to: there)
                    waited = ContinuousClock.now - begun
                    try db.execute(sql: "SELECT 1")
                }
            }
        }
        #expect(error?.kind == .connectionLost)
        // Less than the limit of those that only read; the rest is for a machine that has other things to do.
        #expect(waited < .seconds(2.5), "\(waited)")
        #expect(try here.users().map(\.name) == ["other"])
    }

    /// How a row was before is read on the other session, which may be lent to a long read meanwhile.
    @Test func whoWaitsForTheReaderInAWriteIsNotPassedBy() throws {
        let scratch = try scratch()
        let store = try scratch.store()
        let ann = try add("ann", to: store)
        let (isLent, isBack) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let reading = Mutex<Result<Void, any Error>?>(nil)
        Thread.detachNewThread {
            let result = Result {
                try store.reader.run { db in
                    isLent.signal()
                    try db.execute(sql: "SELECT pg_sleep(1.5)")
                }
            }
            reading.withLock { $0 = result }
            isBack.signal()
        }
        isLent.wait()
        try store.writer.run { db in
            try db.transaction(.writing) {
                try store.signatures.begin(db)
                try db.execute(sql: "UPDATE users SET role = 'operator' WHERE name = 'ann'")
                try store.signatures.finish(db)
            }
        }
        store.signatures.committed()
        isBack.wait()
        try reading.withLock(\.self)?.get()
        #expect(try store.user(id: ann.id)?.role == .operator)
    }

    /// Who keeps all others out, and stands still, is passed by like one that stands still in a transaction.
    @Test func whoStandsStillAloneIsPassedBy() throws {
        let one = try scratch()
        // What ends such a session is not in version 13.
        guard try #require(one.server).cluster.version() >= 14 else { return }
        let here = try one.store()
        let (there, folder) = try second(one, waiting: 60)
        defer { withExtendedLifetime(folder) {} }
        let other = try here.alone(failing: \.self) { () throws(StoreError) in Result { try add("other", to: there) } }
        #expect(throws: Never.self) { try other.get() }
        #expect(try here.users().map(\.name) == ["other"])
        // A session that may do nothing again.
        #expect(try here.writer.run { try $0.value(String.self, sql: "SHOW idle_session_timeout") } == "0")
        try here.alone(failing: \.self) { () throws(StoreError) in try here.appendAudit(audit("turn")) }
        #expect(try here.writer.run { try $0.value(String.self, sql: "SHOW idle_session_timeout") } == "0")
    }

    /// A server that starts while others write: what it reads first is of one state, or it would take all rows for somebody else's.
    @Test func whoOpensWhileOthersWriteKnowsEverybody() throws {
        let one = try scratch()
        let here = try one.store()
        let ann = try add("ann", to: here)
        let (there, folder) = try second(one)
        try there.close()
        let isOver = Mutex(false)
        let failure = Mutex<(any Error)?>(nil)
        let isDone = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { while !isOver.withLock(\.self) { try here.appendAudit(audit("turn")) } } catch { failure.withLock { $0 = error } }
            isDone.signal()
        }
        for _ in 0..<60 {
            let opened = try one.store { configuration in
                configuration.directory = folder.path
                configuration.busyTimeout = 60
            }
            #expect(try opened.user(id: ann.id) == ann)
            try opened.close()
        }
        isOver.withLock { $0 = true }
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        #expect(failure.withLock { $0 } == nil)
    }

    @Test func twoServersSignInTurns() throws {
        let one = try scratch()
        let here = try one.store()
        let ann = try add("ann", to: here)
        let (there, folder) = try second(one)
        defer { withExtendedLifetime(folder) {} }
        for number in 1...4 {
            let store = number.isMultiple(of: 2) ? here : there
            _ = try add("person\(number)", to: store)
            try store.appendAudit(audit("turn"))
            #expect(store.isInStep)
        }
        #expect(try here.users().map(\.name) == there.users().map(\.name))
        #expect(try here.users().count == 5)
        try there.deleteUser(id: ann.id, audit: audit())
        #expect(try here.user(id: ann.id) == nil)
        #expect(try here.doubts().isEmpty && there.doubts().isEmpty)
        try here.close()
        try there.close()
        #expect(try Store.verify(directory: one.data, server: one.address, migrations: Scratch.migrations) == [])
    }

    /// Somebody's server with another key is nobody's.
    @Test func aServerWithoutTheKeyRecognisesNobodyAndWritesNothing() throws {
        let one = try scratch()
        let here = try one.store()
        _ = try add("ann", to: here)
        let there = try one.store { $0.directory = one.path + "/other" }
        #expect(code { _ = try there.users() } == .keyMissing)
        #expect(code { try there.appendAudit(audit()) } == .keyMissing)
        #expect(try here.users().count == 1)
    }

    /// Two that make the same empty database at once.
    @Test func twoStartsAtOnceMakeOneSchema() throws {
        let one = try scratch()
        let outcomes = (0..<2).map { _ in Result<Void, any Error>.success(()) }
        var results = outcomes
        let server = try #require(one.address)
        let folders = (0..<2).map { one.path + "/data\($0)" }
        let configuration = one.configuration()
        results.withUnsafeMutableBufferPointer { buffer in
            // Unchecked: each iteration writes only its own place.
            nonisolated(unsafe) let buffer = buffer
            DispatchQueue.concurrentPerform(iterations: 2) { index in
                var own = configuration
                (own.directory, own.server) = (folders[index], server)
                own.busyTimeout = 20
                buffer[index] = Result { try Store(own).close() }
            }
        }
        for result in results { #expect(throws: Never.self) { try result.get() } }
        #expect(
            try one.store { $0.directory = folders[0] }.writer.run { try Schema.ledger($0).count }
                == Migration.all(in: Scratch.migrations).count
        )
    }

    // MARK: Moving on

    /// What `pg_dump` has of a database is the database: the same history, rows that carry their signatures, a schema that nothing is
    /// missing of.
    @Test func whatWasDumpedAndRestoredIsSound() throws {
        let one = try scratch()
        let store = try one.store()
        _ = try add("ann", to: store)
        let world = try store.fill()
        let (anchor, server) = (try store.anchor(), try #require(one.server))
        let restored = try server.cluster.database()
        // Beside the running server.
        try server.cluster.restore(server, into: restored)
        try store.close()
        let address = try DatabaseServer(restored.url)
        #expect(try Store.verify(directory: one.data, server: address, migrations: Scratch.migrations, anchor: anchor) == [])
        let again = try one.store { $0.server = address }
        #expect(try again.loadState() == world.state)
        #expect(try again.users().map(\.mayEnter) == [true])
        _ = try add("ben", to: again)
        #expect(try again.doubts().isEmpty)
    }

    /// A rolling upgrade: the new release migrates while the old one is at work, both go on side by side, and the old one does not start
    /// again.
    @Test func anOldServerGoesOnBesideANewOne() throws {
        let one = try scratch()
        let old = try one.store()
        _ = try add("ann", to: old)
        var world = try old.fill()
        let later = one.path + "/later"
        try FileManager.default.createDirectory(atPath: later, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Scratch.migrations + "/postgresql", toPath: later + "/postgresql")
        let next = try String(format: "%04d_later.sql", Migration.all(in: Scratch.migrations).count + 1)
        let sql =
            "CREATE TABLE later (x bigint); ALTER TABLE users ADD COLUMN motto text COLLATE \"C\"; ALTER TABLE changes ADD COLUMN mood text"
        try Data(sql.utf8).write(to: URL(filePath: later + "/postgresql/" + next))

        let folder = one.path + "/new"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try FileManager.default.copyItem(atPath: one.data + "/keys", toPath: folder + "/keys")
        var configuration = one.configuration()
        (configuration.directory, configuration.migrations) = (folder, later)
        #expect(code { _ = try Store(configuration) } == .schemaTooOld)
        #expect(try Store.migrate(configuration).applied == [Int(next.prefix(4))])
        let new = try Store(configuration)

        try old.commit(world.set([.shopIOS: .everything]))
        _ = try add("ben", to: old)
        try new.commit(world.set([.shopIOS: .open]))
        _ = try add("carl", to: new)
        try old.commit(world.set([.shopAndroid: .killed]))
        #expect(try old.users().map(\.mayEnter) == [true, true, true] && new.users() == old.users())
        #expect(old.isInStep && new.isInStep)
        #expect(try old.loadState() == world.state && new.loadState() == world.state)
        try old.close()
        #expect(code { _ = try one.store() } == .schemaTooNew)
        #expect(try new.doubts().isEmpty)
        try new.close()
        #expect(try Store.verify(directory: folder, server: one.address, migrations: later) == [])
    }

    // MARK: A connection that is lost

    /// The session is ended when the COMMIT was carried out and its answer waits for a standby that is not there: what was written counts,
    /// and whoever wrote it is told so.
    @Test func aCommitWhoseAnswerIsLostIsNoFailure() throws {
        let cluster = try PostgresCluster()
        for setting in ["wal_level = replica", "max_wal_senders = 2"] { try cluster.run("ALTER SYSTEM SET \(setting)") }
        try cluster.stopInOrder()
        try cluster.start()
        let store = try scratch(cluster).store()
        let pid = try #require(try store.writer.run { try $0.value(Int.self, sql: "SELECT pg_backend_pid()") })
        func standby(_ name: String) throws {
            try cluster.run("ALTER SYSTEM SET synchronous_standby_names = '\(name)'")
            try cluster.run("SELECT pg_reload_conf()")
        }
        try standby("nobody")
        let isDone = DispatchSemaphore(value: 0)
        let (waiting, writes, failures) = (Count(), Count(), Count())
        Thread.detachNewThread {
            // Until the server has read its settings anew a COMMIT is answered at once.
            while waiting.value == 0 {
                do {
                    try store.write("x") { db in
                        try db.execute(
                            sql:
                                "INSERT INTO throttles VALUES ('x', 1, 0, 0) ON CONFLICT (scope) DO UPDATE SET failures = throttles.failures + 1"
                        )
                    }
                    writes.add()
                } catch { failures.add() }
            }
            isDone.signal()
        }
        let activity = "SELECT count(*) FROM pg_stat_activity WHERE pid = \(pid) AND wait_event = 'SyncRep'"
        try blockUntil("the COMMIT waits for its standby") {
            try cluster.run(activity).trimmingCharacters(in: .whitespacesAndNewlines) == "1"
        }
        waiting.add()
        // Its process itself stays until there is no standby to wait for any more.
        try cluster.run("SELECT pg_terminate_backend(\(pid))")
        #expect(isDone.wait(timeout: .now() + 60) == .success)
        try standby("")
        #expect(failures.value == 0)
        let kept = try store.read("x") { try $0.value(Int.self, sql: "SELECT failures FROM throttles WHERE scope = 'x'") }
        #expect(kept == writes.value && writes.value > 0)
        // On another session by now.
        #expect(try store.writer.run { try $0.value(Int.self, sql: "SELECT pg_backend_pid()") } != pid)
    }

    private final class Count: Sendable {
        private let number = Mutex(0)
        func add() { number.withLock { $0 += 1 } }
        var value: Int { number.withLock { $0 } }
    }

    /// A transaction that was committed, one that ended before, and one that nobody knows.
    @Test func whatBecameOfATransactionIsToldByItsNumber() throws {
        let scratch = try scratch()
        let store = try scratch.store()
        let server = try #require(scratch.server)
        let pid = try #require(try store.writer.run { try $0.value(Int.self, sql: "SELECT pg_backend_pid()") })
        let own = try store.writer.run { db in
            try db.transaction(.writing) {
                try db.execute(sql: "INSERT INTO throttles VALUES ('x', 1, 0, 0)")
                return try db.value(String.self, sql: "SELECT pg_current_xact_id()::text")
            }
        }
        let (address, life) = (try #require(scratch.address).address, try Self.life(server))
        #expect(try CommitFate(address: address, transaction: #require(own), life: life).isCommitted() == true)
        let taken = try? store.writer.run { db in
            try db.transaction(.writing) {
                try db.execute(sql: "UPDATE throttles SET failures = 2")
                let number = try db.value(String.self, sql: "SELECT pg_current_xact_id()::text")
                try server.cluster.end(sessions: "pid = \(pid)")
                return number
            }
        }
        // Ended before the COMMIT: nothing was done, and whoever asked is told that it failed.
        #expect(taken == nil)
        #expect(try store.read("x") { try $0.value(Int.self, sql: "SELECT failures FROM throttles WHERE scope = 'x'") } == 1)
        #expect(
            CommitFate(address: address, transaction: "999999999999", life: life, patience: .milliseconds(1)).isCommitted() == nil
        )
    }

    private static func life(_ server: PostgresDatabase) throws -> String {
        try server.cluster.run(CommitFate.lifeQuery, in: server.name).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The number of a transaction that a crash has swallowed is the next one's, which is carried out.
    @Test func afterACrashNobodyIsToldOfAnothersTransaction() throws {
        let cluster = try PostgresCluster()
        let server = try cluster.database()
        let address = try PostgresAddress(server.url)
        try cluster.run("CREATE TABLE t (a integer)", in: server.name)
        let life = try Self.life(server)
        let lost = try PostgresConnection(to: address)
        try lost.run(script: "BEGIN; INSERT INTO t VALUES (1)")
        let number = try #require(try lost.execute("SELECT pg_current_xact_id()::text").rows[0][0].text)
        try cluster.stopAtOnce()
        try cluster.start()
        let others = try cluster.run("BEGIN; INSERT INTO t VALUES (2); SELECT pg_current_xact_id(); COMMIT", in: server.name)
        #expect(others.trimmingCharacters(in: .whitespacesAndNewlines) == number, "PostgreSQL gives the number again, which this is about.")
        #expect(try cluster.run("SELECT pg_xact_status('\(number)')", in: server.name).contains("committed"))
        #expect(CommitFate(address: address, transaction: number, life: life, patience: .milliseconds(1)).isCommitted() == nil)
        #expect(CommitFate(address: address, transaction: number, life: try Self.life(server)).isCommitted() == true)
        // An orderly restart loses nothing.
        let second = try Self.life(server)
        try cluster.stopInOrder()
        try cluster.start()
        #expect(CommitFate(address: address, transaction: number, life: second).isCommitted() == true)
    }

    /// A database that ends at once and comes back is used again, with all settings and the table of written rows.
    @Test func afterARestartOfTheDatabaseEverythingGoesOn() throws {
        let cluster = try PostgresCluster()
        let scratch = try scratch(cluster)
        let store = try scratch.store()
        _ = try add("ann", to: store)
        try cluster.stopAtOnce()
        #expect(code { _ = try store.users() } == .unreadable)
        #expect(code { _ = try add("ben", to: store) } == .unreadable)
        try cluster.start()
        #expect(try store.users().map(\.name) == ["ann"])
        _ = try add("ben", to: store)
        #expect(try store.users().map(\.name) == ["ann", "ben"])
        #expect(try store.doubts().isEmpty)
        #expect(try store.writer.run { try $0.value(String.self, sql: "SHOW synchronous_commit") } == "on")
    }
}
