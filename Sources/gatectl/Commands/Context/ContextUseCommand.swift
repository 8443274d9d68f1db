import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct ContextUseCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "use",
        abstract: "Make a context the current one.",
        discussion: """
            EXAMPLE
              gatectl context use prod
            """
    )

    @Argument(help: "The context's name.") var name: String
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        var contexts = try Contexts(SettingsFolder(environment: ProcessEnvironment.variables))
        let context = try contexts.named(name)
        contexts.use(name)
        try contexts.save()
        if console.isJSON { return console.json(Document.of(["context": .string(name), "server": .string(context.server.text)])) }
        console.data("Now using \(name): \(context.server)")
        if let server = ProcessEnvironment.variables["GATECTL_SERVER"], !server.isEmpty {
            console.note("  GATECTL_SERVER is set and goes before it.")
        }
    }
}
