public import GateJSON

/// One committed act: who, when, from where, why, before, after. Never altered once it is written.
public struct Change: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case set, revert, `import`, apply, settings, create, delete
    }

    public enum Source: String, Sendable, CaseIterable {
        case dashboard, gatectl, api, schedule, expiry
    }

    /// Position among all changes; strictly increasing, never reused.
    public let sequence: Int
    public let at: Timestamp
    public let actor: Actor
    public let source: Source
    public let kind: Kind
    public let reason: String?
    public let requestId: String
    /// The app of a change that touches no target: a new app, a name, an alias. Nil when ``targets`` says it.
    public let app: AppKey?
    public let targets: [ChangedTarget]

    public init(
        sequence: Int, at: Timestamp, actor: Actor, source: Source, kind: Kind, reason: String?, requestId: String, app: AppKey?, targets: [ChangedTarget]
    ) {
        self.sequence = sequence
        self.at = at
        self.actor = actor
        self.source = source
        self.kind = kind
        self.reason = reason
        self.requestId = requestId
        self.app = app
        self.targets = targets
    }
}

/// What a change did to one target.
public struct ChangedTarget: Sendable, Hashable {
    public let target: TargetKey
    /// The revision before, 0 for a target that was not there.
    public let previous: Int
    public let revision: Int
    public let before: Gate
    public let after: Gate
    /// The platform's settings where the change touched them; nil on the side where the target did not exist.
    public let settings: SettingsChange?
    /// SHA-256 of each feed of the target after the change, as lower-case hexadecimal.
    public let feeds: [FeedName: String]

    public init(target: TargetKey, previous: Int, revision: Int, before: Gate, after: Gate, settings: SettingsChange? = nil, feeds: [FeedName: String] = [:]) {
        self.target = target
        self.previous = previous
        self.revision = revision
        self.before = before
        self.after = after
        self.settings = settings
        self.feeds = feeds
    }
}

public struct SettingsChange: Sendable, Hashable {
    public let before: PlatformSettings?
    public let after: PlatformSettings?

    public init(before: PlatformSettings?, after: PlatformSettings?) {
        self.before = before
        self.after = after
    }
}
