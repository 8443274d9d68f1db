import ArgumentParser
import GateCrypto
import GateStore

struct BackupKeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup-key",
        abstract: "Make a pair of keys for backups that only their owner can read.",
        discussion: """
            The private half goes to a file, which stays with whoever restores, away from the server; the public half is printed, for \
            backup --encrypt-to and serve --backup-encrypt-to. Without the file nobody can ever open such a backup.

            Example: gatehouse backup-key --out backup.key
            """
    )

    @Option(help: ArgumentHelp("The file for the private half; a new one.", valueName: "file"))
    var out: String

    func run() throws {
        let key: SealingKey
        do { key = try BackupKeyFile.make(out) } catch { throw StoreCommand.failure(error) }
        try StoreCommand.say(
            "\(key)",
            otherwise: "The public half cannot be had from \(out) with a command: remove the file and make another pair."
        )
    }
}
