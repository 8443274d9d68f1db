import Foundation
import GateAdminClient
import GateJSON
import GateModel
import GateTesting
import Testing

/// Signing in with a password on a terminal.
struct GatectlSignInTests {
    private static func signedOut() async throws -> Gatectl {
        var gatectl = try await Gatectl.withShop()
        gatectl.environment["GATECTL_TOKEN"] = nil
        return gatectl
    }

    @Test func aPasswordBecomesATokenForThisMachineAndIsNeverShown() async throws {
        let gatectl = try await Self.signedOut()
        let terminal = try gatectl.onTerminal("auth", "login")
        try terminal.expect("Name: ")
        terminal.type("admin\n")
        try terminal.expect("Password: ")
        terminal.type("violet-harbour-41-lantern\n")
        try terminal.expect("as admin (gatectl on ")
        try terminal.expect("), admin; context development")
        #expect(try terminal.finish() == 0)
        #expect(!terminal.transcript.contains("violet"))
        let status = try await gatectl("auth", "status", "--json").json()
        #expect(status["user.username"]?.string?.hasPrefix("gatectl on ") == true, "a token's changes are told from its owner's")
        #expect(status["tokenFrom"]?.string == gatectl.home.path + "/.config/gatectl/credentials.json")
        let tokens = try await gatectl.server.client().raw("/api/v1/tokens")
        #expect(String(decoding: tokens.body, as: UTF8.self).contains(#""name":"gatectl on "#))

        // What it does is told with the person, whose name finds it.
        #expect(try await gatectl("kill", "shop", "ios", "-m", "x", "-y").status == 0)
        let history = try await gatectl("history", "--actor", "admin").out
        #expect(history.contains("admin (gatectl on "), "\(history)")
        #expect(try await gatectl("status", "-o", "wide").out.contains("admin (gatectl on "))
    }

    @Test func aWrongPasswordExitsWith4AndStoresNothing() async throws {
        let gatectl = try await Self.signedOut()
        let server = gatectl.server.admin
        let terminal = try gatectl.onTerminal("auth", "login", "--server", server, with: ["NO_COLOR": "1", "GATECTL_SERVER": ""])
        try terminal.expect("Name: ")
        terminal.type("admin\n")
        try terminal.expect("Password: ")
        terminal.type("wrong\n")
        try terminal.expect("error: ")
        try terminal.expect("next: try again: gatectl auth login --server \(server)")
        #expect(try terminal.finish() == 4)
        #expect(!FileManager.default.fileExists(atPath: gatectl.home.path + "/.config/gatectl/credentials.json"))
    }

    @Test func whereNothingCanBeKeptNobodyIsAskedForAPassword() async throws {
        let gatectl = try await Self.signedOut()
        let place = try gatectl.home.file("file", "") + "/gatectl"
        let terminal = try gatectl.onTerminal("auth", "login", with: ["NO_COLOR": "1", "GATECTL_CONFIG": place])
        try terminal.expect("error: ")
        #expect(try terminal.finish() == 1)
        #expect(
            terminal.transcript.contains("\(place) cannot be made") && !terminal.transcript.contains("Name: "),
            "\(terminal.transcript)"
        )
    }

    /// What cannot be read cannot be written either, and a token that is kept must not be one of a sign-in that failed.
    @Test(arguments: ["config.json", "credentials.json"]) func whereAFileIsBrokenNobodyIsAskedForAPassword(name: String) async throws {
        let gatectl = try await Self.signedOut()
        let folder = gatectl.home.path + "/.config/gatectl"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: URL(filePath: folder + "/" + name))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder + "/" + name)
        // With a token in the environment nothing else reads the kept ones.
        let environment = ["NO_COLOR": "1", "GATECTL_TOKEN": gatectl.server.token]
        let terminal = try gatectl.onTerminal("auth", "login", "--server", gatectl.server.admin, with: environment)
        try terminal.expect("is not JSON")
        #expect(try terminal.finish() == 1)
        #expect(!terminal.transcript.contains("Name: "), "\(terminal.transcript)")
        let given = try await gatectl(["auth", "login", "--with-token"], input: gatectl.server.token + "\n")
        #expect(given.status == 1 && given.err.contains("is not JSON"), "\(given)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [name], "nothing is kept")
        let made = try await gatectl.server.client().tokens().filter { $0.name.hasPrefix("gatectl on ") }
        #expect(made.isEmpty, "\(made)")
    }

    /// It could do all that its owner may, and nobody would know of it.
    @Test func aTokenThatCouldNotBeKeptIsRevoked() async throws {
        let gatectl = try await Self.signedOut()
        let folder = gatectl.home.path + "/.config/gatectl"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder + "/credentials.json", withDestinationPath: "none/credentials.json")
        let terminal = try gatectl.onTerminal("auth", "login", with: ["NO_COLOR": "1"])
        try terminal.expect("Name: ")
        terminal.type("admin\n")
        try terminal.expect("Password: ")
        terminal.type("violet-harbour-41-lantern\n")
        try terminal.expect("is revoked again")
        #expect(try terminal.finish() == 1)
        let made = try await gatectl.server.client().tokens().filter { $0.name.hasPrefix("gatectl on ") }
        #expect(made.count == 1 && made.allSatisfy { !$0.isActive }, "\(made)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["credentials.json"], "no trial is left")
    }

    @Test func withoutATerminalNobodyIsAsked() async throws {
        let gatectl = try await Self.signedOut()
        let outcome = try await gatectl("auth", "login")
        #expect(outcome.status == 3)
        #expect(outcome.err.contains("--with-token"))
    }

    @Test func controlCWhileThePasswordIsTypedGivesTheTerminalBack() async throws {
        let gatectl = try await Self.signedOut()
        // A shell that lives through the key, as the one does from which gatectl is called.
        let command = "trap ':' INT; '\(Programs.gatectl)' auth login; echo status $?; stty -a | tr ' ' '\\n' | grep -x -e echo -e -echo"
        let terminal = try Terminal("/bin/sh", ["-c", command], environment: gatectl.environment)
        try terminal.expect("Name: ")
        terminal.type("admin\n")
        try terminal.expect("Password: ")
        terminal.type("\u{3}")
        try terminal.expect("status 130")
        #expect(try terminal.finish() == 0)
        #expect(terminal.transcript.hasSuffix("status 130\r\necho\r\n"), "\(terminal.transcript)")
    }

    @Test func aPasswordIsNotSentOverPlainHTTPToAnotherMachine() async throws {
        let gatectl = try await Self.signedOut()
        let terminal = try gatectl.onTerminal("auth", "login", "--server", "http://gate.invalid", with: ["NO_COLOR": "1"])
        try terminal.expect("Name: ")
        terminal.type("admin\n")
        try terminal.expect("Password: ")
        terminal.type("violet-harbour-41-lantern\n")
        try terminal.expect("plain http")
        #expect(try terminal.finish() == 4)
    }
}
