import GateFeeds
import GateModel

/// Gathers what a change does on phones, target by target.
///
/// Targets of which the same becomes the same are looked at once: a kill of a thousand of them asks the models for a handful.
struct PlanEffects {
    private struct Question: Hashable {
        let platform: PlatformKey
        let before: EffectFinder.Side?
        let after: EffectFinder.Side?
        let hosted: [ClientLibrary: [UInt8]]
    }

    private var found: [Question: [Effect]] = [:]
    private var all: [Effect] = []
    /// Targets of which an address goes while its phones are shut out, so that they are let in past their gate.
    private(set) var opened: [TargetKey] = []

    /// The worst first.
    var inOrder: [Effect] { all.inOrder }

    /// - Returns: the rows of that target alone.
    @discardableResult
    mutating func add(
        _ target: TargetKey, before: EffectFinder.Side?, after: EffectFinder.Side?, hosted: [ClientLibrary: [UInt8]] = [:]
    ) -> [Effect] {
        let question = Question(platform: target.platform, before: before, after: after, hosted: hosted)
        let effects: [Effect]
        if let known = found[question] {
            effects = known.map { $0.of(target) }
        } else {
            effects = EffectFinder.effects(of: target, before: before, after: after, hosted: hosted)
            found[question] = effects
        }
        all += effects
        return effects
    }

    @discardableResult
    mutating func add(_ changed: ChangedTarget, settings: PlatformSettings, hosted: [ClientLibrary: [UInt8]] = [:]) -> [Effect] {
        let before = changed.previous == 0 ? nil : EffectFinder.Side(changed.before, changed.settings?.before ?? settings)
        return add(changed.target, before: before, after: EffectFinder.Side(changed.after, settings), hosted: hosted)
    }

    /// Addresses that go or serve something else from now on: a change for whoever polls them, even where no gate changes.
    mutating func add(aliases before: [Alias], becoming after: [Alias], of app: App) {
        let now = Dictionary(after.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        var told: Set<[String]> = []
        for alias in before where now[alias.path] != alias {
            for target in app.platformKeys.compactMap({ app.platforms[$0] }) where alias.platform == nil || alias.platform == target.key.platform {
                let moved = now[alias.path].flatMap { $0.platform == nil || $0.platform == target.key.platform ? $0.feed : nil }
                // Two addresses of one document lose the same.
                guard told.insert([target.key.description, alias.feed.rawValue, moved?.rawValue ?? ""]).inserted else { continue }
                let effects = EffectFinder.effects(of: target.key, EffectFinder.Side(target.gate, target.settings), losing: alias.feed, to: moved)
                all += effects
                if effects.contains(where: { $0.before.shutsOut && $0.grade == .letsIn }), !opened.contains(target.key) { opened.append(target.key) }
            }
        }
    }

    /// A target that goes, with its feeds.
    mutating func addRemoval(_ changed: ChangedTarget) {
        guard let settings = changed.settings?.before else { return }
        add(changed.target, before: EffectFinder.Side(changed.before, settings), after: nil)
    }
}

extension Effect {
    fileprivate func of(_ target: TargetKey) -> Effect {
        Effect(target: target, client: client, versions: versions, before: before, after: after, meant: meant, detail: detail)
    }
}
