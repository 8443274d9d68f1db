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
    /// Rows of addresses that serve something else: several documents of one target may tell a library the same.
    private var losses: Set<Effect> = []
    /// Targets that there was no room to evaluate.
    private var unlooked: Set<TargetKey> = []
    /// Targets whose phones are let in past their gate, or shut out although it does not say so, because an address serves something else.
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

    /// Adds an address that no longer serves a target's document: a change for whoever polls it, even where no gate changes.
    mutating func lose(_ lost: EffectFinder.Lost, to next: EffectFinder.Successor, of target: Target) {
        let isOpened: Bool
        if let effects = addLoss(of: lost, to: next, for: target) {
            // Every library that could read the old document was asked; GateKit's is not read as bytes, and nobody knows what it would do.
            isOpened =
                lost == .own(.gate) && next.isDocument
                || effects.contains { $0.before.shutsOut && $0.grade == .letsIn || $0.after.shutsOut && !$0.before.shutsOut }
        } else {
            // Nobody looked, so the worst is assumed.
            isOpened = target.gate.shutsSomebodyOut || next.isDocument
        }
        if isOpened { open(target.key) }
    }

    /// - Returns: what its phones meet in place of the document; nil when there was no room to look.
    private mutating func addLoss(of lost: EffectFinder.Lost, to next: EffectFinder.Successor, for target: Target) -> [Effect]? {
        let side = EffectFinder.Side(target.gate, target.settings)
        let loss = EffectMemory.Loss(platform: target.key.platform, side: side, lost: lost, next: next)
        let effects: [Effect]
        if let known = memory.losses[loss] {
            effects = known.map { $0.of(target.key) }
        } else {
            guard room > 0 else {
                unlooked.insert(target.key)
                return nil
            }
            effects = EffectFinder.effects(of: target.key, side, losing: lost, to: next, room: &room)
            memory.losses[loss] = effects
        }
        all += effects.filter { losses.insert($0).inserted }
        return effects
    }

    /// Adds a document of an own shape that an address serves from now on, as it is while no gate has a rule. If it shuts out phones even
    /// then, no gate lets them in again; whoever polls it may be any library.
    mutating func serve(_ document: [UInt8], to target: Target) {
        let question = EffectMemory.Shutting(platform: target.key.platform, settings: target.settings, document: document)
        let isShut: Bool
        if let known = memory.shutting[question] {
            isShut = known
        } else if room <= 0 {
            unlooked.insert(target.key)
            isShut = true
        } else {
            isShut = EffectFinder.shutsOut(document, target.key.platform, target.settings, room: &room)
            memory.shutting[question] = isShut
        }
        if isShut { open(target.key) }
    }

    /// Adds a target whose phones may be let in past their gate, or shut out although it does not say so.
    mutating func open(_ target: TargetKey) {
        if !opened.contains(target) { opened.append(target) }
    }

    /// Adds a target that is removed, with its feeds. Its combined document holds the objects and lists of the app's other platforms, too,
    /// for apps that poll one address on all of them (wire formats section 6); where it was polled, their phones may lose it.
    /// - Parameter others: the app's other targets, as they are before the change and if they stay.
    mutating func addRemoval(_ changed: ChangedTarget, beside others: @autoclosure () -> [Target]) {
        guard let settings = changed.settings?.before else { return }
        add(changed.target, before: EffectFinder.Side(changed.before, settings), after: nil)
        guard polls?.polledFeeds(of: changed.target).contains(.combined) == true else { return }
        // A removal is the most dangerous change as it is, so that nothing is added to what must be typed.
        for other in others() { _ = addLoss(of: .shared(.combined), to: .nothing, for: other) }
    }
}

extension Gate {
    /// Whether it keeps any version out.
    var shutsSomebodyOut: Bool { state == .blocked || state == .updateRequired }
}

extension EffectFinder.Successor {
    fileprivate var isDocument: Bool { if case .document = self { true } else { false } }
}

extension Effect {
    fileprivate func of(_ target: TargetKey) -> Effect {
        var effect = self
        effect.target = target
        return effect
    }
}
