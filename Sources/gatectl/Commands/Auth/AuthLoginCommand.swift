import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

struct AuthLoginCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "login",
        abstract: "Sign in to a server and make it the current context.",
        discussion: """
            Asks for name, password and code, and stores a token made for this machine. --with-token stores a token of yours instead, \
            read from standard input and never from an argument: arguments can be seen by everybody on the machine. The token is \
            kept in credentials.json, readable by you alone, and is sent to that server only.

            EXAMPLES
              gatectl auth login --server https://gate.example.com
              gatectl auth login --with-token --server https://gate.example.com < token
              pass show gatehouse | gatectl auth login --with-token
            """
    )

    @Flag(name: .customLong("with-token"), help: "Read the token from standard input.") var withToken = false
    @Option(name: .long, help: "The server's address. Default: the server that is set already.") var server: String?
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let environment = ProcessEnvironment.variables
        let settings = try common.connection.settings(server: server)
        // Before anybody types a password, and before the server has a token made that could then not be kept: both files are read again
        // when they are written.
        let folder = SettingsFolder(environment: environment)
        try folder.tryWriting()
        _ = try Credentials(folder).token(for: settings.server)
        _ = try Contexts(folder)
        guard !withToken else { return try await keep(try givenToken(console), settings, environment, console) }
        let token = try await madeToken(settings, console)
        do { try await keep(token, settings, environment, console) } catch { throw await withdrawn(token, settings, error, console) }
    }

    /// Revokes a token that was made and could not be kept: nobody has it, and it can do all that its owner may.
    /// - Returns: the failure, with what became of the token.
    private func withdrawn(_ token: BearerToken, _ settings: Settings, _ error: any Error, _ console: Console) async -> Failure {
        var failure = Failure.of(error)
        do {
            try await Session.client(settings, token: token, console).revoke(token)
            failure.message += "; the token that was made for it is revoked again"
            // Perhaps only the context could not be stored. If the token cannot be forgotten, the next command says that it is not taken.
            let credentials = Credentials(SettingsFolder(environment: ProcessEnvironment.variables))
            if (try? credentials.token(for: settings.server)) == token { try? credentials.store(nil, for: settings.server) }
        } catch {
            let id = token.id ?? "gatectl on \(Machine.name)"
            failure.message += "; the token \(id) that was made for it is still valid"
            let revoke = Invocation.sameServer("tokens revoke \(id.asShellWord)")
            failure.next.append(("then", "revoke it: \(revoke), or in the dashboard's settings"))
        }
        return failure
    }

    /// Stores a token, makes its server the current context, and says so.
    private func keep(_ token: BearerToken, _ settings: Settings, _ environment: [String: String], _ console: Console) async throws {
        let client = Session.client(settings, token: token, console)
        // Only a token that works is stored.
        let user = try await client.session().user
        let status = try await client.status()
        // Every token can list itself. Its details are stored beside it, for the day when the server no longer takes it; if they cannot be
        // read now, the sign-in still counts.
        let listed = try? await client.tokens().first { $0.id == token.id }
        let folder = SettingsFolder(environment: environment)
        var contexts = try Contexts(folder)
        try Credentials(folder).store(token, for: settings.server, as: listed)
        let known = contexts.all.first { $0.server == settings.server }
        let name = known?.name ?? Self.freeName(status.environment.name, contexts)
        contexts.set(
            .init(
                name: name,
                server: settings.server,
                isProtected: status.environment.isProtected,
                label: status.environment.name,
                colour: status.environment.colour,
                ca: known?.ca
            )
        )
        contexts.use(name)
        try contexts.save()
        if console.isJSON {
            return console.json(
                Document.of([
                    "server": .string(settings.server.text), "context": .string(name), "user": .string(user.name),
                    "role": .string(user.role.rawValue),
                ])
            )
        }
        // As the history tells what is done with it.
        let who = listed?.owner.map { "\($0) (\(user.name))" } ?? user.name
        console.data("Signed in to \(settings.server) as \(Style.safe(who)), \(user.role.rawValue); context \(name)")
        if let origin = settings.tokenOrigin, origin.hasPrefix("GATECTL_") {
            console.note("  \(origin) is set and takes precedence over the stored token.")
        }
        let working = FileSystem.workingFolder
        if let words = Settings.followed(insteadOf: settings.server, environment: environment, workingDirectory: working) {
            console.note("  " + words)
        }
    }

    private func givenToken(_ console: Console) throws(Failure) -> BearerToken {
        let isTerminal = isatty(STDIN_FILENO) == 1
        guard let line = isTerminal ? console.askSecretly("Token: ") : readLine(), let token = BearerToken(line) else {
            throw Failure(.refused, "no_token", "there is no token on standard input")
        }
        return token
    }

    /// Signs in with a password and has a token made; the password is kept nowhere.
    private func madeToken(_ settings: Settings, _ console: Console) async throws -> BearerToken {
        guard console.mayAsk
        else {
            throw Failure(
                .confirmationNeeded,
                "no_terminal",
                "nobody can be asked for a password here",
                next: [("next", "gatectl auth login --with-token --server \(settings.server) < token")]
            )
        }
        console.say("Signing in to \(settings.server)")
        guard let name = console.ask("Name: "), !name.isEmpty, let password = console.askSecretly("Password: "), !password.isEmpty else {
            throw Failure(.declined, "declined", "no name or no password was given")
        }
        let client = Session.client(settings, token: nil, console)
        let machine = "gatectl on \(Machine.name)"
        var person = SessionRequest(username: name, password: password)
        do {
            return try await client.makeToken(for: person, named: machine).token
        } catch {
            if error.problem?.code != "totp_required" { throw Self.explained(error) }
        }
        guard let code = console.ask("Code: "), !code.isEmpty else { throw Failure(.declined, "declined", "no code was given") }
        person.totp = code
        do { return try await client.makeToken(for: person, named: machine).token } catch { throw Self.explained(error) }
    }

    /// The usual advice for a 401 is to sign in, which is what was tried here; and for a token that nobody has seen to revoke it, which
    /// takes another one.
    private static func explained(_ error: AdminClientError) -> Failure {
        var failure = Failure(error)
        let again = "try again: \(Invocation.sameServer("auth login"))"
        if failure.code == Failure.tokenMade {
            let revoke = Invocation.sameServer("tokens revoke")
            failure.next = [("next", "\(again); then revoke the other one by that id: \(revoke)")]
        }
        if failure.exit == .notAllowed, error.status != nil { failure.next = [("next", again)] }
        return failure
    }

    /// A context name made from the environment's name, with a number added if it is taken.
    private static func freeName(_ wish: String, _ contexts: Contexts) -> String {
        let letters = wish.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        let name = letters.isEmpty ? "default" : String(letters)
        guard contexts[name] != nil else { return name }
        return (2...).lazy.map { "\(name)-\($0)" }.first { contexts[$0] == nil } ?? name
    }
}
