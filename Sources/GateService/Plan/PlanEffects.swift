import GateFeeds
import GateModel

/// Gathers what a change does on phones, target by target.
///
/// Targets that change in the same way are evaluated once: a kill of a thousand of them runs the models a handful of times. Targets that
/// all differ are evaluated as far as there is room, because a plan must not take the processors away from everybody else; the rest is
/// counted.
struct PlanEffects {
    /// How many libraries times versions one plan evaluates: about a third of a second.
    static let room = 500_000

    private var room: Int
    private let memory: EffectMemory
    /// Which versions poll; nil where polls are not counted.
    private let polls: (any PollRecord)?
    private var all: [Effect] = []
    /// Targets that there was no room to evaluate.
    private var unlooked: Set<TargetKey> = []
    /// Targets that lose an address while their phones are shut out, so that these are let in past their gate.
    private(set) var opened: [TargetKey] = []

    init(room: Int, memory: EffectMemory = EffectMemory(), polls: (any PollRecord)? = nil) {
        self.room = room
        self.polls = polls
        self.memory = memory
    }

    /// The worst first.
    var inOrder: [Effect] { all.inOrder }

    /// A warning when not all targets were evaluated.
    var warnings: [Warning] {
        guard !unlooked.isEmpty else { return [] }
        let detail =
            "What phones show was worked out for the first targets only, and not for \(unlooked.count) more; name fewer targets in one change to see all."
        return [Warning(code: "effects_cut", detail: detail)]
    }

    /// - Returns: the effects on that target alone; nil when there was no room to evaluate it.
    @discardableResult
    mutating func add(
        _ target: TargetKey,
        before: EffectFinder.Side?,
        after: EffectFinder.Side?,
        hosted: [ClientLibrary: [UInt8]] = [:]
    ) -> [Effect]? {
        let isAsked = polls != nil && EffectFinder.looksAtPolls(before, after)
        let polled = isAsked ? polls?.polledVersions(of: target).versions.map(\.text).sorted() ?? [] : []
        let question = EffectMemory.Question(platform: target.platform, before: before, after: after, hosted: hosted, polled: polled)
        let effects: [Effect]
        if let known = memory.found[question] {
            effects = known.map { $0.of(target) }
        } else {
            guard room > 0 else {
                unlooked.insert(target)
                return nil
            }
            effects = EffectFinder.effects(of: target, before: before, after: after, hosted: hosted, polled: polled, room: &room)
            memory.found[question] = effects
        }
        all += effects
        return effects
    }

    @discardableResult
    mutating func add(_ changed: ChangedTarget, settings: PlatformSettings, hosted: [ClientLibrary: [UInt8]] = [:]) -> [Effect]? {
        let before = changed.previous == 0 ? nil : EffectFinder.Side(changed.before, changed.settings?.before ?? settings)
        return add(changed.target, before: before, after: EffectFinder.Side(changed.after, settings), hosted: hosted)
    }

    /// Adds addresses that are removed or serve something else: a change for whoever polls them, even where no gate changes.
    mutating func add(aliases before: [Alias], becoming after: [Alias], of app: App) {
        let now = Dictionary(after.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        var told: Set<[String]> = []
        for alias in before where now[alias.path] != alias {
            for target in app.platformKeys.compactMap({ app.platforms[$0] })
            where alias.platform == nil || alias.platform == target.key.platform {
                let moved = now[alias.path].flatMap { $0.platform == nil || $0.platform == target.key.platform ? $0.feed : nil }
                // Losing two addresses of one document has the same effect as losing one.
                guard told.insert([target.key.description, alias.feed.fileName, moved?.fileName ?? ""]).inserted else { continue }
                if let feed = alias.feed.library {
                    lose(feed, to: moved?.library, of: target)
                } else if target.gate.shutsSomebodyOut, !opened.contains(target.key) {
                    // Nobody knows what phones make of an own shape, so the worst is assumed.
                    opened.append(target.key)
                }
            }
        }
    }

    private mutating func lose(_ feed: FeedName, to moved: FeedName?, of target: Target) {
        let side = EffectFinder.Side(target.gate, target.settings)
        let loss = EffectMemory.Loss(platform: target.key.platform, side: side, feed: feed, moved: moved)
        let isOpened: Bool
        if memory.losses[loss] == nil, room <= 0 {
            unlooked.insert(target.key)
            // Nobody looked, so the worst is assumed.
            isOpened = target.gate.shutsSomebodyOut
        } else {
            let effects =
                memory.losses[loss]?.map { $0.of(target.key) }
                ?? EffectFinder.effects(of: target.key, side, losing: feed, to: moved, room: &room)
            memory.losses[loss] = effects
            all += effects
            isOpened = effects.contains { $0.before.shutsOut && $0.grade == .letsIn }
        }
        if isOpened, !opened.contains(target.key) { opened.append(target.key) }
    }

    /// Adds a target that is removed, with its feeds.
    mutating func addRemoval(_ changed: ChangedTarget) {
        guard let settings = changed.settings?.before else { return }
        add(changed.target, before: EffectFinder.Side(changed.before, settings), after: nil)
    }
}

extension Gate {
    /// Whether it keeps any version out.
    var shutsSomebodyOut: Bool { state == .blocked || state == .updateRequired }
}

extension Effect {
    fileprivate func of(_ target: TargetKey) -> Effect {
        Effect(target: target, client: client, versions: versions, before: before, after: after, meant: meant, detail: detail)
    }
}
