import GateAPI
import GateFeeds
import GateHTTP
import GateJSON
import GateModel
import GateService

extension Services {
    func ownFeed(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let app = try ledger.app(try exchange.app(exchange.parameters["app"]), for: exchange.requireCaller())
        let name = try Self.present(exchange.parameters["name"], in: app)
        guard let feed = app.ownFeeds[name] else { throw .noOwnFeed(of: app.key) }
        let rendered: RenderedOwnFeed
        do { rendered = try OwnFeeds.render(feed, in: app) } catch {
            throw ServiceError(.internal, "feed_not_rendered", "A feed of \(app.key) could not be rendered: \(error)")
        }
        return .json(
            OwnFeedBody(
                name: name.text,
                platform: feed.platform,
                path: rendered.path,
                template: feed.template,
                accept: feed.acceptsTypeChanges ? [OwnFeed.typeChanges] : [],
                document: String(decoding: rendered.bytes, as: UTF8.self)
            ).json
        )
    }

    func putOwnFeed(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let app = try exchange.app(exchange.parameters["app"])
        let body = try exchange.body(
            OwnFeedRequest.self,
            about: { () throws(ServiceError) in try ledger.app(app, for: exchange.requireCaller()) }
        )
        let draft: OwnFeedDraft
        do {
            let name = try OwnFeedName(validating: exchange.parameters["name"])
            draft = OwnFeedDraft(
                name: name,
                platform: try Self.platform(body.platform),
                template: body.template,
                sample: body.sample,
                seen: body.seen
            )
        } catch {
            // A missing app is reported first.
            _ = try ledger.app(app, for: exchange.requireCaller())
            throw ServiceError(error)
        }
        return try submit(.putOwnFeed(app, draft), terms: body.terms, exchange: exchange) { .json(Self.result($0).json) }
    }

    func deleteOwnFeed(_ exchange: Exchange) throws(ServiceError) -> HTTPResponse {
        let app = try exchange.app(exchange.parameters["app"])
        let text = exchange.parameters["name"]
        let name = { () throws(ServiceError) in try Self.present(text, in: ledger.app(app, for: exchange.requireCaller())) }
        let body = try exchange.body(DeleteRequest.self, emptyAllowed: true, about: name)
        // A feed that this very request removed, when it first came, does not count as missing.
        if !body.terms.dryRun, let kept = try kept(exchange) { return kept }
        return try submit(.deleteOwnFeed(app, name()), terms: body.terms, exchange: exchange) { .json(Self.result($0).json) }
    }

    private static func platform(_ text: String?) throws(ModelError) -> PlatformKey? {
        guard let text else { return nil }
        do { return try PlatformKey(validating: text) } catch { throw error.within("/platform") }
    }

    /// - Throws: not found, also for text that does not have the form of a name.
    private static func present(_ text: String, in app: App) throws(ServiceError) -> OwnFeedName {
        guard let name = OwnFeedName(text), app.ownFeeds[name] != nil else { throw .noOwnFeed(of: app.key) }
        return name
    }
}

extension ServiceError {
    fileprivate static func noOwnFeed(of app: AppKey) -> ServiceError {
        ServiceError(.notFound, "own_feed_not_found", "The app \(app) has no feed of its own shape with that name.")
    }
}
