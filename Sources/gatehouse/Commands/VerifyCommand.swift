import ArgumentParser
import GateService
import GateStore

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a stopped server's database, or a backup: integrity, history, who wrote people, tokens and windows, schema.",
        discussion: """
            Exits with 0 when all is well; otherwise names the first fault and exits with 1. The history is compared with anchor.json and \
            the published feeds in the data folder; an anchor from elsewhere, --anchor, also shows whether an older data folder was put \
            back. Rows of people, tokens and windows are checked with keys/rows.key in the data folder.

            With --from a backup is checked instead of a folder, also while a server runs: every bit of the file, then its database. \
            Checking who wrote its rows needs the key, and is done when the backup is restored.

            A PostgreSQL database is checked together with the data folder of one of its servers, which has the key and the anchor; so is \
            a dump that was restored with pg_restore.

            Example: gatehouse verify --data ./data --anchor /mnt/other/anchor.json
            Example: gatehouse verify --from /mnt/other/gatehouse.backup
            """
    )

    @Option(help: ArgumentHelp("Folder of the database, also as \(DataOption.variable).", valueName: "dir"))
    var data: String?

    @OptionGroup var place: DatabaseOption

    @Option(
        name: .customLong("from"),
        help: ArgumentHelp("A backup to check, instead of --data; also as \(OptionSources.variable("from")).", valueName: "file")
    )
    var backup: String?

    @Option(
        help: ArgumentHelp(
            "File with the private half of the key that the backup is encrypted to; without it only the file itself is checked, and where its history ends. Also as \(OptionSources.variable("key")).",
            valueName: "file"
        )
    )
    var key: String?

    @Option(
        help: ArgumentHelp(
            "File with earlier heads of the history, as serve --anchor-copy keeps it; also as \(AnchorArgument.variable).",
            valueName: "file"
        )
    )
    var anchor: String?

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func validate() throws {
        guard case .backup = try subject(), place.database != nil else { return }
        throw ValidationError("--database goes with --data DIR; --from FILE needs nothing else.")
    }

    private enum Subject {
        case folder(String)
        case backup(String)
    }

    /// What is to be checked. What the environment names is meant for other commands too, so it does not contradict the command line.
    private func subject() throws -> Subject {
        let isTyped = data != nil || backup != nil
        let folder = isTyped ? data.flatMap(DataOption.named) : DataOption.named(nil)
        let file = isTyped ? backup : OptionSources.environment("from", given: nil)
        switch (folder, file) {
        case (let folder?, nil): return .folder(folder)
        case (nil, let file?) where data == nil: return .backup(file)
        case (_?, _?) where !isTyped:
            throw ValidationError(
                "Say either --data DIR or --from FILE: the environment names both, \(DataOption.variable) and \(OptionSources.variable("from"))."
            )
        default: throw ValidationError("Say either --data DIR or --from FILE.")
        }
    }

    func run() throws {
        Signals.removePassingFiles()
        do {
            let folder = try ShippedFolder.find("Migrations", given: migrations, option: "--migrations")
            let anchor = try AnchorArgument.read(given: anchor)
            switch try subject() {
            case .backup(let file): try verify(backup: file, migrations: folder, anchor: anchor)
            case .folder(let data): try verify(data, migrations: folder, anchor: anchor)
            }
        } catch let error as StoreError {
            throw StoreCommand.failure(error)
        }
    }

    private func verify(_ data: String, migrations: String, anchor: ChainAnchor?) throws {
        // Losing the error is safe: feeds that cannot be read say nothing about the database.
        let published = (try? PublicationFolder(dataFolder: data).lastSequence()) ?? nil
        let server = try place.server()
        let faults = try Store.verify(
            directory: data,
            server: server,
            migrations: migrations,
            anchor: anchor,
            published: published ?? 0
        )
        if let first = faults.first {
            // It is not an older database that somebody put in place, and must not be restored over the one that is in use.
            if first.isBehindAnchor, server == nil, let remedy = Store.remedyWithoutDatabase(data) {
                throw StoreCommand.failure("\(first). The server of \(data) has its database in PostgreSQL. \(remedy)")
            }
            throw StoreCommand.failure("\(first)" + Self.remedy(first, DatabaseRemedy(data: data, server: server)))
        }
        try StoreCommand.say("The database is sound.")
    }

    private static func remedy(_ fault: StoreFault, _ remedy: DatabaseRemedy) -> String {
        if fault.isUnreadable { return ". \(remedy.unreadable)" }
        return fault.isBehindAnchor ? ". An older database is in its place, or its end was cut off. \(remedy.older)" : ""
    }

    private func verify(backup: String, migrations: String, anchor: ChainAnchor?) throws {
        let file = try BackupFile(backup)
        let key = OptionSources.environment("key", given: key)
        if let encryption = file.manifest.encryption, key == nil {
            try file.check()
            if let fault = try anchor.flatMap(file.manifest.fault(against:)) { throw StoreCommand.failure("\(backup): \(fault)") }
            let end = anchor == nil ? "" : " It ends as the anchor does."
            return try StoreCommand.say(
                "The file is as it was written, up to change \(file.manifest.sequence), of \(file.manifest.at).\(end) It is encrypted to \(encryption.key): with --key its database is checked too."
            )
        }
        let opening = try key.map { try BackupKeyFile.read($0) }
        let (manifest, faults) = try Store.verify(backup: backup, migrations: migrations, anchor: anchor, key: opening)
        if let first = faults.first { throw StoreCommand.failure("\(backup): \(first)") }
        try StoreCommand.say("The backup is sound: up to change \(manifest.sequence), of \(manifest.at).")
    }
}
