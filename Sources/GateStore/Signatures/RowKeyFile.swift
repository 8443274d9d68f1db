import Foundation
import GateCrypto

/// The key that rows are signed with: `keys/rows.key` in the data folder, 32 bytes. It is not part of the database, so whoever can write
/// only there cannot make anybody an administrator.
struct RowKeyFile {
    private let dataFolder: String
    private var folder: String { dataFolder + "/keys" }
    private var path: String { folder + "/rows.key" }
    /// Where a new key is kept until what it signed is on the disk.
    private var nextPath: String { path + ".next" }
    private static let making = "Making a key for rows"

    init(dataFolder: String) { self.dataFolder = dataFolder }

    /// Nil when there is no such file.
    /// - Throws: the file system's error, and ``StoreError/Code/keyMissing`` for a file that holds no key: that must not be taken for a
    ///   missing file.
    func load() throws(StoreError) -> KeyedHash? { try Self.load(path) }

    /// A key that has signed rows, but was not promoted before a crash.
    func loadNext() throws(StoreError) -> KeyedHash? { try Self.load(nextPath) }

    /// The new key's bytes, for sharing.
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

    /// Puts the new key in place; the old one is kept beside it.
    func promote() throws(StoreError) {
        // If the old one cannot be kept, the new one is as good without it.
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
