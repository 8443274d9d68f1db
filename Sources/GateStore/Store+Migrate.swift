import GRDB

extension Store {
    /// Brings the database of a folder to the current schema. Nobody else may have the folder meanwhile.
    /// - Returns: the numbers of the migrations that were applied; empty when it was current.
    /// - Throws: as ``init(_:)``, but for ``StoreError/Code/schemaTooOld``.
    package static func migrate(_ configuration: StoreConfiguration) throws(StoreError) -> [Int] {
        let migrations = try Migration.all(in: configuration.migrations)
        try DataDirectory.prepare(configuration.directory, create: configuration.createIfMissing)
        try DataDirectory.requirePrivate(configuration.directory)
        let lock = try DirectoryLock(path: configuration.lockPath)
        defer { lock.release() }
        DataDirectory.makePrivate(configuration)
        do {
            try DataDirectory.prepareDatabase(
                configuration.databasePath,
                in: configuration.directory,
                create: configuration.createIfMissing
            )
            let writer = try Connection.writer(configuration)
            let applied = try writer.writeWithoutTransaction { db in
                let applied = try Schema.migrate(db, migrations: migrations, now: configuration.now())
                // Now, while whoever migrates looks on, and not at some later start.
                _ = try Signatures.settle(db, configuration)
                return applied
            }
            try writer.close()
            return applied
        } catch {
            throw StoreError(error, doing: "Migrating the database", at: configuration.databasePath)
        }
    }
}
