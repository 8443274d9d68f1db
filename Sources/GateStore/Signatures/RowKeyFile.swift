import Foundation
import GateCrypto

/// The key that rows are signed with: `keys/rows.key` in the data folder, 32 bytes. No part of the database, so that whoever can write there and
/// no further makes nobody an administrator.
struct RowKeyFile {
    private let dataFolder: String
    private var folder: String { dataFolder + "/keys" }
    private var path: String { folder + "/rows.key" }
    /// Where a new key is until what it signed is on the disk.
    private var nextPath: String { path + ".next" }
    private static let making = "Making a key for rows"

    init(dataFolder: String) { self.dataFolder = dataFolder }

    /// Nil when there is no such file.
    /// - Throws: the file system's error, and ``StoreError/Code/keyMissing`` for a file that holds no key: it must not be taken for none.
    func load() throws(StoreError) -> KeyedHash? { try Self.load(path) }

    /// A key that signed rows, and did not get its place before a crash.
    func loadNext() throws(StoreError) -> KeyedHash? { try Self.load(nextPath) }

    /// Its bytes, to be shared.
    func nextBytes() throws(StoreError) -> [UInt8]? { try DurableFile.read(nextPath, doing: "Reading the key for rows") }

    /// Writes a new key, to be used from ``promote()`` on.
    func makeNext(_ random: RandomSource) throws(StoreError) -> KeyedHash {
        let key = random.bytes(KeyedHash.keyByteCount)
        guard let hash = KeyedHash(key: key) else { throw StoreError.internal("A key for rows has \(KeyedHash.keyByteCount) bytes") }
        try DurableFile.makePrivateFolder(folder, doing: Self.making)
        try DurableFile.syncFolder(dataFolder, doing: Self.making)
        try DurableFile.replace(nextPath, with: key, doing: Self.making)
        try DurableFile.syncFolder(folder, doing: Self.making)
        return hash
    }

    /// Puts the new key in its place; the one that was there is kept beside it.
    func promote() throws(StoreError) {
        // Without the old one beside it the new one is as good.
        if access(path, F_OK) == 0 { _ = rename(path, path + ".old") }
        guard rename(nextPath, path) == 0 else { throw StoreError(errno: errno, doing: Self.making, at: path) }
        try DurableFile.syncFolder(folder, doing: Self.making)
    }

    private static func load(_ path: String) throws(StoreError) -> KeyedHash? {
        guard let bytes = try DurableFile.read(path, doing: "Reading the key for rows") else { return nil }
        guard let hash = KeyedHash(key: bytes) else { throw StoreError(.keyMissing, "\(path) holds no key") }
        return hash
    }
}
