import Foundation
import GateAPI
import GateAdminClient
import GateModel
import GateTesting
import Testing

/// Who else can look into the data folder of a real server, and write in it.
struct DataFolderTests {
    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    @Test func whateverTheUmaskEveryFileIsItsOwnersAlone() async throws {
        let server = try await Server.withShop()
        await server.stop()
        // Everything anew, as far as the server makes it again.
        for name in ["anchor.json", "reach.json", "publication", "gatehouse.lock"] {
            try FileManager.default.removeItem(atPath: server.data + "/" + name)
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: server.data + "/gatehouse.sqlite")
        server.umask = "000"
        try await server.start()
        _ = try await server.client().kill("Back.", at: 1)
        func check(_ moment: String) throws {
            let names = try #require(FileManager.default.enumerator(atPath: server.data)?.allObjects as? [String])
            for name in names {
                var isFolder: ObjCBool = false
                // A file that SQLite has removed meanwhile has no mode.
                guard FileManager.default.fileExists(atPath: server.data + "/" + name, isDirectory: &isFolder) else { continue }
                #expect(try mode(server.data + "/" + name) == (isFolder.boolValue ? 0o700 : 0o600), "\(name) \(moment)")
            }
        }
        try check("while it runs")
        #expect(await server.stop() == 0)
        try check("afterwards")
        for name in ["anchor.json", "reach.json", "publication/shop.json"] {
            #expect(FileManager.default.fileExists(atPath: server.data + "/" + name), "\(name)")
        }
    }

    @Test func aFolderThatOthersCanWriteIsRefusedAndOneThatTheyCanReadIsWarnedOf() async throws {
        let server = try await Server.withShop()
        await server.stop()
        try FileManager.default.setAttributes([.posixPermissions: 0o770], ofItemAtPath: server.data)
        let refused = try await run(Programs.gatehouse, ["serve", "--data", server.data] + Server.assets, environment: Server.environment)
        #expect(refused.status == 1)
        #expect(refused.err.contains("Users other than its owner can write in the data folder"), "\(refused)")
        #expect(refused.err.contains("chmod 700 \(server.data)"), "\(refused)")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: server.data)
        try await server.start()
        let log = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
        #expect(log.contains("others can look into the data folder"), "\(log)")
        #expect(log.contains("chmod 700 "))
        // It is no trouble of the server's: the files themselves are its own.
        #expect(try await server.client().status().health.state != .degraded)
    }
}
