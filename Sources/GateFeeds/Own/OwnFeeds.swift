package import GateModel

/// One document in an app's own shape, as phones receive it.
package struct RenderedOwnFeed: Sendable {
    package let feed: OwnFeed
    /// Where it is served: `/feeds/shop/own/status.json`.
    package let path: String
    /// Strict JSON in UTF-8, spelled as in its template. Equal states give equal bytes.
    package let bytes: [UInt8]
    /// The template from which it was made, for the next time.
    package let template: OwnTemplate
}

/// Why a feed in an own shape is refused, or cannot be rendered.
package struct OwnFeedFault: Error, Sendable, Hashable, CustomStringConvertible {
    package let app: AppKey
    package let name: OwnFeedName
    package let refusal: TemplateRefusal

    package var description: String { "\(app) own/\(name).json: \(refusal)" }
}

/// The feeds in an app's own shapes: reading, checking and rendering them.
package enum OwnFeeds {
    /// Reads a feed's template for the app to which it belongs.
    package static func template(of feed: OwnFeed, in app: App) throws(OwnFeedFault) -> OwnTemplate {
        try named(feed, app) { () throws(TemplateRefusal) in
            if let platform = feed.platform, app.platforms[platform] == nil {
                throw .invalid("\(app.key) has no platform \(platform), for which this feed is meant.", at: "")
            }
            let withCodes = Set(app.platforms.filter { $0.value.settings.versionScheme == .code }.keys)
            return try OwnTemplate(feed.template, for: feed.platform, of: app.platforms.keys, withCodes: withCodes)
        }
    }

    /// Checks a feed in every state that the app can have; see ``OwnTemplate/check(acceptingTypeChanges:)``.
    package static func check(_ feed: OwnFeed, in app: App) throws(OwnFeedFault) {
        let template = try template(of: feed, in: app)
        try named(feed, app) { () throws(TemplateRefusal) in try template.check(acceptingTypeChanges: feed.acceptsTypeChanges) }
    }

    /// One document for the app's present state.
    /// - Parameter template: the feed's template, if it was already read.
    package static func render(_ feed: OwnFeed, in app: App, with template: OwnTemplate? = nil) throws(OwnFeedFault) -> RenderedOwnFeed {
        let template = if let template { template } else { try self.template(of: feed, in: app) }
        let bytes = try named(feed, app) { () throws(TemplateRefusal) -> [UInt8] in try template.render(app.platforms) }
        return RenderedOwnFeed(feed: feed, path: feed.path(in: app.key), bytes: bytes, template: template)
    }

    /// All of them, sorted by name.
    package static func render(_ app: App) throws(OwnFeedFault) -> [RenderedOwnFeed] {
        var rendered: [RenderedOwnFeed] = []
        for name in app.ownFeeds.keys.sorted() { if let feed = app.ownFeeds[name] { rendered.append(try render(feed, in: app)) } }
        return rendered
    }

    private static func named<Value>(_ feed: OwnFeed, _ app: App, _ work: () throws(TemplateRefusal) -> Value) throws(OwnFeedFault) -> Value
    {
        do throws(TemplateRefusal) { return try work() } catch { throw OwnFeedFault(app: app.key, name: feed.name, refusal: error) }
    }
}
