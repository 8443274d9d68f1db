import ArgumentParser
import GateAPI
import GateAdminClient
import GateModel

struct AppsRemoveCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "remove",
        abstract: "Remove an app, or one platform of it. Its history stays.",
        discussion: """
            Phones that still poll get 404 and then do what their library does without an answer.
            Most let in whoever starts the app, and leave a screen that keeps people out as it is until then.

            EXAMPLES
              gatectl apps remove shop --confirm "delete shop" -r retired
              gatectl apps remove shop android --dry-run
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var key: String
    @Argument(help: "Only this platform of it.", completion: LiveNames.platforms) var platform: String?
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        let flow = try await WriteFlow.begin(session, write)
        let lookup = TargetLookup(client: session.client)
        if let platform {
            let target = try await lookup.target(key, platform)
            return try await flow.remove([target], "\(key)/\(platform)") { terms in
                try await session.client.deletePlatform(key, platform, DeleteRequest(terms: terms))
            }
        }
        _ = try await lookup.app(key)
        let targets = try await session.client.targets().filter { $0.target.key.app.text == key }
        try await flow.remove(targets, key) { terms in try await session.client.deleteApp(key, DeleteRequest(terms: terms)) }
    }
}
