import GateModel
import GateStore

/// Every app as it stands, in memory: what plans are made against and lists are read from. The database is its only source.
struct Catalog: Sendable {
    private(set) var apps = AppTable()
    /// Sequence of the last change.
    private(set) var sequence = 0
    /// The last revision of targets that were deleted; a key that is used again goes on counting.
    private(set) var retired: [TargetKey: Int] = [:]
    /// Which app an old address belongs to.
    private(set) var aliasOwners: [String: AppKey] = [:]
    /// Apps that are there and cannot be read: nobody knows what a change of them would do.
    private(set) var sealed: Set<AppKey> = []

    init() {}

    init(_ state: StoredState) { insert(state) }

    /// Takes over what the database holds of some apps, in place of what was known of them.
    /// - Parameter apps: those that were read; one that is not among what was found is gone.
    mutating func replace(_ apps: Set<AppKey>, with state: StoredState) {
        for key in apps {
            self.apps[key] = nil
            sealed.remove(key)
        }
        // All let go of theirs before any takes new ones.
        aliasOwners = aliasOwners.filter { !apps.contains($0.value) }
        for key in retired.keys where apps.contains(key.app) { retired[key] = nil }
        insert(state)
    }

    private mutating func insert(_ state: StoredState) {
        sequence = state.lastSequence
        retired.merge(state.retired) { $1 }
        for app in state.apps { insert(app) }
        for app in state.sealed {
            sealed.insert(app.key)
            for alias in app.aliases { aliasOwners[alias.path] = app.key }
        }
    }

    /// Takes an app out of use that turns out not to be fit for it. Its old addresses stay its own.
    mutating func seal(_ key: AppKey) {
        apps[key] = nil
        sealed.insert(key)
    }

    func target(_ key: TargetKey) -> Target? { apps[key.app]?.platforms[key.platform] }

    /// Takes over what a committed change did.
    mutating func apply(_ step: Step, sequence: Int) {
        self.sequence = sequence
        for target in step.targets { retired[target.target] = nil }
        let revisions = step.revisions
        for key in step.removedTargets { retired[key] = revisions[key] }
        for key in step.removedApps { remove(key) }
        // Seldom altered, and a copy of all of them when they are. All let go of theirs before any takes new ones: an alias may move from
        // one app to another.
        let realiased = step.apps.filter { apps[$0.key]?.aliases ?? [] != $0.aliases }
        for app in realiased { forgetAliases(of: app.key) }
        for app in step.apps { apps[app.key] = app }
        for app in realiased { ownAliases(of: app) }
    }

    private mutating func insert(_ app: App) {
        apps[app.key] = app
        ownAliases(of: app)
    }

    private mutating func ownAliases(of app: App) {
        for alias in app.aliases { aliasOwners[alias.path] = app.key }
    }

    private mutating func remove(_ key: AppKey) {
        forgetAliases(of: key)
        apps[key] = nil
    }

    private mutating func forgetAliases(of key: AppKey) {
        for alias in apps[key]?.aliases ?? [] { aliasOwners[alias.path] = nil }
    }
}
