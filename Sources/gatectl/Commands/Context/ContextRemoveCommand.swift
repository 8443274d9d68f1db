import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct ContextRemoveCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "remove",
        abstract: "Forget a context and the token stored for its server.",
        discussion: """
            EXAMPLE
              gatectl context remove staging
            """
    )

    @Argument(help: "The context's name.") var name: String
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let folder = SettingsFolder(environment: ProcessEnvironment.variables)
        var contexts = try Contexts(folder)
        let context = try contexts.named(name)
        contexts.remove(name)
        try contexts.save()
        // Another name for the same server still needs its token.
        if !contexts.all.contains(where: { $0.server == context.server }), try Credentials(folder).token(for: context.server) != nil {
            try Credentials(folder).store(nil, for: context.server)
        }
        console.isJSON
            ? console.json(Document.of(["context": .string(name), "changed": .bool(true)])) : console.data("Removed \(name)")
    }
}
