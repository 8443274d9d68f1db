import GateJSON
package import GateModel

/// Renders every untargeted feed of an app: the same for every caller, so rendered once per change.
package enum FeedRenderer {
    /// All feeds of the app, in a fixed order: each platform's own feeds first, then those of the whole app.
    ///
    /// An app without platforms has none: a client takes its error path if a document lacks its platform.
    /// - Throws: ``FeedError`` if a value must not reach phones; then nothing of the app may be published.
    package static func render(_ app: App) throws(FeedError) -> [RenderedFeed] {
        let targets = app.targetsInFeedOrder
        for target in targets { try PublicationCheck.check(target) }
        let objects = try PlatformObjects.members(of: targets)
        let lists = try PrinceOfVersionsFeed.members(of: targets)

        var feeds: [RenderedFeed] = []
        func add(_ name: FeedName, of target: Target, _ document: JSONObject) { feeds.append(feed(name, of: target, document)) }
        for target in targets {
            let status = BellerophonFeed.document(for: target)
            add(.bellerophon, of: target, status)
            add(.combined, of: target, CombinedFeed.document(status: status, objects: objects, lists: lists))
            feeds.append(native(target))
        }
        if let target = targets.first {
            add(.launchgate, of: target, objects)
            if !lists.isEmpty { add(.princeOfVersions, of: target, lists) }
        }
        return feeds
    }

    /// Looks for a value of one target for which ``render(_:)`` would throw, without rendering anything.
    /// - Throws: ``FeedError`` if a value must not reach phones.
    package static func check(_ target: Target) throws(FeedError) { try PublicationCheck.check(target) }

    /// The bytes that the shipped libraries read of a single platform, by feed: for code that asks what the libraries do with them.
    /// - Throws: ``FeedError`` if a value must not reach phones.
    static func documents(of gate: Gate, _ settings: PlatformSettings, _ platform: PlatformKey) throws(FeedError) -> [FeedName: [UInt8]] {
        let target = Target(withoutHistory: TargetKey(app: .example, platform: platform), settings, gate)
        try PublicationCheck.check(target)
        let documents: [(FeedName, JSONObject)] = [
            (.bellerophon, BellerophonFeed.document(for: target)), (.launchgate, try PlatformObjects.members(of: [target])),
            (.princeOfVersions, try PrinceOfVersionsFeed.members(of: [target])),
        ]
        return Dictionary(uniqueKeysWithValues: documents.map { ($0, JSONValue.object($1).bytes) })
    }

    /// The native feed, the only one with a target's sequence, revision and the time of its last change.
    package static func native(_ target: Target) -> RenderedFeed { feed(.gate, of: target, NativeFeed.document(for: target)) }

    private static func feed(_ name: FeedName, of target: Target, _ document: JSONObject) -> RenderedFeed {
        RenderedFeed(
            name: name,
            platform: name.isPerPlatform ? target.key.platform : nil,
            path: name.path(for: target.key),
            bytes: JSONValue.object(document).bytes
        )
    }
}

extension App {
    /// `ios`, `android`, then the others by name: their order in documents with several platforms.
    var targetsInFeedOrder: [Target] {
        let first: [PlatformKey] = [.ios, .android]
        return (first + platformKeys.filter { !first.contains($0) }).compactMap { platforms[$0] }
    }

    /// All targets except the one on a platform, in that order.
    package func targets(beside platform: PlatformKey) -> [Target] { targetsInFeedOrder.filter { $0.key.platform != platform } }
}

extension Target {
    /// A target in a document that tells nothing of its history.
    init(withoutHistory key: TargetKey, _ settings: PlatformSettings, _ gate: Gate) {
        let never = Timestamp(milliseconds: 0)
        self.init(key: key, settings: settings, gate: gate, revision: 0, sequence: 0, since: never, changedAt: never)
    }
}

extension AppKey {
    /// Stands for the app in documents that do not name it.
    fileprivate static let example = AppKey("app")!
}
