import ArgumentParser
import GateModel

/// The operator's tool: commands that can be said over a call and typed quickly, and reports that are true.
struct Gatectl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatectl",
        abstract: "See and change what users of mobile apps face: open, told, asked to update, or blocked.",
        discussion: """
            Set GATECTL_SERVER and GATECTL_TOKEN, or sign in once with gatectl auth login.

            EXAMPLES
              gatectl status                              who is locked out right now?
              gatectl kill shop ios -m "Back at 09:30."   block everybody
              gatectl open shop ios                       let them in again
              gatectl history shop ios                    who did what, when, why
              gatectl rollback shop ios --last            undo the last change
              gatectl export > gates.json                 keep a copy of everything
              gatectl help break-glass                    the server is down: what now?

            EXIT CODES
            \(Exit.columns.joined(separator: "\n"))
            """,
        subcommands: [
            StatusCommand.self, KillCommand.self, OpenCommand.self, RequireCommand.self, SuggestCommand.self, AlertCommand.self,
            ForceCommand.self, SimulateCommand.self, ReachCommand.self, RehearseCommand.self,
            HistoryCommand.self, AuditCommand.self, DiffCommand.self, RollbackCommand.self, ScheduleCommand.self, WatchCommand.self,
            FeedCommand.self, FeedsCommand.self, AppsCommand.self,
            ImportCommand.self, ExportCommand.self, ApplyCommand.self, BackupCommand.self,
            ValidateCommand.self, RenderCommand.self, AuthCommand.self, TokensCommand.self, UsersCommand.self, APICommand.self,
            ContextCommand.self, DoctorCommand.self, CompletionCommand.self,
            VersionCommand.self, HelpCommand.self,
        ],
        defaultSubcommand: StatusCommand.self
    )

    static func main() async {
        let typed = TypedWords(Array(CommandLine.arguments.dropFirst()))
        let words = typed.words
        // A shell is asking for completions.
        if words.first?.hasPrefix("---") == true { return await main(words) }
        if let first = words.first, !first.hasPrefix("-"), command(first) == nil { refuse(first, typed) }
        do {
            if let first = words.first, !first.hasPrefix("-"), var command = await parsedAlone(words) { return try await command.run() }
            var command = try await asyncParseAsRoot(words)
            if var asynchronous = command as? any AsyncParsableCommand { try await asynchronous.run() } else { try command.run() }
        } catch { await fail(error, typed) }
    }

    /// Exits as the argument parser does, except that with `--json` the error is JSON, and that common mistakes get better advice.
    private static func fail(_ error: any Error, _ typed: TypedWords) async -> Never {
        // The command has already said what is wrong.
        if let code = error as? ExitCode { exit(withError: code) }
        guard exitCode(for: error) == .validationFailure else { exit(withError: error) }
        if let near = await meantBySecond(of: typed.words) {
            let said = typed.words.prefix(2).joined(separator: " ")
            report(
                Failure(
                    .usage,
                    "unknown_command",
                    "there is no command \(Style.safe(said)). Did you mean \(near)?",
                    next: [("next", "gatectl \(typed.words[0]) --help")]
                ),
                typed
            )
        }
        let message = message(for: error)
        let better = MistakenOption.explained(typed.words, message)
        guard typed.wantsJSON || better != nil else { exit(withError: error) }
        let help = typed.words.first { command($0) != nil }.map { "gatectl \($0) --help" } ?? "gatectl --help"
        report(Failure(.usage, "usage", better ?? message, next: [("next", help)]), typed)
    }

    /// A first word that is no command is refused before the default command can take it for an app: `gatectl kil shop ios` must not become
    /// a question about an app called kil.
    private static func refuse(_ word: String, _ typed: TypedWords) -> Never {
        let near = Suggestion.question(meant(by: word))
        report(Failure(.usage, "unknown_command", "there is no command \(word)\(near)", next: [("next", "gatectl --help")]), typed)
    }

    private static func report(_ failure: Failure, _ typed: TypedWords) -> Never {
        let console = Console(format: typed.wantsJSON ? .json : .table, environment: ProcessEnvironment.variables)
        Report(failure: failure, console: console).print()
        exit(withError: ExitCode(Exit.usage))
    }

    /// The command that the words name, parsed directly rather than from the root: from there the argument parser also makes every command
    /// above and beside it, which takes longer than the rest of gatectl's start.
    ///
    /// - Returns: nil for what cannot be parsed this way. Help, completion and mistakes are left to the parse from the root, which knows
    ///   the command's full name.
    static func parsedAlone(_ words: [String]) async -> (any AsyncParsableCommand)? {
        var type: any ParsableCommand.Type = Gatectl.self
        var rest = words[...]
        while !type.configuration.subcommands.isEmpty {
            if let word = rest.popFirst() {
                guard let next = type.configuration.subcommands.first(where: { $0._commandName == word }) else { return nil }
                type = next
            } else {
                guard let next = type.configuration.defaultSubcommand else { return nil }
                type = next
            }
        }
        guard let asynchronous = type as? any AsyncParsableCommand.Type else { return nil }
        return await parsed(asynchronous, Array(rest))
    }

    /// A function of the command's own type, because asking at run time whether what was parsed is such a command searches all conformances
    /// of the program.
    private static func parsed<Command: AsyncParsableCommand>(_ type: Command.Type, _ words: [String]) async -> Command? {
        // Errors can be dropped here: the parse from the root throws them again, with the right words.
        (try? await Command.asyncParseAsRoot(words)) as? Command
    }

    /// The command of a group that a mistyped second word comes near to; nil if that word is a command, or if the first word is no group.
    private static func meantBySecond(of words: [String]) async -> String? {
        guard words.count > 1, !words[1].hasPrefix("-"), let group = command(words[0]) else { return nil }
        let names = group.configuration.subcommands.map { $0._commandName }
        guard !names.contains(words[1]), let near = NearestName.nearest(to: words[1], among: names) else { return nil }
        // If the group's default command takes the words as they are, one of its options is at fault: `rehearse shop ios --for 30`.
        let rest = words.dropFirst().prefix { !$0.hasPrefix("-") }
        let usual = group.configuration.defaultSubcommand as? any AsyncParsableCommand.Type
        if let usual, await parsed(usual, Array(rest)) != nil { return nil }
        return "\(words[0]) \(near)"
    }

    private static func command(_ name: String) -> (any ParsableCommand.Type)? {
        configuration.subcommands.first { $0._commandName == name }
    }

    /// The command that was probably meant by another word; nil when none is near enough.
    static func meant(by word: String) -> String? { otherWords[word.lowercased()] ?? NearestName.nearest(to: word, among: commandNames) }

    /// What people type who are used to other tools, or who know only what they want.
    private static let otherWords = [
        "block": "kill", "disable": "kill", "lock": "kill", "stop": "kill", "unblock": "open", "enable": "open", "unkill": "open",
        "lift": "open",
        "unlock": "open", "undo": "rollback", "revert": "rollback", "login": "auth login", "signin": "auth login", "logout": "auth logout",
        "whoami": "auth status", "blocked": "status", "list": "status", "ls": "status", "show": "status", "log": "history", "tail": "watch",
        "events": "watch", "min": "require", "minimum": "require", "update": "require", "dump": "export", "restore": "apply",
        "window": "schedule", "preview": "simulate", "token": "tokens", "user": "users", "app": "apps", "people": "users",
        "invite": "users invite",
        "curl": "api",
    ]

    static var commandNames: [String] { configuration.subcommands.map { $0._commandName } }
}
