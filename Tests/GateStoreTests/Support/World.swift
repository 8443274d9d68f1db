import GateJSON
import GateModel

@testable import GateStore

/// What the service would keep in memory: makes commits as it does, and is the model that the store is compared with.
struct World {
    private(set) var apps: [AppKey: App] = [:]
    private(set) var retired: [TargetKey: Int] = [:]
    private(set) var changes: [Change] = []
    /// Tokens by their names, and whose they are: what they do is told with both.
    var owners: [String: String] = [:]

    var state: StoredState {
        StoredState(apps: apps.values.sorted { $0.key < $1.key }, lastSequence: changes.count, retired: retired)
    }

    static let start: Int64 = 1_774_000_000_000

    mutating func saveApp(_ key: AppKey, name: String = "Shop", aliases: [Alias] = [], actor: String = "ann") -> Commit {
        var app = apps[key] ?? App(key: key, name: name)
        app.name = name
        app.aliases = aliases
        let change = note(apps[key] == nil ? .create : .settings, app: key, targets: [], actor: actor)
        apps[key] = app
        return Commit(change: change, apps: [app])
    }

    mutating func put(_ feed: OwnFeed, of key: AppKey) -> Commit { edit(OwnFeedEdit(app: key, name: feed.name, feed: feed)) }

    mutating func remove(_ name: OwnFeedName, of key: AppKey) -> Commit { edit(OwnFeedEdit(app: key, name: name, feed: nil)) }

    private mutating func edit(_ edit: OwnFeedEdit) -> Commit {
        let change = note(.settings, app: edit.app, targets: [], actor: "ann")
        apps[edit.app]!.ownFeeds[edit.name] = edit.feed
        return Commit(change: change, apps: [apps[edit.app]!], ownFeeds: [edit])
    }

    mutating func create(_ key: TargetKey, settings: PlatformSettings? = nil, actor: String = "ann") -> Commit {
        let settings = settings ?? .standard(for: key.platform)
        let revision = (retired[key] ?? 0) + 1
        let changed = ChangedTarget(
            target: key,
            previous: 0,
            revision: revision,
            before: .open,
            after: .open,
            settings: SettingsChange(before: nil, after: settings),
            feeds: Self.feeds
        )
        let change = note(.create, app: nil, targets: [changed], actor: actor)
        apps[key.app]?.platforms[key.platform] = Target(
            key: key,
            settings: settings,
            gate: .open,
            revision: revision,
            sequence: change.sequence,
            since: change.at,
            changedAt: change.at
        )
        retired[key] = nil
        return Commit(change: change, apps: [apps[key.app]!])
    }

    /// One change of several targets, each to the gate given.
    mutating func set(
        _ gates: [TargetKey: Gate],
        settings: [TargetKey: PlatformSettings] = [:],
        actor: String = "ann",
        source: Change.Source = .dashboard,
        reason: String? = "INC-1"
    ) -> Commit {
        let sequence = changes.count + 1
        let at = Timestamp(milliseconds: Self.start + Int64(sequence) * 1_000)
        var changed: [ChangedTarget] = []
        for (key, gate) in gates.sorted(by: { $0.key < $1.key }) {
            var target = apps[key.app]!.platforms[key.platform]!
            changed.append(
                ChangedTarget(
                    target: key,
                    previous: target.revision,
                    revision: target.revision + 1,
                    before: target.gate,
                    after: gate,
                    settings: settings[key].map { SettingsChange(before: target.settings, after: $0) },
                    feeds: Self.feeds
                )
            )
            if target.gate.state != gate.state { target.since = at }
            target.gate = gate
            target.settings = settings[key] ?? target.settings
            target.revision += 1
            target.sequence = sequence
            target.changedAt = at
            apps[key.app]!.platforms[key.platform] = target
        }
        let change = note(settings.isEmpty ? .set : .settings, app: nil, targets: changed, actor: actor, source: source, reason: reason)
        return Commit(change: change, apps: Set(gates.keys.map(\.app)).sorted().map { apps[$0]! })
    }

    mutating func delete(_ key: TargetKey, actor: String = "ann") -> Commit {
        let change = note(.delete, app: nil, targets: [remove(key)], actor: actor)
        return Commit(change: change, apps: [apps[key.app]!], removedTargets: [key])
    }

    mutating func delete(_ key: AppKey, actor: String = "ann") -> Commit {
        let targets = apps[key]!.platformKeys.map { remove(TargetKey(app: key, platform: $0)) }
        let change = note(.delete, app: targets.isEmpty ? key : nil, targets: targets, actor: actor)
        apps[key] = nil
        return Commit(change: change, apps: [], removedApps: [key])
    }

    private mutating func remove(_ key: TargetKey) -> ChangedTarget {
        let target = apps[key.app]!.platforms.removeValue(forKey: key.platform)!
        retired[key] = target.revision + 1
        return ChangedTarget(
            target: key,
            previous: target.revision,
            revision: target.revision + 1,
            before: target.gate,
            after: .open,
            settings: SettingsChange(before: target.settings, after: nil)
        )
    }

    private mutating func note(
        _ kind: Change.Kind,
        app: AppKey?,
        targets: [ChangedTarget],
        actor: String,
        source: Change.Source = .api,
        reason: String? = nil
    ) -> Change {
        let sequence = changes.count + 1
        let change = Change(
            sequence: sequence,
            at: Timestamp(milliseconds: Self.start + Int64(sequence) * 1_000),
            actor: owners[actor].map { Actor(kind: .token, name: actor, id: "k7Fq2Zx1", user: $0) }
                ?? Actor(kind: .user, name: actor, id: "3"),
            source: source,
            kind: kind,
            reason: reason,
            requestId: "request-\(sequence)",
            app: app,
            targets: targets
        )
        changes.append(change)
        return change
    }

    private static let feeds: [FeedName: String] = [
        .bellerophon: String(repeating: "ab", count: 32), .gate: String(repeating: "cd", count: 32),
    ]
}

extension AppKey {
    static let shop = AppKey("shop")!
    static let bank = AppKey("bank")!
}

extension TargetKey {
    static let shopIOS = TargetKey("shop/ios")!
    static let shopAndroid = TargetKey("shop/android")!
    static let bankIOS = TargetKey("bank/ios")!
}

extension Gate {
    static let killed = Gate(killSwitch: KillSwitch(message: .text("Back at 09:30."), retryInterval: 30))
    static let everything = Gate(
        killSwitch: KillSwitch(message: .localized(["default": "Back soon.", "de": "Gleich zurück."]), retryInterval: 60),
        forceUpdate: ForceUpdate(message: .text("Please \"update\" <now> & here.")),
        requiredUpdate: RequiredUpdate(minimumVersion: "4.2.0", blockedVersions: ["4.3.1"], message: .text("Update.")),
        optionalUpdate: OptionalUpdate(optionalVersion: "4.3.0", message: .text("4.3 is out.")),
        alert: Alert(message: .text("Card payments\nare slow 🐌"), blocking: false)
    )
}

extension Store {
    /// A store and its world with an app of two platforms, one of them killed: 4 changes.
    func fill() throws -> World {
        var world = World()
        try commit(world.saveApp(.shop))
        try commit(world.create(.shopIOS))
        try commit(world.create(.shopAndroid))
        try commit(world.set([.shopIOS: .killed]))
        return world
    }
}
