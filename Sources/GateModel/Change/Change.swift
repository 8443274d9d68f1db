public import GateJSON

/// One committed act: who, when, from where, why, before, after. Never altered once it is written.
public struct Change: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case set, revert, `import`, apply, settings, create, delete
        /// A backup was put in place: every target has the gate of then, under a sequence and a revision that nobody has seen.
        case restore
    }

    public enum Source: String, Sendable, CaseIterable {
        case dashboard, gatectl, api, schedule, expiry
    }

    /// UTF-8 bytes that the document of a change of several targets has at most. One over a whole export may have more.
    public static let mostBytes = 2_097_152

    /// Position among all changes; strictly increasing, never reused, without gaps but for ``skipped``.
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
    /// How many sequences before this one stand for no change, because they may have been handed out before a backup was put in place; 0 for
    /// all but restores.
    public let skipped: Int
    /// How many more targets the change has than fitted into what this one was read for: never what is kept, only what is shown.
    public var omitted = 0
    /// Why something of it cannot be read any more, as a sentence; nil for nearly every one. What is lost has a value that says nothing in
    /// its place.
    public let fault: String?

    public init(
        sequence: Int,
        at: Timestamp,
        actor: Actor,
        source: Source,
        kind: Kind,
        reason: String?,
        requestId: String,
        app: AppKey?,
        targets: [ChangedTarget],
        skipped: Int = 0,
        fault: String? = nil
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
        self.skipped = skipped
        self.fault = fault
    }

    /// The sequence of the change before it.
    public var previousSequence: Int { sequence - 1 - skipped }

    /// Whether it is told only as far as it can be read.
    public var isUnreadable: Bool { fault != nil || targets.contains { $0.fault != nil } }
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
    /// Why what was before or after cannot be read any more, as a sentence; nil for nearly every one. Both gates are then open here,
    /// whatever they were.
    public let fault: String?

    public init(
        target: TargetKey,
        previous: Int,
        revision: Int,
        before: Gate,
        after: Gate,
        settings: SettingsChange? = nil,
        feeds: [FeedName: String] = [:],
        fault: String? = nil
    ) {
        self.target = target
        self.previous = previous
        self.revision = revision
        self.before = before
        self.after = after
        self.settings = settings
        self.feeds = feeds
        self.fault = fault
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
