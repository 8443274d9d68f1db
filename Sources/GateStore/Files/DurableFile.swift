import Foundation

/// Files that are intact after a power cut and readable only by their owner: written under another name, flushed, renamed, and the folder
/// flushed too.
///
/// Every error names the file and the system's `errno`. `doing` is what is being done, as the start of a sentence: "Writing the anchor".
package enum DurableFile {
    /// Replaces the file at `path` with `bytes`, with mode 0600 whatever the umask and the old file's mode. The folder's entry is durable
    /// only after ``syncFolder(_:doing:)``.
    /// - Parameters:
    ///   - folder: root gives the file to this folder's owner; otherwise a server that is not root could not read it. Nil for the folder
    ///     that the file is in.
    ///   - mayWait: as for ``read(_:mayWait:doing:)``, where a pipe has the temporary file's name.
    package static func replace(
        _ path: String,
        with bytes: [UInt8],
        ownedAs folder: String? = nil,
        mayWait: Bool = false,
        doing: String
    ) throws(StoreError) {
        let temporary = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | (mayWait ? 0 : O_NONBLOCK)
        let descriptor = open(temporary, flags, 0o600)
        guard descriptor >= 0 else { throw .last(doing, at: temporary) }
        do {
            defer { close(descriptor) }
            // The mode above applies only to a new file: one left behind by a crash has its own.
            guard fchmod(descriptor, 0o600) == 0 else { throw .last(doing, at: temporary) }
            if folder == nil { FolderOwner.give(descriptor, at: path) }
            if let owner = heir(of: folder), fchown(descriptor, owner.st_uid, owner.st_gid) != 0 { throw .last(doing, at: temporary) }
            var written = 0
            while written < bytes.count {
                let count = bytes[written...].withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { throw .last(doing, at: temporary) }
                written += count
            }
            guard fsync(descriptor) == 0 else { throw .last(doing, at: temporary) }
        }
        guard rename(temporary, path) == 0 else { throw .last(doing, at: path) }
    }

    /// Copies a file to a name that nothing has, readable only by its owner. When it throws, part of it may be there.
    static func copy(_ path: String, to name: String, doing: String) throws(StoreError) {
        let source = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard source >= 0 else { throw .last(doing, at: path) }
        defer { close(source) }
        let target = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard target >= 0 else { throw .last(doing, at: name) }
        defer { close(target) }
        var piece = [UInt8](repeating: 0, count: 1_048_576)
        while true {
            let count = Foundation.read(source, &piece, piece.count)
            guard count >= 0 else { throw .last(doing, at: path) }
            if count == 0 { return }
            var written = 0
            while written < count {
                let more = piece[written..<count].withUnsafeBytes { write(target, $0.baseAddress, $0.count) }
                guard more > 0 else { throw .last(doing, at: name) }
                written += more
            }
        }
    }

    /// Flushes a file and renames it, replacing any file of that name.
    package static func move(_ path: String, to name: String, doing: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last(doing, at: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, rename(path, name) == 0 else { throw .last(doing, at: path) }
    }

    /// The bytes of the file at `path`, or nil when there is none.
    /// - Parameter mayWait: whether it may be a pipe, whose writer is waited for. In the data folder a pipe is a mistake, and no start may
    ///   wait for whoever might write to it.
    package static func read(_ path: String, mayWait: Bool = false, doing: String) throws(StoreError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mayWait ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .last(doing, at: path)
        }
        defer { close(descriptor) }
        guard mayWait || !OpenFile.isPipe(descriptor) else { throw OpenFile.pipe(path, doing: doing) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(descriptor, &piece, piece.count)
            guard count >= 0 else { throw .last(doing, at: path) }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// Removes the file at `path`; does nothing when there is none.
    package static func remove(_ path: String, doing: String) throws(StoreError) { _ = try take(path, doing: doing) }

    /// Removes the file at `path`.
    /// - Returns: whether there was one. Of several who remove it at once, only one did.
    package static func take(_ path: String, doing: String) throws(StoreError) -> Bool {
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw .last(doing, at: path) }
        return false
    }

    /// The names in a folder, none when there is no such folder.
    package static func names(in path: String, doing: String) throws(StoreError) -> [String] {
        if let names = try? FileManager.default.contentsOfDirectory(atPath: path) { return names }  // asked again below, for the errno
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            throw StoreError(errno: EIO, doing: doing, at: path)
        }
        if errno == ENOENT { return [] }
        throw .last(doing, at: path)
    }

    /// What changes when something in a folder is made, replaced or removed, or another folder takes its place.
    package struct FolderStamp: Sendable, Equatable {
        private let number: UInt64
        private let seconds: Int
        private let nanoseconds: Int

        /// Nil where there is no such folder, or nobody may look.
        package init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (number, seconds, nanoseconds) = (UInt64(status.st_ino), status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }
    }

    /// Flushes the names in a folder, so that a rename survives a power cut.
    package static func syncFolder(_ path: String, doing: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last(doing, at: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last(doing, at: path) }
    }

    /// Creates a folder that only its owner can look into, or makes an existing folder so.
    /// - Parameter folder: as for ``replace(_:with:ownedAs:mayWait:doing:)``; without it an existing folder keeps its owner.
    /// - Throws: ``StoreError/Code/exposed`` when root would have to follow somebody else's symbolic link.
    package static func makePrivateFolder(_ path: String, ownedAs folder: String? = nil, doing: String) throws(StoreError) {
        let isNew = mkdir(path, 0o700) == 0
        guard isNew || errno == EEXIST else { throw .last(doing, at: path) }
        guard !FolderOwner.isForeignLink(path) else {
            throw StoreError(
                .exposed,
                "\(doing): \(path) is a symbolic link that root did not make, so root does not follow it",
                hint: "Run this as the link's owner, or put the folder that it leads to in its place.",
                operation: doing,
                path: path
            )
        }
        var status = stat()
        guard stat(path, &status) == 0 else { throw .last(doing, at: path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw StoreError(errno: ENOTDIR, doing: doing, at: path) }
        guard chmod(path, 0o700) == 0 else { throw .last(doing, at: path) }
        // As for a file: where there is only one owner, the folder can be used all the same.
        if isNew, folder == nil, let owner = heir(of: DataDirectory.parent(of: path)) { _ = lchown(path, owner.st_uid, owner.st_gid) }
        // A link stays root's: given away, root would not follow it the next time.
        guard !FolderOwner.isLink(path), let owner = heir(of: folder) else { return }
        guard lchown(path, owner.st_uid, owner.st_gid) == 0 else { throw .last(doing, at: path) }
    }

    private static func heir(of folder: String?) -> stat? { folder.flatMap(FolderOwner.heir) }
}

extension StoreError {
    /// The calling thread's `errno` as an error.
    fileprivate static func last(_ doing: String, at path: String) -> StoreError { StoreError(errno: errno, doing: doing, at: path) }
}
