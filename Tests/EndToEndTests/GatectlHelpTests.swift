import Foundation
import GateTesting
import Testing

/// Help that helps, and completions that load.
struct GatectlHelpTests {
    private static let commands = [
        ["status"], ["kill"], ["open"], ["require"], ["suggest"], ["alert"], ["force"], ["simulate"], ["reach"], ["rehearse"],
        ["rehearse", "start"], ["rehearse", "list"], ["rehearse", "show"], ["rehearse", "change"], ["rehearse", "end"], ["history"],
        ["audit"],
        ["diff"],
        ["rollback"],
        ["schedule"], ["schedule", "add"], ["schedule", "list"], ["schedule", "show"], ["schedule", "edit"], ["schedule", "end"],
        ["schedule", "cancel"], ["schedule", "run"],
        ["watch"],
        ["feed"], ["feeds"], ["feeds", "list"], ["feeds", "show"], ["feeds", "set"], ["feeds", "rm"],
        ["export"], ["apply"], ["help"],
        ["validate"], ["render"], ["apps"], ["apps", "list"], ["apps", "add"], ["apps", "set"], ["apps", "remove"], ["import"], ["auth"],
        ["auth", "login"], ["auth", "status"],
        ["auth", "logout"], ["context"], ["context", "list"], ["context", "use"], ["context", "add"], ["context", "remove"], ["doctor"],
        ["tokens"],
        ["tokens", "list"], ["tokens", "add"], ["tokens", "rotate"], ["tokens", "revoke"], ["users"], ["users", "list"], ["users", "add"],
        ["users", "invite"], ["users", "set"], ["users", "remove"],
        ["api"],
        ["backup"], ["backup", "list"], ["backup", "create"],
        ["completion"],
        ["version"],
    ]
    private static let environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "LANG": "C.UTF-8"]

    @Test func theListOfCommandsIsComplete() async throws {
        let outcome = try await run(Programs.gatectl, ["--help"], environment: Self.environment)
        let listed = outcome.out.components(separatedBy: "SUBCOMMANDS:\n").last?.split(separator: "\n")
            .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.contains("See ") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
        #expect(listed.map(Set.init) == Set(Self.commands.map { $0[0] }))
    }

    /// As in some containers and editors: there must be room for each option's explanation.
    @Test(arguments: ["0", "-1", "1", "26", "39", "nonsense"]) func helpNeedsNoWidth(columns: String) async throws {
        for words in [["kill", "--help"], ["help", "kill"]] {
            let outcome = try await run(Programs.gatectl, words, environment: Self.environment.merging(["COLUMNS": columns]) { $1 })
            #expect(outcome.status == 0, "\(outcome)")
            #expect(outcome.out.contains("  Show help"), "\(outcome)")
        }
    }

    /// Where the source breaks a line inside a sentence, the end of a wrapped one would stand alone on a terminal of 80 columns.
    @Test func aSentenceFillsItsLines() async throws {
        for command in Self.commands {
            let environment = Self.environment.merging(["COLUMNS": "80"]) { $1 }
            let help = try await run(Programs.gatectl, command + ["--help"], environment: environment).out
            let text = help.components(separatedBy: "\nUSAGE:")[0].components(separatedBy: "\nEXAMPLE")[0]
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            for (line, next) in zip(lines, lines.dropFirst())
            where !line.isEmpty && !line.hasPrefix("  ") && !line.hasSuffix(".") && !next.hasPrefix("  ") {
                let word = next.prefix { $0 != " " }
                #expect(word.isEmpty || line.count + 1 + word.count > 79, "\(command): \(line)")
            }
        }
    }

    /// The examples are parsed by gatectl itself: a mistyped option in one would be wrong usage.
    @Test func everyCommandHasHelpWithExamplesThatCanBeTyped() async throws {
        let gatectl = try await Gatectl.withShop()
        _ = try gatectl.home.file("config.json", "{}")
        _ = try gatectl.home.file("template.json", "{}")
        _ = try gatectl.home.file("status.json", "{}")
        _ = try gatectl.home.file("gate.json", "{}")
        _ = try gatectl.home.file("gates.json", #"{"schema":"gatehouse/export/v1","apps":[]}"#)
        _ = try gatectl.home.file("message.txt", "Hello.")
        _ = try gatectl.home.file("token", "gate_wrong")
        var tried = 0
        for command in Self.commands {
            let help = try await run(Programs.gatectl, command + ["--help"], environment: Self.environment)
            #expect(help.status == 0, "\(command)")
            #expect(help.out.contains("EXAMPLE"), "\(command)")
            #expect(help.out.contains("gatectl " + command.joined(separator: " ")), "\(command)")
            for example in Self.examples(in: help.out)
            where !example.contains("watch") && !example.contains("--follow") && !example.contains("auth login") {
                let outcome = try await run(
                    "/bin/bash",
                    ["-c", Self.typed(example)],
                    environment: gatectl.environment,
                    in: gatectl.home.path
                )
                #expect(outcome.status != 64 && outcome.status != 127, "\(example): \(outcome)")
                tried += 1
            }
        }
        #expect(tried > Self.commands.count / 2, "\(tried) examples")
    }

    /// Nobody polls here, so that whoever waits for it need not wait as long as the example says.
    private static func typed(_ example: String) -> String {
        example.replacingOccurrences(of: "gatectl ", with: "'\(Programs.gatectl)' ").replacingOccurrences(
            of: "--wait-limit 2m",
            with: "--wait-limit 1s"
        )
    }

    private static func examples(in help: String) -> [String] {
        guard let section = help.components(separatedBy: "EXAMPLE").dropFirst().first?.components(separatedBy: "USAGE:").first else {
            return []
        }
        return section.replacing(#/\\\n +/#, with: "").split(separator: "\n").filter {
            $0.hasPrefix("  gatectl ") && !$0.contains("~/") && !$0.contains("fpath")
        }
        .map { $0.dropFirst(2).components(separatedBy: "      ")[0] }
    }

    @Test(.enabled(if: shell("bash") != nil)) func bashTakesItsCompletions() async throws {
        try await expectCompletions("bash", ["--norc", "-c"])
    }

    @Test(.enabled(if: shell("zsh") != nil, "zsh is not installed; deploy/test installs it")) func zshTakesItsCompletions() async throws {
        try await expectCompletions("zsh", ["-f", "-c"], before: "autoload -U compinit; compinit -u -D; ")
    }

    @Test(.enabled(if: shell("fish") != nil, "fish is not installed; deploy/test installs it")) func fishTakesItsCompletions() async throws
    {
        try await expectCompletions("fish", ["--no-config", "-c"])
    }

    private static func shell(_ name: String) -> String? {
        ["/bin/\(name)", "/usr/bin/\(name)"].first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private func expectCompletions(_ shell: String, _ options: [String], before: String = "") async throws {
        let script = try await run(Programs.gatectl, ["completion", shell], environment: Self.environment)
        #expect(script.status == 0)
        #expect(script.out.contains("gatectl") && script.out.contains("rollback"))
        let folder = try TemporaryFolder()
        let file = try folder.file("completion", script.out)
        let environment = Self.environment.merging(["HOME": folder.path]) { $1 }
        let program = try #require(Self.shell(shell))
        let outcome = try await run(program, options + ["\(before)source '\(file)'"], environment: environment)
        #expect(outcome.status == 0, "\(outcome)")
        #expect(outcome.err == "", "\(outcome)")
    }

    @Test func completionOffersLiveNamesAndStaysSilentWithoutAServer() async throws {
        let gatectl = try await Gatectl.withShop()
        let arguments = ["---completion", "kill", "--", "positional@0", "2", "0", "gatectl", "kill", ""]
        // It waits a second for the server and no longer; a machine that is busy with other tests may need more than one press of the key.
        var live = try await gatectl(arguments)
        for _ in 1...20 where !live.out.contains("shop") { live = try await gatectl(arguments) }
        #expect(live.out.contains("shop"), "\(live)")
        let dead = try await gatectl(arguments, with: ["GATECTL_SERVER": "http://127.0.0.1:1"])
        #expect(dead.err == "")
    }

    /// The apps of staging are no help to whoever is about to block one in production.
    @Test func completionOffersTheNamesOfTheContextThatIsTyped() async throws {
        var gatectl = try await Gatectl.withShop()
        let server = gatectl.server.admin
        gatectl.environment["GATECTL_SERVER"] = nil
        for (name, address) in [("st", server), ("dead", "http://127.0.0.1:1")] {
            #expect(try await gatectl("context", "add", name, "--server", address).status == 0)
        }
        #expect(try await gatectl("context", "use", "dead").status == 0)
        let arguments = ["---completion", "kill", "--", "positional@0"]
        let typed = arguments + ["4", "0", "gatectl", "kill", "--context", "st", ""]
        var live = try await gatectl(typed)
        for _ in 1...20 where !live.out.contains("shop") { live = try await gatectl(typed) }
        #expect(live.out.contains("shop"), "\(live)")
        let other = try await gatectl(arguments + ["2", "0", "gatectl", "kill", ""])
        #expect(!other.out.contains("shop") && other.err == "", "\(other)")
    }
}
