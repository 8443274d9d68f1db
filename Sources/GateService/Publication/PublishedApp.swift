package import GateCrypto
import GateFeeds
package import GateModel

/// Every feed of one app, rendered, with the addresses that serve it. Immutable; a change puts a new one in its place.
package struct PublishedApp: Sendable {
    /// One feed's bytes under every path that serves it.
    package struct Feed: Sendable {
        package let name: FeedName
        /// Nil for feeds of which there is one per app.
        package let platform: PlatformKey?
        package let path: String
        package let bytes: [UInt8]
        package let digest: SHA256Digest

        /// The feed's entity tag: 128 bits of the digest. Enough that no two documents share one, short enough for Gandalf's cache of
        /// 1 KiB with headers.
        package var etag: String { Self.etag(of: digest) }

        /// The entity tag of a document that is not stored: a feed for one phone.
        package static func etag(of bytes: [UInt8]) -> String { etag(of: SHA256Digest(of: bytes)) }

        fileprivate static func etag(of digest: SHA256Digest) -> String { digest.hexadecimal(ofFirst: 16) }
    }

    /// A document of the app's own shape, under every path that serves it.
    package struct OwnFeed: Sendable {
        package let path: String
        package let bytes: [UInt8]
        package let digest: SHA256Digest
        /// The rendered feed; nil where only the bytes are left.
        let rendered: RenderedOwnFeed?

        /// The entity tag, as ``Feed/etag``.
        package var etag: String { Feed.etag(of: digest) }

        /// A feed of which only the bytes are left.
        package init(path: String, bytes: [UInt8]) {
            (self.path, self.bytes, digest, rendered) = (path, bytes, SHA256Digest(of: bytes), nil)
        }

        init(_ feed: RenderedOwnFeed) {
            (path, bytes, digest, rendered) = (feed.path, feed.bytes, SHA256Digest(of: feed.bytes), feed)
        }
    }

    package let key: AppKey
    package let feeds: [Feed]
    /// Sorted by name.
    package let ownFeeds: [OwnFeed]
    /// Old addresses of the feeds listener, each with the canonical path of the feed that it serves.
    package let aliases: [(path: String, feed: String)]
    /// What the feeds were rendered from, for phones that send their version; nil where only the bytes are left, and all phones get those.
    package let source: App?

    package init(
        key: AppKey,
        feeds: [Feed],
        ownFeeds: [OwnFeed] = [],
        aliases: [(path: String, feed: String)],
        source: App? = nil
    ) {
        self.key = key
        self.ownFeeds = ownFeeds
        self.feeds = feeds
        self.aliases = aliases
        self.source = source
    }

    /// Renders the app's feeds.
    /// - Throws: `internal` when a feed cannot be rendered, `invalid` for one of the app's own shape; the change is then dropped before
    ///   anything is written.
    package init(rendering app: App) throws(ServiceError) {
        let rendered: [RenderedFeed]
        do {
            rendered = try FeedRenderer.render(app)
        } catch {
            throw ServiceError(
                .internal,
                "feed_not_rendered",
                "A feed of \(app.key) could not be rendered, so nothing was changed: \(error)"
            ).with(\.underlying, error).with(\.target, app.key.text)
        }
        feeds = rendered.map(Feed.init)
        do { ownFeeds = try OwnFeeds.render(app).map(OwnFeed.init) } catch {
            throw ServiceError(
                .invalid,
                "own_feed_not_rendered",
                "A feed of its own shape could not be rendered, so nothing was changed: \(error)"
            ).with(\.target, app.key.text)
        }
        key = app.key
        source = app
        let paths = Set(feeds.map(\.path) + ownFeeds.map(\.path))
        aliases = app.aliases.compactMap { alias in
            let path = alias.feed.path(in: app.key, alias.platform)
            return paths.contains(path) ? (alias.path, path) : nil
        }
    }

    /// The same feeds, except that those of `platforms` that contain the last change's number or time are rendered again.
    /// - Parameter app: the app that these feeds belong to; its targets differ only in their last change.
    func redated(_ app: App, _ platforms: Set<PlatformKey>) -> PublishedApp {
        let feeds = feeds.map { feed in
            guard feed.name == .gate, let platform = feed.platform, platforms.contains(platform), let target = app.platforms[platform]
            else { return feed }
            return Feed(FeedRenderer.native(target))
        }
        let ownFeeds = ownFeeds.map { own in
            guard let before = own.rendered, before.template.tellsSequence,
                // Cannot fail: the same state was rendered before, with another sequence.
                let rendered = try? OwnFeeds.render(before.feed, in: app, with: before.template)
            else { return own }
            return OwnFeed(rendered)
        }
        return PublishedApp(key: key, feeds: feeds, ownFeeds: ownFeeds, aliases: aliases, source: app)
    }

    /// SHA-256 of the feeds that one platform's phones can poll, for the history.
    package func digests(of platform: PlatformKey) -> [FeedName: String] {
        var digests: [FeedName: String] = [:]
        for feed in feeds where feed.platform == nil || feed.platform == platform { digests[feed.name] = feed.digest.hexadecimal }
        return digests
    }
}

extension PublishedApp.Feed {
    init(_ feed: RenderedFeed) {
        self.init(name: feed.name, platform: feed.platform, path: feed.path, bytes: feed.bytes, digest: SHA256Digest(of: feed.bytes))
    }
}
