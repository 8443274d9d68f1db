/// What a change would do. Making a plan writes nothing.
public struct Plan: Sendable, Hashable {
    public package(set) var tier: DangerTier
    /// The text that must come back in `confirm`; nil if none is required.
    public let confirm: String?
    /// What the change does, as the phrase for several targets has it: `kill`. Nil for what nobody confirms, and in a plan that was read:
    /// it stays on the server.
    public var verb: String?
    public let reasonRequired: Bool
    public package(set) var diff: [FieldDifference]
    /// What is altered in apps themselves: names, aliases, apps that are added or removed.
    public internal(set) var apps: [AppDifference]
    /// What phones show, where that changes or differs from what is meant; the worst first.
    public var effects: [Effect]
    public var warnings: [Warning]
    /// How often the phones that a kill switch of the change shuts out will poll; nil for a change without one, and where no phones are
    /// known to poll.
    public var load: PollLoad?
    /// What ``fitting(_:)`` left out; nil for a complete plan.
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

    /// The plan of what changes nothing.
    package static let nothing = Plan(tier: .none, confirm: nil, reasonRequired: false, diff: [], warnings: [])

    /// Whether none of the things that a plan lists would change.
    public var isEmpty: Bool { diff.isEmpty && apps.isEmpty && omitted == nil }
}

/// Something that people should know before they go on; it blocks nothing.
public struct Warning: Sendable, Hashable {
    /// A stable code for programs: `masked_alert`, `no_known_releases`.
    public let code: String
    /// One sentence, which names the target.
    public let detail: String
    /// The releases concerned, where the warning is about releases.
    public let versions: [String]

    public init(code: String, detail: String, versions: [String] = []) {
        self.code = code
        self.detail = detail
        self.versions = versions
    }
}

extension Warning {
    /// A kill switch that is in force is set again and lifts itself sooner than before.
    public static let blockEndsSooner = "block_ends_sooner"
    /// Going back to a revision lifts a block that came after the change which is undone.
    public static let laterBlockLifted = "later_block_lifted"

    /// Whether it says that a block ends, or ends sooner, although nobody said "open": it may be somebody else's.
    public var endsBlock: Bool { [Self.blockEndsSooner, Self.laterBlockLifted].contains(code) }
}
