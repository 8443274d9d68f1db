import Foundation
import GateModel
import GateTesting
import Testing

@testable import GateStore

/// A data folder says which gatehouse had it last.
struct FolderReleaseTests {
    private static let schema = try? FileManager.default.contentsOfDirectory(atPath: Scratch.migrations).filter { $0.hasSuffix(".sql") }
        .count

    private func note(_ version: String, schema: Int, in scratch: Scratch) throws {
        try Data(#"{"version":"\#(version)","schema":\#(schema)}"#.utf8).write(to: URL(filePath: scratch.data + "/version.json"))
    }

    @Test func aFolderIsNotedForItsOwnerAlone() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        let schema = try #require(Self.schema)
        let isOfServer = scratch.server != nil
        #expect(FolderRelease.read(from: scratch.data) == FolderRelease(release: .current, schema: schema, isOfServer: isOfServer))
        let rights = try FileManager.default.attributesOfItem(atPath: scratch.data + "/version.json")[.posixPermissions] as? Int
        #expect(rights == 0o600)
        // The version after takes it over.
        let next = Release(major: 9, minor: 0, patch: 0)
        try scratch.store { $0.release = next }.close()
        #expect(FolderRelease.read(from: scratch.data)?.release == next)
    }

    /// Version and schema of the folder, beside this program's own; whether it opens.
    @Test(arguments: [
        ("0.4.0", 0, true), ("0.4.9", 0, true), ("0.3.9", 0, true), ("0.5.0", 0, false), ("1.0.0", 0, false),
        // The database was put back from before.
        ("0.5.0", 1, true),
    ])
    func aNewerVersionsFolderIsRefusedInWords(version: String, above: Int, opens: Bool) throws {
        let scratch = try Scratch()
        try scratch.store().close()
        try note(version, schema: try #require(Self.schema) + above, in: scratch)
        let before = try scratch.server == nil ? scratch.databaseBytes() : Data()
        let own = Release(major: 0, minor: 4, patch: 5)
        for open in [
            { try scratch.store { $0.release = own }.close() },
            {
                var configuration = scratch.configuration()
                configuration.release = own
                _ = try Store.migrate(configuration)
            },
        ] {
            if opens {
                try open()
                #expect(FolderRelease.read(from: scratch.data)?.release == own)
                try note(version, schema: try #require(Self.schema) + above, in: scratch)
            } else {
                let error = #expect(throws: StoreError.self) { try open() }
                #expect(error?.code == .schemaTooNew)
                #expect(error?.detail == "The data folder \(scratch.data) was written by gatehouse \(version), and this is gatehouse 0.4.5")
                #expect(error?.hint.contains("Start gatehouse \(version) or a newer one") == true)
                #expect(try scratch.server != nil || scratch.databaseBytes() == before)
                #expect(FolderRelease.read(from: scratch.data)?.release.description == version)
            }
        }
    }

    @Test(arguments: ["", "{}", "[1]", #"{"version":"later","schema":1}"#, #"{"version":"9.0.0"}"#, "\u{0}\u{1}"])
    func whatNobodyCanReadKeepsNobodyOut(text: String) throws {
        let scratch = try Scratch()
        try scratch.store().close()
        try Data(text.utf8).write(to: URL(filePath: scratch.data + "/version.json"))
        try scratch.store().close()
        #expect(FolderRelease.read(from: scratch.data)?.release == .current)
    }

    @Test func aFolderWithoutTheNoteIsOneOfBefore() throws {
        let scratch = try Scratch()
        try scratch.store().close()
        try FileManager.default.removeItem(atPath: scratch.data + "/version.json")
        try scratch.store().close()
        #expect(FolderRelease.read(from: scratch.data)?.release == .current)
    }

    /// What is put in place is this program's own; the note of the newer one goes aside with its database.
    @Test(.onSQLite) func aRestoreIsTheWayBack() throws {
        let scratch = try Scratch()
        let backup = scratch.path + "/before.backup"
        let store = try scratch.store()
        _ = try store.backUp(to: backup)
        try store.close()
        let schema = try #require(Self.schema)
        try note("99.0.0", schema: schema, in: scratch)
        #expect(code { _ = try scratch.store() } == .schemaTooNew)
        let now = scratch.clock.now
        let request = RestoreRequest(directory: scratch.data, backup: backup, migrations: Scratch.migrations, now: { now })
        let report = try Store.restore(request)
        try scratch.store().close()
        #expect(FolderRelease.read(from: scratch.data)?.release == .current)
        let aside = try #require(report.aside)
        #expect(FolderRelease.read(from: aside) == FolderRelease(release: Release(major: 99, minor: 0, patch: 0), schema: schema))
    }

    /// The folder of a server on PostgreSQL has that database's key. A folder whose own database is lost is another matter.
    @Test(.onSQLite) func noRestoreTakesTheKeyOfADatabaseOfPostgreSQL() throws {
        let (own, there) = (try Scratch(), try Scratch(server: PostgresCluster.shared().database()))
        let backup = own.path + "/one.backup"
        try own.store().closing { _ = try $0.backUp(to: backup) }
        try there.store().close()
        let key = try Data(contentsOf: URL(filePath: there.key))
        func restore(to data: String, isTrial: Bool) throws {
            let now = own.clock.now
            var request = RestoreRequest(directory: data, backup: backup, migrations: Scratch.migrations, now: { now })
            request.isTrial = isTrial
            _ = try Store.restore(request)
        }
        for isTrial in [true, false] { #expect(code { try restore(to: there.data, isTrial: isTrial) } == .conflict) }
        #expect(try Data(contentsOf: URL(filePath: there.key)) == key)
        #expect(!FileManager.default.fileExists(atPath: there.database))
        // Once it has come back into the folder, it is restored into as any other.
        var folder = there.configuration()
        folder.server = nil
        _ = try Store.copy(from: try #require(there.address), to: folder)
        try restore(to: there.data, isTrial: false)
        try FileManager.default.removeItem(atPath: own.database)
        try restore(to: own.data, isTrial: false)
    }

    /// A server that has gone on in PostgreSQL leaves the database that its folder had. Whoever forgets `--database` must not take that for
    /// the present one, keep it as a backup, or lose the note that says where the present one is.
    @Test(.onSQLite) func whatAServerLeftForPostgreSQLIsNotTakenForItsDatabase() throws {
        let scratch = try Scratch()
        let heads = try scratch.store().closing { store in
            _ = try store.fill()
            return try store.anchor()
        }
        let schema = try #require(Self.schema)
        let mark = FolderRelease(release: .current, schema: schema, isOfServer: true)
        let backup = scratch.path + "/left.backup"
        let uses: [(String, () throws -> Void)] = [
            ("a server", { try scratch.store { $0.createIfMissing = false }.close() }),
            ("a server that may make one", { try scratch.store().close() }),
            ("migrate", { _ = try Store.migrate(scratch.configuration()) }),
            ("backup", { _ = try Store.backUp(directory: scratch.data, to: backup, at: scratch.clock.now) }),
        ]
        func refuses(_ state: String) throws {
            for (name, use) in uses {
                mark.write(to: scratch.data)
                let error = #expect(throws: StoreError.self, "\(name), \(state)") { try use() }
                #expect(error?.code == .unreadable && error?.detail.contains("PostgreSQL") == true, "\(name), \(state)")
                #expect(error?.hint.contains("--database URL") == true, "\(name), \(state)")
                #expect(FolderRelease.read(from: scratch.data) == mark, "\(name), \(state)")
                #expect(!FileManager.default.fileExists(atPath: backup), "\(name), \(state)")
            }
        }
        // Nothing was written there yet: it is still the way back.
        for (name, use) in uses {
            mark.write(to: scratch.data)
            #expect(throws: Never.self, "\(name)") { try use() }
        }
        try FileManager.default.removeItem(atPath: backup)
        let change = ChainHead(sequence: heads.changes.sequence + 1, hash: heads.changes.hash)
        let entry = ChainHead(sequence: (heads.audit?.sequence ?? 0) + 1, hash: heads.changes.hash)
        for (state, later) in [
            ("after a change", ChainAnchor(changes: change, audit: heads.audit)),
            ("after an entry of the audit", ChainAnchor(changes: heads.changes, audit: entry)),
        ] {
            try later.write(to: ChainAnchor.path(in: scratch.data), doing: "x")
            try refuses(state)
        }
        try FileManager.default.removeItem(atPath: scratch.database)
        try refuses("without the old database")
        #expect(!FileManager.default.fileExists(atPath: scratch.database))
    }
}
