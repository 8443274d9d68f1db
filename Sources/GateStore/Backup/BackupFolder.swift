import Foundation
package import GateCrypto
package import GateJSON
package import GateModel
import Synchronization

/// The folder in which a server keeps its backups, one file each, private to its owner.
///
/// Thread-safe. Other files in the folder are left alone, and so are the backups of another console, whose server was given the same
/// folder: they are listed as such, do not count, and are not removed.
package final class BackupFolder: Sendable {
    package let path: String
    private let key: SealingKey?
    /// What was found in each file, valid while the file is unchanged: reading one takes as long as reading the database.
    private let known = Mutex<[String: (stamp: Stamp, entry: ListedBackup, history: String?)]>([:])
    /// Whose backups are kept here, as ``Store/historyID()``; nil until that is known.
    private let history = Mutex<String?>(nil)
    private let isMaking = Mutex(false)

    private struct Stamp: Equatable {
        let file: FileIdentity?
        let bytes: Int
        let modified: Int
    }

    private static let reading = "Reading the backups"
    private static let making = "Making a backup"

    /// - Parameters:
    ///   - path: created if missing, and readable only by its owner afterwards.
    ///   - key: the key to which new backups are encrypted; nil to leave them unencrypted.
    /// - Throws: the file system's error.
    package init(_ path: String, encryptingTo key: SealingKey? = nil) throws(StoreError) {
        try DurableFile.makePrivateFolder(path, doing: "Opening the folder of the backups")
        (self.path, self.key) = (path, key)
        // Left behind by a crash.
        for name in try DurableFile.names(in: path, doing: Self.reading) where Self.isLeftOver(name) && !isBeingMade(name) {
            try DurableFile.remove(path + "/" + name, doing: Self.making)
        }
    }

    /// Says whose backups are kept here, as ``Store/historyID()``. The first backup that is made says so too.
    package func keep(history: String?) { self.history.withLock { $0 = history ?? $0 } }

    /// Makes a backup.
    /// - Parameter write: makes the file at that path, encrypted to the key if there is one, or leaves nothing behind.
    /// - Throws: ``StoreError/Code/busy`` while one is being made; what `write` throws.
    func make(
        at now: Timestamp,
        _ write: (_ path: String, SealingKey?) throws(StoreError) -> (manifest: BackupManifest, whole: BackupFile.Whole)
    ) throws(StoreError) -> ListedBackup {
        let mayBegin = isMaking.withLock { isMaking in
            defer { isMaking = true }
            return !isMaking
        }
        guard mayBegin else { throw StoreError(.busy, "A backup is being made", hint: "Wait for it; gatectl backup list shows it then.") }
        defer { isMaking.withLock { $0 = false } }
        var moment = now
        // There may be one from the same millisecond.
        while DataDirectory.exists(path + "/" + Self.name(at: moment)) { moment = Timestamp(milliseconds: moment.milliseconds + 1) }
        let name = Self.name(at: moment)
        let backup = try write(path + "/" + name, key)
        let entry = ListedBackup(
            name: name,
            at: backup.manifest.at,
            sequence: backup.manifest.sequence,
            bytes: backup.whole.bytes,
            digest: backup.whole.digest.hexadecimal,
            fault: nil
        )
        let stamp = stamp(of: name)
        keep(history: backup.manifest.history)
        known.withLock { $0[name] = (stamp, entry, backup.manifest.history) }
        return entry
    }

    /// Every backup, the newest first. Each is read completely once, to know whether it is sound.
    /// - Throws: when the folder, or a file in it, cannot be read.
    package func entries() throws(StoreError) -> [ListedBackup] {
        let names = try DurableFile.names(in: path, doing: Self.reading).filter(Self.isName).sorted(by: >)
        known.withLock { known in known = known.filter { names.contains($0.key) } }
        var entries: [ListedBackup] = []
        for name in names {
            if let entry = try entry(name) { entries.append(entry) }
        }
        return entries
    }

    /// Removes backups that need not be kept. It keeps the newest `count`, the newest of each of as many intervals, and for the last 30
    /// days the newest of each day (UTC). Files that are not sound do not count as backups, and stay for people to look at.
    /// - Parameter interval: seconds, positive.
    /// - Returns: the names of the removed files.
    @discardableResult
    package func prune(keeping count: Int, every interval: Int64, now: Timestamp) throws(StoreError) -> [String] {
        let sound = try entries().filter { $0.fault == nil }
        let surplus = Self.surplus(sound.map(\.at), keeping: count, every: interval, now: now)
        let names = surplus.map { sound[$0].name }
        for name in names { try DurableFile.remove(path + "/" + name, doing: "Removing an old backup") }
        return names
    }

    static let dayMilliseconds: Int64 = 86_400_000
    static let days: Int64 = 30

    /// The indexes of those that need not be kept.
    ///
    /// A clock that is wrong for a moment must not cost the backups of a month: age is counted from the backup before the newest, only one
    /// day's backups become too old at a time, and what claims to come from the future is kept without taking another one's place.
    /// - Parameter times: the newest first.
    static func surplus(_ times: [Timestamp], keeping count: Int, every interval: Int64, now: Timestamp) -> [Int] {
        func day(_ index: Int) -> Int64 { times[index].milliseconds / dayMilliseconds }
        let past = times.indices.filter { times[$0] <= now }
        var intervals: Set<Int64> = []
        let kept = Set(
            past.enumerated().filter { rank, index in
                // This way, many backups made at once do not push out those of the hours before.
                let isFirst = intervals.count < count && intervals.insert(times[index].milliseconds / (interval * 1_000)).inserted
                return rank < count || isFirst
            }.map(\.element)
        )
        var days = Set(kept.map(day))
        let today = past.dropFirst().first.map(day) ?? now.milliseconds / dayMilliseconds
        let rest = past.filter { !kept.contains($0) }
        let old = rest.filter { today - day($0) > Self.days }
        let oldest = old.last.map(day)
        return rest.filter { index in
            today - day(index) > Self.days ? day(index) == oldest : !days.insert(day(index)).inserted
        }
    }

    private func entry(_ name: String) throws(StoreError) -> ListedBackup? {
        let stamp = stamp(of: name)
        if let found = known.withLock({ $0[name] }), found.stamp == stamp { return judged(found.entry, of: found.history) }
        let entry: ListedBackup
        var history: String?
        do throws(StoreError) {
            let file = try BackupFile(path + "/" + name)
            let whole = try file.check()
            history = file.manifest.history
            entry = ListedBackup(
                name: name,
                at: file.manifest.at,
                sequence: file.manifest.sequence,
                bytes: whole.bytes,
                digest: whole.digest.hexadecimal,
                fault: nil
            )
        } catch {
            switch error.code {
            // Removed since the names were read.
            case .notFound: return nil
            case .corrupt, .schemaTooNew:
                let at = Self.time(in: name)
                let fault = error.code == .corrupt ? "it is not what was written" : "it has a form of a newer gatehouse"
                entry = ListedBackup(
                    name: name,
                    at: at,
                    sequence: 0,
                    bytes: stamp.bytes,
                    digest: SHA256Digest.zero.hexadecimal,
                    fault: fault
                )
            default: throw error
            }
        }
        known.withLock { [history] in $0[name] = (stamp, entry, history) }
        return judged(entry, of: history)
    }

    /// What is listed of a file; one of another history is no backup of this database.
    private func judged(_ entry: ListedBackup, of theirs: String?) -> ListedBackup {
        guard entry.fault == nil, let theirs, let ours = history.withLock({ $0 }), theirs != ours else { return entry }
        return ListedBackup(
            name: entry.name,
            at: entry.at,
            sequence: entry.sequence,
            bytes: entry.bytes,
            digest: entry.digest,
            fault: "it is of another console (history \(theirs)); give each server a folder of its own"
        )
    }

    private func stamp(of name: String) -> Stamp {
        var status = stat()
        let path = path + "/" + name
        guard stat(path, &status) == 0 else { return Stamp(file: nil, bytes: 0, modified: 0) }
        return Stamp(
            file: FileIdentity(path: path),
            bytes: Int(status.st_size),
            modified: Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
        )
    }

    // MARK: Names

    /// What the names of backups end in, unless somebody chose another.
    static let ending = ".backup"

    /// `gatehouse-20261122T110703123Z.backup`, sorts by time.
    static func name(at time: Timestamp) -> String {
        "gatehouse-\(time.inFileNames)Z\(ending)"
    }

    private static var form: Regex<(Substring, Substring, Substring, Substring, Substring, Substring, Substring, Substring)> {
        #/gatehouse-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z\.backup/#
    }

    /// The backup that such a file becomes, if it is one that an interrupted backup leaves behind.
    private static func finished(_ name: String) -> String? {
        BackupPlace.finished(name).flatMap { isName($0) ? $0 : nil }
    }

    private static func isLeftOver(_ name: String) -> Bool { finished(name) != nil }

    /// Whether somebody else writes that backup at this moment.
    private func isBeingMade(_ name: String) -> Bool {
        Self.finished(name).map { OpenFile.isClaimed(BackupPlace(path: path + "/" + $0).new) } ?? false
    }

    private static func isName(_ name: String) -> Bool { name.wholeMatch(of: form) != nil }

    private static func time(in name: String) -> Timestamp {
        guard let parts = name.wholeMatch(of: form)?.output else { return .unreadable }
        return Timestamp("\(parts.1)-\(parts.2)-\(parts.3)T\(parts.4):\(parts.5):\(parts.6).\(parts.7)Z") ?? .unreadable
    }
}
