import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct TokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "List, make, replace and revoke API tokens.",
        discussion: """
            EXAMPLES
              gatectl tokens list
              gatectl tokens add ci --role operator --app shop --days 30
              gatectl tokens rotate ci
              gatectl tokens revoke k7Fq2Zx1
            """,
        subcommands: [TokensListCommand.self, TokensAddCommand.self, TokensRotateCommand.self, TokensRevokeCommand.self],
        defaultSubcommand: TokensListCommand.self
    )

    /// The one token that a name or id refers to.
    /// - Parameter name: its id, or its name if only one active token has it.
    static func token(_ name: String, _ client: AdminClient) async throws -> ListedToken {
        let all = try await client.tokens()
        if let token = all.first(where: { $0.id == name }) { return token }
        let named = all.filter { $0.name == name && $0.isActive }
        guard let token = named.first else {
            let near = Suggestion.question(about: name, among: all.filter(\.isActive).map(\.name))
            throw Failure(
                .notFound,
                "token_not_found",
                "there is no token \(Style.safe(name))\(near)",
                next: [("next", Invocation.sameServer("tokens list"))]
            )
        }
        guard named.count == 1 else {
            let ids = named.map { "\($0.id), of \($0.owner ?? "the server")" }.joined(separator: "; ")
            throw Failure(
                .refused,
                "ambiguous_token",
                "\(named.count) tokens are called \(Style.safe(name)): \(Style.safe(ids))",
                next: [("next", "name one by its id")]
            )
        }
        return token
    }

    /// `ci (k7Fq2Zx1) of ann, operator of shop, used 3m ago`
    static func words(_ token: ListedToken, now: Timestamp) -> String {
        let used = token.lastUsedAt.map { "used \(Words.age(from: $0, to: now)) ago" } ?? "never used"
        return Style.safe(
            "\(token.name) (\(token.id)) of \(token.owner ?? "the server"), \(token.role.rawValue) of \(Words.apps(token.scope)), \(used)"
        )
    }
}
