import ArgumentParser

struct ContextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Name the servers you work with, and choose one.",
        discussion: """
            One server is one environment. --context NAME chooses one for one command; a project can name one in .gatectl.json.

            EXAMPLES
              gatectl context add prod --server https://gate.example.com
              gatectl context use prod
              gatectl context list
            """,
        subcommands: [ContextListCommand.self, ContextUseCommand.self, ContextAddCommand.self, ContextRemoveCommand.self],
        defaultSubcommand: ContextListCommand.self
    )
}
