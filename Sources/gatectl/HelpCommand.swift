import ArgumentParser
import GateJSON

/// `gatectl help`, `gatectl help kill`, `gatectl help break-glass`. It replaces the argument parser's own help command, which knows
/// commands but no topics.
struct HelpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        leaf: "help",
        abstract: "Help for a command, or about a topic: \(HelpTopic.all.map(\.name).joined(separator: ", ")).",
        discussion: """
            EXAMPLES
              gatectl help break-glass      the server is down: what now?
              gatectl help kill
              gatectl help apps set
            """
    )

    @Argument(help: "A topic, or a command and its subcommand.", completion: .list(HelpTopic.all.map(\.name) + Gatectl.commandNames))
    var words: [String] = []
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { try output.requireFormat() }

    func run() async throws {
        let console = output.console(environment: ProcessEnvironment.variables)
        let text = try text(console)
        console.isJSON ? console.json(Document.of(["help": .string(text)])) : console.bytes(Array((text + "\n").utf8))
        try console.end()
    }

    private func text(_ console: Console) throws -> String {
        guard let first = words.first else { return Gatectl.helpMessage() }
        if words.count == 1, let topic = HelpTopic.all.first(where: { $0.name == first }) { return topic.text }
        var command: any ParsableCommand.Type = Gatectl.self
        for word in words {
            guard let next = command.configuration.subcommands.first(where: { $0._commandName == word }) else {
                throw unknown(word, in: command, console)
            }
            command = next
        }
        return Gatectl.helpMessage(for: command)
    }

    private func unknown(_ word: String, in command: any ParsableCommand.Type, _ console: Console) -> ExitCode {
        let names = command.configuration.subcommands.map { $0._commandName } + (command == Gatectl.self ? HelpTopic.all.map(\.name) : [])
        let near = Suggestion.question(about: word, among: names)
        let failure = Failure(
            .usage,
            "unknown_topic",
            "there is no help about \(Style.safe(word))\(near)",
            next: [("topics", HelpTopic.all.map(\.name).joined(separator: ", "))]
        )
        Report(failure: failure, console: console).print()
        return ExitCode(Exit.usage)
    }
}
