import ArgumentParser
import GateAdminClient
import GateJSON
import GateModel

struct FeedCommand: GatectlCommand {
    static let configuration = CommandConfiguration(
        leaf: "feed",
        abstract: "The exact bytes that phones get.",
        discussion: """
            Asked without a token, as phones ask. combined is everything that any of the client libraries reads.

            EXAMPLES
              gatectl feed shop ios
              gatectl feed shop ios --format bellerophon -i
              gatectl feed shop android --format launchgate | python3 -m json.tool
            """
    )

    @Argument(help: "The app's key.", completion: LiveNames.apps) var app: String
    @Argument(help: "The platform.", completion: LiveNames.platforms) var platform: String
    @Option(name: .long, help: "Which feed: bellerophon, launchgate, prince-of-versions, combined or gate.") var format = WordArgument(
        FeedName.combined
    )
    @Flag(name: .short, help: "Show the status line and headers too.") var includeHeaders = false
    @OptionGroup var common: CommonOptions

    func execute(_ console: Console) async throws {
        let session = try Session.open(common.connection, console, needsToken: false)
        guard let app = AppKey(app), let platform = PlatformKey(platform) else {
            throw try await missing(session, self.app, self.platform)
        }
        let feed = format.word
        let answer = try await session.phone.raw(feed.path(for: TargetKey(app: app, platform: platform)))
        guard answer.status == 200 else {
            guard answer.status == 404 else {
                throw Failure(.other, "status_\(answer.status)", "\(session.settings.server) answered \(answer.status) for the feed")
            }
            throw try await missing(session, app.text, platform.text)
        }
        if console.isJSON { return console.json(try document(feed, TargetKey(app: app, platform: platform), answer)) }
        if includeHeaders {
            console.data("HTTP \(answer.status)")
            for header in answer.headers { console.data("\(header.name): \(Style.safe(header.value))") }
            console.data("")
        }
        console.document(answer.body)
    }

    private func document(_ feed: FeedName, _ target: TargetKey, _ answer: RawAnswer) throws(Failure) -> JSONValue {
        var headers = JSONObject()
        for header in answer.headers { headers[header.name] = .string(header.value) }
        guard let text = String(validating: answer.body, as: UTF8.self) else {
            throw Failure(.other, "bad_answer", "the feed is not UTF-8")
        }
        return Document.of([
            "target": .string(target.description), "format": .string(feed.rawValue), "status": .integer(answer.status),
            "headers": .object(headers),
            "body": .string(text),
        ])
    }

    private func missing(_ session: Session, _ app: String, _ platform: String) async throws -> Failure {
        // Without a token the server cannot be asked what exists, but it is known that this feed does not.
        guard session.settings.token != nil else {
            return Failure(.notFound, "not_found", "there is no such feed of \(Style.safe(app))/\(Style.safe(platform))")
        }
        return try await TargetLookup(client: session.client).missing(app, platform)
    }
}
