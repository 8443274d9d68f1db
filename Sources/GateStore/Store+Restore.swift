import GateCrypto
import GateJSON
import GateModel

extension Store {
    /// Replaces a folder's database with a backup, as `gatehouse restore` does. The server must be stopped.
    ///
    /// Everything is checked, migrated to the present schema, signed and written to a folder of its own before any other file is touched;
    /// the former files are kept in a folder `before-restore-…`. A restore is a change of its own: it gives every target the backup's gate
    /// under a sequence and a revision higher than any that may have been handed out, so phones take it as newer.
    ///
    /// A crash at any moment leaves a folder in which no server makes changes, and in which the restore can be run again; what was there is
    /// then in one folder, whole.
    /// - Throws: ``StoreError/Code/inUse``; ``StoreError/Code/conflict`` for a folder whose server has its database in PostgreSQL;
    ///   ``StoreError/Code/corrupt`` for a backup that is not sound, ``StoreError/Code/schemaTooNew`` for one of a newer gatehouse; the
    ///   disk's own. Then nothing in the folder was altered, unless it says that
    ///   the restore has begun and where the former database is.
    package static func restore(_ request: RestoreRequest) throws(StoreError) -> RestoreReport {
        try requireOwnDatabase(request.directory)
        let file = try BackupFile(request.backup)
        let known = try Migration.all(in: request.migrations).count
        guard file.manifest.schema <= known else {
            throw StoreError(
                .schemaTooNew,
                "The backup has schema \(file.manifest.schema), this gatehouse knows \(known)",
                hint: "Use the gatehouse that made it, or a newer one."
            )
        }
        try file.requireKey(request.key)
        if request.isTrial { return try trial(request, file) }
        try DataDirectory.prepare(request.directory, create: true)
        try DataDirectory.requirePrivate(request.directory)
        let lock = try DirectoryLock(path: request.directory + "/gatehouse.lock")
        defer { lock.release() }
        let work = RestoreWork(request, file)
        do {
            let report = try work.run()
            work.removeStaging()
            return report
        } catch {
            // What was kept aside stays, and so does everything that is already in place.
            work.removeStaging()
            throw StoreError(error, doing: "Restoring the backup", at: request.directory)
        }
    }

    /// A restore would leave the PostgreSQL database without its key and its anchor, and the folder with those of another database.
    private static func requireOwnDatabase(_ directory: String) throws(StoreError) {
        guard FolderRelease.read(from: directory)?.isOfServer == true else { return }
        throw StoreError(
            .conflict,
            "The server of \(directory) has its database in PostgreSQL (--database), and a restore would give the folder another database's keys",
            hint:
                "Restore a dump into an empty database, and look at it with gatehouse verify --data \(directory.asShellWord) --database URL. To have the database in a folder again, restore into a new folder, with a copy of keys/ in it."
        )
    }

    /// Checks everything and writes nothing; works beside a running server too.
    private static func trial(_ request: RestoreRequest, _ file: BackupFile) throws(StoreError) -> RestoreReport {
        let folder = try TemporaryFolder()
        let database = folder.path + "/gatehouse.sqlite"
        try file.check(extractingTo: database, with: request.key)
        try requireSound(file, database: database, migrations: request.migrations)
        let now = request.now()
        let aside = try AsideFolder(in: request.directory, now: now, doing: "Looking at the data folder")
        let knowledge = FolderKnowledge(of: request, backup: file.manifest.anchor.changes, aside: aside)
        return RestoreReport(file.manifest, knowledge, sequence: knowledge.next(after: file.manifest, now: now))
    }

    /// - Throws: ``StoreError/Code/corrupt`` with the first fault. An unreadable row is not a fault of the backup: the server had it too.
    static func requireSound(_ file: BackupFile, database: String, migrations: String) throws(StoreError) {
        let faults = try faults(of: file.manifest, database: database, migrations: migrations).filter { !$0.isUnreadable }
        if let fault = faults.first { throw StoreError(.corrupt, "\(file.path): \(fault)", hint: BackupManifest.otherBackup) }
    }
}

extension RestoreReport {
    init(
        _ manifest: BackupManifest,
        _ knowledge: FolderKnowledge,
        sequence: Int,
        aside: String? = nil,
        trust: Trust? = nil,
        administrators: [String] = [],
        lacksSecondFactorKey: Bool = false,
        keys: [String] = []
    ) {
        self.init(
            manifest: manifest,
            sequence: sequence,
            skipped: sequence > manifest.sequence + 1 ? manifest.sequence + 1...sequence - 1 : nil,
            lastKnown: knowledge.last,
            lostCount: knowledge.lostCount,
            lost: knowledge.lost,
            unread: knowledge.unread,
            aside: aside,
            trust: trust,
            administrators: administrators,
            lacksSecondFactorKey: lacksSecondFactorKey,
            keys: keys
        )
    }
}
