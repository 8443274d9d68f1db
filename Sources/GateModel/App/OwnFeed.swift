public import GateJSON

/// A feed in a shape of the app's own: the template from which its documents are made.
///
/// Reading the template is GateFeeds' task; here it is only text.
public struct OwnFeed: Sendable, Hashable {
    public let name: OwnFeedName
    /// The platform whose gate it shows; nil for a feed of the whole app.
    public let platform: PlatformKey?
    /// A JSON document with places to be filled from the gate, kept byte for byte as it was given.
    public let template: String
    /// Whether members may be null, or missing, in some states and not in others.
    public let acceptsTypeChanges: Bool

    public init(name: OwnFeedName, platform: PlatformKey?, template: String, acceptsTypeChanges: Bool = false) {
        self.name = name
        self.platform = platform
        self.template = template
        self.acceptsTypeChanges = acceptsTypeChanges
    }

    /// The most UTF-8 bytes of a template, and of a document made from one.
    public static let mostBytes = 32_768
    /// The most feeds of one app, and the most UTF-8 bytes of all their templates together: every change of a gate renders all of them.
    public static let mostPerApp = 20
    public static let mostBytesPerApp = 131_072
    /// The name of ``acceptsTypeChanges`` in the list of overridden refusals.
    public static let typeChanges = "type_changes"

    /// The last components of its address: `own/status.json`.
    public var fileName: String { Self.fileName(name) }

    static func fileName(_ name: OwnFeedName) -> String { "own/\(name).json" }

    /// Where it is served: `/feeds/shop/own/status.json`, `/feeds/shop/ios/own/status.json`.
    public func path(in app: AppKey) -> String { AliasedFeed.own(name).path(in: app, platform) }

    /// - Throws: malformed (400), `invalid_own_feed` or `invalid_platform_key` (422). Whether the template is valid is checked elsewhere.
    public init(json: JSONValue) throws(ModelError) { self = try Self.table.read(json) }

    public var json: JSONValue { Self.table.write(self) }
}

/// What a change does to one feed of the app's own shape.
public struct OwnFeedEdit: Sendable, Hashable {
    public let app: AppKey
    public let name: OwnFeedName
    /// Nil if the change removes the feed.
    public let feed: OwnFeed?

    public init(app: AppKey, name: OwnFeedName, feed: OwnFeed?) {
        self.app = app
        self.name = name
        self.feed = feed
    }

    /// The edits that turn the own feeds of one state of an app into those of another, sorted by name.
    /// - Parameters:
    ///   - before: nil for an app that is being added.
    ///   - after: nil for an app that is being removed.
    public static func between(_ before: App?, _ after: App?) -> [OwnFeedEdit] {
        guard let key = after?.key ?? before?.key else { return [] }
        let (old, new) = (before?.ownFeeds ?? [:], after?.ownFeeds ?? [:])
        return Set(old.keys).union(new.keys).sorted().compactMap { name in
            old[name] == new[name] ? nil : OwnFeedEdit(app: key, name: name, feed: new[name])
        }
    }
}
