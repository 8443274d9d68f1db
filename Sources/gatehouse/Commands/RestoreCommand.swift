import ArgumentParser
import GateJSON
import GateService
import GateStore

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in the place of the database; the server must be stopped.",
        discussion: """
            The backup is checked first, every bit of it and its whole history. What was in the folder is kept in a folder \
            before-restore-… inside it. The history continues above every sequence that may have been handed out since the backup, and \
            records that in a row of its own, so that phones take what they get next as newer. The former folder and the FILE of --anchor \
            show how far sequences had come; if neither does, a million sequences are left out.

            People, tokens and windows are as they were when the backup was made: passwords are the ones of that time, and a token that \
            was revoked since works again. They are checked with the key that signed them, keys/rows.key of the folder or of a backup that \
            was made --with-keys, or a former one that the folder keeps since each restore makes a new one; if none signed them, they are \
            taken over as they are. All sessions end. The other keys of such a backup are put in place where the folder has none.

            Example: gatehouse restore --data ./data --from /mnt/other/gatehouse.backup --dry-run
            Example: gatehouse restore --data ./data --from /mnt/other/gatehouse.backup --anchor /mnt/other/anchor.json
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @OptionGroup var place: NoDatabaseOption

    @Option(name: .customLong("from"), help: ArgumentHelp("The backup, also as \(OptionSources.variable("from")).", valueName: "file"))
    var backup: String?

    @Option(
        help: ArgumentHelp(
            "File with later heads of the history, as serve --anchor-copy keeps it; also as \(AnchorArgument.variable).",
            valueName: "file"
        )
    )
    var anchor: String?

    @Option(
        help: ArgumentHelp(
            "File with the private half of the key that the backup is encrypted to, also as \(OptionSources.variable("key")).",
            valueName: "file"
        )
    )
    var key: String?

    @Flag(help: "Check the backup and say what would be lost; write nothing.")
    var dryRun = false

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws { _ = try file() }

    private func file() throws -> String {
        guard let file = OptionSources.environment("from", given: backup) else {
            throw ValidationError("Say which backup to put in place: --from FILE, or \(OptionSources.variable("from")).")
        }
        return file
    }

    func run() throws {
        Signals.removePassingFiles()
        try place.refuse(
            instead:
                "Restore a dump with pg_restore into an empty database, and check it with gatehouse verify --database before a server uses it."
        )
        let folder = try ShippedFolder.find("Migrations", given: migrations, option: "--migrations")
        var request = RestoreRequest(directory: data, backup: try file(), migrations: folder, now: { .now })
        request.anchor = try AnchorArgument.read(given: anchor)
        // Losing the error is safe: feeds that cannot be read tell nothing, and then more sequences are left out.
        request.published = (try? PublicationFolder(dataFolder: data).lastSequence()) ?? nil
        request.isTrial = dryRun
        let report: RestoreReport
        do throws(StoreError) {
            request.key = try OptionSources.environment("key", given: key).map { path throws(StoreError) in try BackupKeyFile.read(path) }
            report = try Store.restore(request)
        } catch { throw StoreCommand.failure(error) }
        let kept = report.aside.map { " What was there is kept in \($0)." } ?? ""
        try StoreCommand.say(
            RestoreText.lines(report, data: data, isTrial: dryRun).joined(separator: "\n"),
            otherwise: dryRun ? StoreCommand.nothingChanged : "The restore is done, as change \(report.sequence) of the history.\(kept)"
        )
    }
}
