import Foundation
import GateCrypto
import GateJSON
import GateModel

/// One running restore: makes a complete data folder out of the backup, inside the folder that it replaces, and then moves its files into
/// place.
struct RestoreWork {
    private let request: RestoreRequest
    private let file: BackupFile
    /// A data folder of its own, until its files are moved into place.
    private let staging: String
    private static let doing = "Restoring the backup"

    init(_ request: RestoreRequest, _ file: BackupFile) {
        (self.request, self.file) = (request, file)
        staging = request.directory + "/restore.new"
    }

    /// Removes the staging folder, also one that an interrupted restore left behind. Nobody else uses it.
    func removeStaging() {
        // If it cannot be removed, nobody reads it, and the next restore removes it.
        try? FileManager.default.removeItem(atPath: staging)
    }

    func run() throws -> RestoreReport {
        removeStaging()
        try DurableFile.makePrivateFolder(staging, doing: Self.doing)
        let database = staging + "/gatehouse.sqlite"
        try file.check(extractingTo: database, with: request.key)
        try Store.requireSound(file, database: database, migrations: request.migrations)
        let now = request.now()
        let aside = try AsideFolder(in: request.directory, now: now, doing: Self.doing)
        let knowledge = FolderKnowledge(of: request, backup: file.manifest.anchor.changes, aside: aside)
        let sequence = knowledge.next(after: file.manifest, now: now)
        let keys = try BackupKeys.takenOff(from: database, doing: Self.doing)
        let isFormer = try takeKeyAlong(keys, of: aside.former, to: database)
        let made = try make(sequence: sequence, knowledge, now, isFormer: isFormer)
        try request.failpoint?(.prepared)
        let (kept, placed) = try takePlace(aside, keys)
        return RestoreReport(
            file.manifest,
            knowledge,
            sequence: sequence,
            aside: kept,
            trust: made.trust,
            administrators: made.administrators,
            lacksSecondFactorKey: made.hasSecondFactor && !DataDirectory.exists(request.directory + "/keys/totp.key"),
            keys: placed
        )
    }

    // MARK: Making it

    /// Puts the key that signed the backup's rows beside the database, to check them with: the folder's; on a new machine whose first start
    /// has made another, the backup's own; or, since each restore makes a new one, a former key of the folder. If none signed them, the
    /// folder's is used.
    /// - Parameter former: the folder with the database that was there before.
    /// - Returns: whether it is a former key.
    private func takeKeyAlong(_ keys: BackupKeys?, of former: String, to database: String) throws -> Bool {
        let own = try DurableFile.read(former + "/keys/rows.key", doing: Self.doing)
        let known = [own, keys?.files.first { $0.name == "rows.key" }?.bytes].compactMap(\.self)
        let present = try known.first { try isKey($0, of: database) }
        let earlier = try present == nil ? formerKeys().first { try isKey($0, of: database) } : nil
        guard let key = present ?? earlier ?? known.first else { return false }
        try DurableFile.makePrivateFolder(staging + "/keys", doing: Self.doing)
        try DurableFile.replace(staging + "/keys/rows.key", with: key, doing: Self.doing)
        return earlier != nil
    }

    /// Keys that signed this folder's rows before, the last one first, as far as they are kept.
    private func formerKeys() throws(StoreError) -> [[UInt8]] {
        let folders = [request.directory] + (try AsideFolder.all(in: request.directory, doing: Self.doing)).reversed()
        let paths = folders.flatMap { ["\($0)/keys/rows.key", "\($0)/keys/rows.key.old"] }.dropFirst()
        // One that cannot be read is as good as none: nothing is obeyed because it is missing.
        return paths.compactMap { path in (try? DurableFile.read(path, doing: Self.doing)) ?? nil }
    }

    private func isKey(_ key: [UInt8], of database: String) throws -> Bool {
        guard let hash = KeyedHash(key: key) else { return false }
        let reader = try Connection.copy(database, isReadOnly: true)
        defer { try? reader.close() }  // nothing was written
        return try reader.read { db in try db.hasTable("signatures") && SignedBook.isWritten(with: hash, in: db) }
    }

    private func make(sequence: Int, _ knowledge: FolderKnowledge, _ now: Timestamp, isFormer: Bool) throws -> (
        trust: RestoreReport.Trust, administrators: [String], hasSecondFactor: Bool
    ) {
        var configuration = StoreConfiguration(directory: staging, migrations: request.migrations, now: request.now)
        configuration.random = request.random
        // Signs a backup of a release that did not sign.
        _ = try Store.migrate(configuration)
        let store = try Store(configuration)
        // If something goes wrong, the database is removed with its folder.
        defer { try? store.close() }
        let isKeyKnown = try store.isKeyOfDatabase()
        let ended = isKeyKnown ? try store.doubts().rows : []
        try store.commitRestore(of: file.manifest, sequence: sequence, now: now)
        // A new key in any case: rows that are now lost were signed with the old one, and whoever has them could put them back.
        try store.signAnew(isKeyKnown ? .dropped : .kept, newKey: true) { _, _ in
            AuditEntry(
                at: now,
                actor: .restore,
                action: "database.restore",
                address: "console",
                requestId: "restore",
                detail: [
                    "backupAt": .string(file.manifest.at.description), "backupSequence": .integer(file.manifest.sequence),
                    "sequence": .integer(sequence),
                    "lastKnown": knowledge.last.map(JSONValue.integer) ?? .null, "rows": .string(isKeyKnown ? "checked" : "taken over"),
                    "ended": .array(ended.prefix(100).map { .string("\($0)") }),
                ]
            )
        }
        let (administrators, hasSecondFactor) = try store.read("Reading who is in the backup") { db in
            (
                try db.values(String.self, sql: "SELECT name FROM users WHERE \(Store.administrators) ORDER BY name_folded"),
                try db.value(Bool.self, sql: "SELECT EXISTS (SELECT 1 FROM users WHERE totp_secret IS NOT NULL)") ?? false
            )
        }
        try store.anchor().write(to: ChainAnchor.path(in: staging), doing: Self.doing)
        try store.close()
        guard !DataDirectory.exists(configuration.walPath) else { throw StoreError.internal("The restored database kept a log beside it") }
        let trust: RestoreReport.Trust =
            !isKeyKnown ? .takenOver : isFormer ? .checkedWithFormerKey(ended: ended) : .checked(ended: ended)
        return (trust, administrators, hasSecondFactor)
    }

    // MARK: Taking the folder's place

    /// The order makes it safe to stop at any moment: a folder without its database answers from `publication/`, and a new database beside
    /// the old anchor accepts no changes.
    /// - Returns: where the folder's former files are kept, nil when there were none; and the keys that were put in place.
    private func takePlace(_ folder: AsideFolder, _ keys: BackupKeys?) throws -> (aside: String?, keys: [String]) {
        let directory = request.directory
        let names = AsideFolder.database + ["anchor.json", "keys"] + AsideFolder.rest
        let isEmpty = !names.contains { DataDirectory.exists(directory + "/" + $0) }
        let aside = isEmpty ? nil : folder
        try aside?.keepKeysAndAnchor()

        // From here on the right key is there, whichever database is in place.
        let next = try DurableFile.read(staging + "/keys/rows.key", doing: Self.doing) ?? []
        try DurableFile.makePrivateFolder(directory + "/keys", doing: Self.doing)
        try DurableFile.replace(directory + "/keys/rows.key.next", with: next, doing: Self.doing)
        let placed = try place(keys)
        try DurableFile.syncFolder(directory + "/keys", doing: Self.doing)
        try request.failpoint?(.keyWritten)

        let kept = try aside?.keepDatabase() ?? []
        do throws(StoreError) { try remove("gatehouse.sqlite") } catch {
            aside?.letGo(kept)
            throw error
        }
        do { try replaceDatabase(aside) } catch { throw Self.unfinished(error, aside) }
        AsideFolder.finish(in: directory, doing: Self.doing)
        return (aside?.path, placed)
    }

    /// Puts the new database in the place of one that is kept aside and has just lost its name.
    private func replaceDatabase(_ aside: AsideFolder?) throws {
        let directory = request.directory
        try request.failpoint?(.databaseAside)
        // A log or journal that stayed would be taken for the new database's.
        for name in AsideFolder.database.dropFirst() { try remove(name) }
        try DurableFile.syncFolder(directory, doing: Self.doing)
        try request.failpoint?(.logAside)

        try DataDirectory.synchronize(file: staging + "/gatehouse.sqlite")
        try aside?.note(ChainAnchor.kept(in: staging))
        try place("gatehouse.sqlite")
        try request.failpoint?(.databasePlaced)
        try RowKeyFile(dataFolder: directory).promote()
        try request.failpoint?(.keyPlaced)
        try place("anchor.json")
        try request.failpoint?(.anchorPlaced)
        try aside?.takeRest()
        try DurableFile.syncFolder(directory, doing: Self.doing)
        try request.failpoint?(.restAside)
        try DataDirectory.giveToOwner(
            of: directory,
            ["gatehouse.sqlite", "gatehouse.lock", "anchor.json", "keys", "keys/rows.key.old"] + BackupKeys.names.map { "keys/" + $0 }
        )
        try aside?.giveToOwner()
    }

    /// Says how to go on where the former database has lost its place already.
    private static func unfinished(_ error: any Error, _ aside: AsideFolder?) -> StoreError {
        let error = StoreError(error, doing: doing)
        let again = error.hint.isEmpty ? "Run the same command again" : "\(error.hint) Then run the same command again"
        let kept = aside.map { " What was there is kept in \($0.path)." } ?? ""
        return StoreError(
            error.code,
            error.detail,
            hint: "\(again): the restore has begun, and the folder takes no changes before it has ended.\(kept)",
            cause: error.cause,
            operation: error.operation,
            path: error.path
        )
    }

    /// Puts in place those keys of the backup that the folder lacks. The folder's own may be newer than the backup's, and the only ones
    /// that apps know; on a new machine the key by which browsers are recognised, made by its first start, stays. The key of the rows is
    /// replaced in any case.
    private func place(_ keys: BackupKeys?) throws(StoreError) -> [String] {
        var placed: [String] = []
        for (name, bytes) in keys?.files ?? [] where name != "rows.key" {
            let path = request.directory + "/keys/" + name
            guard !DataDirectory.exists(path) else { continue }
            try DurableFile.replace(path, with: bytes, doing: Self.doing)
            placed.append(name)
        }
        return placed
    }

    private func remove(_ name: String) throws(StoreError) { try DurableFile.remove(request.directory + "/" + name, doing: Self.doing) }

    private func place(_ name: String) throws(StoreError) {
        let path = request.directory + "/" + name
        guard rename(staging + "/" + name, path) == 0 else { throw StoreError(errno: errno, doing: Self.doing, at: path) }
        try DurableFile.syncFolder(request.directory, doing: Self.doing)
    }
}

extension Store {
    /// Whether there is a key, and this database was signed with it.
    fileprivate func isKeyOfDatabase() throws(StoreError) -> Bool {
        guard signatures.keyFault == nil else { return false }
        return try signatures.judge().book.chains != nil
    }

    /// Writes the restore into the history as a change: every readable target, with the gate that it has.
    fileprivate func commitRestore(of manifest: BackupManifest, sequence: Int, now: Timestamp) throws(StoreError) {
        // Without signing: everything is signed again afterwards.
        try maintain("Writing the restore into the history") { db in
            try db.transaction(.writing) {
                let state = try StateLoader.load(from: db)
                let skipped = sequence - state.lastSequence - 1
                var targets: [ChangedTarget] = []
                let apps = state.apps.map { app in
                    var app = app
                    for (platform, target) in app.platforms {
                        // Skips as many revisions as sequences: no lost change gave a target more than one revision.
                        let revision = target.revision + 1 + skipped
                        targets.append(
                            ChangedTarget(
                                target: target.key,
                                previous: target.revision,
                                revision: revision,
                                before: target.gate,
                                after: target.gate
                            )
                        )
                        app.platforms[platform] = Target(
                            key: target.key,
                            settings: target.settings,
                            gate: target.gate,
                            revision: revision,
                            sequence: sequence,
                            since: target.since,
                            changedAt: now
                        )
                    }
                    return app
                }
                let change = Change(
                    sequence: sequence,
                    at: now,
                    actor: .restore,
                    source: .api,
                    kind: .restore,
                    reason: "gatehouse restore put the backup of \(manifest.at) in place, which ends with change \(manifest.sequence).",
                    requestId: "restore",
                    app: nil,
                    targets: targets.sorted { $0.target < $1.target },
                    skipped: skipped
                )
                try Commit(change: change, apps: apps).carryOut(now: now, failpoint: nil, in: db)
            }
        }
    }
}

extension Actor {
    /// `gatehouse restore`
    static let restore = Actor(kind: .system, name: "restore")
}
