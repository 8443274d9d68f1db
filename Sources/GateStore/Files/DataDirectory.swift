import GateJSON

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Creates the data folder and the database file, readable only by their owner, and syncs their parent folders.
enum DataDirectory {
    /// - Throws: ``StoreError/Code/notFound`` when the folder is missing and must not be created.
    static func prepare(_ path: String, create: Bool) throws(StoreError) {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw StoreError(.unreadable, "\(path) is not a folder", hint: "Name a folder with --data.")
            }
            return
        }
        if errno == ENOTDIR {
            throw StoreError(.unreadable, "A part of \(path) is a file, not a folder", hint: "Name a folder with --data.")
        }
        guard errno == ENOENT else { throw StoreError(errno: errno, doing: "Opening the data folder", at: path) }
        guard create else { throw missing(path) }
        if let parent = parent(of: path) {
            try prepareParent(parent)
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw StoreError(errno: errno, doing: "Making the data folder \(path)", at: path)
            }
            try synchronize(folder: parent)
        }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Creates a file that must not exist yet, private to its owner, who is the folder's when root makes it.
    static func makeEmptyFile(_ path: String) throws(StoreError) {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw StoreError(errno: errno, doing: "Making the database", at: path) }
        FolderOwner.give(file, at: path)
        _ = close(file)
    }

    /// Refuses a folder in which others can put, remove or rename files: they could put another database in place.
    /// - Throws: ``StoreError/Code/exposed``, with the command that fixes it.
    static func requirePrivate(_ path: String) throws(StoreError) {
        guard othersCan(write: path) else { return }
        throw StoreError(
            .exposed,
            "Users other than its owner can write in the data folder \(path)",
            hint: "Run chmod 700 \(path.asShellWord)"
        )
    }

    /// Whether users other than the owner may write in a folder.
    static func othersCan(write path: String) -> Bool { mode(path) & 0o022 != 0 }

    /// Whether users other than the owner may list a folder.
    static func othersCan(read path: String) -> Bool { mode(path) & 0o055 != 0 }

    private static func mode(_ path: String) -> mode_t {
        var status = stat()
        // If this fails, whatever is done next with the folder fails too.
        return stat(path, &status) == 0 ? status.st_mode : 0
    }

    /// Makes the existing files private to their owner: older releases, copies and a careless umask left some that everybody could read.
    /// Does not open them: closing a handle on the database would drop a connection's locks.
    static func makePrivate(filesIn directory: String) {
        let names = [
            "gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.sqlite-shm", "gatehouse.sqlite-journal", "gatehouse.sqlite.rescued",
            "gatehouse.lock", "anchor.json", "reach.json", "version.json", "signed.json",
        ]
        for name in names {
            let path = directory + "/" + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o077 != 0 else { continue }
            // The mode of somebody else's file cannot be changed; opening the database shows whether it can be used.
            _ = chmod(path, status.st_mode & 0o700)
        }
    }

    /// Gives files in a folder to the folder's owner, so the server can read what root made there. Does nothing when not run by root.
    static func giveToOwner(of folder: String, _ names: [String]) throws(StoreError) {
        guard let owner = FolderOwner.heir(of: folder) else { return }
        // A link stays root's: given away, root would not follow it the next time.
        for name in names where exists(folder + "/" + name) && !FolderOwner.isLink(folder + "/" + name) {
            guard lchown(folder + "/" + name, owner.st_uid, owner.st_gid) == 0 else {
                throw StoreError(errno: errno, doing: "Giving \(name) to the folder's owner", at: folder + "/" + name)
            }
        }
    }

    static func missing(_ path: String) -> StoreError {
        StoreError(.notFound, "There is no \(path)", hint: "Name the data folder with --data, or make one with gatehouse init --data DIR.")
    }

    private static func prepareParent(_ path: String) throws(StoreError) {
        guard !exists(path) else { return }
        if let parent = parent(of: path) { try prepareParent(parent) }
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
            throw StoreError(errno: errno, doing: "Making the folder \(path)", at: path)
        }
    }

    /// The folder above, or nil for the root.
    static func parent(of path: String) -> String? {
        var parts = path.split(separator: "/", omittingEmptySubsequences: true)
        guard !parts.isEmpty else { return nil }
        parts.removeLast()
        let rest = parts.joined(separator: "/")
        return path.hasPrefix("/") ? "/" + rest : rest.isEmpty ? "." : rest
    }

    /// fsync(2) on a file that SQLite wrote, and the mode that the database has.
    static func synchronize(file path: String) throws(StoreError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(errno: errno, doing: "Opening \(path)", at: path) }
        defer { _ = close(file) }
        guard fchmod(file, 0o600) == 0, fsync(file) == 0 else { throw StoreError(errno: errno, doing: "Writing \(path)", at: path) }
    }

    /// fsync(2) on a folder: until then a crash can lose the name of a file whose contents are safe.
    static func synchronize(folder: String) throws(StoreError) {
        let file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError(errno: errno, doing: "Opening the folder \(folder)", at: folder) }
        defer { _ = close(file) }
        guard fsync(file) == 0 else { throw StoreError(errno: errno, doing: "Writing the folder \(folder)", at: folder) }
    }
}
