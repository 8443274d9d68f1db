import Foundation

/// An open file, read or written from its beginning, closed with the last reference. One thread at a time.
///
/// Every error names the file, and starts with what was being done.
final class OpenFile {
    private let number: Int32
    private let path: String
    private let doing: String

    /// - Throws: also for a pipe, whose writer would have to be waited for, and which can be read only once.
    init(reading path: String, doing: String) throws(StoreError) {
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        (self.path, self.doing) = (path, doing)
        guard number >= 0 else {
            if errno == ENOENT { throw StoreError(.notFound, "There is no \(path)", hint: "Name a file that gatehouse backup made.") }
            throw StoreError(errno: errno, doing: doing, at: path)
        }
        guard !Self.isPipe(number) else { throw Self.pipe(path, doing: doing) }
    }

    /// Whether an open file is a pipe, with or without a name.
    static func isPipe(_ number: Int32) -> Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
    }

    static func pipe(_ path: String, doing: String) -> StoreError {
        StoreError(
            .unreadable,
            "\(doing): \(path) is a pipe, not a file",
            hint: "Put a file in its place, or name one.",
            operation: doing,
            path: path
        )
    }

    /// A new file that only its owner may read.
    init(making path: String, doing: String) throws(StoreError) {
        number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        (self.path, self.doing) = (path, doing)
        guard number >= 0 else {
            // Also a symbolic link that leads nowhere: it is not followed.
            if errno == EEXIST { throw Self.taken(path) }
            throw StoreError(errno: errno, doing: doing, at: path)
        }
    }

    /// What is there stays as it is.
    static func taken(_ path: String) -> StoreError {
        StoreError(.duplicate, "\(path) already exists, and is left as it is", hint: "Name another file with --out.")
    }

    /// A file that only this process writes: created if missing, emptied if a process that has ended left it behind. Claimed until it is
    /// closed, even if it is renamed; readable only by its owner.
    /// - Throws: ``StoreError/Code/busy`` at once while another process has claimed it.
    init(claiming path: String, doing: String) throws(StoreError) {
        (self.path, self.doing) = (path, doing)
        number = try Self.claim(path, doing: doing)
    }

    /// Whether a process is writing a file that it has claimed; false also when there is no such file.
    static func isClaimed(_ path: String) -> Bool {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else { return false }
        defer { _ = close(file) }
        return flock(file, LOCK_SH | LOCK_NB) != 0
    }

    private static func claim(_ path: String, doing: String) throws(StoreError) -> Int32 {
        while true {
            let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard file >= 0 else { throw StoreError(errno: errno, doing: doing, at: path) }
            guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
                let number = errno
                _ = close(file)
                guard number == EWOULDBLOCK else { throw StoreError(errno: number, doing: doing, at: path) }
                throw StoreError(.busy, "Somebody else is writing \(path)", hint: "Wait for it, or name another file.")
            }
            var (own, named) = (stat(), stat())
            // The previous holder may have renamed or removed it since it was opened here.
            if fstat(file, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino, own.st_dev == named.st_dev {
                guard fchmod(file, 0o600) == 0, ftruncate(file, 0) == 0 else {
                    let error = StoreError(errno: errno, doing: doing, at: path)
                    _ = close(file)
                    throw error
                }
                return file
            }
            _ = close(file)
        }
    }

    deinit { if number >= 0 { close(number) } }

    /// As many bytes as requested, fewer at the end of the file.
    func read(upTo count: Int) throws(StoreError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var found = 0
        while found < count {
            let more = bytes.withUnsafeMutableBytes { Foundation.read(number, $0.baseAddress?.advanced(by: found), count - found) }
            guard more >= 0 else { throw StoreError(errno: errno, doing: doing, at: path) }
            if more == 0 { break }
            found += more
        }
        bytes.removeLast(count - found)
        return bytes
    }

    func write(_ bytes: [UInt8]) throws(StoreError) {
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
            guard count > 0 else { throw StoreError(errno: errno, doing: doing, at: path) }
            written += count
        }
    }

    func sync() throws(StoreError) {
        guard fsync(number) == 0 else { throw StoreError(errno: errno, doing: doing, at: path) }
    }
}
