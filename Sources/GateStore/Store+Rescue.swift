#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What has happened to a store's files while it is open.
package enum StoreFiles: Sendable {
    case inPlace
    /// The database is there, but its log is missing or belongs to another database.
    case withoutLog
    /// No file has the database's name any more.
    case removed
    /// Another file has the database's name.
    case replaced
}

extension Store {
    /// Checks whether the files are in place. Any thread.
    package var files: StoreFiles {
        guard configuration.server == nil else { return .inPlace }
        guard let present = FileIdentity(path: configuration.databasePath) else { return .removed }
        guard present == database else { return .replaced }
        return wal == nil || FileIdentity(path: configuration.walPath) == wal ? .inPlace : .withoutLog
    }

    /// Where ``leave(_:)`` saves the content of a database that was replaced.
    package var rescuedPath: String { configuration.databasePath + ".rescued" }

    /// Closes a store whose files were removed or replaced, and saves what only the open store still has: SQLite goes on reading files that
    /// have lost their names, but they are gone with the last connection.
    ///
    /// - A database that was removed is written again under its name, complete, unless somebody else was faster.
    /// - If the log was lost, its content is folded into the database.
    /// - If the database was replaced, its former content is left beside it as ``rescuedPath``; the new file is not touched.
    ///
    /// - Parameter whenSaved: called when everything is saved, before the connections close: from then on nobody may use the store.
    /// - Returns: false when the files are in place, or came back meanwhile; then nothing was done and the store stays open.
    /// - Throws: when saving failed, for example because the disk is full; the store then stays open, and this may be called again.
    package func leave(_ whenSaved: () -> Void) throws(StoreError) -> Bool {
        let found = files
        switch found {
        case .inPlace: return false
        case .withoutLog: try foldLog()
        case .removed, .replaced: try copy(to: rescuedPath)
        }
        guard files == found else {
            // Whoever removed a file may put it back at any moment, and then that file is the better one.
            unlink(rescuedPath)
            return false
        }
        whenSaved()
        switch found {
        case .inPlace, .withoutLog: try close()
        case .removed:
            try close()
            // SQLite would apply a log or journal without its database to the new one.
            for ending in SQLiteFiles.endings { unlink(configuration.databasePath + ending) }
            // Unlike rename(2), link(2) does not replace a file that somebody has put there meanwhile.
            if link(rescuedPath, configuration.databasePath) == 0 { unlink(rescuedPath) }
            try DataDirectory.synchronize(folder: configuration.directory)
        case .replaced:
            // Closing removes the log by its name, which now belongs to another database.
            let shelter = configuration.walPath + ".kept"
            let isSheltered = rename(configuration.walPath, shelter) == 0
            defer { if isSheltered { _ = rename(shelter, configuration.walPath) } }
            try close()
        }
        return true
    }

    private func foldLog() throws(StoreError) {
        let isWhole = try maintain("Folding the log into the database") { db in try SQLiteLog.cut(db) }
        if !isWhole { throw StoreError(.busy, "The log could not be folded into the database") }
    }

    /// Writes everything that was committed into one file, which is on the disk when this returns.
    private func copy(to path: String) throws(StoreError) {
        unlink(path)
        // SQLite treats an empty file like a missing one, and keeps its mode.
        try DataDirectory.makeEmptyFile(path)
        try maintain("Saving the database") { db in try SQLiteLog.writeCopy(of: db, to: path) }
        try DataDirectory.synchronize(file: path)
    }
}
