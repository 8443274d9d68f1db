#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Whom the files belong to that root makes in somebody else's folder: to the folder's owner, as everything beside them does. A server that
/// runs as that user could not read them otherwise.
enum FolderOwner {
    /// Who should own what this process makes in a folder; nil for the process itself.
    static func heir(of folder: String) -> stat? {
        var owner = stat()
        guard geteuid() == 0, stat(folder, &owner) == 0 else { return nil }
        return owner
    }

    /// Gives an open file to the owner of the folder that it is in.
    ///
    /// A failure is none of the caller's: some file systems know only one owner, and what was to be written is written.
    /// - Parameter path: the file's name.
    static func give(_ descriptor: Int32, at path: String) {
        guard let folder = DataDirectory.parent(of: path), let owner = heir(of: folder) else { return }
        var status = stat()
        // A file with a second name may lie elsewhere too, and be given away there.
        guard fstat(descriptor, &status) == 0, status.st_nlink == 1 else { return }
        _ = fchown(descriptor, owner.st_uid, owner.st_gid)
    }

    static func isLink(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Whether a name is a symbolic link that somebody other than root made. Root does not follow it: it may lead anywhere on the machine.
    static func isForeignLink(_ path: String) -> Bool {
        var status = stat()
        return geteuid() == 0 && lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK && status.st_uid != 0
    }
}
