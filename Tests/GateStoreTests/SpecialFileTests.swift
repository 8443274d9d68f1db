import Foundation
import GRDB
import GateCrypto
import GateTesting
import Testing

@testable import GateStore

/// Pipes and links in the place of files, and files that belong to another database.
@Suite struct SpecialFileTests {
    private static let readings: [(name: String, read: @Sendable (String) throws -> Void)] = [
        ("a file of the folder", { _ = try DurableFile.read($0, doing: "Testing") }),
        ("an anchor", { _ = try ChainAnchor.read(from: $0) }),
        ("a backup", { _ = try OpenFile(reading: $0, doing: "Testing") }),
    ]

    /// Left where a file's next version is written, which nobody takes.
    @Test(.timeLimit(.minutes(1))) func aPipeInThePlaceOfWhatIsBeingWrittenIsRefusedAtOnce() throws {
        let scratch = try Scratch()
        let file = scratch.path + "/file"
        try #require(mkfifo(file + ".new", 0o600) == 0)
        let error = #expect(throws: StoreError.self) { try DurableFile.replace(file, with: [1], doing: "Testing") }
        #expect(error?.path == file + ".new")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    /// Nobody may ever write to it, and a server that waits for that serves no feeds.
    @Test(.timeLimit(.minutes(1)), arguments: readings.indices) func aPipeIsRefusedAtOnce(index: Int) throws {
        let (name, read) = Self.readings[index]
        let scratch = try Scratch()
        let pipe = scratch.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let error = #expect(throws: StoreError.self, "\(name)") { try read(pipe) }
        #expect(error?.code == .unreadable)
        #expect(error?.detail.contains("\(pipe) is a pipe") == true, "\(name)")
    }

    @Test(.timeLimit(.minutes(1))) func aStoreOpensBesideAPipeInThePlaceOfItsVersion() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        let version = scratch.data + "/version.json"
        try FileManager.default.removeItem(atPath: version)
        try #require(mkfifo(version, 0o600) == 0)
        try scratch.store().close()
    }

    /// SQLite would wait for whoever might write to it, and with it every start and every look at the folder.
    @Test(.timeLimit(.minutes(1)), arguments: ["", "-wal", "-shm", "-journal"])
    func aPipeInThePlaceOfADatabasesFileIsRefusedAtOnce(ending: String) throws {
        let scratch = try Scratch(server: nil)
        try scratch.store().close()
        let pipe = scratch.database + ending
        if ending.isEmpty { try FileManager.default.removeItem(atPath: pipe) }
        try #require(mkfifo(pipe, 0o600) == 0)
        let looks: [(String, () throws -> Void)] = [
            ("a start", { _ = try scratch.store() }), ("a check", { _ = try Store.verify(directory: scratch.data) }),
            ("a backup", { _ = try Store.backUp(directory: scratch.data, to: scratch.path + "/x.backup", at: scratch.clock.now) }),
        ]
        for (what, look) in looks {
            let error = #expect(throws: StoreError.self, "\(what)") { try look() }
            #expect(error?.code == .unreadable && error?.detail == "\(pipe) is not a file", "\(what): \(error?.description ?? "")")
        }
    }

    /// A check only reads, and says what to do: that a database is "readonly" is of no use to anybody.
    @Test func anInterruptedChangeIsNamedWithItsRemedy() throws {
        let scratch = try Scratch(server: nil)
        try scratch.store().closing { _ = try $0.fill() }
        // In WAL mode too SQLite looks for a journal, one from before.
        try Scratch.journal().write(to: URL(filePath: scratch.database + "-journal"))
        let error = #expect(throws: StoreError.self) { try Store.verify(directory: scratch.data) }
        #expect(error?.cause == .sqlite(776))
        #expect(error?.hint.contains("move gatehouse.sqlite-journal away") == true, "\(error?.description ?? "")")
    }

    @Test func aFolderThatCannotBeWrittenIsNamedWithItsRemedy() {
        let cause = SQLError(DatabaseError(resultCode: .SQLITE_READONLY_DIRECTORY))
        let error = StoreError(cause, doing: "Testing", at: "/data/gatehouse.sqlite")
        #expect(error.hint.hasSuffix("chmod u+w /data"))
    }

    /// Whoever has the key in a safe, or the anchor on another machine, gives it to a command through a pipe.
    @Test(.timeLimit(.minutes(1))) func whatACommandIsGivenComesThroughAPipe() throws {
        let scratch = try Scratch()
        let (file, pipe) = (scratch.path + "/file", scratch.path + "/pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        let key = try BackupKeyFile.make(file)
        #expect(try written(file, to: pipe) { try BackupKeyFile.read(pipe).sealingKey } == key)
        let store = try scratch.store()
        let anchor = try store.anchor()
        try store.close()
        try anchor.write(to: file, doing: "Testing")
        #expect(try written(file, to: pipe) { try ChainAnchor.read(from: pipe, mayWait: true) } == anchor)
    }

    /// What `read` makes of a file's bytes, while another program writes them to a pipe.
    private func written<Value>(_ file: String, to pipe: String, read: () throws -> Value) throws -> Value {
        let writer = Process()
        writer.executableURL = URL(filePath: "/bin/sh")
        writer.arguments = ["-c", "cat \"$0\" > \"$1\"", file, pipe]
        try writer.run()
        defer { writer.waitUntilExit() }
        return try read()
    }

    private static let secrets: [(name: String, make: @Sendable (String) throws -> Void)] = [
        ("the key of backups", { _ = try BackupKeyFile.make($0) }), ("a secret", { try SecretFile.make($0, holding: "secret") }),
    ]

    @Test(arguments: secrets.indices) func aLinkThatLeadsNowhereIsTakenForWhatItIs(index: Int) throws {
        let (name, make) = Self.secrets[index]
        let scratch = try Scratch()
        let (link, target) = (scratch.path + "/link", scratch.path + "/target")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        let error = #expect(throws: StoreError.self, "\(name)") { try make(link) }
        #expect(error?.code == .duplicate)
        #expect(error?.hint == "Name another file with --out.")
        #expect(!FileManager.default.fileExists(atPath: target))
    }
}
