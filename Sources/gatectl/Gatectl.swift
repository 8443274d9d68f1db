import ArgumentParser
import Foundation

/// The operator's tool: sayable over a call, quick to type, true in what it reports.
@main
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
        version: "gatectl \(VersionCommand.version)",
        subcommands: [
            StatusCommand.self, KillCommand.self, OpenCommand.self, RequireCommand.self, SuggestCommand.self, AlertCommand.self,
            ForceCommand.self, SimulateCommand.self,
            HistoryCommand.self, AuditCommand.self, DiffCommand.self, RollbackCommand.self, ScheduleCommand.self, WatchCommand.self, FeedCommand.self, AppsCommand.self,
            ImportCommand.self, ExportCommand.self, ApplyCommand.self,
            ValidateCommand.self, RenderCommand.self, AuthCommand.self, ContextCommand.self, DoctorCommand.self, CompletionCommand.self,
            VersionCommand.self, HelpCommand.self,
        ],
        defaultSubcommand: StatusCommand.self
    )

    /// Runs the command line. A first word that is no command is refused before it could be taken for an app by the default command:
    /// `gatectl kil shop ios` must not become a question about an app called kil.
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        if let first = words.first, !first.hasPrefix("-"), !commandNames.contains(first) {
            let near = (otherWords[first.lowercased()] ?? Suggestion.nearest(to: first, among: commandNames)).map { ". Did you mean \($0)?" } ?? ""
            let failure = Failure(.usage, "unknown_command", "there is no command \(first)\(near)", next: [("next", "gatectl --help")])
            let console = Console(format: words.contains("--json") ? .json : .table, environment: ProcessInfo.processInfo.environment)
            Report(failure: failure, console: console).print()
            exit(withError: ExitCode(Exit.usage))
        }
        await main(nil)
    }

    /// What people type who know other tools, or only what they want.
    private static let otherWords = [
        "block": "kill", "disable": "kill", "lock": "kill", "stop": "kill", "unblock": "open", "enable": "open", "unkill": "open", "lift": "open",
        "unlock": "open", "undo": "rollback", "revert": "rollback", "login": "auth login", "signin": "auth login", "logout": "auth logout",
        "whoami": "auth status", "blocked": "status", "list": "status", "ls": "status", "show": "status", "log": "history", "tail": "watch",
        "events": "watch", "min": "require", "minimum": "require", "update": "require", "backup": "export", "dump": "export", "restore": "apply",
        "window": "schedule", "preview": "simulate",
    ]

    static var commandNames: [String] { configuration.subcommands.map { $0._commandName } }
}
