import Foundation
import GateJSON
import GateTesting
import Testing

/// Options as variables of the environment, for the commands beside `serve`.
struct EnvironmentOptionTests {
    private static let migrations = Programs.root.appendingPathComponent("Migrations").path

    private func gatehouse(_ arguments: String..., variables: [String: String]) async throws -> Outcome {
        try await run(
            Programs.gatehouse,
            arguments,
            environment: Server.environment.merging(variables) { $1 },
            input: "violet-harbour-41-lantern\n"
        )
    }

    @Test func everyCommandTakesItsFolderFromTheEnvironment() async throws {
        let folder = try TemporaryFolder()
        let variables = [
            "GATEHOUSE_DATA": folder.path + "/data", "GATEHOUSE_MIGRATIONS": Self.migrations, "GATEHOUSE_USERNAME": "admin",
        ]
        let made = try await gatehouse("init", "--password-stdin", "--token", "ci", variables: variables)
        #expect(made.status == 0 && made.out.hasPrefix("gate_"), "\(made)")
        let backup = folder.path + "/gatehouse.backup"
        for command in [
            ["migrate"], ["verify"], ["keys", "add"], ["keys", "list"], ["admin", "sign"], ["backup", "--out", backup],
            ["restore", "--from", backup, "--dry-run"], ["repair", "--dry-run"],
            ["admin", "reset-password", "--username", "admin", "--password-stdin"],
        ] {
            let done = try await run(
                Programs.gatehouse,
                command,
                environment: Server.environment.merging(variables) { $1 },
                input: "violet-harbour-42-lantern\n"
            )
            #expect(done.status == 0, "\(command): \(done)")
        }
        // A backup is all of itself, whatever folder the environment is about.
        #expect(try await gatehouse("verify", "--from", backup, variables: variables).out.contains("The backup is sound"))
    }

    @Test func whatACommandNeedsBesidesComesFromTheEnvironmentToo() async throws {
        let folder = try TemporaryFolder()
        var variables = [
            "GATEHOUSE_DATA": folder.path + "/data", "GATEHOUSE_MIGRATIONS": Self.migrations, "GATEHOUSE_USERNAME": "admin",
            "GATEHOUSE_TOKEN": "ci", "GATEHOUSE_OUT": folder.path + "/gatehouse.backup",
        ]
        let made = try await gatehouse("init", "--password-stdin", variables: variables)
        #expect(made.status == 0 && made.out.hasPrefix("gate_"), "\(made)")
        let key = folder.path + "/backup.key"
        let pair = try await gatehouse("backup-key", "--out", key, variables: variables)
        variables["GATEHOUSE_ENCRYPT_TO"] = pair.out.trimmingCharacters(in: .newlines)
        let backup = try await gatehouse("backup", variables: variables)
        #expect(backup.status == 0 && backup.out.hasPrefix(folder.path + "/gatehouse.backup: "), "\(backup)")
        variables["GATEHOUSE_FROM"] = folder.path + "/gatehouse.backup"
        let restored = try await gatehouse("restore", "--dry-run", variables: variables)
        #expect(restored.status == 1, "without its key: \(restored)")
        variables["GATEHOUSE_KEY"] = key
        #expect(try await gatehouse("restore", "--dry-run", variables: variables).status == 0)

        // Which of the two is to be checked must be said; either of them alone, or typed, is enough.
        let both = try await gatehouse("verify", variables: variables)
        #expect(both.status == 64 && both.err.contains("GATEHOUSE_DATA and GATEHOUSE_FROM"), "\(both)")
        let typed = try await gatehouse("verify", "--data", folder.path + "/data", variables: variables)
        #expect(typed.out == "The database is sound.\n", "\(typed)")
        variables["GATEHOUSE_DATA"] = nil
        #expect(try await gatehouse("verify", variables: variables).out.contains("The backup is sound"))
    }

    /// An anchor that was asked for and not looked at would let an older folder pass.
    @Test func anAnchorOfTheEnvironmentIsLookedAt() async throws {
        let folder = try TemporaryFolder()
        var variables = ["GATEHOUSE_DATA": folder.path + "/data", "GATEHOUSE_MIGRATIONS": Self.migrations, "GATEHOUSE_USERNAME": "admin"]
        _ = try await gatehouse("init", "--password-stdin", variables: variables)
        #expect(try await gatehouse("verify", variables: variables).status == 0)
        variables["GATEHOUSE_ANCHOR"] = "/nowhere/anchor.json"
        for words in [["verify"], ["restore", "--from", "/nowhere/file"]] {
            let refused = try await run(Programs.gatehouse, words, environment: Server.environment.merging(variables) { $1 })
            #expect(refused.status == 64 && refused.err.contains("There is no anchor /nowhere/anchor.json"), "\(refused)")
        }
        let typed = try await gatehouse("verify", "--anchor", "/elsewhere/anchor.json", variables: variables)
        #expect(typed.err.contains("There is no anchor /elsewhere/anchor.json"), "\(typed)")
    }

    @Test func aVariableThatHoldsSomethingElseIsRefused() async throws {
        let folder = try TemporaryFolder()
        let variables = ["GATEHOUSE_DATA": folder.path + "/data", "GATEHOUSE_MIGRATIONS": Self.migrations, "GATEHOUSE_USERNAME": "admin"]
        for (words, name, value, complaint) in [
            (["init", "--password-stdin"], "GATEHOUSE_TOKEN", "gate_k7Fq2Zx1_hunter2", "are the name of a token"),
            (["backup", "--out", folder.path + "/file"], "GATEHOUSE_ENCRYPT_TO", "x", "GATEHOUSE_ENCRYPT_TO is the public key"),
        ] {
            let environment = Server.environment.merging(variables) { $1 }.merging([name: value]) { $1 }
            let refused = try await run(Programs.gatehouse, words, environment: environment, input: "violet-harbour-41-lantern\n")
            #expect(refused.status == 64 && refused.err.contains(complaint), "\(refused)")
            #expect(!refused.err.contains("hunter2"), "\(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    @Test func theCommandLineGoesBeforeTheEnvironment() async throws {
        let folder = try TemporaryFolder()
        let variables = ["GATEHOUSE_DATA": folder.path + "/other", "GATEHOUSE_USERNAME": "other", "GATEHOUSE_MIGRATIONS": "/nowhere"]
        let made = try await gatehouse(
            "init",
            "--data",
            folder.path + "/data",
            "--username",
            "admin",
            "--password-stdin",
            "--migrations",
            Self.migrations,
            variables: variables
        )
        #expect(made.status == 0, "\(made)")
        #expect(FileManager.default.fileExists(atPath: folder.path + "/data/gatehouse.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/other"))
    }

    /// What a shell has put in for a variable that is not set is no folder, and above all not the root.
    @Test(arguments: [
        (["serve", "--data", ""], "--data has no value"), (["serve", "--listen", ""], "--listen has no value"),
        (["verify", "--data", ""], "--data DIR or --from FILE"), (["migrate", "--data", ""], "--data DIR, or GATEHOUSE_DATA"),
    ])
    func anOptionWithoutAValueIsRefused(arguments: [String], remedy: String) async throws {
        let folder = try TemporaryFolder()
        let refused = try await run(
            Programs.gatehouse,
            arguments,
            environment: Server.environment.merging(["XDG_DATA_HOME": folder.path]) { $1 }
        )
        #expect(refused.status == 64 && refused.err.contains(remedy), "\(refused)")
    }

    /// The empty variable of a unit's environment file, and whose word a refusal is about.
    @Test func aRefusalNamesThePlaceThatIsAtFault() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/gatehouse.json"
        try Data(#"{"protected":"ja"}"#.utf8).write(to: URL(filePath: file))
        for (variables, words, place) in [
            (["GATEHOUSE_CONFIG": "", "GATEHOUSE_PROTECTED": "ja"], ["serve"], "GATEHOUSE_PROTECTED is"),
            ([:], ["serve", "--config", file], #""protected" in \#(file) is"#),
        ] {
            let refused = try await run(
                Programs.gatehouse,
                words + ["--data", folder.path + "/data"],
                environment: Server.environment.merging(variables) { $1 }
            )
            #expect(refused.status == 64 && refused.err.contains(place + #" true or false, not "ja""#), "\(refused)")
        }
    }

    /// A setting that has no effect is not noticed otherwise, and it may be one that keeps somebody out.
    @Test func aVariableThatNobodyKnowsIsToldAtTheStart() async throws {
        let server = try await Server.start()
        await server.stop()
        let known = [
            "GATEHOUSE_ENVIRONMENT": "staging", "GATEHOUSE_USERNAME": "admin", "GATEHOUSE_TOKEN": "ci", "GATEHOUSE_OUT": "/nowhere",
            "GATEHOUSE_BACKUPS": "/nowhere", "GATEHOUSE_UPGRADE_WITHOUT_BACKUP": "yes", "GATEHOUSE_PROTECTED": "", "GATEHOUSE_CONFIG": "",
            // What Kubernetes puts into each container for the Services gatehouse and gatehouse-feeds of its namespace.
            "GATEHOUSE_SERVICE_HOST": "10.0.0.1", "GATEHOUSE_SERVICE_PORT": "8080", "GATEHOUSE_SERVICE_PORT_ADMIN": "8080",
            "GATEHOUSE_PORT": "tcp://10.0.0.1:8080", "GATEHOUSE_PORT_8080_TCP": "tcp://10.0.0.1:8080",
            "GATEHOUSE_PORT_8080_TCP_PROTO": "tcp", "GATEHOUSE_PORT_8080_TCP_PORT": "8080", "GATEHOUSE_PORT_8080_TCP_ADDR": "10.0.0.1",
            "GATEHOUSE_FEEDS_SERVICE_HOST": "10.0.0.2", "GATEHOUSE_FEEDS_SERVICE_PORT": "8081",
            "GATEHOUSE_FEEDS_PORT": "tcp://10.0.0.2:8081", "GATEHOUSE_FEEDS_PORT_8081_TCP_ADDR": "10.0.0.2",
        ]
        let unknown = [
            "GATEHOUSE_PROTECTD": "hunter2", "GATEHOUSE_TRUSTED_PROXIES": "hunter2", "GATEHOUSE_LISTEN_PORT": "hunter2",
            "GATEHOUSE_NONSENSE_OF_SOMEBODY": "hunter2", "GATEHOUSE_": "hunter2",
        ]
        server.variables = known.merging(unknown) { $1 }
        try await server.start()
        await server.stop()
        let log = try server.log
        let told = try log.split(separator: "\n").map { try #require(try JSONReader.read(Array($0.utf8)).object) }
            .filter { $0["variable"] != nil }
        #expect(Set(told.compactMap { $0["variable"]?.string }) == Set(unknown.keys), "\(log)")
        #expect(told.count == unknown.count && told.allSatisfy { $0["level"]?.string == "warning" }, "\(told)")
        #expect(!log.contains("hunter2"))
        let near = Dictionary(uniqueKeysWithValues: told.map { ($0["variable"]?.string ?? "", $0["meant"]?.string) })
        #expect(near["GATEHOUSE_PROTECTD"] == "GATEHOUSE_PROTECTED" && near["GATEHOUSE_TRUSTED_PROXIES"] == "GATEHOUSE_TRUSTED_PROXY")
        #expect(near["GATEHOUSE_NONSENSE_OF_SOMEBODY"] == .some(nil))
    }

    /// Half of it done, the other half can never be had from `init` again.
    @Test func aTokensNameIsRefusedBeforeThereIsAnAdministrator() async throws {
        let folder = try TemporaryFolder()
        let variables = ["GATEHOUSE_DATA": folder.path + "/data", "GATEHOUSE_MIGRATIONS": Self.migrations, "GATEHOUSE_USERNAME": "admin"]
        let refused = try await gatehouse("init", "--password-stdin", "--token", "", variables: variables)
        #expect(refused.status == 1 && refused.err.contains("A token's name has 1 to 100 characters"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"), "nothing is written")
        let made = try await gatehouse("init", "--password-stdin", "--token", "ci", variables: variables)
        #expect(made.status == 0 && made.out.hasPrefix("gate_"), "\(made)")
    }

    @Test(arguments: [
        (["init", "--username", "admin", "--password-stdin"], "--data DIR, or GATEHOUSE_DATA"),
        (["init", "--data", "/nowhere", "--password-stdin"], "--username NAME, or GATEHOUSE_USERNAME"),
        (["verify"], "--data DIR or --from FILE"), (["migrate"], "--data DIR, or GATEHOUSE_DATA"),
        (["backup", "--out", "/nowhere/file"], "--data DIR, or GATEHOUSE_DATA"),
        (["backup", "--data", "/nowhere"], "--out FILE, or GATEHOUSE_OUT"),
        (["restore", "--data", "/nowhere"], "--from FILE, or GATEHOUSE_FROM"),
    ])
    func withoutEitherTheRemedyIsNamed(arguments: [String], remedy: String) async throws {
        // Set to nothing is not set.
        let environment = Server.environment.merging(["GATEHOUSE_DATA": "", "GATEHOUSE_USERNAME": ""]) { $1 }
        let refused = try await run(Programs.gatehouse, arguments, environment: environment, input: "violet-harbour-41-lantern\n")
        #expect(refused.status == 64 && refused.err.contains(remedy), "\(refused)")
    }
}
