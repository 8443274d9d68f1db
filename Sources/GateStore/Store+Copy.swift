import GateJSON
import GateModel

extension Store {
    /// Copies the database of a folder into a PostgreSQL database, as `gatehouse copy --to` does. The server of the folder must be stopped.
    ///
    /// The copy has every row, hash and signature of the original, is compared with it, and is committed in one transaction: a copy that
    /// fails leaves no row. The folder stays as it is, and keeps the keys.
    /// - Parameters:
    ///   - folder: the folder of the database; its `server` is ignored.
    ///   - server: a database without tables, or one with those of this release and no rows.
    ///   - progress: called now and then on the caller's thread. What it throws ends the copy.
    /// - Throws: ``StoreError/Code/inUse`` when a server has the folder; ``StoreError/Code/notFound`` when there is no database in it;
    ///   ``StoreError/Code/conflict`` for a database with rows; ``StoreError/Code/schemaTooOld``; ``StoreError/Code/corrupt`` when the
    ///   history is not what was written; the errors of disk and server.
    package static func copy(
        _ folder: StoreConfiguration,
        to server: DatabaseServer,
        progress: @escaping (CopyProgress) throws -> Void = { _ in }
    ) throws(StoreError) -> CopyReport {
        let migrations = try Migration.all(in: folder.migrations + "/postgresql")
        try DataDirectory.prepare(folder.directory, create: false)
        try DataDirectory.requirePrivate(folder.directory)
        let lock = try DirectoryLock(path: folder.lockPath)
        defer { lock.release() }
        try DataDirectory.prepareDatabase(folder.databasePath, in: folder.directory, create: false)
        return try copying(at: server.description, progress) { progress in
            let source = try Connection.inspector(folder)
            // Rows keep their signatures.
            let copy = try ServerConnection.writer(folder, server, patience: ServerConnection.longPatience) { _ in }
            let report = try source.run { source in
                try Schema.requireOwn(source, folder, known: migrations.count)
                return try copy.run { copy in
                    try prepare(copy, migrations, now: folder.now())
                    return try CopyWork(source: source, copy: copy, progress: progress).run {
                        try SignatureCheck.faults(in: $0, directory: folder.directory)
                    }
                }
            }
            try copy.close()
            try source.close()
            return report
        }
    }

    /// Copies a PostgreSQL database into a folder without a database, as `gatehouse copy --from` does. All servers of the database must be
    /// stopped: what they wrote after the start would not be in the copy.
    ///
    /// The new database gets its name only when it is complete, compared and on the disk.
    /// - Parameters:
    ///   - server: the database.
    ///   - folder: created if missing; may have the keys already.
    ///   - progress: as in ``copy(_:to:progress:)``.
    /// - Throws: ``StoreError/Code/inUse`` also while a server is at work on the database; ``StoreError/Code/conflict`` for a folder with
    ///   a database, with the log or journal of one, or with the anchor of another history; otherwise as ``copy(_:to:progress:)``.
    package static func copy(
        from server: DatabaseServer,
        to folder: StoreConfiguration,
        progress: @escaping (CopyProgress) throws -> Void = { _ in }
    ) throws(StoreError) -> CopyReport {
        let doing = "Copying the database"
        let migrations = try Migration.all(in: folder.migrations)
        try DataDirectory.prepare(folder.directory, create: true)
        try DataDirectory.requirePrivate(folder.directory)
        let lock = try DirectoryLock(path: folder.lockPath)
        defer { lock.release() }
        try requireFree(folder, known: migrations.count, doing: doing)
        let anchor = try ChainAnchor.kept(in: folder.directory)
        let path = folder.databasePath + ".new"
        let leftovers = [path, path + "-journal"]
        // Leftovers of an interrupted copy, and an empty log or journal and the log's index, which mean nothing without their database.
        for leftover in leftovers + SQLiteFiles.endings.map({ folder.databasePath + $0 }) {
            try DurableFile.remove(leftover, doing: doing)
        }
        do throws(StoreError) {
            let report = try copying(at: path, progress) { progress in
                let source = try ServerConnection.reader(folder, server, patience: ServerConnection.longPatience)
                try DataDirectory.makeEmptyFile(path)
                let copy = try Connection.copy(path)
                let report = try source.run { source in
                    try requireNoServer(at: server, in: source)
                    return try copy.run { copy in
                        try prepare(copy, migrations, now: folder.now())
                        return try CopyWork(source: source, copy: copy, progress: progress).run { source in
                            try requireHistory(of: anchor, in: source, directory: folder.directory)
                            return try SignatureCheck.faults(in: source, directory: folder.directory)
                        }
                    }
                }
                try copy.close()
                try source.close()
                return report
            }
            try DurableFile.move(path, to: folder.databasePath, doing: doing)
            try DurableFile.syncFolder(folder.directory, doing: doing)
            FolderRelease(release: folder.release, schema: migrations.count).write(to: folder.directory)
            try DataDirectory.giveToOwner(of: folder.directory, ["gatehouse.sqlite", "gatehouse.lock"])
            return report
        } catch {
            // Nobody looks for files of these names, and the next copy removes them too.
            for leftover in leftovers { try? DurableFile.remove(leftover, doing: doing) }
            throw error
        }
    }

    /// A folder that gets a copy has no database, nothing of one, and no newer release.
    private static func requireFree(_ folder: StoreConfiguration, known: Int, doing: String) throws(StoreError) {
        if DataDirectory.exists(folder.databasePath) {
            throw StoreError(
                .conflict,
                "\(folder.databasePath) already exists",
                hint: "Name a folder without a database: an existing one is never overwritten."
            )
        }
        try SQLiteFiles.requireNoLeftovers(of: folder.databasePath, doing: doing)
        try FolderRelease.read(from: folder.directory)?.require(folder.release, schema: known, known: known, directory: folder.directory)
    }

    private static func requireNoServer(at server: DatabaseServer, in source: SQLConnection) throws {
        guard try DutyLock.isInUse(in: source) else { return }
        throw StoreError(
            .inUse,
            "A server is at work on the \(server)",
            hint: "Stop all of its servers first: what they write from now on would not be in the copy."
        )
    }

    /// An anchor that the folder keeps must belong to this history.
    private static func requireHistory(of anchor: ChainAnchor?, in db: SQLConnection, directory: String) throws {
        let heads = [(ChainDomain.changes, anchor?.changes), (.audit, anchor?.audit)]
        for (domain, head) in heads {
            guard let head, let fault = try ChainCheck(domain: domain).run(in: db, from: head, limit: 1).fault else { continue }
            throw StoreError(
                .conflict,
                "\(ChainAnchor.path(in: directory)) is not of this history: \(fault)",
                hint: "Copy into a new folder, and put keys/ from the servers' folder into it."
            )
        }
    }

    private static func prepare(_ db: SQLConnection, _ migrations: [Migration], now: Timestamp) throws {
        // Before anything is altered in somebody's database.
        try CopyWork.requireEmpty(db)
        _ = try Schema.migrate(db, migrations: migrations, now: now)
    }

    private static func copying<Value>(
        at path: String,
        _ progress: @escaping (CopyProgress) throws -> Void,
        _ body: (@escaping (CopyProgress) throws -> Void) throws -> Value
    ) throws(StoreError) -> Value {
        var isCommitting = false
        do {
            return try body { step in
                isCommitting = step == .committing
                try progress(step)
            }
        } catch let error as SQLError where isCommitting && [.connectionLost, .uncertain].contains(error.kind) {
            throw StoreError(
                .io,
                "The connection broke while the copy was committed: \(error.detail)",
                hint: "It is complete or absent: look with gatehouse verify, or copy again, which is refused if it is there."
            )
        } catch { throw StoreError(error, doing: "Copying the database", at: path) }
    }
}
