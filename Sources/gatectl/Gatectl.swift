import ArgumentParser

/// The operator's tool: sayable over a call, quick to type, true in what it reports.
@main
struct Gatectl: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatectl",
        abstract: "See and change what users of mobile apps face: open, told, asked to update, or blocked.",
        discussion: """
            Set GATECTL_SERVER and GATECTL_TOKEN, or sign in once with gatectl auth login.

            EXAMPLES
              gatectl status                                        who is locked out right now?
              gatectl kill shop ios -m "Back at 09:30." -r INC-123  block everybody
              gatectl open shop ios -r INC-123                      let them in again
              gatectl history shop ios                              who did what
              gatectl rollback shop ios --last                      undo the last change

            EXIT CODES
              0 done, or nothing to do    5 changed meanwhile       10 differences, or somebody is blocked
              1 other failure             6 not found               64 wrong usage
              2 declined at a prompt      7 no answer               130 interrupted
              3 confirmation needed       8 input refused
              4 not signed in or allowed
            """,
        subcommands: [
            StatusCommand.self, KillCommand.self, OpenCommand.self, RequireCommand.self, SuggestCommand.self, AlertCommand.self, ForceCommand.self,
            HistoryCommand.self, DiffCommand.self, RollbackCommand.self, WatchCommand.self, FeedCommand.self, AppsCommand.self, ImportCommand.self,
            AuthCommand.self, ContextCommand.self, DoctorCommand.self, CompletionCommand.self, VersionCommand.self,
        ],
        defaultSubcommand: StatusCommand.self
    )
}
