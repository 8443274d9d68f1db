package import GateJSON
import GateModel

/// Which audit entries to list; nil asks for nothing. Newest first.
package struct AuditQuery: Sendable, Hashable {
    /// The actor's name, or that of the person whose token it is.
    package var actor: String?
    /// The exact action.
    package var action: String?
    /// At this moment or later.
    package var since: Timestamp?
    /// Before this moment.
    package var until: Timestamp?
    /// Sequences greater than this one.
    package var after: Int?
    /// Sequences smaller than this one.
    package var before: Int?
    /// Entries to return at most.
    package var limit: Int

    package init(
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
