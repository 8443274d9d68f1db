import ArgumentParser
import GateStore

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring an older database to this version's schema; the server must be stopped.",
        discussion: "Example: gatehouse migrate --data ./data"
    )

    @Option(help: ArgumentHelp("Folder of the database.", valueName: "dir"))
    var data: String

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func run() throws {
        do {
            let applied = try Store.migrate(StoreCommand.configuration(data: data, migrations: migrations, createIfMissing: false))
            print(applied.isEmpty ? "The database is up to date." : "applied \(applied.map(String.init).joined(separator: ", "))")
        } catch let error as StoreError {
            throw StoreCommand.failure("\(error)")
        }
    }
}
