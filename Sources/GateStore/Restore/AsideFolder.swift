import Foundation
import GateJSON

/// The folder `before-restore-…` inside a data folder, in which a restore keeps what it takes the place of.
///
/// Its database is whole at every moment: files get their second name there before they lose the first. Marked as unfinished until the
/// restore has ended, so that a repeated one goes on in it and leaves one way back, not two halves of it. Once the new database is put in
/// place the mark names it, by the ends of its chains: what has its place then is no way back.
struct AsideFolder {
    let path: String
    /// What is in the data folder, if that is the database that the interrupted restore has put there and nothing was written to it since.
    let placed: ChainAnchor?
    private let directory: String
    private let doing: String

    static let prefix = "before-restore-"
    /// The former database, in the order in which its files are taken away: a database left without its log would have lost its last
    /// changes.
    static let database = ["gatehouse.sqlite"] + SQLiteFiles.endings.map { "gatehouse.sqlite" + $0 }
    /// What is moved there last.
    static let rest = ["publication", "reach.json", "version.json"]
    private static let mark = "unfinished"

    /// The folder that an interrupted restore has left, if what is in the data folder now belongs to it, or a new one, which is not made
    /// yet.
    init(in directory: String, now: Timestamp, doing: String) throws(StoreError) {
        (self.directory, self.doing) = (directory, doing)
        let unfinished = try Self.all(in: directory, doing: doing).filter { DataDirectory.exists("\($0)/\(Self.mark)") }
        for aside in unfinished.reversed() {
            if let placed = Self.placed(by: aside, in: directory) {
                (path, self.placed) = (aside, placed)
                return
            }
        }
        path = unfinished.last { Self.isBegun($0, for: directory) } ?? directory + "/" + Self.prefix + now.inFileNames
        placed = nil
    }

    /// The folder with the database that was there before the restore, and with its key: this one where an interrupted restore has taken
    /// the database away, else the data folder.
    var former: String {
        let isHere = DataDirectory.exists(path + "/" + Self.database[0])
        return isHere && (placed != nil || !DataDirectory.exists(directory + "/" + Self.database[0])) ? path : directory
    }

    /// The folders of all restores, the last one last.
    static func all(in directory: String, doing: String) throws(StoreError) -> [String] {
        try DurableFile.names(in: directory, doing: doing).filter { $0.hasPrefix(prefix) }.sorted().map { directory + "/" + $0 }
    }

    private static func placed(by aside: String, in directory: String) -> ChainAnchor? {
        // A mark or a database that cannot be read says nothing; then everything that is there is kept.
        guard let anchor = try? ChainAnchor.read(from: "\(aside)/\(mark)"),
            let reader = try? Connection.inspector(StoreConfiguration(directory: directory, migrations: ""))
        else { return nil }
        defer { try? reader.close() }  // nothing was written
        return (try? reader.read { db in try ChainStore.anchor(in: db) }) == anchor ? anchor : nil
    }

    private static func isBegun(_ aside: String, for directory: String) -> Bool {
        guard !rest.contains(where: { DataDirectory.exists("\(aside)/\($0)") }) else { return false }
        func isSame(_ name: String) -> Bool { FileIdentity(path: "\(aside)/\(name)") == FileIdentity(path: "\(directory)/\(name)") }
        if DataDirectory.exists(directory + "/" + database[0]) {
            guard DataDirectory.exists(aside + "/" + database[0]) else { return FileIdentity.size(ofFile: "\(aside)/\(mark)") == 0 }
            return isSame(database[0])
        }
        // What a removed database has left beside it must be that one's.
        return DataDirectory.exists(aside + "/" + database[0])
            && database.allSatisfy { name in
                let left = "\(directory)/\(name)"
                // Where a file cannot have two names, there are two files.
                return !DataDirectory.exists(left) || isSame(name)
                    || FileManager.default.contentsEqual(atPath: left, andPath: "\(aside)/\(name)")
            }
    }

    /// Makes the folder with copies of the keys and the anchor: the data folder keeps its keys, and its anchor until there is a new one.
    func keepKeysAndAnchor() throws(StoreError) {
        guard placed == nil else { return }
        try DurableFile.makePrivateFolder(path, doing: doing)
        // The database has both names, and a server may have gone on with it since: what was kept of its log is not of this moment.
        if let present = FileIdentity(path: directory + "/" + Self.database[0]),
            present == FileIdentity(path: path + "/" + Self.database[0])
        {
            for name in Self.database.reversed() { try DurableFile.remove(path + "/" + name, doing: doing) }
        }
        // The database comes after them, so they are there already; and by now the data folder may have other keys.
        guard !DataDirectory.exists(path + "/" + Self.database[0]) else { return }
        try DurableFile.replace(path + "/" + Self.mark, with: [], doing: doing)
        func copy(_ name: String) throws(StoreError) {
            guard let bytes = try DurableFile.read(directory + "/" + name, doing: doing) else { return }
            try DurableFile.replace(path + "/" + name, with: bytes, doing: doing)
        }
        try copy("anchor.json")
        let keys = try DurableFile.names(in: directory + "/keys", doing: doing)
        if !keys.isEmpty { try DurableFile.makePrivateFolder(path + "/keys", doing: doing) }
        for name in keys { try copy("keys/" + name) }
        if !keys.isEmpty { try DurableFile.syncFolder(path + "/keys", doing: doing) }
        try DurableFile.syncFolder(path, doing: doing)
        try DurableFile.syncFolder(directory, doing: doing)
    }

    /// Gives the database, its log and its journal a second name in this folder; the first one stays.
    /// - Returns: the names that are new here. When it throws, none is.
    func keepDatabase() throws(StoreError) -> [String] {
        guard placed == nil else { return [] }
        var kept: [String] = []
        do throws(StoreError) {
            for name in Self.database where DataDirectory.exists(directory + "/" + name) && !DataDirectory.exists(path + "/" + name) {
                kept.append(name)
                try keep(name)
            }
            try DurableFile.syncFolder(path, doing: doing)
            return kept
        } catch {
            letGo(kept)
            throw error
        }
    }

    /// Removes second names again, where the first ones stay after all: of a database that is in use there must be one name.
    func letGo(_ names: [String]) {
        // A file that has only this name is the last one of its content.
        for name in names where DataDirectory.exists(directory + "/" + name) { unlink(path + "/" + name) }
    }

    /// Notes which database is about to be put in the place of the one that is kept here.
    func note(_ placed: ChainAnchor?) throws(StoreError) {
        try placed?.write(to: path + "/" + Self.mark, doing: doing)
        try DurableFile.syncFolder(path, doing: doing)
    }

    private func keep(_ name: String) throws(StoreError) {
        let (own, other) = (directory + "/" + name, path + "/" + name)
        if let target = Self.target(of: own, in: directory) {
            guard symlink(target, other) == 0 else { throw StoreError(errno: errno, doing: doing, at: other) }
            return
        }
        guard link(own, other) != 0 else { return }
        var status = stat()
        guard lstat(own, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            // No database: it need not be in both places.
            guard rename(own, other) == 0 else { throw StoreError(errno: errno, doing: doing, at: own) }
            return
        }
        // Some file systems know no second names, and some users may not give one to another's file. A copy has its name only once it is
        // whole: half of one would be taken for the way back.
        let new = other + ".new"
        try DurableFile.remove(new, doing: doing)
        do throws(StoreError) {
            try DurableFile.copy(own, to: new, doing: doing)
            try DataDirectory.synchronize(file: new)
            guard rename(new, other) == 0 else { throw StoreError(errno: errno, doing: doing, at: new) }
        } catch {
            // It would take the room for nothing.
            unlink(new)
            throw error
        }
    }

    /// Where a symbolic link leads that would lead elsewhere from another folder; nil for an absolute one and for a file. What it leads to
    /// stays where it is, with the log that SQLite keeps beside that, and root must not give another name to what anybody's link leads to.
    private static func target(of path: String, in directory: String) -> String? {
        guard FolderOwner.isLink(path), let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path),
            !target.hasPrefix("/"), let folder = realpath(directory, nil)
        else { return nil }
        defer { free(folder) }
        return String(cString: folder) + "/" + target
    }

    /// Moves what is not needed beside a new database here. A file that does not exist need not be moved.
    func takeRest() throws(StoreError) {
        for name in Self.rest where DataDirectory.exists(directory + "/" + name) {
            if DataDirectory.exists(path + "/" + name) {
                // A server wrote it since, for the database of the restore that was interrupted.
                do { try FileManager.default.removeItem(atPath: directory + "/" + name) } catch {
                    throw StoreError(error, doing: doing, at: directory + "/" + name)
                }
                continue
            }
            guard rename(directory + "/" + name, path + "/" + name) == 0 else {
                throw StoreError(errno: errno, doing: doing, at: directory + "/" + name)
            }
        }
    }

    /// The server's user must be able to go back to what is kept here. What was moved here has its owner already.
    func giveToOwner() throws(StoreError) {
        let keys = try DurableFile.names(in: path + "/keys", doing: doing).map { "keys/" + $0 }
        try DataDirectory.giveToOwner(of: directory, [String(path.dropFirst(directory.count + 1))])
        try DataDirectory.giveToOwner(of: path, ["anchor.json", "keys"] + keys + Self.database)
    }

    /// To be called when a restore has ended: none of the folders is gone on with.
    static func finish(in directory: String, doing: String) {
        // A mark that stays does no harm while the folder has another database, and goes with the next restore.
        for aside in (try? all(in: directory, doing: doing)) ?? [] { try? DurableFile.remove("\(aside)/\(mark)", doing: doing) }
    }
}
