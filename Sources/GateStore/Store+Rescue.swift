#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What has become of a store's files while it is open.
package enum StoreFiles: Sendable {
    case inPlace
    /// The database is there, its log is not, or is another's.
    case withoutLog
    /// There is no file of the database's name.
    case removed
    /// The database's name stands for another file.
    case replaced
}

extension Store {
    /// Looks where the files are. Any thread.
    package var files: StoreFiles {
        guard configuration.server == nil else { return .inPlace }
        guard let present = FileIdentity(path: configuration.databasePath) else { return .removed }
        guard present == database else { return .replaced }
        return wal == nil || FileIdentity(path: configuration.walPath) == wal ? .inPlace : .withoutLog
    }

    /// Where ``leave(_:)`` puts what a replaced database held.
    package var rescuedPath: String { configuration.databasePath + ".rescued" }

    /// Closes a store whose files were removed or replaced, and saves what only it still has: SQLite goes on reading files that have lost
    /// their names, and with the last connection they are gone.
    ///
    /// - A database that was removed is written anew under its name, whole, unless somebody else was faster.
    /// - The log of one that lost it is folded into the database.
    /// - Beside one that was replaced, what was there before is left as ``rescuedPath``; the new one is not touched.
    ///
    /// - Parameter whenSaved: called when everything is saved and before the connections close: from then on nobody may use the store.
    /// - Returns: false when the files are in place, or came back meanwhile; then nothing was done and the store goes on.
    /// - Throws: when it could not be saved, the disk being full for instance; the store then stays open and may be asked again.
    package func leave(_ whenSaved: () -> Void) throws(StoreError) -> Bool {
        let found = files
        switch found {
        case .inPlace: return false
        case .withoutLog: try foldLog()
        case .removed, .replaced: try copy(to: rescuedPath)
        }
        guard files == found else {
            // Whoever removes a file may put it back at any moment, and then it is the better one.
            unlink(rescuedPath)
            return false
        }
        whenSaved()
        switch found {
        case .inPlace, .withoutLog: try close()
        case .removed:
            try close()
            // A log without its database would be played into the new one.
            for path in [configuration.walPath, configuration.databasePath + "-shm"] { unlink(path) }
            // In contrast to rename(2), link(2) does not take the place of what somebody has put there meanwhile.
            if link(rescuedPath, configuration.databasePath) == 0 { unlink(rescuedPath) }
            try DataDirectory.synchronize(folder: configuration.directory)
        case .replaced:
            // Closing removes the log by its name, and that name is another database's now.
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

    /// Writes all that was committed into one file, which is on the disk when this returns.
    private func copy(to path: String) throws(StoreError) {
        unlink(path)
        // SQLite takes an empty file for none, and leaves its mode.
        try DataDirectory.makeEmptyFile(path)
        try maintain("Saving the database") { db in try SQLiteLog.writeCopy(of: db, to: path) }
        try DataDirectory.synchronize(file: path)
    }
}
