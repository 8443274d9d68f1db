import ArgumentParser
import GateStore

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a stopped server's database: integrity, history, who wrote people, tokens and windows, schema.",
        discussion: """
            Ends with 0 when all is well, else names the first fault and ends with 1. The history is held against anchor.json in the data folder; \
            an anchor from elsewhere, --anchor, also shows that an older data folder was put back. Rows of people, tokens and windows are checked \
            with keys/rows.key in the data folder.

            Example: gatehouse verify --data ./data --anchor /mnt/other/anchor.json
            """
    )

    @Option(help: ArgumentHelp("Folder of the database.", valueName: "dir"))
    var data: String

    @Option(help: ArgumentHelp("File with earlier heads of the history, as serve --anchor-copy keeps it.", valueName: "file"))
    var anchor: String?

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func run() throws {
        do {
            let folder = try ShippedFolder.find("Migrations", given: migrations, option: "--migrations")
            let faults = try Store.verify(directory: data, migrations: folder, anchor: try anchor.map(Self.anchor))
            if let first = faults.first {
                throw StoreCommand.failure("\(first)" + (first.isUnreadable ? ". Run gatehouse repair --data \(data) --dry-run to see what can be done." : ""))
            }
            print("The database is sound.")
        } catch let error as StoreError {
            throw StoreCommand.failure("\(error)")
        }
    }

    private static func anchor(at path: String) throws -> ChainAnchor {
        do throws(StoreError) {
            guard let anchor = try ChainAnchor.read(from: path) else { throw StoreError(.notFound, "There is no anchor \(path)") }
            return anchor
        } catch { throw ValidationError("\(error.detail).") }
    }
}
