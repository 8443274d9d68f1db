public import GateJSON

/// Which changes to list, newest first; nil means no restriction.
public struct ChangeQuery: Sendable, Hashable {
    /// Changes of this app or of any of its targets.
    public var app: AppKey?
    /// Changes of targets of this platform.
    public var platform: PlatformKey?
    /// The actor's name, or the name of the person whose token acted.
    public var actor: String?
    public var source: Change.Source?
    /// At this moment or later.
    public var since: Timestamp?
    /// Before this moment.
    public var until: Timestamp?
    /// Sequences greater than this one.
    public var after: Int?
    /// Sequences smaller than this one: for the next page, the last sequence of the page before.
    public var before: Int?
    /// The most changes to return.
    public var limit: Int

    public init(
        app: AppKey? = nil,
        platform: PlatformKey? = nil,
        actor: String? = nil,
        source: Change.Source? = nil,
        since: Timestamp? = nil,
        until: Timestamp? = nil,
        after: Int? = nil,
        before: Int? = nil,
        limit: Int = 50
    ) {
        self.app = app
        self.platform = platform
        self.actor = actor
        self.source = source
        self.since = since
        self.until = until
        self.after = after
        self.before = before
        self.limit = limit
    }
}
