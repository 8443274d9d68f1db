public import GateJSON

/// One committed change: who, when, from where, why, before, after. Never altered once written.
public struct Change: Sendable, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case set, revert, `import`, apply, settings, create, delete
        /// A backup was restored: every target gets its gate from the backup, with a sequence and a revision that nobody has seen.
        case restore
    }

    public enum Source: String, Sendable, CaseIterable {
        case dashboard, gatectl, api, schedule, expiry
    }

    /// The most UTF-8 bytes that the document of a change of several targets may have. A change that imports a whole export may have more.
    public static let mostBytes = 2_097_152

    /// Position among all changes; strictly increasing, never reused, and without gaps except for ``skipped``.
    public let sequence: Int
    public let at: Timestamp
    public let actor: Actor
    public let source: Source
    public let kind: Kind
    public let reason: String?
    public let requestId: String
    /// The app of a change that touches no target, such as a new app, a name or an alias. Nil where ``targets`` names the app.
    public private(set) var app: AppKey?
    public private(set) var targets: [ChangedTarget]
    /// How many sequences before this one belong to no change, because they may have been handed out before a backup was restored; 0 except
    /// for restores.
    public let skipped: Int
    /// How many of the change's targets were left out to fit the answer; stored changes are never cut.
    public var omitted = 0
    /// Why part of it can no longer be read, as a sentence; nil for nearly every change. Placeholders stand for what is lost.
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

    /// The same change, told of fewer targets.
    public func naming(_ targets: [ChangedTarget], app: AppKey?) -> Change {
        var change = self
        change.targets = targets
        change.app = app
        return change
    }

    /// The same change, told of these of its targets alone.
    public func naming(_ targets: [ChangedTarget]) -> Change { naming(targets, app: app) }

    /// The sequence of the previous change.
    public var previousSequence: Int { sequence - 1 - skipped }

    /// Whether only part of it could be read.
    public var isUnreadable: Bool { fault != nil || targets.contains { $0.fault != nil } }
}

/// What a change did to one target.
public struct ChangedTarget: Sendable, Hashable {
    public let target: TargetKey
    /// The revision before; 0 if the target did not exist.
    public let previous: Int
    public let revision: Int
    public let before: Gate
    public let after: Gate
    /// The platform's settings if the change touched them; nil on the side where the target did not exist.
    public let settings: SettingsChange?
    /// SHA-256 of each of the target's feeds after the change, in lower-case hexadecimal.
    public package(set) var feeds: [FeedName: String]
    /// Why the gate before or after can no longer be read, as a sentence; nil for nearly every change. Both gates are then open here,
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
