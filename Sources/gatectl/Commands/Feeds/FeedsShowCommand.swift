import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct FeedsShowCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "show",
        abstract: "A feed's template, or the document it gives now.",
        discussion: """
            Prints the bytes and nothing else, so that what is shown can be edited and set again.

            EXAMPLES
              gatectl feeds show shop status > template.json
              gatectl feeds show shop status --document
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String
    @Argument(help: "The feed's name.") var name: String
    @Flag(name: .long, help: "The document that phones get, in place of the template.") var document = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console)
        guard let feed = try await found({ try await session.client.ownFeed(app, name) }) else {
            throw try await Self.missing(session, app, name)
        }
        if console.isJSON {
            var members: JSONObject = ["app": .string(app)]
            members.add(feed.json.object ?? [:])
            return console.json(Document.of(members))
        }
        console.document(Array((document ? feed.document : feed.template).utf8))
    }

    /// Says whether it is the app or the feed that does not exist.
    static func missing(_ session: Session, _ app: String, _ name: String) async throws -> Failure {
        let names = try await TargetLookup(client: session.client).app(app).ownFeeds.map(\.name)
        let known = names.isEmpty ? "it has none" : "it has \(names.joined(separator: ", "))"
        return Failure(
            .notFound,
            "own_feed_not_found",
            "\(Style.safe(app)) has no feed of its own shape called \(Style.safe(name)): \(Style.safe(known))"
        )
    }
}
