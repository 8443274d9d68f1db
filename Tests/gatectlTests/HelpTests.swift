import ArgumentParser
import Testing

@testable import gatectl

/// Help that helps.
struct HelpTests {
    /// Every command that has no commands below it, and every group, with the words that lead to it.
    static let commands: [(words: [String], type: any ParsableCommand.Type)] = {
        func below(_ type: any ParsableCommand.Type, _ words: [String]) -> [(words: [String], type: any ParsableCommand.Type)] {
            type.configuration.subcommands.flatMap { [(words + [$0._commandName], $0)] + below($0, words + [$0._commandName]) }
        }
        return below(Gatectl.self, [])
    }()

    @Test func theCommandsAreThoseOfTheContract() {
        let wanted = [
            "status", "kill", "open", "require", "suggest", "alert", "force", "simulate", "reach", "rehearse", "rehearse start",
            "rehearse list", "rehearse show", "rehearse change", "rehearse end", "history", "audit", "diff", "rollback",
            "schedule", "schedule add", "schedule list",
            "feeds", "feeds list", "feeds show", "feeds set", "feeds rm",
            "schedule show", "schedule edit", "schedule end", "schedule cancel", "schedule run", "watch", "feed", "export", "apply", "help",
            "validate", "render", "apps", "apps list", "apps add", "apps set",
            "apps remove", "import", "auth", "auth login", "auth status", "auth logout", "context", "context list", "context use",
            "context add", "context remove", "doctor",
            "completion", "version", "tokens", "tokens list", "tokens add", "tokens rotate", "tokens revoke", "users", "users list",
            "users add", "users invite", "users set", "users remove", "api",
            "backup", "backup list", "backup create",
        ]
        #expect(Set(Self.commands.map { $0.words.joined(separator: " ") }) == Set(wanted))
    }

    @Test func everyCommandHasAnExampleOfItself() {
        for (words, type) in Self.commands {
            let help = Gatectl.helpMessage(for: type)
            #expect(help.contains("EXAMPLE"), "\(words)")
            #expect(help.contains("gatectl " + words.joined(separator: " ")), "\(words)")
        }
    }

    /// A line that the parser breaks for a terminal of 80 columns is two commands to the shell that it is copied into.
    @Test func everyExampleCanBeCopiedFromATerminal() {
        func examples(_ type: any ParsableCommand.Type, _ columns: Int) -> [Substring] {
            let help = Gatectl.helpMessage(for: type, columns: columns)
            guard let start = help.firstRange(of: "\nEXAMPLE"), let end = help.firstRange(of: "\nUSAGE:") else { return [] }
            // Where there is one alone, it stands in the line of its heading.
            return help[start.upperBound..<end.lowerBound].split(separator: "\n")
        }
        for (words, type) in Self.commands {
            let lines = examples(type, 80)
            #expect(lines.contains { $0.contains("gatectl") } && lines.allSatisfy { $0.count <= 80 }, "\(words)")
            #expect(lines == examples(type, 1_000), "\(words)")
        }
    }

    @Test func theListOfCommandsNamesThem() {
        let help = Gatectl.helpMessage()
        for (words, _) in Self.commands where words.count == 1 { #expect(help.contains("\n  \(words[0]) "), "\(words)") }
    }

    @Test(arguments: ["break-glass", "exit-codes", "environment", "times"]) func everyTopicHasItsText(topic: String) throws {
        let text = try #require(HelpTopic.all.first { $0.name == topic }).text
        #expect(text.split(separator: "\n").count > 5)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 130 })
        #expect(Gatectl.helpMessage(for: HelpCommand.self).contains(topic))
    }

    /// As ``SettingsFolder`` looks for them.
    @Test func theTopicOfSettingsNamesEveryPlaceOfTheContexts() throws {
        let text = try #require(HelpTopic.all.first { $0.name == "environment" }).text
        for place in ["GATECTL_CONFIG", "$XDG_CONFIG_HOME/gatectl", "~/.config/gatectl"] { #expect(text.contains(place), "\(place)") }
    }

    /// Some options are followed by a value: if such an option is not known, its value would stay among the command's words.
    @Test func everyOptionsValueIsKnownAsOne() {
        for (words, type) in Self.commands {
            var all: [String] = []
            for line in Gatectl.helpMessage(for: type).split(separator: "\n") where line.hasPrefix("  -") {
                let parts = line.split(separator: " ")
                let names = parts.prefix { $0.hasPrefix("-") }.map { String($0.hasSuffix(",") ? $0.dropLast() : $0) }
                let hasValue = parts.dropFirst(names.count).first?.hasPrefix("<") == true
                for name in names { #expect(TypedWords.takesValue(name) == hasValue, "\(words) \(name)") }
                all += names
            }
            #expect(all.contains("--help"), "\(words)")
            // Any other command would take it for a question about gatectl, and do nothing.
            #expect(all.contains("--version") == (words == [MistakenOption.hasVersion]), "\(words)")
        }
    }
}
