import Foundation
import GRDB
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Synchronization

@testable import GateStore

/// A temporary data folder, removed when the test lets go of it.
final class Scratch: Sendable {
    let path: String
    let clock = TestClock()
    /// Where the store's database is, when the tests run on PostgreSQL.
    let server: PostgresDatabase?

    /// - Parameter server: nil for a database in the folder, whatever the tests run on.
    init(server: PostgresDatabase?) throws {
        self.server = server
        path = FileManager.default.temporaryDirectory.appending(path: "gatehouse-" + UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    convenience init() throws { try self.init(server: TestEngine.database()) }

    /// A folder with that database in it, and the key of all scratch folders.
    convenience init(database bytes: Data) throws {
        try self.init(server: nil)
        try writeKey()
        try bytes.write(to: URL(filePath: database))
    }

    /// A database as it stood when nobody had it open, of which each test may have a copy.
    enum Prepared {
        case file(Data)
        case database(PostgresDatabase)
    }

    func prepared() throws -> Prepared { try server.map { .database($0) } ?? .file(databaseBytes()) }

    /// A folder with a copy of that database, and the key of all scratch folders.
    convenience init(_ prepared: Prepared) throws {
        switch prepared {
        case .file(let bytes): try self.init(database: bytes)
        case .database(let template):
            try self.init(server: template.cluster.database("TEMPLATE \(template.name)"))
            try writeKey()
        }
    }

    private func writeKey() throws {
        try FileManager.default.createDirectory(atPath: data + "/keys", withIntermediateDirectories: true)
        try Data(Self.random.bytes(KeyedHash.keyByteCount)).write(to: URL(filePath: key))
    }

    /// A folder with a database of an older schema, as its release left it.
    convenience init(migrations: String) throws {
        try self.init(server: nil)
        try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
        let queue = try raw()
        try queue.writeWithoutTransaction { db in
            _ = try Schema.migrate(SQLConnection(db), migrations: Migration.all(in: migrations), now: clock.now)
        }
        try queue.close()
    }

    /// One key for all, so that a database may be copied without it.
    static let random = RandomSource { count in [UInt8](repeating: 7, count: count) }

    deinit {
        // A folder that is left over harms nobody.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// What `--database` would say.
    var address: DatabaseServer? { server.flatMap { try? DatabaseServer($0.url) } }
    var data: String { path + "/data" }
    var database: String { data + "/gatehouse.sqlite" }
    var key: String { data + "/keys/rows.key" }

    /// The database of a closed store.
    func databaseBytes() throws -> Data { try Data(contentsOf: URL(filePath: database)) }

    /// The project's own migrations.
    static let migrations = ProjectFiles.migrations

    /// Keeps the folder for as long as the store.
    func configuration(journal: StoreConfiguration.Journal = .wal) -> StoreConfiguration {
        var configuration = StoreConfiguration(
            directory: data,
            migrations: Self.migrations,
            journal: journal,
            createIfMissing: true,
            now: { self.clock.now }
        )
        configuration.server = address
        configuration.busyTimeout = 0.05
        configuration.random = Self.random
        return configuration
    }

    func store(_ alter: (inout StoreConfiguration) -> Void = { _ in }) throws -> Store {
        var configuration = configuration()
        alter(&configuration)
        return try Store(configuration)
    }

    /// A connection past the store, as a person with a sqlite3 shell has one.
    func raw() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        return try DatabaseQueue(path: database, configuration: configuration)
    }

    /// The rollback journal of a first change that was cut off, as `kill -9` in the middle of `gatehouse init` leaves it: whatever database
    /// it lies beside, SQLite takes it for that one's, and undoes everything.
    static func journal() throws -> Data {
        let scratch = try Scratch(server: nil)
        try FileManager.default.createDirectory(atPath: scratch.data, withIntermediateDirectories: true)
        let queue = try scratch.raw()
        defer { try? queue.close() }  // a folder that nobody else knows
        return try queue.writeWithoutTransaction { db in
            // Otherwise the journal counts only once it has been flushed, with the first page that is written.
            try db.execute(sql: "PRAGMA synchronous = OFF; BEGIN IMMEDIATE; CREATE TABLE apps (key TEXT)")
            return try Data(contentsOf: URL(filePath: scratch.database + "-journal"))
        }
    }

    /// SQLite's words in those of the engine that the tests run on: a trigger goes with the name of its table there.
    static func words(_ sql: String) -> String {
        guard TestEngine.current == .postgresql else { return sql }
        return sql.replacing(/DROP TRIGGER (\w+?)_(are|is|follow)_(\w+)/) { "DROP TRIGGER \($0.1)_\($0.2)_\($0.3) ON \($0.1)" }
            .replacing("randomblob(32)", with: "sha256('')").replacing("PRAGMA ignore_check_constraints = ON; ", with: "")
    }

    /// Runs SQL past the store, in SQLite's words or its engine's own.
    func tamper(_ sql: String) throws {
        if let server {
            try server.cluster.run(Self.words(sql), in: server.name)
            return
        }
        let queue = try raw()
        try queue.writeWithoutTransaction { db in try db.execute(sql: sql) }
        try queue.close()
    }

    /// Takes the triggers away that refuse what follows.
    func dropTriggers() throws {
        if let server {
            try server.cluster.run(Self.dropping, in: server.name)
            return
        }
        let queue = try raw()
        try queue.writeWithoutTransaction { db in
            for name in try String.fetchAll(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'trigger'") {
                try db.execute(sql: "DROP TRIGGER \(name)")
            }
        }
        try queue.close()
    }
}

extension Scratch {
    private static let dropping = """
        DO $$ DECLARE t record; BEGIN
            FOR t IN SELECT tgname, tgrelid::regclass AS place FROM pg_trigger WHERE NOT tgisinternal LOOP
                EXECUTE format('DROP TRIGGER %I ON %s', t.tgname, t.place);
            END LOOP;
        END $$
        """
}

/// The code of the store's error that `body` throws, or nil when it throws nothing.
func code(_ body: () throws -> Void) -> StoreError.Code? {
    do {
        try body()
        return nil
    } catch { return (error as? StoreError)?.code }
}

extension Store {
    /// As ``deleteUser(id:by:_:)``, whatever the user's record is.
    func deleteUser(id: Int, audit: AuditEntry) throws(StoreError) { try deleteUser(id: id) { _ in audit } }

    /// Replaces all recovery codes of a user, as the confirmation of a second factor does.
    func replaceRecoveryCodes(of userID: Int, with digests: [SHA256Digest], audit: AuditEntry) throws(StoreError) {
        try write("Writing recovery codes") { db in
            try Self.replaceRecoveryCodes(of: userID, with: digests, in: db)
            try AuditRows.append(audit, to: db)
        }
    }
}
