public import GateJSON

/// Which audit entries to list, newest first; nil means no restriction.
public struct AuditQuery: Sendable, Hashable {
    /// The actor's name, or the name of the person whose token acted.
    public var actor: String?
    /// The exact action.
    public var action: String?
    /// At this moment or later.
    public var since: Timestamp?
    /// Before this moment.
    public var until: Timestamp?
    /// Sequences greater than this one.
    public var after: Int?
    /// Sequences smaller than this one.
    public var before: Int?
    /// The most entries to return.
    public var limit: Int

    public init(
        actor: String? = nil,
        action: String? = nil,
        since: Timestamp? = nil,
        until: Timestamp? = nil,
        after: Int? = nil,
        before: Int? = nil,
        limit: Int = 50
    ) {
        self.actor = actor
        self.action = action
        self.since = since
        self.until = until
        self.after = after
        self.before = before
        self.limit = limit
    }
}
