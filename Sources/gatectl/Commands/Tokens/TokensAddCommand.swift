import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct TokensAddCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "add",
        abstract: "Make a token of yours, and print it, once.",
        discussion: """
            It may do no more than you, and ends when your account does. Only the token is on standard output; it is never shown again.

            EXAMPLES
              gatectl tokens add ci --role operator --app shop --days 30
              gatectl tokens add backup --role viewer > /run/secrets/gatehouse
            """
    )

    @Argument(help: "What it is called, such as ci.") var name: String
    @Option(name: .long, help: "viewer, operator or admin. Default: yours.") var role: WordArgument<Role>?
    @Option(name: .customLong("app"), parsing: .singleValue, help: "Only this app; may be given again. Default: yours.") var apps:
        [String] = []
    @OptionGroup var lifetime: LifetimeOption
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let now = try await session.client.status().serverTime
        var request = TokenRequest(name: name, role: role?.word, expiresAt: lifetime.end(from: now))
        if !apps.isEmpty { request.apps = try await TargetLookup(client: session.client).scope(of: apps) }
        // The error of the check is put in terms of a token.
        let isName = (try? App.name(validating: name, field: "/name")) != nil
        // A token makes tokens only for an administrator.
        try await dryRun.check(
            session,
            needs: .admin,
            fault: isName ? nil : ("invalid_name", "a token's name has 1 to 100 characters on one line")
        )
        let reach = "\(request.role?.rawValue ?? "your role") of \(request.apps.map(Words.apps) ?? "your apps")"
        if dryRun.reports("make the token \(Style.safe(name)): \(reach), for \(lifetime.inWords)", console) { return }
        try Self.show(try await session.client.createToken(request), console)
    }

    /// Prints a new token.
    /// - Parameter old: the id of the one that it is to replace; nil for none.
    /// - Throws: when it could not be printed.
    static func show(_ made: NewToken, replacing old: String? = nil, _ console: Console) throws(Failure) {
        if console.isJSON {
            console.json(Document.of(["changed": .bool(true), "token": .string(made.text), "id": .string(made.listed.id)]))
        } else {
            console.data(made.text)
        }
        if let fault = Console.lost {
            let kept = old.map { "; \($0) works as before" } ?? ""
            throw .lost(
                "the new token \(Style.safe(made.listed.name)) (\(made.listed.id))",
                fault,
                next: [("next", Invocation.sameServer("tokens revoke \(made.listed.id)") + ", then repeat the command" + kept)]
            )
        }
        if console.isJSON { return }
        let end = made.listed.expiresAt.map { ", until \(Words.time($0, inUTC: console.inUTC))" } ?? ""
        console.note(
            "Made \(Style.safe(made.listed.name)) (\(made.listed.id)), \(made.listed.role.rawValue) of \(Words.apps(made.listed.scope))\(end). It is shown only now."
        )
    }
}
