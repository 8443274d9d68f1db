import Foundation
import GateTesting
import Testing

@testable import GateStore

/// What a restore keeps of a folder whose database is not simply a file beside the others.
@Suite(.onSQLite) struct AsideFolderTests {
    /// Where a file can have only one name it is copied; half a copy would fill the disk, and somebody must be told that it is full.
    @Test(.enabled(if: SmallDisk.canMount)) func aCopyThatDoesNotFitLeavesNothing() throws {
        let disk = try SmallDisk(kibibytes: 64)
        defer { disk.unmount() }
        let scratch = try Scratch()
        try scratch.store().closing { _ = try $0.fill() }
        #expect(FileIdentity.size(ofFile: scratch.database) > 65_536)
        // A restore that was interrupted before it kept the database, with its folder on another file system.
        try Data().write(to: URL(filePath: disk.path + "/unfinished"))
        let link = scratch.data + "/before-restore-1"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: disk.path)
        let aside = try AsideFolder(in: scratch.data, now: scratch.clock.now, doing: "Testing")
        #expect(aside.path == link)
        #expect(code { _ = try aside.keepDatabase() } == .full)
        #expect(try FileManager.default.contentsOfDirectory(atPath: disk.path) == ["unfinished"])
        #expect(try scratch.store { $0.createIfMissing = false }.closing { try $0.loadState() }.apps.isEmpty == false)
    }

    /// Kept as it is spelled, a relative link would lead nowhere from there.
    @Test func aDatabaseThatIsALinkIsTheWayBackToo() throws {
        let scratch = try Scratch()
        let before = try scratch.store().closing { store in
            _ = try store.fill()
            return try store.loadState()
        }
        _ = try Store.backUp(directory: scratch.data, to: scratch.path + "/one.backup", at: scratch.clock.now)
        let elsewhere = scratch.path + "/elsewhere"
        try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
        try FileManager.default.moveItem(atPath: scratch.database, toPath: elsewhere + "/own.sqlite")
        try FileManager.default.createSymbolicLink(atPath: scratch.database, withDestinationPath: "../elsewhere/own.sqlite")
        let aside = try #require(
            try Store.restore(
                RestoreRequest(
                    directory: scratch.data,
                    backup: scratch.path + "/one.backup",
                    migrations: Scratch.migrations,
                    now: { scratch.clock.now }
                )
            ).aside
        )
        #expect(FolderOwner.isLink(aside + "/gatehouse.sqlite") && !FolderOwner.isLink(scratch.database))
        let former = StoreConfiguration(directory: aside, migrations: Scratch.migrations, now: { scratch.clock.now })
        #expect(try Store(former).closing { try $0.loadState() } == before)
    }
}
