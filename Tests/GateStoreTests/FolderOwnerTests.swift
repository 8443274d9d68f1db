import Foundation
import GateTesting
import Testing

@testable import GateStore

/// What root makes in the folder of the server's user, and what it does not follow there.
@Suite(.enabled(if: geteuid() == 0)) struct FolderOwnerTests {
    /// Somebody who has no files on any machine.
    private let somebody = 65_534

    private func give(_ path: String) throws { try #require(lchown(path, uid_t(somebody), gid_t(somebody)) == 0) }

    private func owner(of path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.ownerAccountID] as? Int)
    }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    /// A data folder that somebody made, and that nothing has written in.
    private func folder() throws -> Scratch {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.data, withIntermediateDirectories: true)
        try give(scratch.data)
        return scratch
    }

    /// `gatehouse init` as root, and then a server that is somebody else.
    @Test func whatAFirstStartMakesBelongsToTheFoldersOwner() throws {
        let scratch = try folder()
        let store = try scratch.store()
        _ = try store.fill()
        try store.anchor().write(to: ChainAnchor.path(in: scratch.data), doing: "Testing")
        let names = try FileManager.default.subpathsOfDirectory(atPath: scratch.data)
        #expect(Set(names).isSuperset(of: ["gatehouse.lock", "keys", "keys/rows.key", "anchor.json"]))
        for name in names { #expect(try owner(of: scratch.data + "/" + name) == somebody, "\(name)") }
        try store.close()
    }

    /// As an earlier release left them when root had run it there.
    @Test func aLockAndAFileThatWereRootsAreTheOwnersAgain() throws {
        let scratch = try folder()
        let (lock, file) = (scratch.data + "/gatehouse.lock", scratch.data + "/anchor.json")
        for path in [lock, file] { try Data("1\n".utf8).write(to: URL(filePath: path)) }
        try DirectoryLock(path: lock).release()
        try DurableFile.replace(file, with: Array("new".utf8), doing: "Testing")
        for path in [lock, file] { #expect(try owner(of: path) == somebody, "\(path)") }
    }

    /// It would be given away wherever else it lies.
    @Test func aLockWithASecondNameStaysRoots() throws {
        let scratch = try folder()
        let elsewhere = scratch.path + "/elsewhere"
        try Data().write(to: URL(filePath: elsewhere))
        try FileManager.default.linkItem(atPath: elsewhere, toPath: scratch.data + "/gatehouse.lock")
        try DirectoryLock(path: scratch.data + "/gatehouse.lock").release()
        #expect(try owner(of: elsewhere) == 0)
    }

    @Test func aFolderThatIsThereKeepsItsOwner() throws {
        let scratch = try folder()
        let backups = scratch.path + "/backups"
        try FileManager.default.createDirectory(atPath: backups, withIntermediateDirectories: true)
        try give(backups)
        try DurableFile.makePrivateFolder(backups, doing: "Testing")
        #expect(try owner(of: backups) == somebody)
    }

    /// Whoever owns the data folder may have made the link lead to a folder of the system, which would be closed to everybody else.
    @Test(arguments: [("somebody's", true), ("root's", false)]) func aLinkIsFollowedOnlyIfRootMadeIt(_: String, isForeign: Bool) throws {
        let scratch = try folder()
        let (elsewhere, link) = (scratch.path + "/elsewhere", scratch.data + "/keys")
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: elsewhere)
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere)
        guard isForeign else {
            // Twice: what the first run does must not keep out the second.
            for _ in 0..<2 { try DurableFile.makePrivateFolder(link, ownedAs: scratch.data, doing: "Testing") }
            return #expect(try mode(elsewhere) == 0o700)
        }
        try give(link)
        let error = #expect(throws: StoreError.self) { try DurableFile.makePrivateFolder(link, doing: "Testing") }
        #expect(error?.code == .exposed)
        #expect(error?.detail.contains(link) == true)
        #expect(try mode(elsewhere) == 0o755)
    }
}
