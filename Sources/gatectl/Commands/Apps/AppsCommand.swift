import ArgumentParser

struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apps",
        abstract: "List, add, change and remove apps and their platforms.",
        discussion: """
            EXAMPLES
              gatectl apps list
              gatectl apps add shop --name Shop --platforms ios,android
              gatectl apps set shop --platform ios --add-release 4.3.0
            """,
        subcommands: [AppsListCommand.self, AppsAddCommand.self, AppsSetCommand.self, AppsRemoveCommand.self],
        defaultSubcommand: AppsListCommand.self
    )
}
