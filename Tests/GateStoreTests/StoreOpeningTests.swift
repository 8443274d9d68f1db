import Foundation
import GateTesting
import Testing

@testable import GateStore

@Suite struct StoreOpeningTests {
    @Test(.onSQLite) func aMissingFolderIsMadeForItsOwnerAlone() throws {
        let scratch = try Scratch()
        let deep = scratch.path + "/a/b"
        let store = try scratch.store { $0.directory = deep }
        defer { try? store.close() }  // the folder goes anyway
        for (path, mode) in [
            (deep, 0o700), (deep + "/gatehouse.sqlite", 0o600), (deep + "/gatehouse.sqlite-wal", 0o600), (deep + "/gatehouse.lock", 0o600),
        ] {
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == mode, "\(path)")
        }
    }

    @Test func nothingIsMadeUnlessAllowed() throws {
        let scratch = try Scratch()
        #expect(code { _ = try scratch.store { $0.createIfMissing = false } } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: scratch.data))
        try FileManager.default.createDirectory(atPath: scratch.data, withIntermediateDirectories: false)
        #expect(code { _ = try scratch.store { $0.createIfMissing = false } } == .notFound)
        #expect(!FileManager.default.fileExists(atPath: scratch.database))
    }

    /// `init`, which is right for a new folder, would be refused there, and a restore that was interrupted has taken the database away.
    @Test(.onSQLite) func whereThereWasADatabaseTheRemedyIsARestore() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        try FileManager.default.removeItem(atPath: scratch.database)
        func hint() -> String? {
            do { _ = try scratch.store { $0.createIfMissing = false } } catch { return (error as? StoreError)?.hint }
            return nil
        }
        #expect(hint()?.contains("gatehouse init") == true)
        try Data("{}".utf8).write(to: URL(filePath: scratch.data + "/anchor.json"))
        #expect(hint()?.contains("gatehouse restore --data \(scratch.data) --from FILE") == true)
        #expect(!FileManager.default.fileExists(atPath: scratch.database))
    }

    @Test func otherFilesInTheFolderAreLeftAlone() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.data + "/publication", withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: URL(filePath: scratch.data + "/notes.txt"))
        try scratch.store().close()
        #expect(FileManager.default.contents(atPath: scratch.data + "/notes.txt") == Data("mine".utf8))
    }

    /// Somebody who takes it for a leftover removes it; two writers could then ruin the database.
    @Test func aFolderWhoseLockFileWasRemovedIsStillInUse() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        try FileManager.default.removeItem(atPath: scratch.data + "/gatehouse.lock")
        #expect(code { _ = try scratch.store() } == .inUse)
        #expect(code { _ = try Store.migrate(scratch.configuration()) } == .inUse)
        try store.close()
        try scratch.store().close()
    }

    @Test func aSecondStoreInTheSameProcessIsToldInUse() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        #expect(code { _ = try scratch.store() } == .inUse)
        #expect(code { _ = try Store.migrate(scratch.configuration()) } == .inUse)
        #expect(code { _ = try Store.verify(directory: scratch.data, server: scratch.address) } == .inUse)
        try store.close()
        try scratch.store().close()
    }

    @Test func anotherProcessThatHasTheFolderIsNamed() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        let holder = Process()
        let output = Pipe()
        let input = Pipe()
        holder.executableURL = URL(filePath: "/usr/bin/flock")
        holder.arguments = [scratch.data + "/gatehouse.lock", "sh", "-c", "echo ready; read line"]
        holder.standardOutput = output
        holder.standardInput = input
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("ready\n".utf8))
        let error = #expect(throws: StoreError.self) { _ = try scratch.store() }
        #expect(error?.code == .inUse)
        #expect(error?.detail.contains("process \(getpid())") == true)  // whoever left a name last: this test, before
        try input.fileHandleForWriting.write(contentsOf: Data("\n".utf8))
        holder.waitUntilExit()
        try scratch.store().close()
    }

    /// R5: each setting that durability or safety stands on, altered after it was set.
    @Test(
        .onSQLite,
        arguments: [
            ("journal_mode", "DELETE"), ("synchronous", "NORMAL"), ("foreign_keys", "OFF"), ("recursive_triggers", "OFF"),
            ("trusted_schema", "ON"),
            ("cell_size_check", "OFF"), ("busy_timeout", "7"), ("temp_store", "FILE"), ("journal_size_limit", "-1"),
            ("wal_autocheckpoint", "0"),
            ("locking_mode", "EXCLUSIVE"), ("mmap_size", "1048576"),
        ]
    )
    func aSettingThatDoesNotHoldIsNamed(name: String, value: String) throws {
        let scratch = try Scratch()
        let error = #expect(throws: StoreError.self) { _ = try scratch.store { $0.afterPragmas = ["PRAGMA \(name) = \(value)"] } }
        #expect(error?.code == .pragma)
        #expect(error?.detail.contains(name) == true)
        // The refusal leaves neither a lock nor a connection behind.
        try scratch.store().close()
    }

    /// R6: one connection can write, the other cannot, and it never checkpoints.
    @Test(.onSQLite) func exactlyOneConnectionCanWrite() throws {
        let store = try Scratch().store()
        #expect(code { try store.read("x") { db in try db.execute(sql: "DELETE FROM apps") } } == .readOnly)
        #expect(try store.read("x") { db in try db.value(Int.self, sql: "PRAGMA wal_autocheckpoint") } == 0)
        #expect(throws: SQLError.self) {
            try store.reader.run { db in try db.execute(sql: "PRAGMA query_only = OFF; DELETE FROM apps") }
        }
    }

    #if os(Linux)
        /// The same as the kernel sees it: of the open handles on the database, one may write.
        @Test(.onSQLite) func exactlyOneHandleIsOpenForWriting() throws {
            let scratch = try Scratch()
            let store = try scratch.store()
            _ = try store.loadState()
            let database = URL(filePath: scratch.database).resolvingSymlinksInPath().path
            var modes: [Int] = []
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
                // Other tests open and close files meanwhile; what is gone is none of ours.
                guard (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + name)) == database,
                    let info = try? String(contentsOfFile: "/proc/self/fdinfo/" + name, encoding: .utf8),
                    let flags = info.split(separator: "\n").first(where: { $0.hasPrefix("flags:") })?.split(whereSeparator: \.isWhitespace)
                        .last
                else { continue }
                modes.append((Int(flags, radix: 8) ?? -1) & 3)
            }
            #expect(modes.sorted() == [0, 2], "O_RDONLY and O_RDWR")
        }
    #endif

    @Test(.onSQLite) func theFileSaysWhoseItIs() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        let bytes = try #require(FileManager.default.contents(atPath: scratch.database))
        #expect(String(decoding: bytes[68..<72], as: UTF8.self) == "GATE")
    }

    @Test func aClosedStoreThrowsAndFreesTheFolder() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        try store.close()
        #expect(code { _ = try store.loadState() } == .internal)
        #expect(code { try store.probeWriting() } != nil)
        try scratch.store().close()
    }

    @Test(.onSQLite) func whatIsNoDatabaseIsCorruptOrUnreadable() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.data, withIntermediateDirectories: false)
        try Data("This is no database, but long enough to be looked at as one. ".utf8 + [UInt8](repeating: 65, count: 4_096)).write(
            to: URL(filePath: scratch.database)
        )
        #expect(code { _ = try scratch.store() } == .corrupt)
        try FileManager.default.removeItem(atPath: scratch.database)
        try FileManager.default.createDirectory(atPath: scratch.database, withIntermediateDirectories: false)
        #expect(code { _ = try scratch.store() } == .unreadable)
        #expect(
            code {
                _ = try scratch.store {
                    $0.directory = scratch.path + "/file"
                    _ = FileManager.default.createFile(atPath: scratch.path + "/file", contents: nil)
                }
            } == .unreadable
        )
    }

    /// The files as a process leaves them that is killed: everything acknowledged stands in the log alone.
    @Test(.onSQLite) func aKilledServersLogIsReadByTheNextOneAndByVerification() throws {
        let scratch = try Scratch()
        let store = try scratch.store()
        let world = try store.fill()
        let anchor = try store.anchor()
        let killed = try Scratch()
        try FileManager.default.createDirectory(atPath: killed.data, withIntermediateDirectories: false)
        for name in ["gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.lock", "keys"] {
            try FileManager.default.copyItem(atPath: scratch.data + "/" + name, toPath: killed.data + "/" + name)
        }
        #expect(try Store.verify(directory: killed.data, migrations: Scratch.migrations, anchor: anchor) == [])
        #expect(try killed.store { $0.createIfMissing = false }.closing { try $0.loadState() } == world.state)
        #expect(try Store.verify(directory: killed.data, migrations: Scratch.migrations, anchor: anchor) == [])
    }

    @Test func switchingTheJournalKeepsTheData() throws {
        let scratch = try Scratch()
        let world = try scratch.store().closing { try $0.fill() }
        for journal in [StoreConfiguration.Journal.truncate, .wal, .truncate] {
            let store = try scratch.store { $0.journal = journal }
            #expect(try store.loadState() == world.state)
            try store.close()
        }
    }
}
