import GateAPI
import GateAdminClient
import GateModel

/// What a running command works with: where it prints, and which server it talks to.
struct Session: Sendable {
    let console: Console
    let settings: Settings
    let client: AdminClient

    /// - Parameter needsToken: false for what anybody may ask.
    /// - Throws: when there is no token, before anything is sent: the server would only say so less clearly.
    static func open(_ connection: ConnectionOptions, _ console: Console, needsToken: Bool = true) throws(Failure) -> Session {
        let settings = try connection.settings()
        if let unused = settings.unused { console.note(unused) }
        guard settings.token != nil || !needsToken else { throw notSignedIn(settings) }
        return Session(console: console, settings: settings, client: client(settings, token: settings.token, console))
    }

    static func notSignedIn(_ settings: Settings) -> Failure {
        Failure(
            .notAllowed,
            "not_signed_in",
            "no token is set for \(settings.server) (server from \(settings.serverOrigin))",
            next: [
                ("next", Invocation.sameServer("auth login")), ("or", Invocation.sameServer("auth login --with-token") + " < token-file"),
                ("or", "export GATECTL_TOKEN"),
            ]
        )
    }

    /// A client that asks as a phone does: with no token.
    var phone: AdminClient { Self.client(settings, token: nil, console) }

    static func client(_ settings: Settings, token: BearerToken?, _ console: Console) -> AdminClient {
        AdminClient(
            server: settings.server,
            token: token,
            timeout: settings.timeout,
            caFile: settings.caFile,
            // On this machine an answer comes sooner than a thread starts; with a distant server, parallel requests save round trips.
            waitsInPlace: settings.server.isLoopback,
            observer: { event in
                Interrupt.follow(event)
                guard case .met(let version) = event else { return console.verbose("  " + event.description) }
                ServerRelease.tell(version, console)
            }
        )
    }

    /// Asks two things at once; on this machine, where calls wait in place, one after the other, so that a server that does not answer the
    /// first is not asked, and waited for, again.
    func together<One: Sendable, Other: Sendable>(
        _ one: @Sendable () async throws -> One,
        _ other: @Sendable () async throws -> Other
    ) async throws -> (One, Other) {
        guard !settings.server.isLoopback else { return (try await one(), try await other()) }
        async let first = one()
        async let second = other()
        return (try await first, try await second)
    }

    /// Refuses what the server would refuse to this caller, where it is not asked because nothing is to be written.
    /// - Throws: not allowed (4).
    func require(_ role: Role) async throws {
        let user = try await client.session().user
        guard user.role < role else { return }
        throw Failure(
            .notAllowed,
            "forbidden",
            "this needs the role \(role.rawValue); \(Style.safe(user.name)) has \(user.role.rawValue)",
            next: [("next", "\(Invocation.sameServer("auth status")) shows who you are and what you may do")]
        )
    }

    /// The named context, else the environment as the server calls it.
    func contextName(_ status: StatusBody) -> String { settings.context ?? status.environment.name }

    /// The context as a prompt names it: in colour where it is protected.
    func place(_ status: StatusBody) -> String {
        let name = Style.safe(contextName(status))
        return status.environment.isProtected ? console.err.tinted(name, .blocked) : name
    }

    /// `Context prod · https://gate.example.com · PROTECTED`
    func contextLine(_ status: StatusBody) -> String {
        let name = "Context \(Style.safe(contextName(status))) · \(settings.server)"
        return name + (status.environment.isProtected ? " · " + console.err.tinted("PROTECTED", .strong) : "")
    }

    /// Says what is wrong with the server while it still answers.
    func warn(of health: Health) {
        for notice in health.notices { console.note("note: \(Style.safe(notice))") }
        guard health.state != .ok else { return }
        console.note(
            "warning: the server is \(health.state.rawValue)"
                + (health.reasons.isEmpty ? "" : ": " + health.reasons.map(Style.safe).joined(separator: " "))
        )
    }
}
