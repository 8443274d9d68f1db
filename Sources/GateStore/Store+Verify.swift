package import GateCrypto
import GateJSON

extension Store {
    /// Checks everything that can be checked in a folder's database, as `gatehouse verify` does. Writes nothing; the folder's server must
    /// be stopped. A PostgreSQL database may be in use by the servers of other folders.
    ///
    /// The chains come before the schema: whoever altered a row had to drop the triggers that refuse it, but the altered row is what people
    /// need to know first.
    /// - Parameters:
    ///   - directory: the data folder, whose keys show who wrote the rows.
    ///   - server: where the database is, when it is not in the folder.
    ///   - migrations: the folder of the release's migrations, to compare the ledger with; nil compares the schema with the ledger alone.
    ///   - anchor: heads of the chains that were kept elsewhere. The folder's own `anchor.json` is always used as well.
    ///   - published: the last change that a feed was published with; 0 when none is known.
    /// - Returns: every fault, the most telling first; empty when there is none.
    /// - Throws: ``StoreError/Code/inUse`` when a server has the folder; ``StoreError/Code/notFound`` when there is no database;
    ///   ``StoreError/Code/corrupt`` and others when it cannot even be opened.
    package static func verify(
        directory: String,
        server: DatabaseServer? = nil,
        migrations: String? = nil,
        anchor: ChainAnchor? = nil,
        published: Int = 0
    ) throws(StoreError) -> [StoreFault] {
        var configuration = StoreConfiguration(directory: directory, migrations: migrations ?? "")
        configuration.server = server
        let known: [Migration]? = if migrations != nil { try Migration.all(in: configuration.engineMigrations) } else { nil }
        try DataDirectory.prepare(directory, create: false)
        let lock = try DirectoryLock(path: configuration.lockPath)
        defer { lock.release() }
        if server == nil { try DataDirectory.prepareDatabase(configuration.databasePath, in: directory, create: false) }
        var (anchors, anchorFaults) = (anchor.map { [$0] } ?? [], [StoreFault]())
        do throws(StoreError) { anchors += try ChainAnchor.kept(in: directory).map { [$0] } ?? [] } catch {
            anchorFaults = [StoreFault(place: "anchor.json", problem: error.detail)]
        }
        do {
            let patience = ServerConnection.longPatience
            let reader =
                try server.map { try ServerConnection.reader(configuration, $0, patience: patience) } ?? Connection.inspector(configuration)
            defer { reader.releaseMemory() }
            let maker = try server.map {
                try ServerConnection.writer(configuration, $0, patience: patience, prepare: WrittenRows.makeTable)
            }
            var faults = try reader.read { [anchors] db in
                var check = DatabaseCheck(db: db, migrations: known, anchors: anchors)
                check.directory = directory
                check.published = published
                check.made = maker.map { maker in { ledger in try maker.run { try SchemaCheck.made(by: ledger, beside: $0) } } }
                return check.run()
            }
            try maker?.close()
            faults += anchorFaults
            if DataDirectory.othersCan(write: directory) {
                faults.append(StoreFault(place: "folder", problem: "other users can write in it: run chmod 700 \(directory.asShellWord)"))
            }
            try reader.close()
            return faults
        } catch {
            throw StoreError(error, doing: "Verifying the database", at: configuration.place)
        }
    }

    /// What to do about the old database of a folder whose server has its own in PostgreSQL, as a sentence; nil for any other folder.
    package static func remedyWithoutDatabase(_ directory: String) -> String? {
        FolderRelease.read(from: directory)?.isOfServer == true ? FolderRelease.leftHint : nil
    }

    /// Checks everything that can be checked of a backup, as `gatehouse verify --from` does: the file's digests, and then its database as
    /// ``verify(directory:migrations:anchor:)`` does, except for who wrote its rows: that takes a key which the database does not contain.
    /// - Parameters:
    ///   - path: the backup. Its database is extracted into a temporary folder, and removed afterwards.
    ///   - anchor: heads of the chains that were kept elsewhere.
    ///   - key: opens an encrypted backup.
    /// - Returns: the manifest, and every fault of the database, the most telling first.
    /// - Throws: ``StoreError/Code/corrupt`` when the file is not what was written; the file system's own.
    package static func verify(backup path: String, migrations: String? = nil, anchor: ChainAnchor? = nil, key: OpeningKey? = nil)
        throws(StoreError) -> (BackupManifest, [StoreFault])
    {
        let file = try BackupFile(path)
        let folder = try TemporaryFolder()
        let database = folder.path + "/gatehouse.sqlite"
        try file.check(extractingTo: database, with: key)
        return (file.manifest, try faults(of: file.manifest, database: database, migrations: migrations, anchor: anchor))
    }

    /// The faults of a database that was extracted from a backup. An older schema is first migrated to that of `migrations`.
    static func faults(of manifest: BackupManifest, database: String, migrations: String?, anchor: ChainAnchor? = nil) throws(StoreError)
        -> [StoreFault]
    {
        let known = try migrations.map { folder throws(StoreError) in try Migration.all(in: folder) }
        do {
            if let known {
                // An older schema is not a fault in a backup, and only the present schema can be read completely. No migration alters a
                // hash.
                let writer = try Connection.copy(database)
                try writer.run { db in
                    let ledger = try Schema.ledger(db)
                    if ledger.count < known.count, ledger == Array(known.prefix(ledger.count)) {
                        _ = try Schema.migrate(db, migrations: known, now: .now)
                    }
                }
                try writer.close()
            }
            let reader = try Connection.copy(database, isReadOnly: true)
            var faults = try reader.read { db in
                var check = DatabaseCheck(db: db, migrations: known, anchors: [manifest.anchor] + (anchor.map { [$0] } ?? []))
                return check.run()
            }
            if try reader.read(ChainStore.anchor) != manifest.anchor {
                faults.append(StoreFault(place: "manifest", problem: "is not of this database"))
            }
            try reader.close()
            return faults
        } catch { throw StoreError(error, doing: "Checking the backup", at: database) }
    }
}
