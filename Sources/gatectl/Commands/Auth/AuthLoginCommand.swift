import ArgumentParser
import Foundation
import GateAPI
import GateAdminClient
import GateModel

struct AuthLoginCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Store a token for a server and make it the current context.",
        discussion: """
            The token is read from standard input, never from an argument: arguments can be seen by everybody on the machine. It is
            stored in credentials.json, readable by you alone, and is sent to that server only.

            EXAMPLES
              gatectl auth login --with-token --server https://gate.example.com < token
              pass show gatehouse | gatectl auth login --with-token
            """
    )

    @Flag(name: .customLong("with-token"), help: "Read the token from standard input.") var withToken = false
    @Option(name: .long, help: "The server's address. Default: the server that is set already.") var server: String?
    @OptionGroup var common: CommonOptions

    func validate() throws {
        if !withToken { throw ValidationError("Give a token on standard input with --with-token.") }
    }

    func execute(_ console: Console) async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try common.connection.settings(server: server)
        if isatty(STDIN_FILENO) == 1 { console.say("Paste the token, then Enter:") }
        guard let line = readLine(), let token = BearerToken(line) else { throw Failure(.refused, "no_token", "there is no token on standard input") }
        let client = Session.client(settings, token: token, console)
        // Only a token that works is stored.
        let user = try await client.session().user
        let status = try await client.status()
        let folder = SettingsFolder(environment: environment)
        try Credentials(folder).store(token, for: settings.server)
        var contexts = try Contexts(folder)
        let known = contexts.all.first { $0.server == settings.server }
        let name = known?.name ?? Self.freeName(status.environment.name, contexts)
        contexts.set(.init(name: name, server: settings.server, isProtected: status.environment.isProtected, label: known?.label))
        contexts.use(name)
        try contexts.save()
        if console.isJSON {
            return console.json(
                Document.of([
                    "server": .string(settings.server.text), "context": .string(name), "user": .string(user.username), "role": .string(user.role.rawValue),
                ]))
        }
        console.data("Signed in to \(settings.server) as \(Style.safe(user.username)) (\(user.role.rawValue)); context \(name)")
        if environment["GATECTL_TOKEN"].map({ !$0.isEmpty }) ?? false { console.note("  GATECTL_TOKEN is set and goes before the stored token.") }
    }

    /// The environment's name as a context's, with a number where another server has it.
    private static func freeName(_ wish: String, _ contexts: Contexts) -> String {
        let letters = wish.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let name = letters.isEmpty ? "default" : String(letters)
        guard contexts[name] != nil else { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { contexts[$0] == nil } ?? name
    }
}
