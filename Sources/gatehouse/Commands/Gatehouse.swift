import ArgumentParser
import GateModel

@main
struct Gatehouse: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gatehouse",
        abstract: "The console for the gates in front of mobile apps.",
        discussion: "Start here: gatehouse serve --data ./data, then open the set-up link that it prints.",
        version: Release.current.description,
        subcommands: [
            ServeCommand.self, InitCommand.self, BackupCommand.self, BackupKeyCommand.self, RestoreCommand.self, VerifyCommand.self,
            RepairCommand.self, MigrateCommand.self, CopyCommand.self, KeysCommand.self, AdminCommand.self,
        ],
        defaultSubcommand: nil
    )

    static func main() {
        Signals.outliveFileLimits()
        main(nil)
    }
}
