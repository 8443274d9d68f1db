import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct AuthLogoutCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget the stored token of a server, and revoke it there.",
        discussion: """
            When the server does not answer the token is forgotten here all the same; it then stays valid until it expires.

            EXAMPLE
              gatectl auth logout
            """
    )

    @Option(name: .long, help: "The server whose token to forget. Default: the current one.") var server: String?
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let environment = ProcessEnvironment.variables
        let settings = try common.connection.settings(server: server)
        let credentials = Credentials(SettingsFolder(environment: environment))
        let stored = try credentials.token(for: settings.server)
        var revoked = false
        var trouble: String?
        if let stored {
            do {
                try await Session.client(settings, token: stored, console).revoke(stored)
                revoked = true
            } catch {
                trouble = error.detail
            }
            try credentials.store(nil, for: settings.server)
        }
        if console.isJSON {
            return console.json(
                Document.of(["server": .string(settings.server.text), "changed": .bool(stored != nil), "revoked": .bool(revoked)])
            )
        }
        console.data(stored != nil ? "Forgot the token for \(settings.server)" : "No token was stored for \(settings.server)")
        if let trouble { console.say("warning: the token is not revoked and stays valid until it expires: \(Style.safe(trouble))") }
        if let origin = settings.tokenOrigin, origin.hasPrefix("GATECTL_") { console.note("  \(origin) is still set.") }
    }
}
