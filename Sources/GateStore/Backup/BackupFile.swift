import Foundation
package import GateCrypto
import GateJSON

/// A backup as one file: a line of JSON, the ``BackupManifest``; the SQLite database, encrypted if there is a key; and a last line, the
/// SHA-256 digest of everything before it in 64 hexadecimal digits. So any alteration is noticed.
///
/// Every error names the file.
package struct BackupFile: Sendable {
    package let path: String
    package let manifest: BackupManifest
    /// Bytes of the manifest's line.
    private let start: Int

    /// Length and digest of the whole file, once it has been read to its end.
    package struct Whole: Sendable, Hashable {
        package let bytes: Int
        /// What `sha256sum` prints.
        package let digest: SHA256Digest
    }

    private static let piece = 262_144
    private static let reading = "Reading the backup"
    static let writing = "Writing the backup"

    /// Reads only the manifest; what follows it is not checked yet.
    /// - Throws: ``StoreError/Code/notFound``, ``StoreError/Code/corrupt``, ``StoreError/Code/schemaTooNew``; the file system's error.
    package init(_ path: String) throws(StoreError) {
        let bytes: [UInt8]
        do throws(StoreError) {
            bytes = try OpenFile(reading: path, doing: Self.reading).read(upTo: BackupManifest.mostBytes)
        } catch  where error.code == .unreadable {
            throw error.about(path, "Name a backup that the user of this command may read: give that user the file, or a copy of it.")
        }
        guard let end = bytes.firstIndex(of: 0x0A) else { throw BackupManifest.none(path) }
        manifest = try BackupManifest(line: Array(bytes[..<end]), of: path)
        start = end + 1
        self.path = path
    }

    /// Reads the whole file and compares it with its digests.
    /// - Parameters:
    ///   - database: where to extract the database: a new file private to its owner, which is on the disk when this returns; nil to only
    ///     check. If the backup has keys, they are put beside it: ``BackupKeys/takenOff(from:doing:)``.
    ///   - key: opens an encrypted backup.
    /// - Throws: ``StoreError/Code/corrupt`` when a single bit differs from what was written, ``StoreError/Code/keyMissing`` without the
    ///   right key; the file system's error. A partly extracted file is removed.
    @discardableResult
    package func check(extractingTo database: String? = nil, with key: OpeningKey? = nil) throws(StoreError) -> Whole {
        if database != nil { try requireKey(key) }
        let file = try OpenFile(reading: path, doing: Self.reading)
        let copy = try database.map { path throws(StoreError) in try OpenFile(making: path, doing: "Taking the database out of the backup")
        }
        do throws(StoreError) {
            let whole = try check(file, copy, key)
            try copy?.sync()
            if let database, let count = manifest.keyBytes { try BackupKeys.takeOff(count, from: database, doing: Self.reading) }
            return whole
        } catch {
            if let database { unlink(database) }
            throw error
        }
    }

    /// - Throws: ``StoreError/Code/keyMissing`` when this key cannot open the database.
    func requireKey(_ key: OpeningKey?) throws(StoreError) {
        guard let encryption = manifest.encryption, key?.sealingKey != encryption.key else { return }
        let what = key == nil ? "\(path) is encrypted" : "\(path) is encrypted to another key"
        throw StoreError(.keyMissing, what, hint: "Name the file with the private half of \(encryption.key) with --key.")
    }

    private func check(_ file: OpenFile, _ copy: OpenFile?, _ key: OpeningKey?) throws(StoreError) -> Whole {
        var (all, body) = (SHA256Stream(), SHA256Stream())
        let first = try file.read(upTo: start)
        guard first.count == start, try BackupManifest(line: Array(first.dropLast()), of: path) == manifest else {
            throw altered("its first line changed while it was read")
        }
        all.append(first[...])
        var left = manifest.bytes
        var stream: OpeningStream?
        while left > 0 {
            let isHeader = manifest.encryption != nil && left == manifest.bytes
            let size = isHeader ? SealingStream.headerByteCount : Self.piece + (manifest.encryption == nil ? 0 : SealingStream.overhead)
            let piece = try file.read(upTo: min(left, size))
            guard !piece.isEmpty else { throw altered("it ends \(left) bytes too early") }
            all.append(piece[...])
            body.append(piece[...])
            left -= piece.count
            guard let copy else { continue }
            guard let encryption = manifest.encryption, let key else {
                try copy.write(piece)
                continue
            }
            if isHeader {
                stream = OpeningStream(key, sealedKey: encryption.sealedKey, header: piece)
            } else {
                guard let opened = stream?.open(piece), opened.isLast == (left == 0) else {
                    throw altered("its database cannot be decrypted")
                }
                try copy.write(opened.piece)
            }
        }
        let last = Self.lastLine(all.digest)
        let found = try file.read(upTo: last.count + 1)
        guard found == last else {
            throw altered(found.count < last.count ? "its last line is missing" : "its digest does not match its last line")
        }
        guard body.digest == manifest.digest else { throw altered("its database does not match its first line") }
        all.append(last[...])
        return Whole(bytes: start + manifest.bytes + last.count, digest: all.digest)
    }

    private func altered(_ how: String) -> StoreError {
        StoreError(
            .corrupt,
            "\(path) is not what gatehouse wrote: \(how)",
            hint: BackupManifest.otherBackup,
            operation: Self.reading,
            path: path
        )
    }

    private static func lastLine(_ digest: SHA256Digest) -> [UInt8] { Array("\n\(digest.hexadecimal)\n".utf8) }

    /// Writes a backup with this database into an empty file. Its content is on the disk when this returns; its name only after
    /// ``DurableFile/syncFolder(_:doing:)``.
    /// - Parameters:
    ///   - sealing: encrypts the database; nil to write it as it is.
    ///   - manifest: makes the manifest from the length and digest that the database has in the file.
    static func write(
        to file: OpenFile,
        database: String,
        sealing: SealingStream? = nil,
        manifest: (_ bytes: Int, _ digest: SHA256Digest) -> BackupManifest
    ) throws(StoreError) -> (BackupManifest, Whole) {
        var (body, count) = (SHA256Stream(), 0)
        try eachPiece(of: database, sealing) { piece throws(StoreError) in
            body.append(piece[...])
            count += piece.count
        }
        let manifest = manifest(count, body.digest)
        var (all, total) = (SHA256Stream(), 0)
        func add(_ bytes: [UInt8]) throws(StoreError) {
            try file.write(bytes)
            all.append(bytes[...])
            total += bytes.count
        }
        try add(manifest.json.bytes + [0x0A])
        try eachPiece(of: database, sealing) { piece throws(StoreError) in try add(piece) }
        try add(lastLine(all.digest))
        try file.sync()
        return (manifest, Whole(bytes: total, digest: all.digest))
    }

    /// - Parameter sealing: a copy of it is used, so a second pass gives the same bytes.
    private static func eachPiece(of path: String, _ sealing: SealingStream?, _ body: ([UInt8]) throws(StoreError) -> Void)
        throws(StoreError)
    {
        let file = try OpenFile(reading: path, doing: writing)
        var stream = sealing
        if let sealing { try body(sealing.header) }
        var next = try file.read(upTo: piece)
        while !next.isEmpty {
            let bytes = next
            next = try file.read(upTo: piece)
            try body(stream?.seal(bytes, isLast: next.isEmpty) ?? bytes)
        }
    }
}
