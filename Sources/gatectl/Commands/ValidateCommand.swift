import ArgumentParser
import GateAPI
import GateJSON
import GateModel

struct ValidateCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "validate",
        abstract: "Check an export file without a server.",
        discussion: """
            Reads it as the server would, looks for what client libraries would make of it, and renders every feed in memory.

            EXAMPLES
              gatectl validate -f gates.json
              gatectl validate -f gates.json --accept text_order --json
            """
    )

    @Option(name: .short, help: "The file; - reads standard input.", completion: .file()) var file: String
    @Option(name: .long, parsing: .singleValue, help: "Override a refusal by its code, such as text_order. Repeatable.") var accept:
        [String] = []
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let file = try ExportFile(path: file, at: .now, accept: accept)
        if console.isJSON {
            return console.json(
                Document.of([
                    "valid": .bool(true), "apps": .integer(file.export.apps.count), "targets": .integer(file.targetCount),
                    "feeds": .integer(file.feedCount), "warnings": .array(file.warnings.map(\.json)),
                ])
            )
        }
        file.warnings.map { PlanView.warning($0) }.forEach(console.note)
        func count(_ number: Int, _ word: String) -> String { "\(number) \(word)\(number == 1 ? "" : "s")" }
        console.data(
            "Valid: \(count(file.export.apps.count, "app")), \(count(file.targetCount, "target")), \(count(file.feedCount, "feed"))"
        )
    }
}
