import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct AuthLogoutCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "logout",
        abstract: "Forget the stored token of a server, and revoke it there.",
        discussion: """
            This keeps out whoever else uses the token, so on a terminal you are asked first; a script is not. --keep only forgets it \
            here. If the server does not answer, the token is forgotten here all the same; it then stays valid until it expires.

            EXAMPLES
              gatectl auth logout
              gatectl auth logout --keep
              gatectl auth logout --dry-run
            """
    )

    @Option(name: .long, help: "The server whose token to forget. Default: the current one.") var server: String?
    @Flag(name: .long, help: "Only forget the token here; on the server it stays valid.") var keep = false
    @Flag(name: [.short, .long], help: "Do not ask before it is revoked.") var yes = false
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let environment = ProcessEnvironment.variables
        let settings = try common.connection.settings(server: server)
        let credentials = Credentials(SettingsFolder(environment: environment))
        let stored = try credentials.token(for: settings.server)
        let what = stored == nil ? "no token is stored for \(settings.server)" : plan(stored, settings)
        if dryRun.reports(what, changes: stored != nil, naming: ["server": settings.server.text], console) { return }
        var revoked = false
        var trouble: String?
        if let stored {
            if !keep {
                try agree(stored, settings, console)
                do {
                    try await Session.client(settings, token: stored, console).revoke(stored)
                    revoked = true
                } catch {
                    trouble = error.detail
                }
            }
            try credentials.store(nil, for: settings.server)
        }
        if console.isJSON {
            return console.json(
                Document.of(["server": .string(settings.server.text), "changed": .bool(stored != nil), "revoked": .bool(revoked)])
            )
        }
        let ended = revoked ? ", and revoked it: nobody gets in with it any more" : keep ? "; on the server it stays valid" : ""
        console.data(stored != nil ? "Forgot the token for \(settings.server)\(ended)" : "No token was stored for \(settings.server)")
        if let trouble { console.say("warning: the token is not revoked and stays valid until it expires: \(Style.safe(trouble))") }
        if let origin = settings.tokenOrigin, origin.hasPrefix("GATECTL_") { console.note("  \(origin) is still set.") }
    }

    private func plan(_ stored: BearerToken?, _ settings: Settings) -> String {
        let name = stored?.id.map { " \($0)" } ?? ""
        return "forget the token\(name) for \(settings.server)"
            + (keep ? "; on the server it would stay valid" : ", and revoke it there: nobody would get in with it any more")
    }

    private func agree(_ stored: BearerToken, _ settings: Settings, _ console: Console) throws {
        guard !yes, console.mayAsk else { return }
        let name = stored.id.map { " \($0)" } ?? ""
        console.say("Whoever else uses the token is kept out; --keep only forgets it here.")
        guard console.agrees("Revoke the token\(name) on \(settings.server)") else {
            throw Failure(.declined, "declined", "answered no: the token is still stored")
        }
    }
}
