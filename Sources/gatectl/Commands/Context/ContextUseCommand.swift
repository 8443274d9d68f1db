import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct ContextUseCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "use",
        abstract: "Make a context the current one.",
        discussion: """
            EXAMPLE
              gatectl context use prod
            """
    )

    @Argument(help: "The context's name.") var name: String
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let environment = ProcessEnvironment.variables
        var contexts = try Contexts(SettingsFolder(environment: environment))
        let context = try contexts.named(name)
        contexts.use(name)
        try contexts.save()
        if console.isJSON { return console.json(Document.of(["context": .string(name), "server": .string(context.server.text)])) }
        console.data("Now using \(name): \(context.server)")
        let working = FileSystem.workingFolder
        if let words = Settings.followed(insteadOf: context.server, environment: environment, workingDirectory: working) {
            console.note("  " + words)
        }
    }
}
