import ArgumentParser
import Testing

@testable import gatectl

/// What can be typed and what cannot, as far as the words alone show.
struct ParsingTests {
    private func exitCode(_ words: [String]) async -> Int32 {
        do {
            _ = try await Gatectl.asyncParseAsRoot(words)
            return 0
        } catch { return Gatectl.exitCode(for: error).rawValue }
    }

    @Test(arguments: [
        ["kill", "shop"], ["status", "--watch", "--exit-code"], ["rollback", "shop", "ios"],
        ["rollback", "shop", "ios", "--last", "--to", "3"],
        ["force", "shop", "ios", "--on", "-m", "x"], ["force", "shop", "ios"], ["require", "shop", "ios"],
        ["alert", "shop", "ios", "--clear", "-m", "x"], ["alert", "shop", "ios", "--clear", "--dismissible"],
        ["alert", "shop", "ios", "-m", "x", "--blocking", "--dismissible"],
        ["status", "--json", "-o", "table"], ["history", "--limit", "0"], ["history", "--since", "yesterday"],
        ["history", "--since", "9999-01-01T00:00:00Z"],
        ["status", "--timeout", "10"], ["kill", "shop", "ios", "-m", "x", "--token", "gate_x"], ["apps", "set", "shop"], ["apply"],
        ["apply", "-f", "x", "--if-revision", "3"],
        ["diff"], ["diff", "shop"], ["kill", "shop", "ios", "-m", "x", "--until", "09:00", "--tz", "Mars/Base"],
        ["kill", "shop", "ios", "-m", "x", "--until", "09:00", "--for", "1h"],
        ["kill", "shop", "ios", "-m", "x", "--tz", "UTC"], ["kill", "shop", "ios", "-m", "x", "--wait", "0%"],
        ["kill", "shop", "ios", "-m", "x", "--wait-limit", "1m"],
        ["kill", "shop", "ios", "-m", "x", "--wait", "95%", "-n"], ["simulate", "shop", "ios", "4.1", "--version", "4.2"],
        ["simulate", "shop", "ios", "--revision", "0"], ["simulate", "shop", "ios", "--revision", "1", "--at", "09:00"],
        ["simulate", "shop", "ios", "--version", "1", "--client", "nobody"],
        ["schedule", "add", "shop", "ios", "--from", "09:00"], ["schedule", "cancel", "first"], ["feed", "shop", "ios", "--format", "xml"],
        ["context", "add", "prod"], ["require", "shop", "ios", "--version", "4.2.0", "-m", "x"],
        ["kill", "shop", "ios", "-m", "x", "--version"],
        ["status", "--version"],
    ])
    func wrongUsageIsRefused(words: [String]) async {
        #expect(await exitCode(words) == 64)
    }

    @Test(arguments: [
        [], ["status"], ["status", "shop", "ios", "--json"],
        ["kill", "shop", "ios", "-m", "x", "--for", "30m", "--retry", "30s", "-r", "INC-1", "-y"],
        ["kill", "shop", "all", "-m", "x", "--until", "tomorrow 09:00", "--tz", "Europe/Berlin"],
        ["simulate", "shop", "ios", "--version", "4.1.0", "--seen"], ["simulate", "shop", "ios"],
        ["simulate", "shop", "ios", "4.1", "4.2"],
        ["simulate", "shop", "ios", "--version", "4.1", "--version", "4.2", "--targeted", "--revision", "3"],
        ["schedule", "add", "shop", "ios", "--from", "08:30", "--until", "09:00", "--", "kill", "-m", "Closed."], ["apps"],
        ["apps", "list"], ["context"], ["history", "--since", "24h"], ["help", "break-glass", "--json"],
    ])
    func rightUsageIsParsed(words: [String]) async {
        #expect(await exitCode(words) == 0)
    }

    /// A command parsed directly is the one that parsing from the root finds; help, mistakes and options before a name are parsed from the
    /// root.
    @Test(arguments: [
        (["status", "shop"], "StatusCommand"), (["apps"], "AppsListCommand"), (["apps", "list", "--json"], "AppsListCommand"),
        (["context", "use", "prod"], "ContextUseCommand"),
        (["schedule", "run", "12"], "ScheduleRunCommand"), (["help", "kill"], "HelpCommand"),
        (["simulate", "shop", "ios", "--version", "4.1.0"], "SimulateCommand"),
    ])
    func aCommandIsParsedAlone(words: [String], name: String) async throws {
        let alone = try #require(await Gatectl.parsedAlone(words))
        #expect("\(type(of: alone))" == name)
        #expect(type(of: alone) == type(of: try await Gatectl.asyncParseAsRoot(words)))
    }

    @Test(arguments: [
        ["kill", "--help"], ["status", "--version"], ["apps", "--json", "list"], ["apps", "nothing"], ["kill", "shop"],
        ["kill", "shop", "ios", "--nothing"], ["xyzzy"],
        ["apps", "list", "-h"],
    ])
    func theRestGoesTheWayFromTheRoot(words: [String]) async {
        #expect(await Gatectl.parsedAlone(words) == nil)
    }

    /// Words from other tools, and from people who know only what they want.
    @Test(arguments: [
        ("block", "kill"), ("unblock", "open"), ("Undo", "rollback"), ("login", "auth login"), ("blocked", "status"), ("app", "apps"),
        ("statsu", "status"),
        ("kil", "kill"),
    ])
    func anotherWordIsAnsweredWithTheCommand(word: String, command: String) {
        #expect(Gatectl.meant(by: word) == command)
    }

    @Test func whatNobodyCanHaveMeantIsNotGuessed() { #expect(Gatectl.meant(by: "xyzzy") == nil) }
}
