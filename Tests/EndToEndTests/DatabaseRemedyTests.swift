import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// What is printed about an older database of PostgreSQL: it names nothing that would take the folder's key from it, and what it says
/// works.
@Suite(.timeLimit(.minutes(3)))
struct DatabaseRemedyTests {
    private func gatehouse(_ arguments: String...) async throws -> Outcome {
        try await run(Programs.gatehouse, arguments + Server.assets.suffix(2), environment: Server.environment)
    }

    @Test func anOlderDatabaseOfPostgreSQLIsGoneOnWithAsItSays() async throws {
        let (cluster, place) = (try PostgresCluster.shared(), try TemporaryFolder())
        let database = try cluster.database()
        let server = try await Server.sharing(database, count: 1)[0]
        _ = try await server.checked()
        _ = try await server.client().createApp(AppRequest(key: "shop", name: "Shop"))
        _ = try await server.client().putPlatform("shop", "ios", SettingsRequest())
        await server.stop()
        let older = try cluster.database("TEMPLATE \(database.name)")
        try await server.start()
        _ = try await server.checked()
        let told = try await server.client().kill("Back soon.", at: 1)
        await server.stop()

        let verified = try await gatehouse("verify", "--data", server.data, "--database", older.url)
        #expect(verified.status == 1 && verified.err.contains("An older database is in its place"), "\(verified)")
        #expect(verified.err.contains("gatehouse copy --from URL --data NEW"), "\(verified)")
        #expect(verified.err.contains("start every other server of it with an empty --data"), "\(verified)")
        #expect(!verified.err.contains("restore --data \(server.data)"), "\(verified)")
        let served = Server(folder: server.folder, token: server.token, options: ["--database", older.url])
        try await served.start()
        try await waitUntil("the log says that the last feeds go on") { try served.log.contains("the last feeds go on") }
        #expect(try served.log.contains("gatehouse copy --from URL --data NEW"))
        #expect(try !served.log.contains("gatehouse restore --data \(server.data)"))
        await served.stop()

        let (new, backup) = (place.path + "/data", place.path + "/one.backup")
        let came = try await gatehouse("copy", "--from", older.url, "--data", new)
        #expect(came.status == 0, "\(came)")
        for name in ["keys", "anchor.json"] { try FileManager.default.copyItem(atPath: server.data + "/" + name, toPath: new + "/" + name) }
        let kept = try await run(Programs.gatehouse, ["backup", "--data", new, "--out", backup], environment: Server.environment)
        #expect(kept.status == 0, "\(kept)")
        // Into the server's own folder it is refused, and what is there stays.
        let key = try Data(contentsOf: URL(fileURLWithPath: server.data + "/keys/rows.key"))
        let refused = try await gatehouse("restore", "--data", server.data, "--from", backup)
        #expect(refused.status == 1 && refused.err.contains("--database"), "\(refused)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: server.data + "/keys/rows.key")) == key)
        let restored = try await gatehouse("restore", "--data", new, "--from", backup)
        #expect(restored.status == 0, "\(restored)")
        let empty = try cluster.database()
        let gone = try await gatehouse("copy", "--data", new, "--to", empty.url)
        #expect(gone.status == 0, "\(gone)")

        let again = Server(folder: place, token: server.token, options: ["--database", empty.url])
        try await again.start()
        #expect(try await again.checked().state == .ok)
        let last = try #require(told.change?.sequence)
        let newest = try await again.client().changes([]).items.first
        #expect(newest?.kind == .restore && newest?.sequence ?? 0 > last, "above what phones were told")
    }
}
