import ArgumentParser
import GateCrypto
import GateJSON
import GateStore

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write everything into one file that is checked, also while the server runs.",
        discussion: """
            The file holds the state of one moment: gates, history, people, tokens, windows. It is checked before it gets its name, and a \
            backup of that name is replaced only then; the server and its users are not held up. Keep a copy of keys/ too, in another \
            place: without the keys, people with a second factor need their recovery codes, and native feeds are not signed. With \
            --with-keys the keys are in the file, which is then as good as a password and should be encrypted.

            serve --backup-dir makes backups by itself. Check one with gatehouse verify --from FILE, and put one in place with gatehouse \
            restore.

            Example: gatehouse backup --data ./data --out /mnt/other/gatehouse.backup
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @OptionGroup var place: NoDatabaseOption

    @Option(help: ArgumentHelp("The file to write, also as \(OptionSources.variable("out")).", valueName: "file"))
    var out: String?

    // Of 64 keys one begins with a hyphen, and would be taken for an option.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Encrypt it to this public key of gatehouse backup-key; only the private half opens it. Also as \(OptionSources.variable("encrypt-to")).",
            valueName: "key"
        )
    )
    var encryptTo: SealingKey?

    @Flag(help: "Put the private keys of the folder into it as well: whoever has the file can then sign feeds and open second factors.")
    var withKeys = false

    func validate() throws { _ = (try file(), try recipient()) }

    private func file() throws -> String {
        guard let file = OptionSources.environment("out", given: out) else {
            throw ValidationError("Say which file to write: --out FILE, or \(OptionSources.variable("out")).")
        }
        guard file != "-" else {
            throw ValidationError("A backup is read again before it counts, so it goes into a file, not to standard output: --out FILE.")
        }
        return file
    }

    private func recipient() throws -> SealingKey? {
        if let encryptTo { return encryptTo }
        let variable = OptionSources.variable("encrypt-to")
        return try OptionSources.environment("encrypt-to", given: nil).map { try SealingKey($0, from: variable) }
    }

    func run() throws {
        Signals.removePassingFiles()
        try place.refuse(
            instead: "Make a backup with pg_dump, and check a restored one with gatehouse verify --database. Keep a copy of keys/ too."
        )
        let (out, key) = (try file(), try recipient())
        let backup: Store.Backup
        do { backup = try Store.backUp(directory: data, to: out, at: .now, encryptedTo: key, withKeys: withKeys) } catch {
            throw StoreCommand.failure(error)
        }
        try StoreCommand.say(
            "\(out): up to change \(backup.manifest.sequence), \(backup.whole.bytes) bytes, sha256 \(backup.whole.digest)",
            otherwise: "The backup \(out) is made: gatehouse verify --from checks it."
        )
    }
}
