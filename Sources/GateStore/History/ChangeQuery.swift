package import GateModel

/// Which changes to list; nil asks for nothing. Newest first.
package struct ChangeQuery: Sendable, Hashable {
    /// Changes of this app or of any of its targets.
    package var app: AppKey?
    /// Changes of targets of this platform.
    package var platform: PlatformKey?
    /// The actor's name.
    package var actor: String?
    package var source: Change.Source?
    /// At this moment or later.
    package var since: Timestamp?
    /// Before this moment.
    package var until: Timestamp?
    /// Sequences greater than this one.
    package var after: Int?
    /// Sequences smaller than this one: the cursor of the next page is the last sequence of the page before.
    package var before: Int?
    /// Changes to return at most.
    package var limit: Int

    package init(
        app: AppKey? = nil, platform: PlatformKey? = nil, actor: String? = nil, source: Change.Source? = nil, since: Timestamp? = nil,
        until: Timestamp? = nil, after: Int? = nil, before: Int? = nil, limit: Int = 50
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
