import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct FeedsRemoveCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "rm",
        abstract: "Remove a feed of the app's own shape.",
        discussion: """
            Phones that still poll it get 404, and what they do then is the app's own affair.

            EXAMPLES
              gatectl feeds rm shop status --dry-run
              gatectl feeds rm shop status --confirm "delete shop/own/status" -r retired
            """,
        aliases: ["remove"]
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String
    @Argument(help: "The feed's name.") var name: String
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let flow = try await WriteFlow.begin(session, write)
        guard try await found({ try await session.client.ownFeed(app, name) }) != nil else {
            throw try await FeedsShowCommand.missing(session, app, name)
        }
        try await flow.remove([], "\(app)/own/\(name)") { terms in
            try await session.client.deleteOwnFeed(app, name, DeleteRequest(terms: terms))
        }
    }
}
