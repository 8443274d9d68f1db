#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which file a name refers to, to notice that it was removed or replaced.
///
/// In WAL mode SQLite does not check: it goes on writing to a file without a name, and every commit that it then acknowledges is lost with
/// the process.
struct FileIdentity: Sendable, Equatable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil when there is no such file.
    init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// Bytes of the file, 0 when there is none.
    static func size(ofFile path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
