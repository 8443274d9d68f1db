#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files that SQLite keeps beside a database, and takes for the database's own whatever database is there.
enum SQLiteFiles {
    /// What their names add to the database's: the write-ahead log, its index, and the rollback journal, which SQLite writes until the
    /// database is in WAL mode for the first time.
    static let endings = ["-wal", "-shm", "-journal"]

    /// Refuses what SQLite would wait for or misread, before it opens anything: opening a pipe waits for whoever might write to it.
    /// - Parameter path: the database's; nothing need be there.
    /// - Throws: ``StoreError/Code/unreadable`` for a database, log, index or journal that is there and is no file.
    static func requireFiles(of path: String) throws(StoreError) {
        var paths = [path]
        // SQLite looks for the others beside the file that a link leads to.
        if let resolved = realpath(path, nil) {
            defer { free(resolved) }
            let target = String(cString: resolved)
            if target != path { paths.append(target) }
        }
        for path in paths {
            for name in [path] + endings.map({ path + $0 }) {
                var status = stat()
                guard stat(name, &status) == 0, status.st_mode & S_IFMT != S_IFREG else { continue }
                throw StoreError(
                    .unreadable,
                    "\(name) is not a file",
                    hint: "Move it away; gatehouse did not make it.",
                    operation: "Opening the database",
                    path: name
                )
            }
        }
    }

    /// Refuses a log or journal that was left behind by a database that is gone: SQLite would apply it to the next one of its name.
    /// - Throws: ``StoreError/Code/conflict``; the disk's own.
    static func requireNoLeftovers(of path: String, doing: String) throws(StoreError) {
        for (ending, content) in [("-wal", "changes"), ("-journal", "half a change")] {
            guard let left = try DurableFile.read(path + ending, doing: doing), !left.isEmpty else { continue }
            throw StoreError(
                .conflict,
                "\(path)\(ending) was left behind, with \(content) of a database that is not there",
                hint: "Put it beside its database, wherever that is now."
            )
        }
    }
}
