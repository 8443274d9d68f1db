import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct AuthStatusCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "status",
        abstract: "Which server, as whom, with what rights, and where the settings came from.",
        discussion: """
            EXAMPLE
              gatectl auth status
            """
    )

    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let settings = session.settings
        let tokenOrigin = settings.tokenOrigin ?? ""
        let signedIn = try await signedIn(session)
        let status = try await session.client.status()
        if console.isJSON {
            return console.json(
                Document.of([
                    "server": .string(settings.server.text), "serverFrom": .string(settings.serverOrigin),
                    "tokenFrom": .string(tokenOrigin),
                    "context": .string(session.contextName(status)), "environment": status.environment.json, "user": signedIn.user.json,
                    "expiresAt": signedIn.expiresAt.map { .string($0.description) } ?? .null,
                ])
            )
        }
        console.data("Server   \(settings.server)  (from \(settings.serverOrigin))")
        console.data("Environment  \(Style.safe(status.environment.name))" + (status.environment.isProtected ? "  PROTECTED" : ""))
        let apps = Words.apps(signedIn.user.scope)
        console.data(
            "Signed in as \(Style.safe(signedIn.user.name)), \(signedIn.user.role.rawValue) of \(apps)  (token from \(tokenOrigin))"
        )
        if let end = signedIn.expiresAt { console.data("Until    \(Words.time(end, inUTC: console.inUTC))") }
    }

    /// If the server does not take the token, says what is known about it here: its public part, where it came from, and which server it is
    /// for.
    private func signedIn(_ session: Session) async throws -> SessionBody {
        do { return try await session.client.session() } catch {
            guard error.status == 401 else { throw error }
            throw try await notTaken(error, session)
        }
    }

    private func notTaken(_ error: AdminClientError, _ session: Session) async throws(Failure) -> Failure {
        let settings = session.settings
        let id = settings.token?.id.map(Style.safe)
        let credentials = Credentials(SettingsFolder(environment: ProcessEnvironment.variables))
        // Nothing is stored about a token from elsewhere. The credentials file is not read for it, since that would fail if others can read
        // the file.
        let isStored = settings.tokenOrigin == credentials.path
        let note = try settings.token.flatMap { token throws(Failure) in
            isStored ? try credentials.note(of: token, for: settings.server) : nil
        }
        var known = [settings.tokenOrigin.map { "from \($0)" } ?? "from nowhere"]
        if let note {
            known.append("\(Style.safe(note.name))" + (note.owner.map { " of \(Style.safe($0))" } ?? ""))
            if let end = note.until { known.append("valid until \(Words.time(end, inUTC: session.console.inUTC))") }
        }
        var failure = Failure(error)
        failure.message =
            "\(settings.server) does not take the token\(id.map { " \($0)" } ?? "") (\(known.joined(separator: ", "))): \(failure.message)"
        failure.next = [("next", "gatectl auth login --server \(settings.server)")]
        if let id { failure.next.append(("or", "ask an administrator what became of it: gatectl tokens list --all shows \(id)")) }
        return failure
    }
}
