import Foundation
import GRDB
import GateModel
import GateTesting
import Synchronization
import Testing

@testable import GateStore

@Suite(.onSQLite) struct DiskTests {
    /// A page limit is to SQLite what a full disk is, and can be lifted like one.
    @Test func aFullDatabaseRefusesAndRecoversByItself() throws {
        let store = try Scratch().store()
        var world = try store.fill()
        try store.writer.run { db in try db.execute(sql: "PRAGMA max_page_count = 1") }
        var refused = 0
        for _ in 1...200 {
            var next = world
            let commit = next.set([.shopIOS: .everything, .shopAndroid: .everything])
            guard let code = code({ try store.commit(commit) }) else {
                world = next
                continue
            }
            #expect(code == .full)
            refused += 1
            if refused == 3 { break }
        }
        #expect(refused == 3)
        #expect(try store.loadState() == world.state)
        try store.writer.run { db in try db.execute(sql: "PRAGMA max_page_count = 1000000") }
        try store.probeWriting()
        try store.commit(world.set([.shopIOS: .open]))
        #expect(try store.loadState() == world.state)
    }

    /// SQLite folds the log into the database with the last connection, so a check in the background must not outlive the store's own:
    /// whoever copies the file of a stopped server would copy an older one.
    @Test func aStoreThatIsClosedLeavesNoLogBehind() throws {
        for _ in 1...30 {
            let scratch = try Scratch()
            let store = try scratch.store()
            _ = try store.fill()
            let isLooking = DispatchSemaphore(value: 0)
            let isDone = DispatchSemaphore(value: 0)
            let isOver = Mutex(false)
            Thread.detachNewThread {
                isLooking.signal()
                // Whatever becomes of it: it is about the files.
                while !isOver.withLock(\.self) { _ = try? store.damage(of: "changes") }
                isDone.signal()
            }
            #expect(isLooking.wait(timeout: .now() + 60) == .success)
            try store.close()
            #expect(!FileManager.default.fileExists(atPath: scratch.database + "-wal"))
            isOver.withLock { $0 = true }
            #expect(isDone.wait(timeout: .now() + 60) == .success)
        }
    }

    /// The same on a real file system of 1 MiB; needs the right to mount one.
    @Test(.enabled(if: SmallDisk.canMount)) func aFullDiskRefusesAndRecoversByItself() throws {
        let disk = try SmallDisk(kibibytes: 1_024)
        defer { disk.unmount() }
        let scratch = try Scratch()
        let store = try scratch.store { $0.directory = disk.path + "/data" }
        var world = try store.fill()
        let ballast = disk.path + "/ballast"
        for round in 1...3 {
            try disk.fill(ballast)
            var refused: StoreError.Code?
            for _ in 1...500 where refused == nil {
                var next = world
                let commit = next.set([.shopIOS: .everything, .shopAndroid: .everything])
                refused = code { try store.commit(commit) }
                if refused == nil { world = next }
            }
            #expect(refused == .full, "round \(round)")
            #expect(code { try store.probeWriting() } == .full || refused != .full)
            #expect(try store.loadState() == world.state)
            try disk.empty(ballast)
            try store.checkpoint(over: 0)
            try store.probeWriting()
            try store.commit(world.set([.shopIOS: .open]))
            #expect(try store.loadState() == world.state)
        }
        try store.close()
        #expect(try Store.verify(directory: disk.path + "/data") == [])
    }

    @Test(.enabled(if: SmallDisk.canMount)) func aReadOnlyFileSystemRefusesAndRecoversByItself() throws {
        let disk = try SmallDisk(kibibytes: 4_096)
        defer { disk.unmount() }
        let scratch = try Scratch()
        let directory = disk.path + "/data"
        var world = try scratch.store { $0.directory = directory }.closing { try $0.fill() }
        #expect(try disk.remount("ro"))
        #expect(code { _ = try scratch.store { $0.directory = directory } } == .readOnly)
        #expect(code { _ = try scratch.store { $0.directory = disk.path + "/new" } } == .readOnly)
        #expect(try disk.remount("rw"))
        let store = try scratch.store { $0.directory = directory }
        try store.commit(world.set([.shopIOS: .open]))
        #expect(try store.loadState() == world.state)
        try store.close()
    }

    @Test func aForeignLockIsBusyAndThenOverByItself() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let foreign = try scratch.raw()
        try foreign.writeWithoutTransaction { db in try db.execute(sql: "BEGIN EXCLUSIVE") }
        #expect(code { try store.probeWriting() } == .busy)
        var next = world
        #expect(code { try store.commit(next.set([.shopIOS: .open])) } == .busy)
        #expect(try store.loadState() == world.state, "readers do not wait in WAL mode")
        try foreign.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        try foreign.close()
        try store.commit(world.set([.shopIOS: .open]))
        #expect(try store.loadState() == world.state)
    }

    /// SQLite would go on writing to the nameless files, and everything acknowledged from then on would be lost.
    @Test(arguments: ["gatehouse.sqlite", "gatehouse.sqlite-wal"]) func filesThatAreRemovedRefuseWritesUntilTheyAreBack(name: String) throws
    {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let file = scratch.data + "/" + name
        let files = FileManager.default
        try files.moveItem(atPath: file, toPath: file + ".away")
        var next = world
        #expect(code { try store.commit(next.set([.shopIOS: .open])) } == .unreadable)
        try Data().write(to: URL(filePath: file))
        #expect(code { try store.probeWriting() } == .unreadable, "another file of the same name is not the same file")
        try files.removeItem(atPath: file)
        try files.moveItem(atPath: file + ".away", toPath: file)
        try store.commit(world.set([.shopIOS: .open]))
        #expect(try store.loadState() == world.state)
        try store.close()
        #expect(try Store.verify(directory: scratch.data, server: scratch.address) == [])
    }

    private static let names = ["gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.sqlite-shm"]

    /// Whatever is removed, what was acknowledged is there again, and neither a log nor a journal that is left over is played into the new
    /// database.
    @Test(arguments: [names, [names[0]], [names[1]], Array(names.dropFirst()), Array(names.dropLast())])
    func whatWasRemovedIsWrittenAnewWhole(removed: [String]) throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        try store.commit(world.set([.shopIOS: .everything]))
        for name in removed { try FileManager.default.removeItem(atPath: scratch.data + "/" + name) }
        let isRemoved = removed.contains("gatehouse.sqlite")
        if isRemoved { try Scratch.journal().write(to: URL(filePath: scratch.database + "-journal")) }
        var isSaved = false
        #expect(try store.leave { isSaved = true })
        #expect(isSaved)
        #expect(code { _ = try store.loadState() } == .internal, "it is closed")
        let next = try scratch.store { $0.createIfMissing = false }
        #expect(try next.loadState() == world.state)
        try next.commit(world.set([.shopIOS: .open]))
        #expect(try next.loadState() == world.state)
        try next.close()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: scratch.data).sorted() == [
                "gatehouse.lock", "gatehouse.sqlite", "keys", "version.json",
            ]
        )
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
        let mode = try FileManager.default.attributesOfItem(atPath: scratch.database)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func whatTookTheDatabasesPlaceIsNotTouchedAndWhatWasThereIsSaved() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        let files = FileManager.default
        // A copy with a log that holds its last commit, and then one more change in the store.
        for name in Self.names.dropLast() { try files.copyItem(atPath: scratch.data + "/" + name, toPath: scratch.path + "/" + name) }
        let copied = world
        try store.commit(world.set([.shopIOS: .everything]))
        for name in Self.names { try files.removeItem(atPath: scratch.data + "/" + name) }
        for name in Self.names.dropLast() { try files.moveItem(atPath: scratch.path + "/" + name, toPath: scratch.data + "/" + name) }
        #expect(store.files == .replaced)
        #expect(try store.leave {})
        let next = try scratch.store { $0.createIfMissing = false }
        #expect(try next.loadState() == copied.state)
        try next.close()
        try files.removeItem(atPath: scratch.database)
        try files.moveItem(atPath: store.rescuedPath, toPath: scratch.database)
        let saved = try scratch.store { $0.createIfMissing = false }
        #expect(try saved.loadState() == world.state)
        try saved.close()
    }

    @Test func aStoreWhoseFilesAreInPlaceIsNotLeft() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        var world = try store.fill()
        #expect(try !store.leave { Issue.record("nothing is to be saved") })
        try store.commit(world.set([.shopIOS: .everything]))
        #expect(try store.loadState() == world.state)
    }

    /// R15: whatever the pages hold, the store gives an error or what was written, and the process lives.
    @Test(arguments: 1...60) func damagedPagesGiveErrorsAndNeverAnotherState(seed: UInt64) throws {
        let (whole, world) = try Self.template.get()
        var random = SeededGenerator(seed: seed)
        var bytes = whole
        for _ in 0..<(1 << random.next(below: 8)) {
            let position = random.next(below: bytes.count)
            bytes[position] = UInt8(random.next(below: 256))
        }
        let scratch = try Scratch(database: bytes)

        do {
            let store = try scratch.store { $0.createIfMissing = false }
            defer { try? store.close() }  // only reads
            _ = try? store.changes(ChangeQuery(limit: 500))
            _ = try? store.audit()
            _ = try? store.users()
            _ = try? store.tokens()
            let state = try store.loadState()
            if state != world.state {
                try store.close()
                // A state that differs is one that verification refuses, or one whose texts alone were hit: names and aliases stand in no
                // chain.
                let faults = try Store.verify(directory: scratch.data, server: scratch.address)
                #expect(!faults.isEmpty || state.apps.map(\.platforms) == world.state.apps.map(\.platforms))
            }
        } catch {
            let code = (error as? StoreError)?.code
            #expect(
                [.corrupt, .unreadable, .schemaChanged, .schemaTooOld, .schemaTooNew, .pragma, .internal, .io].contains(code),
                "\(error)"
            )
        }
        // Never ends the process either.
        _ = try? Store.verify(directory: scratch.data, server: scratch.address)
    }

    private static let template = Result { () throws -> (bytes: Data, world: World) in
        let scratch = try Scratch()
        let world = try scratch.store().closing { store in
            var world = try store.fill()
            for number in 1...20 { try store.commit(world.set([.shopIOS: number.isMultiple(of: 2) ? .open : .everything])) }
            return world
        }
        return (try scratch.databaseBytes(), world)
    }

    @Test func theLogIsCutOffWhenItHasGrown() throws {
        let store = try Scratch().store()
        var world = try store.fill()
        #expect(!store.needsCheckpoint)
        #expect(store.walBytes > 4_096)
        #expect(try !store.checkpoint())
        #expect(store.walBytes > 4_096)
        #expect(try store.checkpoint(over: 4_096))
        #expect(store.walBytes == 0)
        #expect(try !store.checkpoint(over: 0))
        try store.commit(world.set([.shopIOS: .open]))
        #expect(store.walBytes > 0)
        #expect(try store.loadState() == world.state)
    }

    /// Whoever folds the log in holds up all writers: a reader in the way is not waited for as another program's lock is.
    @Test(.timeLimit(.minutes(1))) func aReaderInTheWayDoesNotKeepTheWriters() throws {
        let scratch = try Scratch()
        let store = try scratch.store { $0.busyTimeout = 3_600 }
        var world = try store.fill()
        try store.read("Reading") { db in
            #expect(try db.value(Int.self, sql: "SELECT COUNT(*) FROM apps") != 0)
            try store.commit(world.set([.shopIOS: .open]))
            #expect(try !store.checkpoint(over: 0))
        }
        #expect(try store.maintain("Asking") { db in try db.value(Int.self, sql: "PRAGMA busy_timeout") } == 3_600_000)
        #expect(try store.checkpoint(over: 0))
    }
}
