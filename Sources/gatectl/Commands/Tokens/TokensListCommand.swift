import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct TokensListCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "list",
        abstract: "The tokens, the newest first: your own, or everybody's for an administrator.",
        discussion: """
            EXAMPLE
              gatectl tokens list --all -o wide
            """
    )

    @Flag(name: .long, help: "Also those that no longer work.") var all = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let now = try await session.client.status().serverTime
        let tokens = try await session.client.tokens().filter { all || $0.isActive }
        switch console.format {
        case .json: console.json(Document.list(tokens.map(\.json)))
        case .plain:
            for token in tokens {
                let until = token.expiresAt?.description ?? ""
                console.data(
                    [token.id, Style.safe(token.name), token.role.rawValue, Words.apps(token.scope), Style.safe(token.owner ?? ""), until]
                        .joined(separator: "\t")
                )
            }
        case .table, .wide:
            guard !tokens.isEmpty else {
                return console.data("No tokens. Make one: " + Invocation.sameServer("tokens add ci --role operator"))
            }
            console.table(Self.table(tokens, now: now))
        }
    }

    static func table(_ tokens: [ListedToken], now: Timestamp) -> Table {
        var table = Table(["ID", "NAME", "OWNER", "ROLE", "APPS", "USED", "UNTIL"], flexible: [1, 4])
        table.expendable = [5, 4, 2]
        table.rows = tokens.map { token in
            [
                .init(token.id), .init(Style.safe(token.name)), .init(Style.safe(token.owner ?? "–")), .init(token.role.rawValue),
                .init(Words.apps(token.scope)),
                .init(token.lastUsedAt.map { Words.age(from: $0, to: now) } ?? "never"), .init(end(token, now: now)),
            ]
        }
        return table
    }

    private static func end(_ token: ListedToken, now: Timestamp) -> String {
        if token.revokedAt != nil { return "revoked" }
        guard let end = token.expiresAt else { return token.isActive ? "–" : "rests" }
        if end <= now { return "expired" }
        return token.isActive ? "in \(Words.age(from: now, to: end))" : "rests"
    }
}
