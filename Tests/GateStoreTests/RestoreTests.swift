import Foundation
import GateCrypto
import GateJSON
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateStore

@Suite(.onSQLite) struct RestoreTests {
    /// A closed folder with a backup `one.backup` beside it, and some changes after that.
    private func folder(changesAfter count: Int = 3) throws -> (scratch: Scratch, world: World, later: World) {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        _ = try store.createUser(
            NewUser(name: "ann", role: .admin, passwordHash: PasswordHash(stored: "$argon2id$of-ann"), createdAt: scratch.clock.now),
            audit: AuditEntry(at: scratch.clock.now, actor: nil, action: "people.create", requestId: "r")
        )
        _ = try store.backUp(to: scratch.path + "/one.backup")
        let then = world
        for number in 0..<count { try store.commit(world.set([.shopIOS: number.isMultiple(of: 2) ? .everything : .open])) }
        try store.anchor().write(to: scratch.data + "/anchor.json", doing: "x")
        try store.close()
        return (scratch, then, world)
    }

    private func request(_ scratch: Scratch, to data: String? = nil) -> RestoreRequest {
        RestoreRequest(
            directory: data ?? scratch.data,
            backup: scratch.path + "/one.backup",
            migrations: Scratch.migrations,
            now: { scratch.clock.now }
        )
    }

    private func faults(_ directory: String) throws -> [String] {
        try Store.verify(directory: directory, migrations: Scratch.migrations).map(\.description)
    }

    /// The gates of a state, without what a restore makes new.
    private func gates(_ state: StoredState) -> [TargetKey: Gate] {
        Dictionary(uniqueKeysWithValues: state.apps.flatMap { app in app.platforms.values.map { ($0.key, $0.gate) } })
    }

    /// What was in force between the backup and the restore is lost, and whoever asks can see that it is.
    @Test func thePastEndsWhereTheBackupDoes() throws {
        let (scratch, then, later) = try folder()
        let lost = try #require(later.changes.last).at
        _ = try Store.restore(
            RestoreRequest(
                directory: scratch.data,
                backup: scratch.path + "/one.backup",
                migrations: Scratch.migrations,
                now: { lost.advanced(bySeconds: 60) }
            )
        )
        let store = try scratch.store()
        let last = try #require(then.changes.last { $0.targets.contains { $0.target == .shopIOS } })
        for moment in [last.at, lost] {
            let past = try store.past(of: .shopIOS, at: moment)
            #expect(past?.change.sequence == last.sequence)
            #expect(past?.next?.kind == .restore)
            #expect(past?.next?.skipped == 3)
        }
    }

    @Test func aRestoreGoesOnAboveWhatTheFolderHandedOut() throws {
        let (scratch, then, later) = try folder()
        let report = try Store.restore(request(scratch))
        let last = later.changes.count
        #expect(report.manifest.sequence == then.changes.count)
        #expect(report.lastKnown == last)
        #expect(report.lostCount == 3)
        #expect(report.lost.map(\.sequence) == [last, last - 1, last - 2])
        #expect(report.sequence == last + 1, "the folder is certain")
        #expect(report.skipped == then.changes.count + 1...last)
        #expect(report.trust == .checked(ended: []))
        #expect(try faults(scratch.data) == [])
        let store = try scratch.store()
        let state = try store.loadState()
        #expect(gates(state) == gates(then.state))
        #expect(state.lastSequence == report.sequence)
        // Nothing that a phone or a person saw is told again: not a sequence, not a revision.
        for target in state.apps.flatMap(\.platforms.values) {
            #expect(target.sequence == report.sequence)
            #expect(target.revision > later.apps[target.key.app]?.platforms[target.key.platform]?.revision ?? 0)
        }
        let change = try #require(try store.changes(ChangeQuery(before: report.sequence + 1, limit: 1)).first)
        #expect(change.kind == .restore)
        #expect(change.skipped == 3)
        #expect(change.previousSequence == then.changes.count)
        #expect(try Change(json: change.json) == change)
        #expect(try store.doubts().isEmpty)
        #expect(try store.audit().first?.entry.action == "database.restore")
        try store.close()
    }

    @Test func whatWasThereIsKeptWholeAside() throws {
        let (scratch, _, later) = try folder()
        let aside = try #require(try Store.restore(request(scratch)).aside)
        // It is a folder that a server could run on.
        #expect(try faults(aside) == [])
        let store = try Store(StoreConfiguration(directory: aside, migrations: Scratch.migrations, now: { scratch.clock.now }))
        #expect(try store.loadState() == later.state)
        #expect(try store.doubts().isEmpty)
        try store.close()
    }

    /// Root restores, and the server, which is somebody else, can run on what was kept.
    @Test(.enabled(if: geteuid() == 0)) func whatRootKeepsAsideBelongsToTheFoldersOwner() throws {
        let (scratch, _, _) = try folder()
        let owner = 65_534
        func give(_ path: String) throws {
            try FileManager.default.setAttributes([.ownerAccountID: owner, .groupOwnerAccountID: owner], ofItemAtPath: path)
        }
        try give(scratch.data)
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.data) { try give(scratch.data + "/" + name) }
        let aside = try #require(try Store.restore(request(scratch)).aside)
        #expect(aside.hasPrefix(scratch.data + "/before-restore-"))
        for name in try FileManager.default.subpathsOfDirectory(atPath: scratch.data) where !name.hasSuffix(".lock") {
            let attributes = try FileManager.default.attributesOfItem(atPath: scratch.data + "/" + name)
            #expect(attributes[.ownerAccountID] as? Int == owner, "\(name)")
        }
    }

    @Test func intoAnEmptyFolderAMillionSequencesAreLeftOut() throws {
        let (scratch, then, later) = try folder()
        let data = scratch.path + "/elsewhere/data"
        let report = try Store.restore(request(scratch, to: data))
        #expect(report.sequence == then.changes.count + 1_000_001)
        #expect(report.lastKnown == nil)
        #expect(report.lostCount == nil)
        #expect(report.aside == nil)
        #expect(report.trust == .takenOver)
        #expect(report.administrators == ["ann"])
        #expect(report.sequence > later.changes.count)
        #expect(try faults(data) == [])
        // Twice, and by a server that has gone on.
        let again = try Store.restore(request(scratch, to: data))
        #expect(again.sequence == report.sequence + 1)
        #expect(again.lostCount == 1, "the restore itself, and none of the sequences that it left out")
        #expect(again.lost.map(\.sequence) == [report.sequence])
        #expect(try faults(data) == [])
    }

    /// A backup of a month ago, at a hundred changes a second.
    @Test func theLongerAgoTheMoreAreLeftOut() throws {
        let (scratch, then, _) = try folder()
        scratch.clock.advance(seconds: 30 * 86_400)
        let report = try Store.restore(request(scratch, to: scratch.path + "/elsewhere"))
        #expect(report.sequence == then.changes.count + 259_200_001)
    }

    @Test func anAnchorAndFeedsTellWhatADamagedDatabaseDoesNot() throws {
        let (scratch, _, later) = try folder()
        try Data("no database".utf8).write(to: URL(filePath: scratch.database))
        var request = request(scratch)
        #expect(try Store.restore(request).sequence == later.changes.count + 10_001)
        // A second folder knows what came after the anchor from its feeds.
        let (other, _, _) = try folder()
        try FileManager.default.removeItem(atPath: other.database)
        request = self.request(other)
        request.published = 5_000
        let report = try Store.restore(request)
        #expect(report.sequence == 15_001)
        #expect(report.lastKnown == 5_000)
        #expect(report.lost.isEmpty)
    }

    /// An older folder in the place of the real one is not certain of anything.
    @Test func aFolderThatIsOlderThanTheBackupIsNotBelieved() throws {
        let (scratch, then, _) = try folder()
        let older = try Scratch()
        try older.store().closing { store in
            var world = World()
            try store.commit(world.saveApp(.shop))
        }
        let report = try Store.restore(request(scratch, to: older.data))
        #expect(report.sequence == then.changes.count + 1_000_001)
        #expect(report.lostCount == nil, "that it knows of none does not mean that none is lost")
    }

    @Test func aTrialTellsTheSameAndWritesNothing() throws {
        let (scratch, _, later) = try folder()
        let before = try FileManager.default.subpathsOfDirectory(atPath: scratch.data).sorted()
        let bytes = try scratch.databaseBytes()
        var request = request(scratch)
        request.isTrial = true
        let report = try Store.restore(request)
        #expect(report.sequence == later.changes.count + 1)
        #expect(report.lostCount == 3)
        #expect(report.trust == nil)
        #expect(try scratch.databaseBytes() == bytes)
        let after = try FileManager.default.subpathsOfDirectory(atPath: scratch.data).sorted()
        #expect(Set(after).subtracting(["gatehouse.sqlite-wal", "gatehouse.sqlite-shm"]) == Set(before))
    }

    @Test func whatIsNotSoundIsRefusedBeforeAnythingIsTouched() throws {
        let (scratch, _, later) = try folder()
        let path = scratch.path + "/one.backup"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 4
        try bytes.write(to: URL(filePath: path))
        #expect(code { _ = try Store.restore(request(scratch)) } == .corrupt)
        #expect(try faults(scratch.data) == [])
        #expect(try scratch.store().closing { try $0.loadState() } == later.state)
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.data)
        #expect(!names.contains { $0.contains("restore") }, "\(names)")
    }

    @Test func aServerThatHasTheFolderKeepsIt() throws {
        let (scratch, _, _) = try folder()
        let store = try scratch.store()
        #expect(code { _ = try Store.restore(request(scratch)) } == .inUse)
        try store.close()
    }

    /// A row that somebody put into the database before it was backed up is not obeyed afterwards either.
    @Test func whatTheServerDidNotWriteIsEnded() throws {
        let (scratch, _, _) = try folder()
        try scratch.tamper(
            "INSERT INTO users (name, name_folded, role, password_hash, disabled, created_at, password_changed_at) VALUES ('eve', 'eve', 'admin', 'x', 0, 0, 0)"
        )
        _ = try Store.backUp(directory: scratch.data, to: scratch.path + "/one.backup", at: scratch.clock.now)
        let report = try Store.restore(request(scratch))
        guard case .checked(let ended) = report.trust else { return #expect(Bool(false), "\(report)") }
        #expect(ended.map(\.description) == ["users row 2: was not written by gatehouse"])
        #expect(report.administrators == ["ann"])
        #expect(try faults(scratch.data) == [])
        // Each restore makes a new key, and the same backup is put in place again, by a key that is kept beside the new one or aside.
        for _ in 0..<2 {
            scratch.clock.advance(seconds: 1)
            let again = try Store.restore(request(scratch))
            #expect(again.trust == .checkedWithFormerKey(ended: ended))
            #expect(again.administrators == ["ann"])
            #expect(try faults(scratch.data) == [])
        }
    }

    /// A backup of a release with fewer migrations, taken by this one or that, is brought up as it is restored; its hashes stay.
    @Test func aBackupOfAnOlderSchemaIsBroughtUp() throws {
        let shelf = try Scratch()
        let migrations = shelf.path + "/migrations"
        try FileManager.default.createDirectory(atPath: migrations, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: Scratch.migrations) where name < "0010" {
            try FileManager.default.copyItem(atPath: Scratch.migrations + "/" + name, toPath: migrations + "/" + name)
        }
        let scratch = try Scratch(migrations: migrations)
        try scratch.tamper(
            """
            INSERT INTO apps (key, name, aliases) VALUES ('shop', 'Shop', '[]');
            INSERT INTO changes (sequence, at, actor_kind, actor_name, source, kind, request_id, app, target_count, apps_after, hash)
            VALUES (1, 1774000001000, 'token', 'check', 'api', 'create', 'r1', 'shop', 0, '{"shop":{"name":"Shop","aliases":[]}}',
                x'de07816a69d459322376ee58308ea89f0a0eb92ce0e6401b1b6da46349acb237');
            """
        )
        let backup = try Store.backUp(directory: scratch.data, to: scratch.path + "/one.backup", at: scratch.clock.now)
        #expect(backup.manifest.schema == 9)
        #expect(try Store.verify(backup: scratch.path + "/one.backup", migrations: Scratch.migrations).1 == [])
        let report = try Store.restore(request(scratch))
        #expect(report.sequence == 2, "the folder is certain, whatever its schema")
        #expect(try faults(scratch.data) == [])
        #expect(try scratch.store().closing { try $0.loadState() }.apps.map(\.name) == ["Shop"])
        // And one of a newer release is none of ours.
        var older = request(scratch)
        older.migrations = migrations
        _ = try Store.backUp(directory: scratch.data, to: scratch.path + "/one.backup", at: scratch.clock.now)
        #expect(code { _ = try Store.restore(older) } == .schemaTooNew)
    }

    /// One of a first start that was killed, for example: SQLite would take it for the new database's, and undo the whole restore.
    @Test func aJournalThatWasLeftBehindDoesNotUndoTheRestore() throws {
        let (scratch, then, _) = try folder()
        try Scratch.journal().write(to: URL(filePath: scratch.database + "-journal"))
        let aside = try #require(try Store.restore(request(scratch)).aside)
        #expect(FileManager.default.fileExists(atPath: aside + "/gatehouse.sqlite-journal"))
        #expect(try faults(scratch.data) == [])
        #expect(try gates(scratch.store { $0.createIfMissing = false }.closing { try $0.loadState() }) == gates(then.state))
    }

    /// A server that was killed has left its last changes in the log, and going back must not lose them.
    @Test(arguments: RestoreRequest.Step.allCases) func theWayBackIsOneFolderWhereverARestoreStopped(step: RestoreRequest.Step) throws {
        struct Crash: Error {}
        let (scratch, then, later) = try folder()
        var world = later
        let store = try scratch.store()
        try store.commit(world.set([.shopIOS: .everything]))
        let data = scratch.path + "/killed"
        try FileManager.default.copyItem(atPath: scratch.data, toPath: data)
        try store.close()
        let log = data + "/gatehouse.sqlite-wal"
        #expect(FileIdentity.size(ofFile: log) > 0)

        var request = request(scratch, to: data)
        request.failpoint = { if $0 == step { throw Crash() } }
        let error = #expect(throws: StoreError.self) { try Store.restore(request) }
        let hasBegun = ![.prepared, .keyWritten].contains(step)
        #expect(error?.hint.contains("run the same command again") == hasBegun, "\(error?.description ?? "")")
        request.failpoint = nil
        scratch.clock.advance(seconds: 1)
        let report = try Store.restore(request)

        let asides = try AsideFolder.all(in: data, doing: "Testing")
        let aside = try #require(asides.first)
        #expect(!hasBegun || error?.hint.contains(aside) == true, "\(error?.description ?? "")")
        // One way back, which the report names, and what people lose by it: not what the restore itself wrote before it stopped.
        #expect(asides == [aside] && report.aside == aside, "\(asides)")
        #expect(report.lost.first?.sequence == world.changes.count && report.lostCount == 4, "\(report.lost)")
        #expect(report.sequence <= world.changes.count + 2, "nothing was in doubt")
        #expect(report.trust == .checked(ended: []))
        #expect(!FileManager.default.fileExists(atPath: aside + "/unfinished"))
        #expect(!FileManager.default.fileExists(atPath: log))
        let former = StoreConfiguration(directory: aside, migrations: Scratch.migrations, now: { scratch.clock.now })
        let state = try Store(former).closing { store in
            #expect(try store.doubts().isEmpty)
            return try store.loadState()
        }
        #expect(state == world.state)
        #expect(try faults(data) == [])
        let restored = StoreConfiguration(directory: data, migrations: Scratch.migrations, now: { scratch.clock.now })
        #expect(try gates(Store(restored).closing { try $0.loadState() }) == gates(then.state))
    }

    /// What people did after a restore that looked as if it had succeeded is theirs, and there is a way back to that too.
    @Test func aDatabaseThatAServerHasGoneOnWithIsKept() throws {
        struct Crash: Error {}
        let (scratch, _, later) = try folder()
        var request = request(scratch)
        request.failpoint = { if $0 == .anchorPlaced { throw Crash() } }
        #expect(throws: StoreError.self) { _ = try Store.restore(request) }
        let edited = try scratch.store { $0.createIfMissing = false }.closing { store in
            _ = try store.createUser(
                NewUser(name: "bob", role: .viewer, passwordHash: PasswordHash(stored: "$argon2id$of-bob"), createdAt: scratch.clock.now),
                audit: AuditEntry(at: scratch.clock.now, actor: nil, action: "people.create", requestId: "r")
            )
            return try store.loadState()
        }
        request.failpoint = nil
        scratch.clock.advance(seconds: 1)
        let aside = try #require(try Store.restore(request).aside)
        let asides = try AsideFolder.all(in: scratch.data, doing: "Testing")
        #expect(asides.count == 2 && asides.last == aside)
        func state(_ folder: String) throws -> StoredState {
            try Store(StoreConfiguration(directory: folder, migrations: Scratch.migrations)).closing { try $0.loadState() }
        }
        #expect(try state(asides[0]) == later.state)
        #expect(try state(aside) == edited)
    }

    /// What a crash at each step leaves: nothing that a server takes for the truth and writes on, and a restore that can be run again.
    @Test(arguments: RestoreRequest.Step.allCases) func aCrashAtAnyStepIsMendedByRestoringAgain(step: RestoreRequest.Step) throws {
        struct Crash: Error {}
        let (scratch, then, later) = try folder()
        try FileManager.default.createDirectory(atPath: scratch.data + "/publication", withIntermediateDirectories: true)
        var request = request(scratch)
        request.failpoint = { if $0 == step { throw Crash() } }
        #expect(throws: StoreError.self) { _ = try Store.restore(request) }
        // A start that would let a server write has either the old history or the new one, whole, and the anchor that belongs to it.
        let isThere = FileManager.default.fileExists(atPath: scratch.database)
        if isThere {
            let found = try faults(scratch.data)
            let state = try scratch.store { $0.createIfMissing = false }.closing { try $0.loadState() }
            switch step {
            case .prepared, .keyWritten:
                #expect(found == [])
                #expect(state == later.state)
            case .databasePlaced, .keyPlaced:
                #expect(found.contains { $0.hasPrefix("changes row") }, "the old anchor stops writes: \(found)")
            default:
                #expect(found == [])
                #expect(gates(state) == gates(then.state))
            }
        } else {
            #expect(FileManager.default.fileExists(atPath: scratch.data + "/publication"), "the last feeds are served")
        }
        request.failpoint = nil
        scratch.clock.advance(seconds: 1)
        let report = try Store.restore(request)
        #expect(report.sequence > later.changes.count)
        #expect(try faults(scratch.data) == [])
        let store = try scratch.store()
        #expect(gates(try store.loadState()) == gates(then.state))
        #expect(try store.doubts().isEmpty)
        try store.close()
    }
}
