#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes the data folder and the database file, readable by their owner alone, and durable in their parents.
enum DataDirectory {
    /// - Throws: ``StoreError/Code/notFound`` when the folder is missing and must not be made.
    static func prepare(_ path: String, create: Bool) throws(StoreError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw StoreError(.unreadable, "\(path) is no folder", hint: "Name a folder with --data.")
            }
            return
        }
        guard errno == ENOENT else { throw StoreError(errno: errno, doing: "Opening the data folder") }
        guard create else { throw missing(path) }
        if let parent = parent(of: path) {
            try prepareParent(parent)
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw StoreError(errno: errno, doing: "Making the data folder \(path)")
            }
            try synchronize(folder: parent)
        }
    }

    /// Makes an empty file where there is none, so that SQLite finds it with the right mode and gives its companions the same.
    /// - Throws: ``StoreError/Code/notFound`` when it is missing and must not be made.
    static func prepareDatabase(_ path: String, in folder: String, create: Bool) throws(StoreError) {
        guard access(path, F_OK) != 0 else { return }
        guard create else { throw missing(path) }
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw StoreError(errno: errno, doing: "Making the database") }
        _ = close(file)
        try synchronize(folder: folder)
    }

    private static func missing(_ path: String) -> StoreError {
        StoreError(.notFound, "There is no \(path)", hint: "Name the data folder with --data, or make one with gatehouse init --data DIR.")
    }

    private static func prepareParent(_ path: String) throws(StoreError) {
        guard access(path, F_OK) != 0 else { return }
        if let parent = parent(of: path) { try prepareParent(parent) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw StoreError(errno: errno, doing: "Making the folder \(path)") }
    }

    /// The folder above, or nil for the root.
    private static func parent(of path: String) -> String? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
        let rest = parts.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + rest : rest.isEmpty ? "." : rest
    }

    /// fsync(2) on a file that SQLite wrote, and the mode that the database has.
    static func synchronize(file path: String) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(errno: errno, doing: "Opening \(path)") }
        defer { _ = close(file) }
        guard fchmod(file, 0o600) == 0, fsync(file) == 0 else { throw StoreError(errno: errno, doing: "Writing \(path)") }
    }

    /// fsync(2) on a folder: until then a crash can lose the name of a file whose contents are safe.
    static func synchronize(folder: String) throws(StoreError) {
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(errno: errno, doing: "Opening the folder \(folder)") }
        defer { _ = close(file) }
        guard fsync(file) == 0 else { throw StoreError(errno: errno, doing: "Writing the folder \(folder)") }
    }
}
