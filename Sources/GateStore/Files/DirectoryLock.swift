import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Reserves the data folder for one process: an exclusive flock(2) on `gatehouse.lock` and on the folder itself, because somebody may
/// remove the file as a leftover while a server runs.
///
/// SQLite's own locks would let a second writer in between two transactions; on the SQLite of Debian 12 that can corrupt a WAL database.
/// The kernel releases the lock when the process ends, however it ends, so a leftover file locks nobody out.
final class DirectoryLock: Sendable {
    /// The open lock file, and the folder; empty once released.
    private let descriptors: Mutex<[Int32]>

    /// - Throws: ``StoreError/Code/inUse`` at once when another process, or another store of this one, holds it.
    init(path: String) throws(StoreError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw StoreError(errno: errno, doing: "Opening the lock file", at: path) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let number = errno
            let holder = Self.holder(in: file)
            _ = close(file)
            guard number == EWOULDBLOCK else { throw StoreError(errno: number, doing: "Locking the data folder", at: path) }
            throw StoreError(.inUse, "The data folder is in use by another gatehouse\(holder.map { " (process \($0))" } ?? "")")
        }
        // Some network file systems lock no folders (nfs(5): a lock there needs a file open for writing). There the file alone must do.
        let folder = open(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]) + "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0, flock(folder, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            _ = close(folder)
            _ = close(file)
            throw StoreError(.inUse, "The data folder is in use by another gatehouse, whose gatehouse.lock was removed")
        }
        // Left to root, it would lock out the server's own user.
        FolderOwner.give(file, at: path)
        Self.leaveName(in: file)
        descriptors = Mutex(folder < 0 ? [file] : [folder, file])
    }

    deinit { release() }

    func release() {
        descriptors.withLock { descriptors in
            for descriptor in descriptors {
                // Closing is not enough: a child process that is just being started holds a copy of the handle, and with it the lock, until
                // its exec.
                _ = flock(descriptor, LOCK_UN)
                _ = close(descriptor)
            }
            descriptors = []
        }
    }

    /// Only a courtesy to whoever finds the folder locked, so a full disk is no reason to fail here.
    private static func leaveName(in file: Int32) {
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(file, 0)
        _ = pwrite(file, text, text.count, 0)
    }

    private static func holder(in file: Int32) -> Int? {
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int(String(decoding: bytes.prefix(count), as: UTF8.self).split(whereSeparator: \.isNewline).first ?? "")
    }
}
