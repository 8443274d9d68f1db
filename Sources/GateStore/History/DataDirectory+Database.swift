import GateJSON

/// Whether a database was there is known by the history's anchor, so this lies with the history.
extension DataDirectory {
    /// Creates an empty file if there is none: SQLite then finds the right mode and gives the files beside it the same.
    /// - Throws: ``StoreError/Code/notFound`` when it is missing and must not be created; ``StoreError/Code/unreadable`` when the folder's
    ///   server has its database in PostgreSQL.
    static func prepareDatabase(_ path: String, in folder: String, create: Bool) throws(StoreError) {
        guard !exists(path) else { return }
        try FolderRelease.requireNotLeft(folder)
        guard create else { throw exists(ChainAnchor.path(in: folder)) ? gone(path, in: folder) : missing(path) }
        try makeEmptyFile(path)
        try synchronize(folder: folder)
    }

    /// For a database that was there: an empty one in its place would take back what was published.
    private static func gone(_ path: String, in folder: String) -> StoreError {
        StoreError(
            .notFound,
            "There is no \(path), and this folder had a database",
            hint:
                "Put it back, or a backup: gatehouse restore --data \(folder.asShellWord) --from FILE. A restore that was interrupted is finished by the same command."
        )
    }
}
