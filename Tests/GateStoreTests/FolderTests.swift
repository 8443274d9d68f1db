import Foundation
import GateTesting
import Testing

@testable import GateStore

/// Who else can look into the data folder, and write in it.
@Suite struct FolderTests {
    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func set(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Who can write in the folder can put another database in place, whatever the mode of the one that is there.
    @Test(arguments: [0o770, 0o720, 0o707, 0o702, 0o777, 0o1777]) func aFolderThatOthersCanWriteIsRefusedWithTheCommandThatMendsIt(
        mode: Int
    ) throws {
        let scratch = try Scratch()
        try scratch.store().close()
        try set(mode, scratch.data)
        for open in [{ _ = try scratch.store() }, { _ = try Store.migrate(scratch.configuration()) }] {
            let error = #expect(throws: StoreError.self) { try open() }
            #expect(error?.code == .exposed)
            #expect(error?.hint == "Run chmod 700 \(scratch.data)")
        }
        #expect(
            try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations).map(\.place) == ["folder"]
        )
        try set(0o700, scratch.data)
        try scratch.store().close()
    }

    @Test(arguments: [(0o755, true), (0o750, true), (0o711, true), (0o700, false)]) func aFolderThatOthersCanLookIntoIsOpenedAndSaidSo(
        mode: Int,
        isOpen: Bool
    ) throws {
        let scratch = try Scratch()
        try scratch.store().close()
        try set(mode, scratch.data)
        try scratch.store().close()
        #expect(scratch.configuration().isReadableByOthers == isOpen)
        #expect(try Store.verify(directory: scratch.data, server: scratch.address, migrations: Scratch.migrations) == [])
    }

    @Test(.onSQLite, arguments: [0o666, 0o640, 0o604]) func filesThatOthersCouldReadAreTheOwnersAgain(rights: Int) throws {
        let scratch = try Scratch()
        _ = try scratch.store().fill()
        for name in ["anchor.json", "reach.json", "gatehouse.sqlite.rescued"] {
            try Data("{}".utf8).write(to: URL(filePath: scratch.data + "/" + name))
        }
        let others = scratch.data + "/notes.txt"
        try Data("mine".utf8).write(to: URL(filePath: others))
        for name in try FileManager.default.contentsOfDirectory(atPath: scratch.data) { try set(rights, scratch.data + "/" + name) }
        let store = try scratch.store()
        try store.probeWriting()
        let names = try FileManager.default.contentsOfDirectory(atPath: scratch.data).filter { $0 != "notes.txt" && $0 != "keys" }
        #expect(
            Set(names).isSuperset(of: [
                "gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.sqlite-shm", "gatehouse.lock", "anchor.json", "reach.json",
            ])
        )
        for name in names { #expect(try mode(scratch.data + "/" + name) == 0o600, "\(name)") }
        #expect(try mode(others) == rights, "a file that is not the server's own")
    }

    @Test func aFileIsReplacedByOneThatOnlyItsOwnerReads() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/anchor.json"
        for name in [path, path + ".new"] {
            try Data("old".utf8).write(to: URL(filePath: name))
            try set(0o666, name)
        }
        try DurableFile.replace(path, with: Array("new".utf8), doing: "Testing")
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "new")
        #expect(try mode(path) == 0o600)
    }
}
