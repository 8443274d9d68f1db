import GateModel

/// A planned change in full: what to tell people, and what the catalog, the database and the feeds become if it is carried out.
struct Step: Sendable {
    var plan: Plan
    var kind: Change.Kind
    /// The app of a change that touches none of its targets.
    var app: AppKey?
    /// What each touched target was and becomes; revisions are already counted on. Empty together with ``apps`` when nothing changes.
    private(set) var targets: [ChangedTarget] = []
    /// About as many bytes as the change's document will have.
    private(set) var bytes = 0
    /// Touched apps as they become, but for the sequence and the time, which are known at the commit.
    var apps: [App] = []
    var removedApps: [AppKey] = []
    var removedTargets: [TargetKey] = []
    /// What becomes of feeds of own shapes, each of an app of ``apps``.
    var ownFeeds: [OwnFeedEdit] = []
    /// Refusals that were overridden, recorded in the history's reason.
    var accepted: [String] = []
    /// Apps that an apply touches and none of their targets; a change names one of them in ``app``, its reason tells how many there are.
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
