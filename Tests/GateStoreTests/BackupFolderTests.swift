import Foundation
import GateJSON
import GateModel
import GateTesting
import Testing

@testable import GateStore

@Suite(.onSQLite) struct BackupFolderTests {
    private func names(_ path: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

    @Test func backupsAreListedTheNewestFirstAndReadOnce() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let folder = try BackupFolder(scratch.path + "/backups")
        var made: [ListedBackup] = []
        for _ in 1...3 {
            made.insert(try folder.make(of: store, at: scratch.clock.now), at: 0)
            try store.commit(world.set([.shopIOS: .everything]))
            // Two within a millisecond are two.
            if made.count == 2 { scratch.clock.advance(seconds: 60) }
        }
        #expect(made.map(\.name) == made.map(\.name).sorted(by: >))
        #expect(Set(made.map(\.name)).count == 3)
        #expect(try folder.entries() == made)
        #expect(try BackupFolder(folder.path).entries() == made, "another server finds the same")
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
    }

    @Test func whatIsNotSoundIsListedAsSuchAndNeverRemoved() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.fill()
        let folder = try BackupFolder(scratch.path + "/backups")
        let first = try folder.make(of: store, at: scratch.clock.now)
        scratch.clock.advance(seconds: 3_600)
        let second = try folder.make(of: store, at: scratch.clock.now)
        let path = folder.path + "/" + first.name
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[5_000] ^= 1
        try bytes.write(to: URL(filePath: path))
        let entries = try folder.entries()
        #expect(entries.map(\.name) == [second.name, first.name])
        #expect(entries.map { $0.fault != nil } == [false, true])
        #expect(entries[1].at == first.at)
        #expect(try folder.prune(keeping: 1, every: 3_600, now: scratch.clock.now) == [])
        #expect(try names(folder.path) == [first.name, second.name])
    }

    /// Two servers were given the same folder: neither takes the other's backups away, nor takes them for its own.
    @Test func anotherConsolesBackupsDoNotCountAndStay() throws {
        let (scratch, foreign) = (try Scratch(), try Scratch())
        let (store, other) = (try scratch.store(), try foreign.store())
        _ = try store.fill()
        var world = World()
        try other.commit(world.saveApp(.shop, actor: "bob"))
        let (folder, theirs) = (try BackupFolder(scratch.path + "/backups"), try BackupFolder(scratch.path + "/backups"))
        var own: [ListedBackup] = []
        for _ in 1...2 {
            own.insert(try folder.make(of: store, at: scratch.clock.now), at: 0)
            scratch.clock.advance(seconds: 3_600)
            _ = try theirs.make(of: other, at: scratch.clock.now)
            scratch.clock.advance(seconds: 3_600)
        }
        // After a start it is the same: the files say whose they are.
        let again = try BackupFolder(folder.path)
        again.keep(history: try store.historyID())
        for folder in [folder, again] {
            let entries = try folder.entries()
            #expect(entries.count == 4)
            #expect(entries.filter { $0.fault == nil } == own)
            #expect(entries.compactMap(\.fault).allSatisfy { $0.contains("of another console") }, "\(entries)")
            #expect(entries.first?.fault != nil, "the newest is not its own")
        }
        #expect(try theirs.prune(keeping: 1, every: 3_600, now: scratch.clock.now).count == 1)
        #expect(try folder.entries().filter { $0.fault == nil } == own, "all of them are still there")
        // Nor is one taken away that is just being made.
        let name = BackupFolder.name(at: scratch.clock.now)
        let making = try OpenFile(claiming: folder.path + "/" + name + ".new", doing: "x")
        try Data("x".utf8).write(to: URL(filePath: folder.path + "/" + name + ".copy"))
        _ = try BackupFolder(folder.path)
        #expect(Set(try names(folder.path)).isSuperset(of: [name + ".new", name + ".copy"]))
        withExtendedLifetime(making) {}
        try store.close()
        try other.close()
    }

    @Test func whatACrashLeftBehindGoesAndNothingElse() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/backups"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let name = BackupFolder.name(at: scratch.clock.now)
        for other in [name + ".new", name + ".copy", name + ".copy-journal", name + ".sha256", "mine.new", "notes.txt"] {
            try Data("x".utf8).write(to: URL(filePath: path + "/" + other))
        }
        _ = try BackupFolder(path)
        #expect(try names(path) == [name + ".sha256", "mine.new", "notes.txt"].sorted())
    }

    /// Hourly ones for forty days: the newest 48, one for each older day up to 30, and none before.
    @Test func theNewestAreKeptAndThenOneADay() {
        let hour: Int64 = 3_600_000
        let now = Timestamp(milliseconds: 1_774_000_000_000)
        let times = (0..<40 * 24).map { Timestamp(milliseconds: now.milliseconds - Int64($0) * hour) }
        var kept = Array(times.indices)
        // What is too old goes a day at a time.
        while case let surplus = BackupFolder.surplus(kept.map { times[$0] }, keeping: 48, every: 3_600, now: now), !surplus.isEmpty {
            kept = kept.indices.filter { !surplus.contains($0) }.map { kept[$0] }
        }
        #expect(Array(kept.prefix(48)) == Array(0..<48))
        let days = kept.dropFirst(48).map { times[$0].milliseconds / BackupFolder.dayMilliseconds }
        #expect(Set(days).count == days.count)
        #expect(days.count == 28, "31 days with today, of which the newest 48 are three")
        #expect(
            kept.allSatisfy {
                now.milliseconds / BackupFolder.dayMilliseconds - times[$0].milliseconds / BackupFolder.dayMilliseconds <= 30
            }
        )
        // What is kept is kept again.
        let rest = kept.map { times[$0] }
        #expect(BackupFolder.surplus(rest, keeping: 48, every: 3_600, now: now) == [])
        #expect(
            BackupFolder.surplus([now], keeping: 1, every: 3_600, now: Timestamp(milliseconds: now.milliseconds + 400 * 24 * hour)) == [],
            "the last one stays whatever its age"
        )
    }

    /// A clock that is months ahead for one backup, and right again.
    @Test func aClockThatIsAheadForAMomentTakesNothing() {
        let day = BackupFolder.dayMilliseconds
        let now = Timestamp(milliseconds: 1_774_000_000_000)
        let daily = (0..<8).map { Timestamp(milliseconds: now.milliseconds - Int64($0) * day) }
        let ahead = Timestamp(milliseconds: now.milliseconds + 60 * day)
        #expect(BackupFolder.surplus([ahead] + daily, keeping: 2, every: 86_400, now: ahead) == [])
        #expect(BackupFolder.surplus([ahead] + daily, keeping: 2, every: 86_400, now: now) == [])
        // For longer: one day's at a time, the oldest first.
        let more = Timestamp(milliseconds: ahead.milliseconds + day)
        #expect(BackupFolder.surplus([more, ahead] + daily, keeping: 2, every: 86_400, now: more) == [9])
        // What is ahead takes no other's place.
        let hourly = (0..<4).map { Timestamp(milliseconds: now.milliseconds - Int64($0) * 3_600_000) }
        #expect(BackupFolder.surplus([more, ahead] + hourly, keeping: 2, every: 3_600, now: now) == [4, 5])
    }

    /// One who asks for backup after backup does not take away those of the hours before, nor fill the disk.
    @Test func manyInOneHourPushOutNoneOfTheHoursBefore() {
        let hour: Int64 = 3_600_000
        let now = Timestamp(milliseconds: 1_774_000_000_000 / hour * hour + hour / 2)
        let flood = (0..<500).map { Timestamp(milliseconds: now.milliseconds - Int64($0) * 1_000) }
        let hourly = (1...60).map { Timestamp(milliseconds: now.milliseconds - Int64($0) * hour) }
        let times = flood + hourly
        let surplus = Set(BackupFolder.surplus(times, keeping: 48, every: 3_600, now: now))
        let kept = times.indices.filter { !surplus.contains($0) }
        #expect(kept.filter { $0 >= flood.count }.count >= 47, "those of 47 hours before")
        #expect(Array(kept.prefix(48)) == Array(0..<48))
        #expect(kept.count <= 2 * 48 + 31)
    }
}
