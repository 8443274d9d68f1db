import Foundation
import GateTesting
import Testing

/// Help about topics, and long answers on a terminal.
struct GatectlTopicTests {
    @Test(arguments: ["break-glass", "exit-codes", "environment", "times"])
    func everyTopicHasItsText(topic: String) async throws {
        let gatectl = try Gatectl(try await Server.start())
        let outcome = try await gatectl("help", topic, with: ["GATECTL_SERVER": "", "GATECTL_TOKEN": ""])
        #expect(outcome.status == 0)
        #expect(outcome.out.split(separator: "\n").count > 5)
        #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 130 })
        #expect(try await gatectl("help", "help").out.contains(topic))
    }

    @Test func helpKnowsCommandsToo() async throws {
        let gatectl = try Gatectl(try await Server.start())
        #expect(try await gatectl("help").out == gatectl("--help").out)
        #expect(try await gatectl("help", "kill").out == gatectl("kill", "--help").out)
        #expect(try await gatectl("help", "apps", "set").out == gatectl("apps", "set", "--help").out)
        let wrong = try await gatectl("help", "brake-glass")
        #expect(wrong.status == 64)
        #expect(wrong.err.contains("Did you mean break-glass?"))
    }

    /// Words of other tools, and of people who have only what they want in mind.
    @Test(arguments: [
        ("block", "kill"), ("unblock", "open"), ("Undo", "rollback"), ("login", "auth login"), ("blocked", "status"), ("statsu", "status"),
    ])
    func anotherWordIsAnsweredWithTheCommand(word: String, command: String) async throws {
        let gatectl = try await Gatectl.withShop()
        let outcome = try await gatectl(word, "shop", "ios")
        #expect(outcome.status == 64)
        #expect(outcome.err.contains("Did you mean \(command)?"), "\(outcome)")
    }

    /// The commands of the break-glass text exist and take these options.
    @Test func theWayOutOfAnOutageCanBeTyped() async throws {
        let gatectl = try await Gatectl.withShop()
        let text = try await gatectl("help", "break-glass").out
        #expect(
            try await run(
                "/bin/bash",
                ["-c", "'\(Programs.gatectl)' export > gates.json"],
                environment: gatectl.environment,
                in: gatectl.home.path
            ).status == 0
        )
        let commands = text.split(separator: "\n").compactMap { line -> String? in
            guard let start = line.range(of: "gatectl ")?.lowerBound, line.hasPrefix("  ") else { return nil }
            return line[start...].components(separatedBy: "    ")[0]
        }
        #expect(commands.count >= 6)
        for command in commands {
            let outcome = try await run(
                "/bin/bash",
                ["-c", "'\(Programs.gatectl)' \(command.dropFirst(8))"],
                environment: gatectl.environment,
                in: gatectl.home.path
            )
            #expect(outcome.status == 0, "\(command): \(outcome)")
        }
        #expect(FileManager.default.fileExists(atPath: gatectl.home.path + "/site/feeds/shop/launchgate.json"))
    }

    @Test func aLongHistoryGoesThroughThePagerOnATerminal() async throws {
        let gatectl = try await Gatectl.withShop()
        let text = "History that is longer than the terminal"
        for index in 1...45 { _ = try await gatectl.server.client().kill("Text \(index)", at: index, reason: text) }
        let pager = ["PAGER": "sed 's/^/PAGED /'", "NO_COLOR": "1"]
        let long = try gatectl.onTerminal("history", "--limit", "50", with: pager)
        try long.expect("PAGED TIME")
        #expect(try long.finish() == 0)
        #expect(long.transcript.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("PAGED ") }.count == 49)
        let short = try gatectl.onTerminal("history", "--limit", "5", with: pager)
        #expect(try short.finish() == 0)
        #expect(!short.transcript.contains("PAGED"))
        for environment in [["PAGER": ""], ["PAGER": "/no/such/program"], [:]] {
            let terminal = try gatectl.onTerminal("history", "--limit", "50", with: environment)
            #expect(try terminal.finish() == 0)
            #expect(terminal.transcript.components(separatedBy: text).count - 1 == 45, "\(environment)")
        }
        #expect(!(try await gatectl("history", "--limit", "50", with: pager).out.contains("PAGED")), "a pipe is no terminal")
    }
}
