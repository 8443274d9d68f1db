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
    ///   is no database, ``StoreError/Code/busy`` while somebody else writes it, ``StoreError/Code/corrupt`` when what was copied is not
    ///   sound, ``StoreError/Code/full``; the disk's own.
    package static func backUp(
        directory: String,
        to path: String,
        at: Timestamp,
        encryptedTo key: SealingKey? = nil,
        withKeys: Bool = false,
        random: RandomSource = .system
    ) throws(StoreError) -> Backup {
        let place = BackupPlace(path: path)
        let file = try place.claim()
        // Also past the last write, until the file has its name.
        defer { withExtendedLifetime(file) {} }
        PassingFiles.add(place.passing)
        defer { PassingFiles.forget(place.passing) }
        // Left behind by a crash.
        place.removeCopies()
        place.removeLeftoversOfOthers()
        do throws(StoreError) {
            let source = StoreConfiguration(directory: directory, migrations: "")
            if !source.hasDatabase { try FolderRelease.requireNotLeft(directory) }
            try BackupCopy.make(of: source, at: place.copy)
            let content = try BackupCopy.check(place.copy)
            // It would be made night after night, each time without what was written since.
            try FolderRelease.requireNotLeft(directory, at: content.anchor)
            let keyBytes = withKeys ? try BackupKeys(of: directory).append(to: place.copy) : nil
            let sealing = key.map { (key: $0, stream: SealingStream(to: $0, random: random)) }
            let (manifest, whole) = try BackupFile.write(to: file, database: place.copy, sealing: sealing?.stream) { bytes, digest in
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
            guard rename(place.new, path) == 0 else { throw StoreError(errno: errno, doing: BackupFile.writing, at: path) }
            place.removeCopies()
            try DurableFile.syncFolder(URL(filePath: path).deletingLastPathComponent().path, doing: BackupFile.writing)
            return Backup(manifest: manifest, whole: whole)
        } catch {
            place.removeCopies()
            unlink(place.new)
            throw error
        }
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
