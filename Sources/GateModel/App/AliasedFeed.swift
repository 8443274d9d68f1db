/// What an alias can serve: one of Gatehouse's own documents, or one of the app's own shape.
public enum AliasedFeed: Sendable, Hashable {
    case library(FeedName)
    case own(OwnFeedName)

    /// The last components of its address: `launchgate.json`, `own/status.json`.
    public var fileName: String {
        switch self {
        case .library(let feed): feed.fileName
        case .own(let name): OwnFeed.fileName(name)
        }
    }

    public init?(fileName: String) {
        if let feed = FeedName(fileName: fileName) {
            self = .library(feed)
        } else if fileName.hasPrefix("own/"), fileName.hasSuffix(".json"), let name = OwnFeedName(String(fileName.dropFirst(4).dropLast(5)))
        {
            self = .own(name)
        } else {
            return nil
        }
    }

    /// Where it is served.
    /// - Parameter platform: nil for a feed of the whole app.
    public func path(in app: AppKey, _ platform: PlatformKey?) -> String {
        "/feeds/\(app)/" + (platform.map { "\($0)/" } ?? "") + fileName
    }

    /// The library's feed, if this is one.
    public var library: FeedName? { if case .library(let feed) = self { feed } else { nil } }
}
