import Foundation

/// Where a backup is made: its name, and the names beside it that are needed until it is whole.
///
/// What an interrupted backup has left under those names is removed; what anybody else has put there never is.
struct BackupPlace {
    let path: String

    /// The copy of the database, unencrypted and perhaps with the keys.
    var copy: String { path + Self.copyEnding }
    /// The backup until it is whole. Whoever has claimed it (``OpenFile/init(claiming:doing:)``) makes that backup.
    var new: String { path + Self.newEnding }
    /// The copy and what SQLite has beside it. The copy last: what lies beside it is known by it.
    private var copies: [String] { Self.sideEndings.map { copy + $0 } + [copy] }
    /// All files that must not stay when a process ends.
    var passing: [String] { copies + [new] }

    private static let copyEnding = ".copy"
    private static let newEnding = ".new"
    private static let sideEndings = ["-shm", "-wal", "-journal"]

    /// The name of the backup in whose making a file of that name is left behind; nil for a name that none leaves.
    static func finished(_ name: String) -> String? {
        ([copyEnding, newEnding] + sideEndings.map { copyEnding + $0 }).first(where: name.hasSuffix).map { String(name.dropLast($0.count)) }
    }

    /// Begins a backup in an empty place.
    /// - Returns: the file to write, held until it is closed: of two processes that write the same backup, one would name a file that is
    ///   half the other's.
    /// - Throws: ``StoreError/Code/duplicate`` when one of the names is something else's, ``StoreError/Code/busy`` while somebody else
    ///   makes this backup.
    func claim() throws(StoreError) -> OpenFile {
        try requireReplaceable()
        let isLeftBehind = DataDirectory.exists(new) || DataDirectory.exists(path) || path.hasSuffix(BackupFolder.ending)
        if !OpenFile.isClaimed(new), Self.isThere(new), !Self.isBegun(new) { throw Self.notOurs(new) }
        let file: OpenFile
        do throws(StoreError) { file = try OpenFile(claiming: new, doing: BackupFile.writing) } catch  where error.code == .unreadable {
            throw error.about(path, "Name a file in a folder that is there and can be written.")
        }
        if let other = copies.reversed().first(where: Self.isThere), !isLeftBehind || !Self.isDatabase(copy) {
            unlink(new)
            throw Self.notOurs(other)
        }
        return file
    }

    /// Only an older backup is replaced.
    private func requireReplaceable() throws(StoreError) {
        guard DataDirectory.exists(path) else { return }
        do throws(StoreError) { _ = try BackupFile(path) } catch  where error.code == .corrupt || error.code == .unreadable {
            let what = error.code == .corrupt ? "is not a backup" : "cannot be read as a backup"
            throw StoreError(
                .duplicate,
                "\(path) already exists and \(what), so it is left as it is",
                hint: "Name another file with --out."
            )
        }
    }

    func removeCopies() { for file in copies { unlink(file) } }

    /// Removes what interrupted backups of other names have left in the folder: the whole database, unencrypted and perhaps with the keys,
    /// which nobody would ever look for. What is being written, and what only has such a name, stays; so does what a backup without the
    /// usual ending left, because it may be a copy that a person made.
    func removeLeftoversOfOthers() {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        // What cannot be looked at or claimed now is looked at again with the next backup.
        let names = (try? DurableFile.names(in: folder, doing: BackupFile.writing)) ?? []
        for name in names where name.hasSuffix(BackupFolder.ending + Self.copyEnding) {
            let other = BackupPlace(path: folder + "/" + name.dropLast(Self.copyEnding.count))
            guard other.path != path, Self.isDatabase(other.copy), !OpenFile.isClaimed(other.path),
                let claim = try? OpenFile(claiming: other.new, doing: BackupFile.writing)
            else { continue }
            other.removeCopies()
            unlink(other.new)
            withExtendedLifetime(claim) {}
        }
    }

    // MARK: What lies there

    /// Whether it is a database of SQLite, or the empty file that becomes one.
    private static func isDatabase(_ path: String) -> Bool {
        let header = Array("SQLite format 3\0".utf8)
        guard let start = start(of: path, header.count) else { return false }
        return start.isEmpty || start == header
    }

    /// Whether it is the beginning of a backup, or the empty file that becomes one.
    private static func isBegun(_ path: String) -> Bool {
        let line = BackupManifest.beginning
        return start(of: path, line.count).map(line.starts) ?? false
    }

    /// The first bytes of a file, nil for what cannot be read, which is not known to be ours.
    private static func start(of path: String, _ count: Int) -> [UInt8]? {
        // Opening a FIFO would wait for somebody who writes to it.
        var found = stat()
        guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
        return try? OpenFile(reading: path, doing: BackupFile.writing).read(upTo: count)
    }

    /// Whether anything has the name, also a link that leads nowhere.
    private static func isThere(_ path: String) -> Bool {
        var found = stat()
        return lstat(path, &found) == 0
    }

    private static func notOurs(_ path: String) -> StoreError {
        StoreError(
            .duplicate,
            "A backup would be made in \(path), which already exists and was not left by one, so it is left as it is",
            hint: "Name another file with --out, or move that one away."
        )
    }
}
