import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct TokensRevokeCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "revoke",
        abstract: "End a token, at once and for ever.",
        discussion: """
            EXAMPLES
              gatectl tokens revoke ci
              gatectl tokens revoke k7Fq2Zx1 -y
            """
    )

    @Argument(help: "Its id, or its name if only one has that name.") var token: String
    @Flag(name: [.short, .long], help: "Do not ask.") var yes = false
    @OptionGroup(title: "Write") var dryRun: DryRunOption
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let found = try await TokensCommand.token(token, session.client)
        let words = TokensCommand.words(found, now: try await session.client.status().serverTime)
        let isNews = found.revokedAt == nil
        let what = isNews ? "revoke \(words)" : "\(words) was revoked before"
        try await dryRun.check(session)
        if dryRun.reports(what, changes: isNews, naming: ["id": found.id], console) { return }
        if isNews { try Consent(console: console, isGiven: yes).require("Revoke \(words)", because: "whoever uses \(words) is kept out") }
        if isNews { try await session.client.revokeToken(found.id) }
        if console.isJSON { return console.json(Document.of(["changed": .bool(isNews), "id": .string(found.id)])) }
        console.data(isNews ? "Revoked \(words)" : "no change: \(words) was revoked before")
    }
}
