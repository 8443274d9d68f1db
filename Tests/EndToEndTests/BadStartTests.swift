import Foundation
import GateAPI
import GateAdminClient
import GateModel
import GateTesting
import Testing

/// A server that cannot read what it needs: phones and edges are never told that there is no feed when nobody can know.
struct BadStartTests {
    /// A killed shop whose feeds were kept, with the server stopped.
    private func stopped() async throws -> Server {
        let server = try await Server.withShop()
        _ = try await server.client().kill("Back at nine.", at: 1)
        #expect(await server.stop() == 0)
        return server
    }

    private func spoil(_ path: String) throws { try Data("no database".utf8).write(to: URL(filePath: path)) }

    private func expectNotNow(_ answer: RawAnswer) {
        #expect(answer.status == 503)
        func header(_ name: String) -> String { answer.headers.first { $0.name == name }?.value ?? "" }
        #expect(header("content-type").hasPrefix("text/plain"))
        #expect(header("retry-after") == "5")
    }

    @Test func feedsThatNobodyCanKnowAboutAreNotThereNow() async throws {
        let server = try await stopped()
        try spoil(server.data + "/gatehouse.sqlite")
        try FileManager.default.removeItem(atPath: server.data + "/publication")
        try await server.start()
        for path in ["/feeds/shop/launchgate.json", "/feeds/other/launchgate.json", "/config.json"] {
            expectNotNow(try await server.feed(path))
        }
        #expect(try await server.feed("/healthz/live").status == 200)
        let ready = try await server.client().raw("/healthz/ready")
        #expect(ready.status == 503)
    }

    @Test func oneDamagedFileTakesNoOtherAppsAnswer() async throws {
        let server = try await stopped()
        try spoil(server.data + "/gatehouse.sqlite")
        try spoil(server.data + "/publication/gone.json")
        try await server.start()
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        expectNotNow(try await server.feed("/feeds/gone/launchgate.json"))
        // What was kept whole says that there is no such app.
        #expect(try await server.feed("/feeds/other/launchgate.json").status == 404)
        // An alias may be that app's.
        expectNotNow(try await server.feed("/config.json"))
    }

    /// The remedy of an earlier log line destroyed the last feeds.
    @Test func anEmptyDatabaseBesideWhatWasPublishedIsNotMade() async throws {
        let server = try await stopped()
        for name in ["gatehouse.sqlite", "gatehouse.sqlite-wal", "gatehouse.sqlite-shm"] {
            try? FileManager.default.removeItem(atPath: server.data + "/" + name)
        }  // two may be gone already
        let refused = try await run(
            Programs.gatehouse,
            ["init", "--data", server.data, "--username", "admin", "--password-stdin"] + Server.assets.suffix(2),
            environment: Server.environment,
            input: "a long pass phrase\n"
        )
        #expect(refused.status == 1)
        #expect(refused.err.contains("Restore it from a backup, gatehouse restore --data \(server.data)"), "\(refused)")
        #expect(FileManager.default.fileExists(atPath: server.data + "/publication/shop.json"))
    }

    /// An empty or older database under a newer anchor takes nothing back, and removes nothing.
    @Test func aDatabaseOlderThanItsAnchorReplacesNothing() async throws {
        let other = try await Server.withShop()
        #expect(await other.stop() == 0)
        let server = try await stopped()
        let kept = try Data(contentsOf: URL(filePath: server.data + "/publication/shop.json"))
        try FileManager.default.removeItem(atPath: server.data + "/gatehouse.sqlite")
        try FileManager.default.copyItem(atPath: other.data + "/gatehouse.sqlite", toPath: server.data + "/gatehouse.sqlite")
        try FileManager.default.removeItem(atPath: server.data + "/keys")
        try FileManager.default.copyItem(atPath: other.data + "/keys", toPath: server.data + "/keys")
        try await server.start()
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        #expect(await server.stop() == 0)
        #expect(try Data(contentsOf: URL(filePath: server.data + "/publication/shop.json")) == kept)
        let log = try String(contentsOfFile: server.folder.path + "/log", encoding: .utf8)
        #expect(log.contains("the database is older than what was published"))
    }

    /// A service manager whose disk is full, or whose reader is gone, has a server all the same.
    @Test(arguments: ["full", "closed"]) func anOutputThatTakesNothingStopsNoServer(_ kind: String) async throws {
        let server = try await stopped()
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let output = kind == "full" ? try #require(FileHandle(forWritingAtPath: "/dev/full")) : pipe.fileHandleForWriting
        try await server.start(standardOutput: output)
        #expect(try await server.feedText("/feeds/shop/launchgate.json").contains("Back at nine."))
        #expect(try server.log.contains("the ready line could not be written"))
        #expect(await server.stop() == 0)
    }

    private func toFull(_ words: [String], input: String = "") async throws -> Outcome {
        try await run(
            "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" > /dev/full", Programs.gatehouse] + words,
            environment: Server.environment,
            input: input
        )
    }

    /// A script that keeps what a command says must not keep an empty file and go on.
    @Test func anOutputThatTakesNothingIsAFailureThatSaysWhatWasDone() async throws {
        let server = try await stopped()
        let (folder, backup) = (try TemporaryFolder(), server.folder.path + "/one.backup")
        let place = ["--data", server.data]
        let migrations = Array(Server.assets.suffix(2))
        let commands: [(words: [String], said: String)] = [
            (["keys", "list", "--json"] + place, "Nothing was changed."), (["keys", "list"] + place, "Nothing was changed."),
            (["verify"] + place + migrations, "Nothing was changed."), (["migrate"] + place + migrations, "Nothing was changed."),
            (["admin", "sign"] + place + migrations, "Nothing was changed."), (["repair"] + place + migrations, "What could be repaired"),
            (["backup", "--out", backup] + place, "The backup \(backup) is made"),
            (["verify", "--from", backup] + migrations, "Nothing was changed."),
            (["restore", "--from", backup, "--dry-run"] + place + migrations, "Nothing was changed."),
            (["restore", "--from", backup, "--data", folder.path + "/data"] + migrations, "The restore is done"),
        ]
        for (words, said) in commands {
            let outcome = try await toFull(words)
            #expect(outcome.status == 1 && outcome.err.contains("could not be written. \(said)"), "\(words): \(outcome)")
        }
        #expect(FileManager.default.fileExists(atPath: folder.path + "/data/gatehouse.sqlite"))
    }

    /// What is shown once must not be lost without a word.
    @Test func anOutputThatTakesNothingIsAFailureWhereItHasWhatCannotBeHadAgain() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        let made = try await toFull(
            ["init", "--data", data, "--username", "admin", "--password-stdin", "--token", "ci"] + Server.assets.suffix(2),
            input: "violet-harbour-41-lantern\n"
        )
        #expect(made.status == 1, "\(made)")
        #expect(made.err.contains("the token is revoked"), "\(made)")
        let tokens = try await run(
            "/usr/bin/sqlite3",
            [data + "/gatehouse.sqlite", "SELECT count(*), count(revoked_at) FROM tokens"],
            environment: Server.environment
        )
        #expect(tokens.out == "1|1\n", "\(tokens)")
        let added = try await toFull(["keys", "add", "--data", data])
        #expect(added.status == 1 && added.err.contains("gatehouse keys list"), "\(added)")
        let secret = try await toFull(["keys", "secret"])
        #expect(secret.status == 1 && secret.err.contains("The secret is lost"), "\(secret)")
        let pair = try await toFull(["backup-key", "--out", folder.path + "/backup.key"])
        #expect(pair.status == 1 && pair.err.contains("make another pair"), "\(pair)")
    }

    /// What a command has to say on standard error does not decide how it ends.
    @Test func anErrorThatNobodyCanReadEndsWithTheSameCode() async throws {
        let folder = try TemporaryFolder()
        let ended = try await run(
            "/bin/sh",
            ["-c", "exec \"$0\" \"$@\" 2> /dev/full", Programs.gatehouse, "backup", "--data", folder.path, "--out", folder.path + "/b"],
            environment: Server.environment
        )
        #expect(ended.status == 1, "\(ended)")
    }

    @Test(arguments: ["file", "file/below"])
    func aFolderThatCannotBeEndsTheStartWithASentence(_ name: String) async throws {
        let server = try await stopped()
        try Data().write(to: URL(filePath: server.folder.path + "/file"))
        let ended = try await run(
            Programs.gatehouse,
            ["serve", "--data", server.folder.path + "/" + name] + Server.assets,
            environment: Server.environment
        )
        #expect(ended.status == 1)
        #expect(ended.err.contains(server.folder.path + "/file"), "\(ended)")
        #expect(!ended.err.contains("Fatal error"))
    }
}
