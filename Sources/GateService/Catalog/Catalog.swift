import GateModel
import GateStore

/// The current state of every app, in memory: plans are made against it and lists are read from it. The database is its only source.
struct Catalog: Sendable {
    private(set) var apps = AppTable()
    /// Sequence of the last change.
    private(set) var sequence = 0
    /// The last change's link in the history, by which a database is recognised that went back; nil when it is not known.
    private(set) var head: ChainHead?
    /// The last revision of each deleted target; a key that is used again continues from it.
    private(set) var retired: [TargetKey: Int] = [:]
    /// Which app an old address belongs to.
    private(set) var aliasOwners: [String: AppKey] = [:]
    /// Apps that exist and cannot be read: nobody knows what changing them would do.
    private(set) var sealed: Set<AppKey> = []

    init() {}

    /// - Parameter head: the last change's link.
    init(_ state: StoredState, head: ChainHead?) {
        self.head = head
        insert(state)
    }

    /// Replaces what was known of some apps with what the database holds.
    /// - Parameters:
    ///   - apps: those that were read; an app in this set that is missing from `state` is gone.
    ///   - head: the last change's link.
    mutating func replace(_ apps: Set<AppKey>, with state: StoredState, head: ChainHead?) {
        self.head = head
        for key in apps {
            self.apps[key] = nil
            sealed.remove(key)
        }
        // All apps give up their aliases before any takes new ones.
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

    /// Takes an app out of use that turns out to be unusable. Its old addresses stay reserved for it.
    mutating func seal(_ key: AppKey) {
        apps[key] = nil
        sealed.insert(key)
    }

    func target(_ key: TargetKey) -> Target? { apps[key.app]?.platforms[key.platform] }

    /// Applies what a committed change did.
    /// - Parameter head: the change's link; nil for one that is not in the history.
    mutating func apply(_ step: Step, sequence: Int, head: ChainHead? = nil) {
        (self.sequence, self.head) = (sequence, head)
        for target in step.targets { retired[target.target] = nil }
        let revisions = step.revisions
        for key in step.removedTargets { retired[key] = revisions[key] }
        for key in step.removedApps { remove(key) }
        // Aliases rarely change, and changing them copies the whole table. All apps give up theirs before any takes new ones, because an
        // alias may move from one app to another.
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
