import ArgumentParser
import GateStore

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring an older database to this version's schema; the server must be stopped.",
        discussion: """
            The database is first copied, into a file beside it; of one in PostgreSQL, make a dump yourself. To go back to the previous \
            version, stop the server, move gatehouse.sqlite and its gatehouse.sqlite-wal away, put that copy in place, make a backup of it \
            with that version, and restore the backup: so it goes on above what phones were told meanwhile.

            Example: gatehouse migrate --data ./data
            """
    )

    @OptionGroup var folder: DataOption

    private var data: String { folder.path }

    @OptionGroup var place: DatabaseOption

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func run() throws {
        do {
            let migrated = try Store.migrate(
                StoreCommand.configuration(data: data, database: place.server(), migrations: migrations, createIfMissing: false)
            )
            guard !migrated.applied.isEmpty else { return try StoreCommand.say("The database is up to date.") }
            let kept = migrated.copy.map { "\nThe database as it was is kept: \($0)" } ?? ""
            try StoreCommand.say(
                "applied \(migrated.applied.map(String.init).joined(separator: ", "))" + kept,
                otherwise: "The database is up to date."
            )
        } catch let error as StoreError {
            throw StoreCommand.failure(error)
        }
    }
}
