import ArgumentParser
import Foundation
import GateAdminClient
import GateModel

struct AuthLogoutCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        commandName: "logout",
        abstract: "Forget the stored token of a server.",
        discussion: """
            The token itself stays valid until it is revoked on the server.

            EXAMPLE
              gatectl auth logout
            """
    )

    @Option(name: .long, help: "The server whose token to forget. Default: the current one.") var server: String?
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let environment = ProcessInfo.processInfo.environment
        let settings = try common.connection.settings(server: server)
        let credentials = Credentials(SettingsFolder(environment: environment))
        let had = try credentials.token(for: settings.server) != nil
        if had { try credentials.store(nil, for: settings.server) }
        if console.isJSON { return console.json(Document.of(["server": .string(settings.server.text), "changed": .bool(had)])) }
        console.data(had ? "Forgot the token for \(settings.server)" : "No token was stored for \(settings.server)")
        if let origin = settings.tokenOrigin, origin.hasPrefix("GATECTL_") { console.note("  \(origin) is still set.") }
    }
}
