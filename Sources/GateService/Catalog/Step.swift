import GateModel

/// A planned change in full: what people are shown, and what the catalog, the database and the feeds become if it is carried out.
struct Step: Sendable {
    var plan: Plan
    var kind: Change.Kind
    /// The app of a change that touches none of its targets.
    var app: AppKey?
    /// What each touched target was and becomes, with revisions already increased. Empty together with ``apps`` when nothing changes.
    private(set) var targets: [ChangedTarget] = []
    /// About as many bytes as the change's document will have.
    private(set) var bytes = 0
    /// Touched apps as they become, except for the sequence and the time, which are known only at the commit.
    var apps: [App] = []
    var removedApps: [AppKey] = []
    var removedTargets: [TargetKey] = []
    /// What becomes of feeds of own shapes; each belongs to an app of ``apps``.
    var ownFeeds: [OwnFeedEdit] = []
    /// Refusals that were overridden, recorded in the history's reason.
    var accepted: [String] = []
    /// Rules that were set to what they are already, by target: that changes nothing, and whoever did it means them to stay.
    var repeats: [TargetKey: [Rule]] = [:]
    /// Apps that an apply touches without touching their targets; the change names one of them in ``app``, and its reason says how many
    /// there are.
    var appsAlone: [AppKey] = []

    init(
        plan: Plan,
        kind: Change.Kind,
        app: AppKey? = nil,
        apps: [App] = [],
        removedApps: [AppKey] = [],
        removedTargets: [TargetKey] = [],
        accepted: [String] = [],
        appsAlone: [AppKey] = []
    ) {
        self.plan = plan
        self.kind = kind
        self.app = app
        self.apps = apps
        self.removedApps = removedApps
        self.removedTargets = removedTargets
        self.accepted = accepted
        self.appsAlone = appsAlone
    }

    mutating func add(_ changed: ChangedTarget) {
        targets.append(changed)
        bytes += changed.bytes
    }

    var changesNothing: Bool { targets.isEmpty && apps.isEmpty && removedApps.isEmpty }

    /// The revision that each touched target gets.
    var revisions: [TargetKey: Int] {
        Dictionary(targets.map { ($0.target, $0.revision) }, uniquingKeysWith: { $1 })
    }
}
