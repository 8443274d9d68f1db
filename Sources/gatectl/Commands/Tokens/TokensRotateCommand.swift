import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct TokensRotateCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "rotate",
        abstract: "Make a token to replace another, and print it, once; the old one works until it is revoked.",
        discussion: """
            The new one has the old one's name, role and apps, and is yours. Put it where the old one is used, then revoke that by its id.

            EXAMPLES
              gatectl tokens rotate ci
              gatectl tokens rotate ci --days 30 --revoke
            """
    )

    @Argument(help: "Its id, or its name if only one has that name.") var token: String
    @OptionGroup var lifetime: LifetimeOption
    @Flag(name: .long, help: "Revoke the old one at once, once the new one is printed.") var revoke = false
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let old = try await TokensCommand.token(token, session.client)
        let now = try await session.client.status().serverTime
        let request = TokenRequest(
            name: old.name,
            role: old.role,
            apps: old.scope,
            expiresAt: lifetime.end(from: now)
        )
        let words = TokensCommand.words(old, now: now)
        try await dryRun.check(session, needs: .admin)
        if dryRun.reports("make another token in the place of \(words)" + (revoke ? ", and revoke that" : ""), console) { return }
        // If the new token cannot be printed, for example to a full disk, this throws, so that the old one is not lost too.
        try TokensAddCommand.show(try await Self.made(request, replacing: old.id, session.client), replacing: old.id, console)
        guard revoke else { return console.note("  Then: \(Invocation.sameServer("tokens revoke \(old.id)"))") }
        try await session.client.revokeToken(old.id)
        console.note("Revoked \(words)")
    }

    private static func made(_ request: TokenRequest, replacing old: String, _ client: AdminClient) async throws(Failure) -> NewToken {
        do { return try await client.createToken(request) } catch {
            var failure = Failure.of(error)
            if failure.code == Failure.tokenMade { failure.next.append(("", "\(old) works as before")) }
            throw failure
        }
    }
}
