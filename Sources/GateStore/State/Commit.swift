package import GateModel

/// One change with everything that it alters: what ``Store/commit(_:)`` writes in one transaction.
package struct Commit: Sendable {
    /// Its sequence is the last one plus 1.
    package let change: Change
    /// The new values of the touched apps. Only those of their targets that ``change`` names are written.
    package let apps: [App]
    /// Apps that are deleted, with all of their targets, each of which ``change`` names.
    package let removedApps: [AppKey]
    /// Targets that are deleted while their app stays; ``change`` names them, with settings before and none after.
    package let removedTargets: [TargetKey]
    /// The answer to keep for the caller's Idempotency-Key, if there was one.
    package let idempotency: IdempotencyRecord?
    /// Windows that this change is a step of, or whose rules it alters.
    package let windows: [WindowRecord]
    /// What must still be valid for the change to be made.
    package let authority: Authority
    /// Feeds of own shapes that the change alters, each of an app of ``apps``. Those of ``removedApps`` go with them.
    package let ownFeeds: [OwnFeedEdit]
    /// What the audit tells beside the change.
    package let audit: [AuditEntry]
    private let spelled: SpelledTargets?

    package init(
        change: Change,
        apps: [App],
        removedApps: [AppKey] = [],
        removedTargets: [TargetKey] = [],
        ownFeeds: [OwnFeedEdit] = [],
        idempotency: IdempotencyRecord? = nil,
        windows: [WindowRecord] = [],
        audit: [AuditEntry] = [],
        authority: Authority = .server,
        spelled: SpelledTargets? = nil
    ) {
        self.spelled = spelled
        self.ownFeeds = ownFeeds
        self.change = change
        self.apps = apps
        self.removedApps = removedApps
        self.removedTargets = removedTargets
        self.idempotency = idempotency
        self.windows = windows
        self.audit = audit
        self.authority = authority
    }

    /// The change's targets in written form: those prepared in advance, if they belong to this change.
    func spelledTargets() throws(StoreError) -> SpelledTargets {
        if let spelled, spelled.sequence == change.sequence, spelled.rows.count == change.targets.count { return spelled }
        return try SpelledTargets(change.targets, of: apps, sequence: change.sequence)
    }

    /// The new value of each target that ``change`` names, in its order; nil for one that is deleted.
    /// - Throws: ``StoreError/Code/internal`` when the history and the new values contradict each other.
    func newValues() throws -> [Target?] {
        let (removedTargets, removedApps) = (Set(removedTargets), Set(removedApps))
        let apps = Dictionary(apps.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return try change.targets.map { changed in
            try target(
                changed,
                of: apps[changed.target.app],
                isRemoved: removedTargets.contains(changed.target) || removedApps.contains(changed.target.app)
            )
        }
    }

    private func target(_ changed: ChangedTarget, of app: App?, isRemoved: Bool) throws -> Target? {
        let key = changed.target
        if isRemoved {
            guard let settings = changed.settings, settings.before != nil, settings.after == nil else {
                throw StoreError.internal("The change deletes \(key), so its settings name what was before and nothing after")
            }
            return nil
        }
        guard let target = app?.platforms[key.platform] else {
            throw StoreError.internal("The change names \(key), which is neither among the apps nor removed")
        }
        guard target.revision == changed.revision, target.gate == changed.after, target.sequence == change.sequence else {
            throw StoreError.internal("\(key) does not have the gate, revision and sequence that the change gives it")
        }
        guard changed.settings.map({ $0.after == target.settings }) ?? (changed.previous > 0) else {
            throw StoreError.internal("\(key) does not have the settings that the change gives it")
        }
        return target
    }

    /// - Throws: ``StoreError/Code/internal`` when something that the change does not name would be written.
    func checkNames() throws {
        let named = Set(change.targets.map(\.target))
        guard named.count == change.targets.count else { throw StoreError.internal("A change names a target twice") }
        for app in apps {
            for target in app.platforms.values where target.sequence == change.sequence && !named.contains(target.key) {
                throw StoreError.internal("\(target.key) is new, but the change does not name it")
            }
        }
        let apps = Dictionary(apps.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        for edit in ownFeeds where apps[edit.app].map({ $0.ownFeeds[edit.name] != edit.feed }) ?? true {
            throw StoreError.internal("The feed \(edit.name) of \(edit.app) is not what the change gives it")
        }
        for target in removedTargets where !named.contains(target) {
            throw StoreError.internal("\(target) is removed, but the change does not name it")
        }
    }
}
