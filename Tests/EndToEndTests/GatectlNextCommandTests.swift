import Foundation
import GateJSON
import GateModel
import Testing

/// What gatectl prints to be typed next goes to the server that the command was for, though another context is the current one.
struct GatectlNextCommandTests {
    private let production: Gatectl
    private let development: Gatectl
    /// Signed in to both: `production` is current, `dev` is the other.
    private let gatectl: Gatectl

    init() async throws {
        production = try await .withShop()
        development = try await .withShop()
        var gatectl = production
        gatectl.environment["GATECTL_SERVER"] = nil
        gatectl.environment["GATECTL_TOKEN"] = nil
        for (name, server) in [("dev", development.server), ("production", production.server)] {
            let added = try await gatectl("context", "add", name, "--server", server.admin)
            try #require(added.status == 0, "\(added)")
            let signedIn = try await gatectl("auth", "login", "--with-token", "--context", name, input: server.token + "\n")
            try #require(signedIn.status == 0, "\(signedIn)")
        }
        self.gatectl = gatectl
    }

    /// The command that follows a label, such as `Undo:`, typed into a shell.
    private func paste(_ label: String, of outcome: Outcome) async throws -> Outcome {
        let start = try #require(outcome.err.range(of: label + " "), "\(outcome)").upperBound
        let line = String(outcome.err[start...].prefix { $0 != "\n" })
        let command = line.components(separatedBy: "      ")[0]
        let folder = (Programs.gatectl as NSString).deletingLastPathComponent
        return try await run(
            "/bin/sh",
            ["-c", command],
            environment: gatectl.environment.merging(["PATH": "\(folder):/usr/bin:/bin"]) { $1 }
        )
    }

    @Test func cancelAndUndoReachTheServerThatWasMeant() async throws {
        let window = ["schedule", "add", "shop", "ios", "--from", "2030-03-30T08:30:00Z", "-y"]
        let there = try await gatectl(window + ["--context", "production", "--", "kill", "-m", "Sale"])
        let here = try await gatectl(window + ["--", "kill", "-m", "dev", "--context", "dev"])
        try #require(there.status == 0 && here.status == 0, "\(there) \(here)")
        let look = try await paste("Look:", of: here)
        #expect(look.out.contains("dev") && !look.out.contains("Sale"), "\(look)")
        #expect(try await paste("Cancel:", of: here).status == 0)
        func windows(_ one: Gatectl) async throws -> Int? { try await one("schedule", "list", "--json").json()["items"]?.array?.count }
        #expect(try await windows(development) == 0)
        #expect(try await windows(production) == 1, "production's window of that number stays")

        for context in ["production", "dev"] {
            let killed = try await gatectl("kill", "shop", "android", "-m", "x", "-y", "--context", context)
            try #require(killed.status == 0, "\(killed)")
            guard context == "dev" else { continue }
            #expect(killed.err.contains("Follow: gatectl watch shop android --context dev\n"), "\(killed)")
            #expect(try await paste("Undo:  ", of: killed).status == 0)
        }
        #expect(try await development.revision("shop/android") == 3)
        #expect(try await production.revision("shop/android") == 2)
    }

    @Test func aFailureNamesTheServerToo() async throws {
        let stale = try await gatectl("kill", "shop", "ios", "-m", "x", "-y", "--if-revision", "9", "--context", "dev", "--json")
        #expect(try stale.errorJSON()["next.0"] == .string("gatectl history shop ios --context dev"), "\(stale)")
        let lost = try await gatectl("status", "nothing", "--context=dev")
        #expect(lost.err.contains("next: gatectl apps list --context dev\n"), "\(lost)")
        let out = try await gatectl("auth", "logout", "-y", "--context", "dev")
        #expect(out.status == 0, "\(out)")
        let unsigned = try await gatectl("kill", "shop", "ios", "-m", "x", "--context", "dev")
        #expect(unsigned.status == 4 && unsigned.err.contains("next: gatectl auth login --context dev\n"), "\(unsigned)")
        #expect(unsigned.err.contains("or: gatectl auth login --with-token --context dev < token-file\n"), "\(unsigned)")
        #expect(try await gatectl("status").status == 0)
    }
}
