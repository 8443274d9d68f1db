import Synchronization

/// What Gatehouse keeps on disk: apps with their current gates, their history, people and audit.
///
/// Exactly one connection of the process writes and checkpoints; a second, read-only one reads history and people. Both are serial queues,
/// so every method may be called from any thread and returns when it is done. Serving feeds never comes here.
///
/// A failed write leaves nothing behind, and the next one is simply tried: a store recovers by itself when the disk has room again.
package final class Store: Sendable {
    package let configuration: StoreConfiguration
    let writer: SQLQueue
    let reader: SQLQueue
    let signatures: Signatures
    let windowTexts = WindowTexts()
    /// What was done with the keys that the database's servers share, for the log.
    package let keyNotes: [String]
    private let lock: DirectoryLock
    /// Whoever writes. The queue behind it keeps waiting for as long as a disk takes, and so would every request.
    private let line = TimedLock()
    let inspection = Inspection()
    /// The identities of the files that were opened; nil for a log that this journal mode does not have, and for PostgreSQL.
    let database: FileIdentity?
    let wal: FileIdentity?
    /// Checked on the connections' own queues: using a closed connection ends the process.
    private let closed = Mutex(false)
    /// Whether the last write found another program's lock.
    private let wasLocked = Mutex(false)

    /// Opens the store of a folder. Creates the folder if that is allowed, and the tables of an empty database.
    ///
    /// - Throws: ``StoreError/Code/inUse`` at once when another process uses it; ``StoreError/Code/pragma`` when a setting does not hold;
    ///   the schema codes; ``StoreError/Code/keysAtOdds`` where keys are shared; ``StoreError/Code/corrupt``,
    ///   ``StoreError/Code/unreadable`` and the disk's own.
    package init(_ configuration: StoreConfiguration) throws(StoreError) {
        let doing = "Opening the database"
        let migrations = try Migration.all(in: configuration.engineMigrations)
        try DataDirectory.prepare(configuration.directory, create: configuration.createIfMissing)
        try DataDirectory.requirePrivate(configuration.directory)
        let lock = try DirectoryLock(path: configuration.lockPath)
        DataDirectory.makePrivate(filesIn: configuration.directory)
        do {
            let early: SQLQueue?
            (writer, early) = try Self.writer(configuration)
            (signatures, keyNotes) = try writer.run { db in
                try Schema.requireOwn(db, configuration, known: migrations.count)
                try Schema.settle(db, migrations: migrations, configuration)
                let notes = try configuration.sharing.map { try SharedKeyWork(sharing: $0, configuration: configuration).settle(db) }
                return (try Signatures(db, configuration, earlier: early), notes ?? [])
            }
            reader = try early ?? Connection.reader(configuration)
            // Makes the log exist, so that its removal can be noticed from the first commit on.
            if configuration.server == nil, configuration.journal == .wal {
                _ = try reader.read { db in try db.value(Int.self, sql: "SELECT count(*) FROM migrations") }
            }
            FolderRelease(release: configuration.release, schema: migrations.count, isOfServer: configuration.server != nil)
                .write(to: configuration.directory)
            try writer.run { db in for sql in configuration.afterOpening { try db.execute(sql: sql) } }
        } catch {
            lock.release()
            throw StoreError(error, doing: doing, at: configuration.place)
        }
        self.lock = lock
        self.configuration = configuration
        database = configuration.server == nil ? FileIdentity(path: configuration.databasePath) : nil
        wal = configuration.server == nil ? FileIdentity(path: configuration.walPath) : nil
    }

    /// The writing connection, and the reading one where it can be opened before anything is written.
    private static func writer(_ configuration: StoreConfiguration) throws -> (SQLQueue, reader: SQLQueue?) {
        if let server = configuration.server {
            return (
                try ServerConnection.writer(configuration, server, prepare: WrittenRows.makeTable),
                try ServerConnection.reader(configuration, server)
            )
        }
        try DataDirectory.prepareDatabase(configuration.databasePath, in: configuration.directory, create: configuration.createIfMissing)
        return (try Connection.writer(configuration), nil)
    }

    /// Closes both connections and releases the folder. Later calls throw; closing again does nothing.
    package func close() throws(StoreError) {
        guard
            closed.withLock({ closed in
                defer { closed = true }
                return !closed
            })
        else { return }
        inspection.end()
        // The reader first: the last connection to close folds the log into the database, and only the writer may.
        do {
            try reader.close()
            try writer.close()
        } catch {
            throw StoreError(error, doing: "Closing the database", at: configuration.place)
        }
        lock.release()
    }

    /// One write transaction, `BEGIN IMMEDIATE`: all of `body` or nothing.
    func write<Value>(_ doing: String, _ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
        do {
            try checkFiles()
            let value = try line.withLock(patience: configuration.patience) {
                try writer.run { db in
                    do {
                        let value = try patiently(on: db) {
                            try repeated {
                                try transaction(.writing, on: db) {
                                    try signatures.begin(db)
                                    let value = try body(db)
                                    try signatures.finish(db)
                                    return value
                                }
                            }
                        }
                        signatures.committed()
                        return value
                    } catch {
                        signatures.abandon()
                        throw error
                    }
                }
            }
            guard let value else { throw StoreError(.slow, "Other writes took longer than \(configuration.patience)") }
            return value
        } catch {
            throw failure(error, doing)
        }
    }

    /// Repeats a transaction if a server of a newer release has migrated the database since the last one.
    private func repeated<Value>(_ transaction: () throws -> Value) throws -> Value {
        do { return try transaction() } catch let error as SQLError where error.isStale { return try transaction() }
    }

    /// For how long a write has been under way.
    package var writingFor: Duration { line.heldFor }

    /// Waits for another program's lock as long as is configured, but only once: while write after write finds the lock, all but the first
    /// only try, so that those queued behind get an answer soon too, however many they are.
    private func patiently<Value>(on db: SQLConnection, _ body: () throws -> Value) throws -> Value {
        let isLocked = wasLocked.withLock { $0 }
        let patience = configuration.busyMilliseconds
        if isLocked { try db.setBusyTimeout(milliseconds: min(25, patience)) }
        defer {
            // A connection that cannot take a setting cannot take the next write either, which then says so.
            if isLocked { try? db.setBusyTimeout(milliseconds: patience) }
        }
        do {
            let value = try body()
            wasLocked.withLock { $0 = false }
            return value
        } catch {
            wasLocked.withLock { $0 = (error as? SQLError)?.kind == .busy }
            throw error
        }
    }

    /// Reads one consistent state on the read-only connection. Keep it short: an open reader keeps the log from being reset.
    func read<Value>(_ doing: String, _ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
        do {
            return try reader.run { db in try repeated { try transaction(.reading, on: db) { try body(db) } } }
        } catch {
            throw failure(error, doing)
        }
    }

    /// Makes values of rows that were read. Every request waits for the connection that reads, so it is given back before.
    func decode<Value>(_ doing: String, _ body: () throws -> Value) throws(StoreError) -> Value {
        do { return try body() } catch { throw failure(error, doing) }
    }

    /// Uses the writing connection outside any transaction, for what SQLite allows only there.
    func maintain<Value>(_ doing: String, _ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
        do {
            return try line.withLock {
                try writer.run { db in
                    try checkOpen()
                    return try body(db)
                }
            }
        } catch {
            throw failure(error, doing)
        }
    }

    /// A read of a single statement, which needs no transaction around it: half the work of ``read(_:_:)``. For what every request reads.
    func look<Value>(_ doing: String, _ body: (SQLConnection) throws -> Value) throws(StoreError) -> Value {
        do {
            return try reader.run { db in
                try checkOpen()
                return try body(db)
            }
        } catch {
            throw failure(error, doing)
        }
    }

    private func transaction<Value>(_ kind: SQLConnection.Transaction, on db: SQLConnection, _ body: () throws -> Value) throws -> Value {
        try checkOpen()
        // Left over where a failing disk prevented the rollback.
        if db.isInsideTransaction { try db.rollBack() }
        return try db.transaction(kind, body)
    }

    /// For a closed connection each engine has words of its own, or none.
    private func failure(_ error: any Error, _ doing: String) -> StoreError {
        let isClosed = closed.withLock { $0 } && (error as? SQLError)?.kind == .connectionLost
        return StoreError(isClosed ? StoreError.internal("The store is closed") : error, doing: doing, at: configuration.place)
    }

    private func checkOpen() throws(StoreError) {
        if closed.withLock({ $0 }) { throw StoreError.internal("The store is closed") }
    }

    private func checkFiles() throws(StoreError) {
        guard files == .inPlace else {
            throw StoreError(
                .unreadable,
                "The database's files were removed or replaced while gatehouse runs",
                hint: "Put the files back where they were; otherwise gatehouse writes what it still has of them again within seconds."
            )
        }
    }
}
