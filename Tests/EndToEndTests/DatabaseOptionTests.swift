import Foundation
import GateTesting
import Testing

/// `--database`: where it may stand, what does not go with it, and that a password in it goes nowhere.
struct DatabaseOptionTests {
    private static let url = "postgresql://gate@db.invalid/gatehouse"
    private static let secret = "postgresql://gate:s3cret@db.invalid/gatehouse"

    private func gatehouse(_ arguments: [String], _ variables: [String: String] = [:]) async throws -> Outcome {
        try await run(
            Programs.gatehouse,
            arguments,
            environment: Server.environment.merging(variables) { $1 },
            input: "violet-harbour-41-lantern\n"
        )
    }

    /// Every command, with what it has to be given beside the folder.
    private static let commands: [(name: [String], more: [String])] = [
        (["serve"], Server.assets), (["init"], ["--username", "admin", "--password-stdin"]), (["verify"], []), (["migrate"], []),
        (["admin", "sign"], []), (["admin", "reset-password"], ["--username", "admin", "--password-stdin"]),
        (["backup"], ["--out", "/nowhere/file"]), (["restore"], ["--from", "/nowhere/file"]), (["repair"], []),
    ]

    @Test(arguments: [
        secret, "postgresql://gate@db.invalid/gatehouse?password=s3cret", "postgresql://gate@db.invalid/gatehouse?sslpassword=s3cret",
    ])
    func noPasswordOnACommandLine(_ url: String) async throws {
        let folder = try TemporaryFolder()
        for (name, more) in Self.commands {
            let refused = try await gatehouse(name + ["--data", folder.path + "/data", "--database", url] + more)
            #expect(refused.status == 64, "\(name): \(refused)")
            for remedy in ["PGPASSFILE", "PGPASSWORD", "GATEHOUSE_DATABASE"] {
                #expect(refused.err.contains(remedy), "\(name): \(refused)")
            }
            #expect(!"\(refused)".contains("s3cret"), "\(name): \(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    @Test(arguments: [
        "gatehouse", "mysql://gate:s3cret@db.invalid/gatehouse", "postgresql://gate:a@s3cret@db.invalid/gatehouse",
        "postgresql://gate:s3cret/x@db.invalid/gatehouse",
    ])
    func whatIsNoAddressIsNamedByWhereItStands(_ url: String) async throws {
        let folder = try TemporaryFolder()
        let config = try folder.file("config.json", #"{"database": "\#(url)"}"#)
        let data = folder.path + "/data"
        for (refused, place) in [
            (try await gatehouse(["serve", "--data", data, "--database", url] + Server.assets), "--database: "),
            (try await gatehouse(["serve", "--data", data] + Server.assets, ["GATEHOUSE_DATABASE": url]), "GATEHOUSE_DATABASE: "),
            (try await gatehouse(["serve", "--data", data, "--config", config] + Server.assets), "\"database\" in \(config): "),
            (try await gatehouse(["migrate", "--data", data], ["GATEHOUSE_DATABASE": url]), "GATEHOUSE_DATABASE: "),
        ] {
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.err.contains(place + "the address of the database"), "\(refused)")
            #expect(!"\(refused)".contains("s3cret"), "\(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: data))
    }

    @Test func aFileWithAPasswordIsItsOwnersAlone() async throws {
        let folder = try TemporaryFolder()
        let data = folder.path + "/data"
        for (url, mode, isRefused) in [
            (Self.secret, 0o644, true), (Self.secret, 0o640, true), (Self.secret, 0o600, false), (Self.url, 0o644, false),
        ] {
            let config = try folder.file(
                "config-\(String(mode, radix: 8)).json",
                #"{"database": "\#(url)", "listen": "nowhere"}"#,
                mode: mode
            )
            let refused = try await gatehouse(["serve", "--data", data, "--config", config] + Server.assets)
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.err.contains("chmod 600 \(config)") == isRefused, "\(refused)")
            // What is read after it is wrong too, so that nothing is started.
            #expect(refused.err.contains("--listen") == !isRefused, "\(refused)")
            #expect(!"\(refused)".contains("s3cret"), "\(refused)")
        }
    }

    /// PostgreSQL has its own tools for these; what they would do is done to a file that is not the database.
    @Test(arguments: [["backup", "--out", "/nowhere/file"], ["restore", "--from", "/nowhere/file"], ["repair"]], [true, false])
    func whatIsForAFileSaysWhatToDoInstead(_ command: [String], isGiven: Bool) async throws {
        let folder = try TemporaryFolder()
        let refused = try await gatehouse(
            command + ["--data", folder.path + "/data"] + (isGiven ? ["--database", Self.url] : []),
            isGiven ? [:] : ["GATEHOUSE_DATABASE": Self.secret]
        )
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.err.contains("database \"gatehouse\" at db.invalid is PostgreSQL's"), "\(refused)")
        #expect(refused.err.contains(/pg_dump|pg_restore/), "\(refused)")
        #expect(refused.err.contains("gatehouse verify --database"), "\(refused)")
        #expect(!"\(refused)".contains("s3cret"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/data"))
    }

    @Test func aServerOfPostgreSQLMakesNoBackupsOfAFile() async throws {
        let folder = try TemporaryFolder()
        let refused = try await gatehouse(
            ["serve", "--data", folder.path + "/data", "--database", Self.url, "--backup-dir", folder.path + "/backups"] + Server.assets
        )
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.err.contains("--backup-dir is for the database of a data folder"), "\(refused)")
        #expect(refused.err.contains("pg_dump"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/backups"))
    }

    @Test func aBackupIsCheckedWithoutADatabase() async throws {
        let refused = try await gatehouse(["verify", "--from", "/nowhere/file", "--database", Self.url])
        #expect(refused.status == 64, "\(refused)")
        #expect(refused.err.contains("--database goes with --data DIR"), "\(refused)")
    }
}
