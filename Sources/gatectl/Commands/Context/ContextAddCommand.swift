import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct ContextAddCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "add",
        abstract: "Name a server.",
        discussion: """
            A name that is there already, for the same server, keeps what is not named: its authorities, and what is known of the server.

            EXAMPLES
              gatectl context add staging --server https://gate-staging.example.com
              gatectl context add prod --server https://gate.example.com --ca authority.pem
            """
    )

    @Argument(help: "A name of your choice.") var name: String
    @Option(name: .long, help: "The server's address.") var server: String
    @Option(name: .long, help: "A PEM file with the authorities to trust for it, in place of the system's.", completion: .file()) var ca:
        String?
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        guard let address = ServerAddress(server) else {
            throw Failure.noAddress(server, from: Style.safe(server))
        }
        guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure.usage("a context's name is one word")
        }
        var contexts = try Contexts(SettingsFolder(environment: ProcessEnvironment.variables))
        if let present = contexts[name], present.server != address {
            throw Failure(
                .refused,
                "context_exists",
                "\(name) is there already, for \(present.server)",
                next: [("next", "gatectl context remove \(name)")]
            )
        }
        // Absolute, because gatectl may be run from another folder later.
        let file = try ca.map { path throws(Failure) in
            guard let whole = FileSystem.absolutePath(path) else {
                throw Failure(
                    .refused,
                    "no_such_file",
                    "\(Style.safe(path)) is not there",
                    next: [("next", "name the file with the certificates")]
                )
            }
            return whole
        }
        // Of a context that is there only what was named changes.
        var context = contexts[name] ?? .init(name: name, server: address)
        if let file { context.ca = file }
        contexts.set(context)
        if contexts.current == nil { contexts.use(name) }
        try contexts.save()
        if console.isJSON { return console.json(Document.of(["context": .string(name), "server": .string(address.text)])) }
        console.data("Added \(name): \(address)")
        console.note("  next: gatectl auth login --with-token --context \(name.asShellWord) < token-file")
    }
}
