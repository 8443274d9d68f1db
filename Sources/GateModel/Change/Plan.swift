/// What a change would do. Nothing is written for it.
public struct Plan: Sendable, Hashable {
    public let tier: DangerTier
    /// The text that must come back in `confirm`; nil when none is asked.
    public let confirm: String?
    public let reasonRequired: Bool
    public let diff: [FieldDifference]
    /// What is altered of apps themselves: names, aliases, apps that come and go.
    public let apps: [AppDifference]
    /// What phones show, where that changes or is not what is meant; the worst first.
    public var effects: [Effect]
    public var warnings: [Warning]
    /// How often phones will ask that a kill switch of the change shuts out; nil for a change without one, and where nobody is known to ask.
    public var load: PollLoad?
    /// What ``fitting(_:)`` left out; nil for a whole plan.
    public var omitted: Omitted?

    public init(
        tier: DangerTier,
        confirm: String?,
        reasonRequired: Bool,
        diff: [FieldDifference],
        apps: [AppDifference] = [],
        effects: [Effect] = [],
        warnings: [Warning],
        load: PollLoad? = nil
    ) {
        self.tier = tier
        self.confirm = confirm
        self.reasonRequired = reasonRequired
        self.diff = diff
        self.apps = apps
        self.effects = effects
        self.warnings = warnings
        self.load = load
    }

    /// Whether nothing that a plan lists would change.
    public var isEmpty: Bool { diff.isEmpty && apps.isEmpty && omitted == nil }
}

/// Something that people should know before they go on; it refuses nothing.
public struct Warning: Sendable, Hashable {
    /// Stable, for programs: `masked_alert`, `no_known_releases`.
    public let code: String
    /// One sentence that names the target.
    public let detail: String
    /// The releases that are concerned, where the warning is about releases.
    public let versions: [String]

    public init(code: String, detail: String, versions: [String] = []) {
        self.code = code
        self.detail = detail
        self.versions = versions
    }
}
