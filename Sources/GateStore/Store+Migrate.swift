extension Store {
    /// Brings the database of a folder to the current schema. Nobody else may use the folder meanwhile.
    ///
    /// The old database is first copied to a file beside it: the way back when a migration goes wrong, or the new version is not wanted
    /// after all. A PostgreSQL database is not copied: that is the job of `pg_dump`, and servers of the older version may go on using it.
    /// - Throws: as ``init(_:)``, except ``StoreError/Code/schemaTooOld``.
    package static func migrate(_ configuration: StoreConfiguration) throws(StoreError) -> Migrated {
        let migrations = try Migration.all(in: configuration.engineMigrations)
        try DataDirectory.prepare(configuration.directory, create: configuration.createIfMissing)
        try DataDirectory.requirePrivate(configuration.directory)
        let lock = try DirectoryLock(path: configuration.lockPath)
        defer { lock.release() }
        DataDirectory.makePrivate(filesIn: configuration.directory)
        do {
            let writer: SQLQueue
            if let server = configuration.server {
                writer = try ServerConnection.writer(
                    configuration,
                    server,
                    patience: ServerConnection.longPatience,
                    prepare: WrittenRows.makeTable
                )
            } else {
                try DataDirectory.prepareDatabase(
                    configuration.databasePath,
                    in: configuration.directory,
                    create: configuration.createIfMissing
                )
                writer = try Connection.writer(configuration)
            }
            let migrated = try writer.run { db in
                try Schema.requireOwn(db, configuration, known: migrations.count)
                let copy = try Schema.missing(db, migrations: migrations).isEmpty ? nil : copy(of: db, configuration)
                let applied = try Schema.migrate(db, migrations: migrations, now: configuration.now())
                // Now, while whoever migrates is watching, and not at some later start.
                _ = try Signatures.settle(db, configuration)
                return Migrated(applied: applied, copy: copy)
            }
            try writer.close()
            FolderRelease(release: configuration.release, schema: migrations.count, isOfServer: configuration.server != nil)
                .write(to: configuration.directory)
            return migrated
        } catch {
            throw StoreError(error, doing: "Migrating the database", at: configuration.place)
        }
    }

    /// What a migration did.
    package struct Migrated: Sendable, Equatable {
        /// The numbers of the migrations that were applied; empty when the database was current.
        package let applied: [Int]
        /// The path of the copy of the old database; nil when nothing was applied, or when the database was empty.
        package let copy: String?

        package init(applied: [Int], copy: String?) {
            self.applied = applied
            self.copy = copy
        }
    }

    /// Copies a database that nobody else has open to a file beside it, named by its schema: `gatehouse.sqlite.schema-8`.
    /// - Returns: nil for an empty one.
    private static func copy(of db: SQLConnection, _ configuration: StoreConfiguration) throws -> String? {
        guard try configuration.server == nil && !db.isEmpty else { return nil }
        let doing = "Copying the database before its migration"
        let schema = try Schema.number(of: db)
        let path = configuration.databasePath + ".schema-\(schema)"
        // An older copy of the same schema comes from an earlier attempt, and is no longer needed.
        let new = path + ".new"
        try DurableFile.remove(new, doing: doing)
        // SQLite fills an existing empty file and keeps its permissions.
        try DurableFile.replace(new, with: [], doing: doing)
        do { try SQLiteLog.writeCopy(of: db, to: new) } catch {
            try DurableFile.remove(new, doing: doing)
            throw error
        }
        try DurableFile.move(new, to: path, doing: doing)
        try DurableFile.syncFolder(configuration.directory, doing: doing)
        return path
    }
}
