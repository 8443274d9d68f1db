/// The documents that a target's phones can poll; the raw value is the name in commands and, in the URL, the file name without `.json`.
public enum FeedName: String, Sendable, Hashable, CaseIterable {
    case bellerophon
    case launchgate
    case princeOfVersions = "prince-of-versions"
    case combined
    case gate

    /// The last part of the feed's URL: `bellerophon.json`.
    public var fileName: String { rawValue + ".json" }

    /// Whether there is one per platform; otherwise there is one per app.
    public var isPerPlatform: Bool {
        switch self {
        case .bellerophon, .combined, .gate: true
        case .launchgate, .princeOfVersions: false
        }
    }

    public init?(fileName: String) {
        guard fileName.hasSuffix(".json") else { return nil }
        self.init(rawValue: String(fileName.dropLast(5)))
    }

    /// Where the feed of a target is served.
    public func path(for target: TargetKey) -> String {
        isPerPlatform ? "/feeds/\(target.app)/\(target.platform)/\(fileName)" : "/feeds/\(target.app)/\(fileName)"
    }
}
