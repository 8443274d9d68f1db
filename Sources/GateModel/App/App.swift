public import GateJSON

/// One product: its name, its platforms with their gates, and the old addresses under which its shipped apps poll.
public struct App: Sendable, Hashable {
    public let key: AppKey
    public var name: String
    public var aliases: [Alias]
    public var platforms: [PlatformKey: Target]
    /// Feeds in shapes of the app's own.
    public var ownFeeds: [OwnFeedName: OwnFeed]

    public init(
        key: AppKey,
        name: String,
        aliases: [Alias] = [],
        platforms: [PlatformKey: Target] = [:],
        ownFeeds: [OwnFeedName: OwnFeed] = [:]
    ) {
        self.ownFeeds = ownFeeds
        self.key = key
        self.name = name
        self.aliases = aliases
        self.platforms = platforms
    }

    /// The most platforms that one app can have: each platform's combined feed holds something about all of them.
    public static let mostPlatforms = 32

    /// The platforms' keys in the order in which feeds and lists show them.
    public var platformKeys: [PlatformKey] { platforms.keys.sorted() }

    /// Length in Unicode scalars of a display name, also of a token's, after trimming.
    public static let nameLengths = 1...100

    /// A display name, cleaned like a message; it must be a single line.
    /// - Throws: `invalid_name` (422).
    public static func name(validating text: String, field: String) throws(ModelError) -> String {
        guard let clean = try? MessageText.cleaned(text, field: field), nameLengths.contains(clean.unicodeScalars.count),
            !clean.contains("\n")
        else {  // the error below names the field's own rule
            throw .invalid("invalid_name", "A name has 1 to 100 characters on one line, without control characters.", field: field)
        }
        return clean
    }
}

/// An app on one platform as it stands: settings, gate, and when they last changed.
public struct Target: Sendable, Hashable {
    public let key: TargetKey
    public var settings: PlatformSettings
    public var gate: Gate
    /// 1 when the target is created; goes up by one with each change of it.
    public var revision: Int
    /// The sequence of the last change.
    public var sequence: Int
    /// Since when the current ``Gate/state`` holds.
    public var since: Timestamp
    /// When the last change was made: the native feed's `issuedAt`.
    public var changedAt: Timestamp

    public init(
        key: TargetKey,
        settings: PlatformSettings,
        gate: Gate,
        revision: Int,
        sequence: Int,
        since: Timestamp,
        changedAt: Timestamp
    ) {
        self.key = key
        self.settings = settings
        self.gate = gate
        self.revision = revision
        self.sequence = sequence
        self.since = since
        self.changedAt = changedAt
    }
}
