import ArgumentParser

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Have the server make a backup of everything, and list the backups it has.",
        discussion: """
            For administrators. The files are in the folder that gatehouse serve --backup-dir names, on the server's machine; gatehouse restore \
            puts one in place there. A copy of the gates alone is gatectl export.

            EXAMPLES
              gatectl backup list
              gatectl backup create
            """,
        subcommands: [BackupListCommand.self, BackupCreateCommand.self],
        defaultSubcommand: BackupListCommand.self
    )
}
