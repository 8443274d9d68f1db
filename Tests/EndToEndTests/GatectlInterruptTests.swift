import GateTesting
import Glibc
import Testing

/// Ctrl-C says whether a write had left, whatever command sent it.
struct GatectlInterruptTests {
    @Test(
        arguments: [
            (["api", "DELETE", "/tokens/k7Fq2Zx1", "-v"], "DELETE /api/v1/tokens/k7Fq2Zx1"),
            (["tokens", "add", "deploy", "-v"], "POST /api/v1/tokens"),
            (["rehearse", "shop", "ios", "-v"], "POST /api/v1/rehearsals"),
        ] as [([String], String)]
    )
    func everyWriteThatHadLeftIsToldOf(arguments: [String], request: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let stub = try StubServer { asked, _ in asked.hasPrefix(request) ? .silence : .forward(to: real) }
        #expect(try await gatectl("context", "add", "dev", "--server", stub.address).status == 0)
        let terminal = try gatectl.onTerminal(arguments + ["--context", "dev"], with: ["GATECTL_SERVER": stub.address])
        try terminal.expect("\(request) ...")
        terminal.type("\u{3}")
        try terminal.expect("interrupted: the request had left")
        try terminal.expect("next: gatectl status --context dev")
        #expect(try terminal.finish() == 130)
    }

    /// `timeout` ends it with SIGTERM, a connection that breaks with SIGHUP.
    @Test(arguments: [SIGTERM, SIGHUP]) func anotherEndTellsOfItAsWell(signal: Int32) async throws {
        let gatectl = try await Gatectl.withShop()
        let real = gatectl.server.admin
        let stub = try StubServer { asked, _ in asked.hasPrefix("POST /api/v1/tokens") ? .silence : .forward(to: real) }
        let terminal = try gatectl.onTerminal("tokens", "add", "deploy", "-v", with: ["GATECTL_SERVER": stub.address])
        try terminal.expect("POST /api/v1/tokens ...")
        terminal.send(signal)
        try terminal.expect("interrupted: the request had left")
        #expect(try terminal.finish() == 128 + signal)
    }

    /// `nohup` lets it go on when the terminal is gone.
    @Test func whoIsToIgnoreAnEndGoesOn() async throws {
        let gatectl = try await Gatectl.withShop()
        let script = "trap '' HUP; exec \"$0\" kill shop ios -m Back."
        let terminal = try Terminal("/bin/sh", ["-c", script, Programs.gatectl], environment: gatectl.environment)
        try terminal.expect("[y/N]")
        terminal.send(SIGHUP)
        terminal.type("n\n")
        #expect(try terminal.finish() == 2)
    }

    /// What was answered is no open question any more.
    @Test func whoLooksOnAfterAWriteIsToldNothing() async throws {
        let gatectl = try await Gatectl.withShop()
        let terminal = try gatectl.onTerminal("rehearse", "shop", "ios", "--watch")
        try terminal.expect("End it with: gatectl rehearse end")
        terminal.type("\u{3}")
        #expect(try terminal.finish() == 130)
        #expect(!terminal.transcript.contains("interrupted"), "\(terminal.transcript)")
    }
}
