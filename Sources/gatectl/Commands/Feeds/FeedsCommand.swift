import ArgumentParser

struct FeedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feeds",
        abstract: "Feeds of an app's own shape: list, show, set and remove them.",
        discussion: """
            A template is a JSON document with places that are filled from the gate, in a subset of JSON-e:
              { "maintenance": {"$eval": "blocked"}, "text": {"$if": "kill", "then": {"$eval": "kill.message"}, "else": ""} }

            EXAMPLES
              gatectl feeds list shop
              gatectl feeds set shop status -f template.json --platform ios --dry-run
              gatectl feeds show shop status
            """,
        subcommands: [FeedsListCommand.self, FeedsShowCommand.self, FeedsSetCommand.self, FeedsRemoveCommand.self],
        defaultSubcommand: FeedsListCommand.self
    )
}
