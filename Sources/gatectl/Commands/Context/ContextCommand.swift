import ArgumentParser
import Foundation
import GateAdminClient
import GateModel

struct ContextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Name the servers you work with, and choose one.",
        discussion: """
            One server is one environment. --context NAME chooses one for one command; a project can name one in .gatectl.json.

            EXAMPLES
              gatectl context add prod --server https://gate.example.com
              gatectl context use prod
              gatectl context list
            """,
        subcommands: [List.self, Use.self, Add.self, Remove.self],
        defaultSubcommand: List.self
    )

    private static func contexts() throws(Failure) -> Contexts {
        try Contexts(SettingsFolder(environment: ProcessInfo.processInfo.environment))
    }

    struct List: GatectlCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "The contexts there are; * marks the current one.",
            discussion: """
                EXAMPLE
                  gatectl context list
                """
        )
        @OptionGroup var common: CommonOptions

        func execute(_ console: Console) async throws {
            let contexts = try ContextCommand.contexts()
            let all = contexts.all.sorted { $0.name < $1.name }
            if console.isJSON {
                let items = all.map { context -> JSONValue in
                    [
                        "name": .string(context.name), "server": .string(context.server.text),
                        "current": .bool(context.name == contexts.current),
                    ]
                }
                return console.json(Document.list(items))
            }
            if console.format == .plain { return all.forEach { console.data("\($0.name)\t\($0.server)\t\($0.name == contexts.current)") } }
            guard !all.isEmpty else {
                return console.data("No contexts. Add one: gatectl context add prod --server https://gate.example.com")
            }
            var table = Table(["", "NAME", "SERVER", ""], flexible: [2])
            table.rows = all.map {
                [
                    .init($0.name == contexts.current ? "*" : ""), .init($0.name), .init($0.server.text),
                    .init($0.isProtected == true ? "PROTECTED" : ""),
                ]
            }
            table.lines(style: console.out, width: console.width).forEach(console.data)
        }
    }

    struct Use: GatectlCommand {
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
            var contexts = try ContextCommand.contexts()
            let context = try contexts.named(name)
            contexts.use(name)
            try contexts.save()
            if console.isJSON { return console.json(Document.of(["context": .string(name), "server": .string(context.server.text)])) }
            console.data("Now using \(name): \(context.server)")
            if let server = ProcessInfo.processInfo.environment["GATECTL_SERVER"], !server.isEmpty {
                console.note("  GATECTL_SERVER is set and goes before it.")
            }
        }
    }

    struct Add: GatectlCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Name a server.",
            discussion: """
                EXAMPLE
                  gatectl context add staging --server https://gate-staging.example.com
                """
        )
        @Argument(help: "A name of your choice.") var name: String
        @Option(name: .long, help: "The server's address.") var server: String
        @OptionGroup var common: CommonOptions

        func execute(_ console: Console) async throws {
            guard let address = ServerAddress(server) else {
                throw Failure.usage("\(Style.safe(server)) is no server address such as https://gate.example.com")
            }
            guard !name.isEmpty, name.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw Failure.usage("a context's name is one word")
            }
            var contexts = try ContextCommand.contexts()
            if let present = contexts[name], present.server != address {
                throw Failure(
                    .refused,
                    "context_exists",
                    "\(name) is there already, for \(present.server)",
                    next: [("next", "gatectl context remove \(name)")]
                )
            }
            contexts.set(.init(name: name, server: address))
            if contexts.current == nil { contexts.use(name) }
            try contexts.save()
            if console.isJSON { return console.json(Document.of(["context": .string(name), "server": .string(address.text)])) }
            console.data("Added \(name): \(address)")
            console.note("  next: gatectl auth login --with-token --server \(address) < token-file")
        }
    }

    struct Remove: GatectlCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forget a context and the token stored for its server.",
            discussion: """
                EXAMPLE
                  gatectl context remove staging
                """
        )
        @Argument(help: "The context's name.") var name: String
        @OptionGroup var common: CommonOptions

        func execute(_ console: Console) async throws {
            let folder = SettingsFolder(environment: ProcessInfo.processInfo.environment)
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
}
