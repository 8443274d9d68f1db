import Foundation
import GateAPI
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// `gatehouse copy`: a server's database into one of PostgreSQL and back, and the server goes on as if nothing had been.
@Suite(.timeLimit(.minutes(3)))
struct DatabaseCopyTests {
    private static let feeds = [
        "/feeds/shop/ios/bellerophon.json", "/feeds/shop/android/bellerophon.json", "/feeds/shop/launchgate.json",
        "/feeds/shop/prince-of-versions.json",
    ]

    private func copy(_ arguments: String...) async throws -> Outcome {
        try await run(Programs.gatehouse, ["copy"] + arguments + Server.assets.suffix(2), environment: Server.environment)
    }

    /// What callers and phones see.
    private func sight(_ server: Server) async throws -> [String] {
        let client = try server.client()
        var sight = [try await client.export().text, "\(try await client.changes([]).items.map(\.json.text))"]
        for path in Self.feeds { sight.append(try await server.feedText(path)) }
        return sight
    }

    @Test func aServerGoesOnWithWhatCameBack() async throws {
        let server = try await Server.start()
        let client = try server.client()
        _ = try await client.createApp(AppRequest(key: "shop", name: "Shöp"))
        for platform in ["ios", "android"] { _ = try await client.putPlatform("shop", platform, SettingsRequest()) }
        for revision in 1...5 { _ = try await client.kill(revision.isMultiple(of: 2) ? nil : "Zurück um 9:30 'heute' \\", at: revision) }
        let before = try await sight(server)
        let database = try PostgresCluster.shared().database()

        let early = try await copy("--data", server.data, "--to", database.url)
        #expect(early.status == 1 && early.err.contains("in use"), "\(early)")
        await server.stop()

        let there = try await copy("--data", server.data, "--to", database.url)
        #expect(there.status == 0, "\(there)")
        #expect(there.out.contains("up to change 8, hash ") && there.out.contains("1 app, 2 targets, 1 person"), "\(there)")
        let again = try await copy("--data", server.data, "--to", database.url)
        #expect(again.status == 1 && again.err.contains("already has rows, in apps"), "\(again)")
        let taken = try await copy("--from", database.url, "--data", server.data)
        #expect(taken.status == 1 && taken.err.contains("gatehouse.sqlite already"), "\(taken)")

        // The same folder, the other database.
        let shared = Server(folder: server.folder, token: server.token, options: ["--database", database.url])
        try await shared.start()
        #expect(try await sight(shared) == before)
        #expect(try await shared.client().kill("Again.", at: 6).change?.sequence == 9)
        let later = try await sight(shared)
        try await waitUntil("the server has the duty") { try shared.log.contains("this server does what the clock asks for") }
        let other = try TemporaryFolder()
        let busy = try await copy("--from", database.url, "--data", other.path + "/data")
        #expect(busy.status == 1 && busy.err.contains("A server is at work on the database \"\(database.name)\""), "\(busy)")
        #expect(!FileManager.default.fileExists(atPath: other.path + "/data/gatehouse.sqlite"))
        await shared.stop()
        #expect(try await verify(server.data, "--database", database.url).status == 0)
        // Nobody goes on with what the folder had before without a word.
        let left = try await verify(server.data)
        #expect(left.status == 1 && left.err.contains("the anchor knows rows up to 9"), "\(left)")
        #expect(left.err.contains("has its database in PostgreSQL") && !left.err.contains("gatehouse restore"), "\(left)")
        let forgotten = try await run(
            Programs.gatehouse,
            ["backup", "--data", server.data, "--out", server.folder.path + "/left.backup"],
            environment: Server.environment
        )
        #expect(forgotten.status == 1 && forgotten.err.contains("has its database in PostgreSQL"), "\(forgotten)")

        let home = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: home.path + "/data",
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        try FileManager.default.copyItem(atPath: server.data + "/keys", toPath: home.path + "/data/keys")
        let back = try await copy("--from", database.url, "--data", home.path + "/data")
        #expect(back.status == 0 && back.out.contains("Serve it with gatehouse serve --data \(home.path)/data."), "\(back)")
        #expect(back.out.contains("up to change 9, hash "), "\(back)")
        #expect(try await verify(home.path + "/data").status == 0)
        let own = Server(folder: home, token: server.token, options: [])
        try await own.start()
        #expect(try await sight(own) == later)
        #expect(try await own.client().kill(nil, at: 7).change?.sequence == 10)
        await own.stop()
    }

    private func verify(_ data: String, _ more: String...) async throws -> Outcome {
        try await run(
            Programs.gatehouse,
            ["verify", "--data", data] + more + Server.assets.suffix(2),
            environment: Server.environment
        )
    }

    @Test func withoutTheKeysTheCopySaysWhatIsMissing() async throws {
        let server = try await Server.start()
        await server.stop()
        let database = try PostgresCluster.shared().database()
        #expect(try await copy("--data", server.data, "--to", database.url).status == 0)
        let place = try TemporaryFolder()
        let back = try await copy("--from", database.url, "--data", place.path + "/new")
        #expect(back.status == 0 && back.out.contains("put the keys/ of the folder"), "\(back)")
    }

    /// A process that is killed at any moment leaves a folder and a database in which the copy can be made again.
    @Test(arguments: [1, 5, 20, 60]) func aCopyThatIsKilledCanBeMadeAgain(milliseconds: Int) async throws {
        let server = try await Server.start()
        let client = try server.client()
        _ = try await client.createApp(AppRequest(key: "shop", name: "Shop"))
        await server.stop()
        let (database, place) = (try PostgresCluster.shared().database(), try TemporaryFolder())
        func killed(_ arguments: [String]) throws {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: Programs.gatehouse)
            process.arguments = ["copy"] + arguments + Server.assets.suffix(2)
            process.environment = Server.environment
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            usleep(UInt32(milliseconds) * 1_000)
            Foundation.kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        try killed(["--data", server.data, "--to", database.url])
        let there = try await copy("--data", server.data, "--to", database.url)
        // It may have been done before the signal.
        #expect(there.status == 0 || there.err.contains("already has rows"), "\(there)")
        try killed(["--from", database.url, "--data", place.path + "/new"])
        let back = try await copy("--from", database.url, "--data", place.path + "/new")
        #expect(back.status == 0 || back.err.contains("gatehouse.sqlite already"), "\(back)")
        let names = try FileManager.default.contentsOfDirectory(atPath: place.path + "/new").sorted()
        #expect(names == ["gatehouse.lock", "gatehouse.sqlite", "version.json"] || names == ["gatehouse.lock", "gatehouse.sqlite"])
    }

    @Test func refusalsSayWhatToDoAndNoPassword() async throws {
        let place = try TemporaryFolder()
        for (arguments, words) in [
            (["--data", place.path], "Say either --to URL or --from URL."),
            (["--data", place.path, "--to", "a", "--from", "b"], "Say either --to URL or --from URL."),
            (["--data", place.path + "/none", "--to", "postgresql://x@127.0.0.1:9/x"], "There is no \(place.path)/none"),
            (["--data", place.path, "--from", "postgresql://x@127.0.0.1:9/x"], "127.0.0.1"),
            (["--data", place.path, "--to", "postgresql://x:s3cret@127.0.0.1:9/x"], "--to holds a password"),
            (["--data", place.path, "--from", "postgresql://x:s3cret@127.0.0.1:9/x"], "--from holds a password"),
            (["--data", place.path, "--from", "postgresql://x:s3cret@@:x/x"], "--from: the address of the database"),
        ] {
            let refused = try await run(
                Programs.gatehouse,
                ["copy"] + arguments + Server.assets.suffix(2),
                environment: Server.environment
            )
            #expect(refused.status != 0 && refused.err.contains(words), "\(refused)")
            #expect(!(refused.err + refused.out).contains("s3cret"), "\(refused)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).filter { $0.hasPrefix("gatehouse.sqlite") } == [])
    }
}
