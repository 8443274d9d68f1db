import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct ContextListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The contexts there are; * marks the current one.",
        discussion: """
            EXAMPLE
              gatectl context list
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let contexts = try Contexts(SettingsFolder(environment: ProcessEnvironment.variables))
        let all = contexts.all.sorted { $0.name < $1.name }
        if console.isJSON {
            let items = all.map { context -> JSONValue in
                var object: JSONObject = [
                    "name": .string(context.name), "server": .string(context.server.text),
                    "current": .bool(context.name == contexts.current),
                ]
                // Known from the first sign-in on.
                object["label"] = context.label.map(JSONValue.string)
                object["colour"] = context.colour.map(JSONValue.string)
                object["protected"] = context.isProtected.map(JSONValue.bool)
                return .object(object)
            }
            return console.json(Document.list(items))
        }
        if console.format == .plain {
            for context in all { console.data("\(context.name)\t\(context.server)\t\(context.name == contexts.current)") }
            return
        }
        guard !all.isEmpty else {
            return console.data("No contexts. Add one: gatectl context add prod --server https://gate.example.com")
        }
        var table = Table(["", "NAME", "SERVER", "ENVIRONMENT", ""], flexible: [2])
        table.rows = all.map {
            [
                .init($0.name == contexts.current ? "*" : ""), .init($0.name), .init($0.server.text),
                .init($0.label.map(Style.safe) ?? "–"), .init($0.isProtected == true ? "PROTECTED" : ""),
            ]
        }
        console.table(table)
    }
}
