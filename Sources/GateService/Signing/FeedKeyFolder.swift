import GateJSON
package import GateStore

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The keys for native feeds as a file in the data folder, `DIR/keys/signing.json`, which only its owner may read.
///
/// One file for all keys, so that retiring one and activating another is one step. Any process may change it; a running server looks at it
/// about twice a second.
package struct FeedKeyFolder: Sendable {
    private let dataFolder: String
    private let path: String
    private let file: String
    /// Outside of `keys/`, which may be lost as a whole.
    private let memory: String

    /// - Parameter dataFolder: DIR, which exists; the folder in it is made when first needed.
    package init(dataFolder: String) {
        self.dataFolder = dataFolder
        path = dataFolder + "/keys"
        file = path + "/signing.json"
        memory = dataFolder + "/signed.json"
    }

    /// Most bytes of the file: ``FeedKeyRing/most`` keys take a fifth of it.
    private static let mostBytes: off_t = 65_536
    private static let reading = "Reading the keys that feeds are signed with"
    private static let writing = "Writing the keys that feeds are signed with"

    /// The keys; nil when none was ever made.
    /// - Throws: ``StoreError/Code/corrupt`` for a file that is not exactly as it was written, ``StoreError/Code/exposed`` for one that
    ///   others may have written; the file system's error.
    package func read() throws(StoreError) -> FeedKeyRing? {
        var status = stat()
        guard lstat(file, &status) == 0 else {
            if errno == ENOENT { return nil }
            throw StoreError(errno: errno, doing: Self.reading, at: file)
        }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.mostBytes else { throw Self.damaged(file) }
        let (owner, user) = (status.st_uid, geteuid())
        guard status.st_mode & 0o022 == 0, owner == user || owner == 0 || user == 0 else {
            throw StoreError(
                .exposed,
                "\(Self.reading): others may have written \(file)",
                hint: "Look at the file, then run chown and chmod 600 on it.",
                operation: Self.reading,
                path: file
            )
        }
        guard let bytes = try DurableFile.read(file, doing: Self.reading) else { return nil }
        guard let ring = FeedKeyRing(fileBytes: bytes) else { throw Self.damaged(file) }
        return ring
    }

    /// Changes the keys while nobody else can; what `body` makes of them is on the disk when this returns.
    /// - Throws: as ``read()``, and what `body` throws; nothing was changed then.
    package func change<Result>(_ body: (inout FeedKeyRing) throws(ServiceError) -> Result) throws -> Result {
        guard access(dataFolder, F_OK) == 0 else {
            throw StoreError(
                .notFound,
                "There is no \(dataFolder)",
                hint: "Name the data folder with --data, or make one with gatehouse init --data DIR."
            )
        }
        let lock = try lock()
        // Closing the handle releases the lock; any other holder needs it only for a moment.
        defer { close(lock) }
        var ring = try read() ?? FeedKeyRing()
        let result = try body(&ring)
        try write(ring)
        return result
    }

    /// Replaces the keys that were read with others, while nobody else can change them.
    /// - Parameter seen: ``FeedKeyRing/fileBytes`` of what was read; nil when there was no file.
    /// - Returns: false, with nothing done, if the keys have changed since.
    /// - Throws: as ``read()``.
    func replace(_ seen: [UInt8]?, with ring: FeedKeyRing) throws(StoreError) -> Bool {
        let lock = try lock()
        defer { close(lock) }
        guard try read()?.fileBytes == seen else { return false }
        try write(ring)
        return true
    }

    private func lock() throws(StoreError) -> Int32 {
        try DurableFile.makePrivateFolder(path, ownedAs: dataFolder, doing: Self.writing)
        try DurableFile.syncFolder(dataFolder, doing: Self.writing)
        let lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw StoreError(errno: errno, doing: Self.writing, at: path) }
        guard flock(lock, LOCK_EX) == 0 else {
            let error = StoreError(errno: errno, doing: Self.writing, at: path)
            close(lock)
            throw error
        }
        return lock
    }

    private func write(_ ring: FeedKeyRing) throws(StoreError) {
        try DurableFile.replace(file, with: ring.fileBytes, ownedAs: dataFolder, doing: Self.writing)
        try DurableFile.syncFolder(path, doing: Self.writing)
    }

    /// Whether feeds were signed when the keys were last read: keys that are missing now are lost then.
    var wasSigned: Bool { access(memory, F_OK) == 0 }

    /// Notes in `DIR/signed.json` which key signs, and removes the note when none does any more.
    func remember(_ ring: FeedKeyRing) {
        let doing = "Noting that feeds are signed"
        // On a disk that takes nothing now, a later start notes it.
        guard let active = ring.active else {
            try? DurableFile.remove(memory, doing: doing)
            return
        }
        let note = JSONValue.object(["key": .string(active.id)]).bytes + [0x0A]
        guard (try? DurableFile.read(memory, doing: doing)) != note else { return }
        try? DurableFile.replace(memory, with: note, ownedAs: dataFolder, doing: doing)
    }

    /// Distinguishes states of the file without reading it; nil when there is none, or it cannot be checked.
    struct Stamp: Sendable, Equatable {
        let inode: UInt64
        let size: Int
        /// When its content or its permissions last changed.
        let seconds: Int
        let nanoseconds: Int
    }

    var stamp: Stamp? {
        var status = stat()
        guard lstat(file, &status) == 0 else { return nil }
        return Stamp(
            inode: UInt64(status.st_ino),
            size: Int(status.st_size),
            seconds: Int(status.st_ctim.tv_sec),
            nanoseconds: Int(status.st_ctim.tv_nsec)
        )
    }

    private static func damaged(_ file: String) -> StoreError {
        StoreError(
            .corrupt,
            "\(reading): \(file) is not what gatehouse wrote",
            hint: "Put the file back from a copy of keys/; the private keys are nowhere else.",
            operation: reading,
            path: file
        )
    }
}
