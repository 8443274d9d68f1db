import GateModel

/// A planned change in full: what to tell people, and what the catalog, the database and the feeds become if it is carried out.
struct Step: Sendable {
    var plan: Plan
    var kind: Change.Kind
    /// The app of a change that touches none of its targets.
    var app: AppKey?
    /// What each touched target was and becomes; revisions are already counted on. Empty together with ``apps`` when nothing changes.
    var targets: [ChangedTarget] = []
    /// Touched apps as they become, but for the sequence and the time, which are known at the commit.
    var apps: [App] = []
    var removedApps: [AppKey] = []
    var removedTargets: [TargetKey] = []
    /// Refusals that were overridden, recorded in the history's reason.
    var accepted: [String] = []
    /// Apps that an apply touches and none of their targets; a change names one of them in ``app``, its reason tells how many there are.
    var appsAlone: [AppKey] = []

    var changesNothing: Bool { targets.isEmpty && apps.isEmpty && removedApps.isEmpty }

    /// The revision that each touched target gets.
    var revisions: [TargetKey: Int] {
        Dictionary(targets.map { ($0.target, $0.revision) }, uniquingKeysWith: { $1 })
    }
}
