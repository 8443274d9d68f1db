import Foundation
package import GateCrypto
package import GateJSON
package import GateModel

extension Store {
    /// A finished backup.
    package struct Backup: Sendable, Hashable {
        package let manifest: BackupManifest
        /// The whole file.
        package let whole: BackupFile.Whole
    }

    /// Makes a backup of a folder's database, as `gatehouse backup` does, also while a server uses it: nobody has to wait.
    ///
    /// The state is that of one moment. The copy is checked before the file gets its name, and file and name are on the disk when this
    /// returns. When it fails, nothing is left behind.
    /// - Parameters:
    ///   - path: replaces an older backup of that name, and no other file. While it is made, files of this name and `.copy` or `.new` are
    ///     beside it, in the place of what an interrupted backup has left there.
    ///   - at: the time now.
    ///   - key: encrypts the backup: its other half is needed to read it; nil for a backup that anybody can read.
    ///   - withKeys: whether it includes the folder's private keys, which nothing else copies.
    /// - Throws: ``StoreError/Code/duplicate`` when `path` or one of those names is something else, ``StoreError/Code/notFound`` when there
    ///   is no database, ``StoreError/Code/busy`` while somebody else writes it, ``StoreError/Code/corrupt`` when what was copied is not sound,
    ///   ``StoreError/Code/full``; the disk's own.
    package static func backUp(
        directory: String,
        to path: String,
        at: Timestamp,
        encryptedTo key: SealingKey? = nil,
        withKeys: Bool = false,
        random: RandomSource = .system
    ) throws(StoreError) -> Backup {
        let doing = BackupFile.writing
        if DataDirectory.exists(path) {
            do throws(StoreError) { _ = try BackupFile(path) } catch  where error.code == .corrupt || error.code == .unreadable {
                let what = error.code == .corrupt ? "is not a backup" : "cannot be read as a backup"
                throw StoreError(
                    .duplicate,
                    "\(path) already exists and \(what), so it is left as it is",
                    hint: "Name another file with --out."
                )
            }
        }
        let (copy, new) = (path + ".copy", path + ".new")
        let copies = [copy, copy + "-journal", copy + "-wal", copy + "-shm"]
        // The copy last: what lies beside it is known by it.
        func clear() { for file in copies.reversed() { unlink(file) } }
        let isLeftBehind = DataDirectory.exists(new) || DataDirectory.exists(path) || path.hasSuffix(".backup")
        if !OpenFile.isClaimed(new), isThere(new), !isBegun(new) { throw notOurs(new) }
        // Held to the end: of two processes that write the same backup, one would name a file that is half the other's.
        let file: OpenFile
        do throws(StoreError) { file = try OpenFile(claiming: new, doing: doing) } catch  where error.code == .unreadable {
            throw error.about(path, "Name a file in a folder that is there and can be written.")
        }
        if let other = copies.first(where: isThere), !isLeftBehind || !isDatabase(copy) {
            unlink(new)
            throw notOurs(other)
        }
        PassingFiles.add(copies + [new])
        defer { PassingFiles.forget(copies + [new]) }
        // Left behind by a crash.
        clear()
        clearLeftovers(beside: path)
        do throws(StoreError) {
            let source = StoreConfiguration(directory: directory, migrations: "")
            if !source.hasDatabase { try FolderRelease.requireNotLeft(directory) }
            try BackupCopy.make(of: source, at: copy)
            let content = try BackupCopy.check(copy)
            // It would be made night after night, each time without what was written since.
            try FolderRelease.requireNotLeft(directory, at: content.anchor)
            let keyBytes = withKeys ? try BackupKeys(of: directory).append(to: copy) : nil
            let sealing = key.map { (key: $0, stream: SealingStream(to: $0, random: random)) }
            let (manifest, whole) = try BackupFile.write(to: file, database: copy, sealing: sealing?.stream) { bytes, digest in
                BackupManifest(
                    at: at,
                    anchor: content.anchor,
                    schema: content.schema,
                    history: content.history,
                    bytes: bytes,
                    digest: digest,
                    encryption: sealing.map { BackupManifest.Encryption(key: $0.key, sealedKey: $0.stream.sealedKey) },
                    keyBytes: keyBytes
                )
            }
            guard rename(new, path) == 0 else { throw StoreError(errno: errno, doing: doing, at: path) }
            clear()
            let folder = URL(filePath: path).deletingLastPathComponent().path
            try DurableFile.syncFolder(folder, doing: doing)
            return Backup(manifest: manifest, whole: whole)
        } catch {
            clear()
            unlink(new)
            throw error
        }
    }

    /// Removes what interrupted backups of other names have left in the folder: the whole database, unencrypted and perhaps with the keys,
    /// which nobody would ever look for. What is being written, and what only has such a name, stays; so does what a backup without the
    /// usual ending `.backup` left, because it may be a copy that a person made.
    private static func clearLeftovers(beside path: String) {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        // What cannot be looked at or claimed now is looked at again with the next backup.
        let names = (try? DurableFile.names(in: folder, doing: BackupFile.writing)) ?? []
        for name in names where name.hasSuffix(".backup.copy") {
            let other = folder + "/" + name.dropLast(".copy".count)
            guard other != path, isDatabase(other + ".copy"), !OpenFile.isClaimed(other),
                let claim = try? OpenFile(claiming: other + ".new", doing: BackupFile.writing)
            else { continue }
            for file in ["-shm", "-wal", "-journal", ""] { unlink(other + ".copy" + file) }
            unlink(other + ".new")
            withExtendedLifetime(claim) {}
        }
    }

    /// Whether it is a database of SQLite, or the empty file that becomes one.
    private static func isDatabase(_ path: String) -> Bool {
        let header = Array("SQLite format 3\0".utf8)
        guard let start = start(of: path, header.count) else { return false }
        return start.isEmpty || start == header
    }

    /// Whether it is the beginning of a backup, or the empty file that becomes one.
    private static func isBegun(_ path: String) -> Bool {
        let line = BackupManifest.beginning
        return start(of: path, line.count).map(line.starts) ?? false
    }

    /// The first bytes of a file, nil for what cannot be read, which is not known to be ours.
    private static func start(of path: String, _ count: Int) -> [UInt8]? {
        // Opening a FIFO would wait for somebody who writes to it.
        var found = stat()
        guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? OpenFile(reading: path, doing: BackupFile.writing).read(upTo: count)
    }

    /// Whether anything has the name, also a link that leads nowhere.
    private static func isThere(_ path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0
    }

    private static func notOurs(_ path: String) -> StoreError {
        StoreError(
            .duplicate,
            "A backup would be made in \(path), which already exists and was not left by one, so it is left as it is",
            hint: "Name another file with --out, or move that one away."
        )
    }

    /// Makes a backup of this store's database; see ``backUp(directory:to:at:)``. Any thread; no other method waits for it.
    package func backUp(to path: String, encryptedTo key: SealingKey? = nil) throws(StoreError) -> Backup {
        try Self.backUp(
            directory: configuration.directory,
            to: path,
            at: configuration.now(),
            encryptedTo: key,
            random: configuration.random
        )
    }
}

extension BackupFolder {
    /// Makes a backup; see ``Store/backUp(to:encryptedTo:)``.
    /// - Throws: ``StoreError/Code/busy`` while one is being made.
    package func make(of store: Store, at now: Timestamp) throws(StoreError) -> ListedBackup {
        try make(at: now) { path, key throws(StoreError) in
            let backup = try store.backUp(to: path, encryptedTo: key)
            return (backup.manifest, backup.whole)
        }
    }
}
