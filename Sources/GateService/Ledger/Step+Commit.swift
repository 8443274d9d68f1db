import GateJSON
package import GateModel

extension Step {
    /// The step with its moment and its place in the history filled in.
    func dated(_ at: Timestamp, sequence: Int) -> Step {
        var step = self
        let touched = Set(targets.map(\.target))
        let before = Dictionary(targets.map { ($0.target, $0.before.state) }, uniquingKeysWith: { $1 })
        step.apps = apps.map { app in
            var app = app
            for (key, target) in app.platforms where touched.contains(target.key) {
                var target = target
                target.sequence = sequence
                target.changedAt = at
                if target.since == .unknown || before[target.key] != target.gate.state { target.since = at }
                app.platforms[key] = target
            }
            return app
        }
        return step
    }
}

extension Step {
    /// What the step is about, for the log: its first targets, or the app.
    var inWords: String? {
        targets.isEmpty ? (app ?? apps.first?.key ?? removedApps.first)?.text : targets.map(\.target).inWords
    }
}

extension Step {
    func targets(publishedAs apps: [(key: AppKey, app: PublishedApp?)]) -> [ChangedTarget] {
        let feeds = Dictionary(apps.compactMap { key, app in app.map { (key, $0) } }, uniquingKeysWith: { $1 })
        return targets.map { $0.published(feeds) }
    }
}

extension ChangedTarget {
    /// The target with the digests of the feeds that its phones get now.
    func published(_ apps: [AppKey: PublishedApp]) -> ChangedTarget {
        var changed = self
        let exists = settings == nil || settings?.after != nil
        changed.feeds = exists ? apps[target.app]?.digests(of: target.platform) ?? [:] : [:]
        return changed
    }
}

extension Change {
    /// Every app that the change touches.
    package var apps: Set<AppKey> { Set(targets.map(\.target.app) + (app.map { [$0] } ?? [])) }
}

extension Command {
    /// The one app that the command is about; nil for a change of gates.
    package var app: AppKey? {
        switch self {
        case .gates, .apply, .takeOver: nil
        case .createApp, .editApp, .deleteApp, .putPlatform, .deletePlatform, .putOwnFeed, .deleteOwnFeed: apps.first
        }
    }
}

extension Caller {
    /// Operators change gates of the apps in their scope; everything about apps and platforms themselves is an administrator's.
    func requireFor(_ command: Command) throws(ServiceError) {
        switch command {
        case .gates(let commands, _):
            for command in commands {
                try require(.operator, of: command.target.app)
                if command.settings != nil { try require(.admin, of: command.target.app) }
            }
        case .createApp, .editApp, .deleteApp, .putPlatform, .deletePlatform, .putOwnFeed, .deleteOwnFeed, .takeOver, .apply:
            // A document may name no app.
            try require(.admin)
            for app in command.apps { try require(.admin, of: app) }
        }
    }
}
