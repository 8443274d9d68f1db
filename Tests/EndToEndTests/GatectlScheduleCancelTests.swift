import GateJSON
import GateModel
import Testing

/// Calling off a window that keeps people out, where the environment is protected.
struct GatectlScheduleCancelTests {
    /// A window that blocks shop/ios, and runs.
    private func running() async throws -> Gatectl {
        let gatectl = try await Gatectl.withShop(isProtected: true)
        let consent = ["-r", "Sale", "--confirm", "shop/ios"]
        let times = ["--from", "2030-03-30T08:30:00Z", "--until", "2030-03-30T09:00:00Z"]
        let made = try await gatectl(["schedule", "add", "shop", "ios"] + times + consent + ["--", "kill", "-m", "We open at nine."])
        try #require(made.status == 0, "\(made)")
        let run = try await gatectl(["schedule", "run", "1"] + consent)
        try #require(run.status == 0, "\(run)")
        return gatectl
    }

    private func state(_ gatectl: Gatectl) async throws -> JSONValue? {
        try await gatectl("schedule", "list", "--all", "--json").json()["items.0.state"]
    }

    @Test func whoeverIsThereIsAskedForReasonAndPhrase() async throws {
        let gatectl = try await running()
        let terminal = try gatectl.onTerminal("schedule", "cancel", "1", with: ["NO_COLOR": "1"])
        try terminal.expect("PROTECTED")
        try terminal.expect("without it shop/ios stays as it is until somebody changes it; gatectl schedule end 1 takes it back.")
        try terminal.expect("[production] Reason: ")
        terminal.type("INC-7\n")
        try terminal.expect("[production] Type shop/ios to confirm: ")
        terminal.type("shop/ios\n")
        try terminal.expect("Cancelled window 1")
        #expect(try terminal.finish() == 0)
        #expect(try await state(gatectl) == .string("cancelled"))
    }

    @Test func aWrongPhraseCallsNothingOff() async throws {
        let gatectl = try await running()
        let terminal = try gatectl.onTerminal("schedule", "cancel", "1", "-y", "-r", "INC-7", with: ["NO_COLOR": "1"])
        try terminal.expect("Type shop/ios to confirm: ")
        terminal.type("shop/android\n")
        #expect(try terminal.finish() == 2)
        #expect(try await state(gatectl) == .string("running"))
    }

    /// Nobody is sent away twice: the command that is printed has all that is needed, and nothing that is already there twice.
    @Test(arguments: [
        ([], "gatectl schedule cancel 1 -r REASON --confirm shop/ios"),
        (["-y"], "gatectl schedule cancel 1 -y -r REASON --confirm shop/ios"),
        (["-r", "INC-7"], "gatectl schedule cancel 1 -r INC-7 --confirm shop/ios"),
        (["--confirm", "shop/ios"], "gatectl schedule cancel 1 --confirm shop/ios -r REASON"),
    ])
    func withoutATerminalTheWholeCommandIsNamed(options: [String], command: String) async throws {
        let gatectl = try await running()
        let refused = try await gatectl(["schedule", "cancel", "1"] + options)
        #expect(refused.status == 3 && refused.err.contains("run: \(command)\n"), "\(refused)")
        #expect(!refused.err.contains("\"reason\"") && !refused.err.contains("\"confirm\""), "\(refused)")
        #expect(try await state(gatectl) == .string("running"))
    }

    @Test func theDryRunTellsTierAndPhrase() async throws {
        let gatectl = try await running()
        let dry = try await gatectl("schedule", "cancel", "1", "-n")
        #expect(dry.status == 0 && dry.out.contains("Tier 2; to do it: --confirm shop/ios -r REASON"), "\(dry)")
        let document = try await gatectl("schedule", "cancel", "1", "-n", "--json").json()
        #expect(document["plan.confirm"] == .string("shop/ios") && document["plan.tier"]?.integer == 2, "\(document)")
        #expect(try await state(gatectl) == .string("running"))
        let done = try await gatectl("schedule", "cancel", "1", "-r", "INC-7", "--confirm", "shop/ios")
        #expect(done.status == 0, "\(done)")
        #expect(try await gatectl.revision("shop/ios") == 2, "what it did stays")
    }

    /// The API's words are about a body that nobody typed.
    @Test func aWindowThatRunsAlreadyIsEndedByAnotherCommand() async throws {
        let gatectl = try await running()
        for dryRun in [[], ["-n"]] {
            let refused = try await gatectl(["schedule", "run", "1", "-r", "again", "--confirm", "shop/ios"] + dryRun)
            #expect(refused.status == 8 && refused.err.contains("gatectl schedule end 1"), "\(refused)")
            #expect(!refused.err.contains("\"step\""), "\(refused)")
        }
    }
}
