import ArgumentParser
import Foundation
import GateJSON
import GateModel
import GateStore

struct VerifyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check a stopped server's database: integrity, history, schema.",
        discussion: "Ends with 0 when all is well, else names the first fault and ends with 1.\n\nExample: gatehouse verify --data ./data"
    )

    @Option(help: ArgumentHelp("Folder of the database.", valueName: "dir"))
    var data: String

    @Option(help: ArgumentHelp("File with an earlier head of the history, kept elsewhere.", valueName: "file"))
    var anchor: String?

    @Option(help: ArgumentHelp("Folder of the database's migrations.", valueName: "dir"))
    var migrations: String?

    func run() throws {
        do {
            let folder = try ShippedFolder.find("Migrations", given: migrations, option: "--migrations")
            let faults = try Store.verify(directory: data, migrations: folder, anchor: try anchor.map(Self.anchor))
            if let first = faults.first { throw StoreCommand.failure("\(first)") }
            print("The database is sound.")
        } catch let error as StoreError {
            throw StoreCommand.failure("\(error)")
        }
    }

    private static func anchor(at path: String) throws -> ChainAnchor {
        guard let data = FileManager.default.contents(atPath: path) else { throw ValidationError("The anchor \(path) cannot be read.") }
        do { return try ChainAnchor(json: JSONReader.read(Array(data))) } catch { throw ValidationError("The anchor \(path) is none: \(error)") }
    }
}
