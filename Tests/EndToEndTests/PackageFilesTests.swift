import Foundation
import GateTesting
import Testing

/// What the Debian package brings beside the programs is held to them.
struct PackageFilesTests {
    private func file(_ path: String) throws -> String {
        try String(contentsOf: Programs.root.appendingPathComponent("deploy/" + path), encoding: .utf8)
    }

    /// The variables that a file sets, or shows how to set.
    private func variables(_ text: String) -> [(name: String, value: String)] {
        text.split(separator: "\n").compactMap { line in
            guard let match = line.wholeMatch(of: #/#?(GATEHOUSE_[A-Z_]+)=(.*)/#) else { return nil }
            return (String(match.1), String(match.2))
        }
    }

    /// By the program's own help, which is made of the options themselves.
    @Test func theConfigurationShowsEveryOptionAndNoOther() async throws {
        let help = try await run(Programs.gatehouse, ["serve", "--help"], environment: Server.environment)
        let options = help.out.matches(of: #/(?m)^ +--([a-z-]+)/#).map { String($0.1) }
        #expect(options.count > 15)
        let wanted = Set(options).subtracting(["help", "version"]).map {
            "GATEHOUSE_" + $0.uppercased().replacingOccurrences(of: "-", with: "_")
        }
        let text = try file("debian/gatehouse.default")
        #expect(variables(text).map(\.name).sorted() == wanted.sorted())
        // As it comes it decides nothing: the unit and the program do.
        #expect(!text.split(separator: "\n").contains { !$0.hasPrefix("#") })
    }

    /// Whoever takes the sign away must not meet a value that the program refuses.
    @Test func everyValueShownIsOneThatTheProgramTakes() async throws {
        let folder = try TemporaryFolder()
        var environment = Server.environment
        for (name, value) in variables(try file("debian/gatehouse.default")) { environment[name] = value }
        // Folders and files of a machine that has the package.
        environment["GATEHOUSE_TLS_CERTIFICATE"] = nil
        environment["GATEHOUSE_TLS_KEY"] = nil
        environment["GATEHOUSE_CONFIG"] = nil
        environment["GATEHOUSE_SIGN_IN_GROUPS"] = try folder.file("groups", "release-managers operator shop\n")
        environment["GATEHOUSE_DATA"] = folder.path + "/data"
        environment["GATEHOUSE_ANCHOR_COPY"] = folder.path + "/anchor.json"
        environment["GATEHOUSE_BACKUP_DIR"] = folder.path + "/backups"
        environment["GATEHOUSE_PUBLIC"] = Programs.root.appendingPathComponent("Public").path
        environment["GATEHOUSE_MIGRATIONS"] = Programs.root.appendingPathComponent("Migrations").path
        // Nobody publishes there: the program must take the values, and start.
        try "[default]\naws_access_key_id=key\naws_secret_access_key=secret\n"
            .write(toFile: folder.path + "/credentials", atomically: true, encoding: .utf8)
        environment["AWS_SHARED_CREDENTIALS_FILE"] = folder.path + "/credentials"
        environment["GATEHOUSE_PUBLISH_ENDPOINT"] = "https://127.0.0.1:9"
        // Backups by the server and a database of PostgreSQL exclude each other, and the latter is there in a test of its own.
        #expect(environment["GATEHOUSE_DATABASE"]?.hasPrefix("postgresql://") == true)
        environment["GATEHOUSE_DATABASE"] = nil
        // Keys are shared by servers of such a database alone.
        #expect(environment["GATEHOUSE_KEYS_SECRET_FILE"]?.hasPrefix("/etc/gatehouse/") == true)
        environment["GATEHOUSE_KEYS_SECRET_FILE"] = nil
        environment["GATEHOUSE_LISTEN"] = "127.0.0.1:0"
        environment["GATEHOUSE_FEEDS"] = "127.0.0.1:0"
        let process = Process()
        let out = Pipe()
        process.executableURL = URL(fileURLWithPath: Programs.gatehouse)
        process.arguments = ["serve"]
        process.environment = environment
        process.standardOutput = out
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(String(decoding: out.fileHandleForReading.availableData, as: UTF8.self).contains(#""event":"ready""#))
        process.terminate()
        await ended(process)
        #expect(process.terminationStatus == 0)
    }

    @Test func unitScriptsAndContainerNameTheSamePlaces() throws {
        let unit = try file("systemd/gatehouse.service")
        #expect(unit.contains("\nExecStart=/usr/bin/gatehouse serve\n"))
        #expect(unit.contains("\nEnvironmentFile=-/etc/default/gatehouse\n"))
        for name in ["systemd/gatehouse.service", "debian/gatehouse.tmpfiles", "debian/postrm", "debian/backup", "Containerfile"] {
            #expect(try file(name).contains("/var/lib/gatehouse"), "\(name)")
        }
        for name in ["systemd/gatehouse-backup.service", "debian/gatehouse.tmpfiles", "debian/postrm", "debian/backup"] {
            #expect(try file(name).contains("/var/backups/gatehouse"), "\(name)")
        }
        for name in ["systemd/gatehouse.service", "systemd/gatehouse-backup.service"] {
            #expect(try file(name).contains("\nUser=gatehouse\nGroup=gatehouse\n"), "\(name)")
        }
        #expect(try file("debian/gatehouse.sysusers").contains("\nu gatehouse "))
    }
}
