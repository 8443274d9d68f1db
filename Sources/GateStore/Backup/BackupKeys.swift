import Foundation
import GateCrypto
import GateJSON

/// The private keys of a data folder, `keys/`, in the form that a backup holds them if somebody asked for it: after the database, and
/// encrypted with it.
struct BackupKeys {
    /// By file name.
    let files: [(name: String, bytes: [UInt8])]

    /// All key files that the folder may have.
    static let names = ["rows.key", "totp.key", "device.key", "signing.json"]
    /// The most bytes of one file.
    private static let mostBytes = 65_536

    /// The keys of a data folder.
    init(of directory: String) throws(StoreError) {
        var files: [(String, [UInt8])] = []
        for name in Self.names {
            let path = directory + "/keys/" + name
            guard let bytes = try DurableFile.read(path, doing: BackupFile.writing) else { continue }
            guard bytes.count <= Self.mostBytes else {
                throw StoreError(.corrupt, "\(path) is too long for a key", hint: "Put it back from a copy of keys/.")
            }
            files.append((name, bytes))
        }
        self.files = files
    }

    /// The keys of a backup; nil for anything that ``bytes`` would not produce.
    init?(bytes: [UInt8]) {
        // The caller has one message for everything that can be wrong.
        guard let object = try? JSONReader.read(bytes, limits: .own).object else { return nil }
        var files: [(String, [UInt8])] = []
        for (name, value) in object.members {
            guard Self.names.contains(name), let bytes = value.string.flatMap(Base64URL.decode) else { return nil }
            files.append((name, bytes))
        }
        self.files = files
    }

    var bytes: [UInt8] {
        var object = JSONObject()
        for (name, bytes) in files { object[name] = .string(Base64URL.encode(bytes)) }
        return JSONValue.object(object).bytes
    }

    /// Appends them to a copy of a database.
    /// - Returns: how many bytes were appended.
    func append(to path: String) throws(StoreError) -> Int {
        let bytes = bytes
        let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(errno: errno, doing: BackupFile.writing, at: path) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw StoreError(errno: errno, doing: BackupFile.writing, at: path) }
            written += count
        }
        return bytes.count
    }

    /// Cuts them off a database that was extracted from a backup, and puts them into a file beside it, private to its owner.
    static func takeOff(_ count: Int, from path: String, doing: String) throws(StoreError) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(errno: errno, doing: doing, at: path) }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: count)
        let end = lseek(file, 0, SEEK_END)
        guard end > count, pread(file, &bytes, count, end - off_t(count)) == count, ftruncate(file, end - off_t(count)) == 0,
            fsync(file) == 0
        else { throw StoreError(errno: errno, doing: doing, at: path) }
        try DurableFile.replace(path + suffix, with: bytes, doing: doing)
    }

    /// The keys that were cut off a database; nil when its backup has none.
    static func takenOff(from path: String, doing: String) throws(StoreError) -> BackupKeys? {
        guard let bytes = try DurableFile.read(path + suffix, doing: doing) else { return nil }
        guard let keys = BackupKeys(bytes: bytes) else {
            throw StoreError(.corrupt, "The keys in the backup are not what gatehouse wrote", hint: BackupManifest.otherBackup)
        }
        return keys
    }

    private static let suffix = ".keys"
}
