import Foundation
package import GateCrypto
import GateJSON

/// A backup as one file: a line of JSON, the ``BackupManifest``; the SQLite database, encrypted if somebody said to whom; and a last line, the SHA-256 digest of all that stands
/// before it in 64 hexadecimal digits. So whatever is altered anywhere in it is noticed.
///
/// Every error names the file.
package struct BackupFile: Sendable {
    package let path: String
    package let manifest: BackupManifest
    /// Bytes of the manifest's line.
    private let start: Int

    /// What the file is as a whole, once it has been read to its end.
    package struct Whole: Sendable, Hashable {
        package let bytes: Int
        /// What `sha256sum` prints.
        package let digest: SHA256Digest
    }

    private static let piece = 262_144
    private static let reading = "Reading the backup"
    static let writing = "Writing the backup"

    /// Reads the manifest alone; nothing is checked yet of what comes after it.
    /// - Throws: ``StoreError/Code/notFound``, ``StoreError/Code/corrupt``, ``StoreError/Code/schemaTooNew``; the file system's error.
    package init(_ path: String) throws(StoreError) {
        let file = try OpenFile(reading: path, doing: Self.reading)
        let bytes = try file.read(upTo: BackupManifest.mostBytes)
        guard let end = bytes.firstIndex(of: 0x0A) else { throw BackupManifest.none(path) }
        manifest = try BackupManifest(line: Array(bytes[..<end]), of: path)
        start = end + 1
        self.path = path
    }

    /// Reads the whole file and compares it with its digests.
    /// - Parameters:
    ///   - database: where to put the database that is in it, as a new file for its owner alone which is on the disk when this returns; nil for
    ///     nowhere. The keys, where the backup has any, come beside it: ``BackupKeys/takenOff(from:doing:)``.
    ///   - key: opens one that is encrypted.
    /// - Throws: ``StoreError/Code/corrupt`` when a single bit is not as it was written, ``StoreError/Code/keyMissing`` without
    ///   the right key; the file system's error. A file that was begun is removed.
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

    /// - Throws: ``StoreError/Code/keyMissing`` when the database cannot be opened with it.
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
            throw altered(found.count < last.count ? "its last line is missing" : "its digest is not the one that it ends with")
        }
        guard body.digest == manifest.digest else { throw altered("its database is not the one that its first line tells of") }
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

    /// Puts a database and what it is into an empty file, which is on the disk when this returns; its name is not before
    /// ``DurableFile/syncFolder(_:doing:)``.
    /// - Parameters:
    ///   - sealing: what encrypts it; nil to leave it as it is.
    ///   - manifest: made of the database's length and digest, as it stands in the file.
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

    /// - Parameter sealing: a copy of it seals, so that a second walk gives the same bytes.
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
