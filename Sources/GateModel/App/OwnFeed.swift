public import GateJSON

/// A feed of a shape that is the app's own: the template that its documents are made of.
///
/// What the template says is for GateFeeds to read; here it is a text.
public struct OwnFeed: Sendable, Hashable {
    public let name: OwnFeedName
    /// The platform whose gate it tells; nil for a feed of the whole app.
    public let platform: PlatformKey?
    /// A JSON document with places that are filled from the gate, byte for byte as it was given.
    public let template: String
    /// Whether members may be null, or missing, in some states and not in others.
    public let acceptsTypeChanges: Bool

    public init(name: OwnFeedName, platform: PlatformKey?, template: String, acceptsTypeChanges: Bool = false) {
        self.name = name
        self.platform = platform
        self.template = template
        self.acceptsTypeChanges = acceptsTypeChanges
    }

    /// UTF-8 bytes of a template, and of a document that is made of one.
    public static let mostBytes = 32_768
    /// Feeds of one app, and UTF-8 bytes of all their templates: every change of a gate renders them.
    public static let mostPerApp = 20
    public static let mostBytesPerApp = 131_072
    /// What ``acceptsTypeChanges`` is called where refusals are overridden.
    public static let typeChanges = "type_changes"

    /// The last parts of its address: `own/status.json`.
    public var fileName: String { Self.fileName(name) }

    static func fileName(_ name: OwnFeedName) -> String { "own/\(name).json" }

    /// Where it is served: `/feeds/shop/own/status.json`, `/feeds/shop/ios/own/status.json`.
    public func path(in app: AppKey) -> String { AliasedFeed.own(name).path(in: app, platform) }

    /// - Throws: malformed (400), `invalid_own_feed` or `invalid_platform_key` (422). That the template is one is asked elsewhere.
    public init(json: JSONValue) throws(ModelError) { self = try Self.table.read(json) }

    public var json: JSONValue { Self.table.write(self) }
}

/// What a change does to one feed of an own shape.
public struct OwnFeedEdit: Sendable, Hashable {
    public let app: AppKey
    public let name: OwnFeedName
    /// Nil for one that goes.
    public let feed: OwnFeed?

    public init(app: AppKey, name: OwnFeedName, feed: OwnFeed?) {
        self.app = app
        self.name = name
        self.feed = feed
    }

    /// What makes the feeds of an app others, in the order of their names.
    /// - Parameters:
    ///   - before: nil for an app that comes.
    ///   - after: nil for an app that goes.
    public static func between(_ before: App?, _ after: App?) -> [OwnFeedEdit] {
        guard let key = after?.key ?? before?.key else { return [] }
        let (old, new) = (before?.ownFeeds ?? [:], after?.ownFeeds ?? [:])
        return Set(old.keys).union(new.keys).sorted().compactMap { name in
            old[name] == new[name] ? nil : OwnFeedEdit(app: key, name: name, feed: new[name])
        }
    }
}
