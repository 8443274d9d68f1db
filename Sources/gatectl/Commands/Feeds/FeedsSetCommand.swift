import ArgumentParser
import GateAPI
import GateAdminClient
import GateJSON
import GateModel

struct FeedsSetCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "set",
        abstract: "Make a feed of the app's own shape, or give it another template.",
        discussion: """
            The server checks the template: it must render in every state, and each member must have one JSON type in all of \
            them. --sample names the file that phones poll today; the plan then says where the feed differs from it.

            EXAMPLES
              gatectl feeds set shop status -f template.json --dry-run
              gatectl feeds set shop status -f template.json --sample status.json -y
              gatectl feeds set shop status -f template.json --accept type_changes
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String
    @Argument(help: "The feed's name: it is served at /feeds/APP/own/NAME.json.") var name: String
    @Option(name: .short, help: "The template; - reads standard input.", completion: .file()) var file: String
    @Option(
        name: .long,
        help: "Only for this platform, at /feeds/APP/PLATFORM/own/NAME.json. Default: for the whole app.",
        completion: LiveNames.platforms
    ) var platform: String?
    @Option(name: .long, help: "The file that phones poll today, to compare with.", completion: .file()) var sample: String?
    @OptionGroup(title: "Write") var write: WriteOptions
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let template = try InputFile.text(file)
        let sample = try sample.map { path throws(Failure) in try InputFile.text(path) }
        let session = try Session.open(common.connection, console)
        let flow = try await WriteFlow.begin(session, write)
        _ = try await TargetLookup(client: session.client).app(app)
        let present = try await found { try await session.client.ownFeed(app, name) }
        let seen: JSONObject = ["template": present.map { .string($0.template) } ?? .null]
        let request = OwnFeedRequest(platform: platform, template: template, sample: sample, seen: seen)
        try await flow.perform([], "Change the feed own/\(name).json of", in: app) { terms in
            var request = request
            request.terms = terms
            return try await session.client.putOwnFeed(app, name, request)
        }
    }
}
