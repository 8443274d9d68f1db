import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateStore

@Suite(.onSQLite) struct BackupTests {
    private func names(in folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test func aBackupHoldsTheStateOfItsSequence() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let path = scratch.path + "/one.backup"
        let backup = try store.backUp(to: path)
        let state = world.state
        try store.commit(world.set([.shopIOS: .everything]))
        #expect(backup.manifest.sequence == state.lastSequence)
        #expect(backup.manifest.at == scratch.clock.now)
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        #expect(backup.whole.bytes == bytes.count)
        #expect(backup.whole.digest == SHA256Digest(of: bytes))
        let (manifest, faults) = try Store.verify(backup: path, migrations: Scratch.migrations)
        #expect(manifest == backup.manifest)
        #expect(faults == [])
        // What it holds is read like any database.
        let other = try Scratch()
        try FileManager.default.createDirectory(atPath: other.data, withIntermediateDirectories: true)
        try BackupFile(path).check(extractingTo: other.database)
        #expect(try Connection.copy(other.database).read { try StateLoader.load(from: $0) } == state)
    }

    @Test func aBackupIsItsOwnersAloneAndLeavesNothingBesideIt() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.fill()
        let folder = scratch.path + "/backups"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // What a crash left behind is in nobody's way.
        try Data(BackupManifest.beginning + Array("half".utf8)).write(to: URL(filePath: folder + "/one.backup.new"))
        _ = try store.backUp(to: folder + "/one.backup")
        #expect(try names(in: folder) == ["one.backup"])
        let mode = try FileManager.default.attributesOfItem(atPath: folder + "/one.backup")[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    /// A server that is at work has the folder; and one that was killed has left its log behind.
    @Test func aBackupIsMadeBesideAServerAndWithoutOne() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let wal = store.walBytes
        #expect(wal > 0)
        let beside = try Store.backUp(directory: scratch.data, to: scratch.path + "/beside", at: scratch.clock.now)
        #expect(beside.manifest.sequence == world.changes.count)
        #expect(store.walBytes == wal, "nothing was folded in")
        try store.commit(world.set([.shopIOS: .everything]))
        try store.close()
        let without = try Store.backUp(directory: scratch.data, to: scratch.path + "/without", at: scratch.clock.now)
        #expect(without.manifest.sequence == world.changes.count)
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
    }

    @Test func oneFlippedBitAnywhereIsFound() throws {
        let scratch = try Scratch()
        try scratch.store().closing { _ = try $0.fill() }
        let path = scratch.path + "/one.backup"
        _ = try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now)
        let sound = try Data(contentsOf: URL(filePath: path))
        let line = try #require(sound.firstIndex(of: 0x0A))
        // Every bit of the manifest and of the last line, and bits all over the database.
        var places = Array(0...line) + Array(sound.count - 70..<sound.count)
        var random = SeededGenerator(seed: 4)
        for _ in 1...100 { places.append(random.next(below: sound.count)) }
        for place in places {
            for bit in 0..<8 where place < 600 || place > sound.count - 80 || bit == place % 8 {
                var altered = sound
                altered[place] ^= 1 << bit
                try altered.write(to: URL(filePath: path))
                let code = code { try BackupFile(path).check() }
                #expect(code == .corrupt || code == .schemaTooNew, "bit \(bit) of byte \(place)")
            }
        }
        for length in [0, 1, line, line + 1, sound.count - 100, sound.count - 1] {
            try sound.prefix(length).write(to: URL(filePath: path))
            #expect(code { try BackupFile(path).check() } == .corrupt, "cut off at \(length)")
        }
        try (sound + Data([0])).write(to: URL(filePath: path))
        #expect(code { try BackupFile(path).check() } == .corrupt)
        try sound.write(to: URL(filePath: path))
        #expect(code { try BackupFile(path).check() } == nil)
    }

    @Test func whatIsNoBackupIsNeverReplaced() throws {
        let scratch = try Scratch()
        try scratch.store().closing { _ = try $0.fill() }
        let before = try scratch.databaseBytes()
        #expect(code { _ = try Store.backUp(directory: scratch.data, to: scratch.database, at: scratch.clock.now) } == .duplicate)
        #expect(try scratch.databaseBytes() == before)
        let path = scratch.path + "/one.backup"
        for _ in 1...2 { _ = try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now) }
        #expect(code { _ = try Store.backUp(directory: scratch.path + "/none", to: path, at: scratch.clock.now) } == .notFound)
    }

    /// The remedy for the data folder's own files would send whoever restores at night to a folder that has nothing wrong. As for root
    /// every file can be read, a folder stands for what cannot be.
    @Test func whatCannotBeReadIsNamedAndIsNotCalledTheDatabase() throws {
        let scratch = try Scratch()
        try scratch.store().closing { _ = try $0.fill() }
        let path = scratch.path + "/folder.backup"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let reads: [(String, () throws -> Void)] = [
            ("a backup", { _ = try BackupFile(path) }), ("a key", { _ = try BackupKeyFile.read(path) }),
        ]
        for (what, read) in reads {
            let error = #expect(throws: StoreError.self, "\(what)") { try read() }
            #expect(error?.code == .unreadable && error?.detail.hasPrefix(path + ": ") == true, "\(what): \(error?.detail ?? "")")
            #expect(error?.hint.contains("may read") == true && error?.hint.contains("database") == false, "\(what): \(error?.hint ?? "")")
        }
        let error = #expect(throws: StoreError.self) { try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now) }
        #expect(error?.code == .duplicate && error?.hint == "Name another file with --out.", "\(error?.description ?? "")")
    }

    /// Backups of one name at once: none is half of one and half of another.
    @Test func whoeverComesSecondToANameIsTurnedAway() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.fill()
        let path = scratch.path + "/one.backup"
        do {
            let claimed = try OpenFile(claiming: path + ".new", doing: "x")
            #expect(code { _ = try store.backUp(to: path) } == .busy)
            withExtendedLifetime(claimed) {}
        }
        let outcomes = Mutex<[StoreError.Code?]>([])
        DispatchQueue.concurrentPerform(iterations: 12) { _ in
            let outcome = code { _ = try store.backUp(to: path) }
            outcomes.withLock { $0.append(outcome) }
        }
        #expect(outcomes.withLock { $0 }.contains(nil))
        #expect(outcomes.withLock { $0 }.allSatisfy { $0 == nil || $0 == .busy })
        try BackupFile(path).check()
        #expect(try names(in: scratch.path) == ["data", "one.backup"])
    }

    /// A database that is not sound makes no backup, and the older ones stay.
    @Test func anAlteredHistoryMakesNoBackup() throws {
        let scratch = try Scratch()
        try scratch.store().closing { _ = try $0.fill() }
        let path = scratch.path + "/one.backup"
        let first = try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now)
        try scratch.dropTriggers()
        try scratch.tamper("UPDATE changes SET reason = 'INC-2' WHERE sequence = 2")
        #expect(code { _ = try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now) } == .corrupt)
        #expect(try BackupFile(path).check() == first.whole)
        #expect(try names(in: scratch.path) == ["data", "one.backup"])
    }

    @Test(.enabled(if: SmallDisk.canMount)) func onAFullDiskThereIsNoBackupAndNothingIsLeftOfIt() throws {
        let disk = try SmallDisk(kibibytes: 4_096)
        defer { disk.unmount() }
        let scratch = try Scratch()
        try scratch.store().closing { _ = try $0.fill() }
        let path = disk.path + "/one.backup"
        let backup = try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now)
        let size = backup.whole.bytes
        // Room for nothing, for a part of the copy, and for the copy and a part of the file.
        for room in [0, size / 2, size * 3 / 2] {
            try disk.fill(disk.path + "/ballast")
            let ballast = try FileHandle(forWritingTo: URL(filePath: disk.path + "/ballast"))
            try ballast.truncate(atOffset: ballast.seekToEnd() - UInt64(room))
            try ballast.close()
            #expect(
                code { _ = try Store.backUp(directory: scratch.data, to: path, at: scratch.clock.now) } == .full,
                "room for \(room) of \(size) bytes"
            )
            #expect(try names(in: disk.path) == ["ballast", "one.backup"])
            #expect(try BackupFile(path).check() == backup.whole)
            try FileManager.default.removeItem(atPath: disk.path + "/ballast")
        }
    }

    /// Backups one after the other while changes are made as fast as they go: each is sound, of one moment, and none is in a change's way.
    @Test func backupsBesideChangesAreEachOfOneMoment() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        var states: [Int: StoredState] = [world.changes.count: world.state]
        let made = Mutex<[Store.Backup]>([])
        let isDone = Mutex(false)
        let thread = Thread {
            for number in 1...5 {
                guard let backup = try? store.backUp(to: scratch.path + "/\(number).backup") else { continue }  // missing below
                made.withLock { $0.append(backup) }
            }
            isDone.withLock { $0 = true }
        }
        thread.start()
        var slowest = Duration.zero
        while !isDone.withLock({ $0 }) {
            let commit = world.set([.shopIOS: world.changes.count.isMultiple(of: 2) ? .everything : .open])
            let begun = ContinuousClock.now
            try store.commit(commit)
            slowest = max(slowest, ContinuousClock.now - begun)
            states[world.changes.count] = world.state
        }
        let backups = made.withLock { $0 }
        #expect(backups.count == 5)
        for (index, backup) in backups.enumerated() {
            let path = scratch.path + "/\(index + 1).backup"
            #expect(try Store.verify(backup: path, migrations: Scratch.migrations).1 == [])
            let database = scratch.path + "/\(index).sqlite"
            try BackupFile(path).check(extractingTo: database)
            #expect(try Connection.copy(database).read { try StateLoader.load(from: $0) } == states[backup.manifest.sequence])
        }
        #expect(slowest < .seconds(2), "on a machine that others use too")
    }

    /// What is encrypted tells its sequence and when it was made, and nothing else to whoever has not the other half.
    @Test(arguments: [1, 40]) func anEncryptedBackupIsReadWithItsKeyAlone(notes: Int) throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let world = try store.fill()
        // Pieces of the stream are 256 KiB: one, and several.
        for number in 1...notes {
            let detail: JSONObject = ["text": .string(String(repeating: "canary ", count: 4_000))]
            try store.appendAudit(AuditEntry(at: scratch.clock.now, actor: nil, action: "a", requestId: "r\(number)", detail: detail))
        }
        let key = OpeningKey(random: .system)
        let path = scratch.path + "/one.backup"
        let backup = try store.backUp(to: path, encryptedTo: key.sealingKey)
        let sound = try Data(contentsOf: URL(filePath: path))
        #expect(sound.range(of: Data("canary".utf8)) == nil)
        #expect(sound.range(of: Data("SQLite format".utf8)) == nil)
        #expect(try BackupFile(path).manifest == backup.manifest)
        #expect(try BackupFile(path).check() == backup.whole, "that it is whole, anybody can tell")
        #expect(code { _ = try Store.verify(backup: path) } == .keyMissing)
        #expect(code { _ = try Store.verify(backup: path, key: OpeningKey(random: .system)) } == .keyMissing)
        #expect(try Store.verify(backup: path, migrations: Scratch.migrations, key: key).1 == [])
        try store.close()
        var request = RestoreRequest(
            directory: scratch.path + "/elsewhere",
            backup: path,
            migrations: Scratch.migrations,
            now: { scratch.clock.now }
        )
        #expect(code { _ = try Store.restore(request) } == .keyMissing)
        request.key = key
        #expect(try Store.restore(request).manifest.sequence == world.changes.count)
        // Pieces that somebody left out, with all digests made anew, are missed all the same.
        if notes > 1 {
            let piece = 262_144 + SealingStream.overhead
            let start = try #require(sound.firstIndex(of: 0x0A)) + 1
            let body = Array(sound[start..<start + backup.manifest.bytes])
            for forged in [Array(body.prefix(24 + piece)), Array(body.prefix(24) + body.dropFirst(24 + piece))] {
                try Data(Self.forged(backup.manifest, forged)).write(to: URL(filePath: path))
                #expect(code { try BackupFile(path).check() } == nil)
                #expect(code { _ = try Store.verify(backup: path, key: key) } == .corrupt)
            }
        }
    }

    /// The names beside the one that was asked for are somebody's as long as nothing shows that a backup left them.
    @Test(arguments: [".copy", ".copy-journal", ".new"], ["notes", "mine.backup"])
    func whatABackupDidNotLeaveIsNotTouched(ending: String, name: String) throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.fill()
        let path = scratch.path + "/" + name
        let file = path + ending
        var contents = [Data("mine".utf8)]
        // A database may be a copy that a person made, where the name does not show that a backup was made here.
        if ending == ".copy", name == "notes" { contents.append(Data("SQLite format 3\0mine".utf8)) }
        for content in contents {
            try content.write(to: URL(filePath: file))
            let error = #expect(throws: StoreError.self) { try store.backUp(to: path) }
            #expect(error?.code == .duplicate && error?.detail.contains(file) == true, "\(error?.description ?? "")")
            #expect(try Data(contentsOf: URL(filePath: file)) == content)
            #expect(try names(in: scratch.path) == ["data", name + ending])
        }
        try FileManager.default.removeItem(atPath: file)
        let made = try store.backUp(to: path)
        #expect(try BackupFile(path).manifest == made.manifest)
        #expect(BackupManifest.beginning == Array(try Data(contentsOf: URL(filePath: path)).prefix(BackupManifest.beginning.count)))
        // What a backup was killed over is in nobody's way.
        for left in [".copy", ".copy-journal", ".new"] { try Data().write(to: URL(filePath: path + left)) }
        _ = try store.backUp(to: path)
        #expect(try names(in: scratch.path) == ["data", name])
    }

    /// Killed while it was made, and the next one has another name, as every night's has.
    @Test func whatAnInterruptedBackupOfAnotherNameLeftIsRemoved() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        _ = try store.fill()
        let folder = scratch.path + "/nightly"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = Array("SQLite format 3\0".utf8) + Array("everything".utf8)
        let files: [(name: String, content: [UInt8])] = [
            ("daily-1.backup.copy", database), ("daily-1.backup.copy-journal", []), ("daily-1.backup.new", [1]),
            ("daily-2.backup.copy", []), ("busy.backup.copy", database), ("mine.backup.copy", Array("{\"mine\":1}".utf8)),
            ("gatehouse.sqlite.copy", database),
        ]
        for (name, content) in files { try Data(content).write(to: URL(filePath: folder + "/" + name)) }
        // Nobody writes to it, so whoever opened it would wait for ever.
        try #require(mkfifo(folder + "/pipe.backup.copy", 0o600) == 0)
        let busy = try OpenFile(claiming: folder + "/busy.backup.new", doing: "Testing")
        _ = try store.backUp(to: folder + "/daily-3.backup")
        #expect(
            try names(in: folder) == [
                "busy.backup.copy", "busy.backup.new", "daily-3.backup", "gatehouse.sqlite.copy", "mine.backup.copy", "pipe.backup.copy",
            ]
        )
        withExtendedLifetime(busy) {}
    }

    /// A file with another body, and everything about it right that can be computed.
    private static func forged(_ manifest: BackupManifest, _ body: [UInt8]) -> [UInt8] {
        let manifest = BackupManifest(
            at: manifest.at,
            anchor: manifest.anchor,
            schema: manifest.schema,
            bytes: body.count,
            digest: SHA256Digest(of: body),
            encryption: manifest.encryption
        )
        let bytes = manifest.json.bytes + [0x0A] + body
        return bytes + Array("\n\(SHA256Digest(of: bytes).hexadecimal)\n".utf8)
    }
}
