import GateModel

/// Gathers what a change does to its targets and says how dangerous that is and what must be typed (the tiers of the user interface's table).
struct PlanDraft {
    let environment: Environment
    let kind: Change.Kind
    private var diff: [FieldDifference] = []
    /// Targets from which the change keeps people out, with the rule that does it.
    private var shutting: [(target: TargetKey, rule: Rule)] = []
    /// Targets at which the change lets people in whom the gate means to keep out, or whom nobody asked to let in.
    private var opened: [TargetKey] = []
    /// Targets, and apps without any, that go.
    private var removals = 0
    private var apps: [AppDifference] = []
    private var changes = 0
    /// Whom the change shuts out, as far as polls tell, in the order of its targets.
    private var radii: [BlastRadius] = []
    /// Whom its kill switches shut out and will ask again, with the seconds after which.
    private var herds: [(herd: Herd, interval: Int)] = []
    /// Whether it shuts out more than an administrator lets pass as an ordinary change.
    private var isWide = false

    init(environment: Environment, kind: Change.Kind) {
        self.environment = environment
        self.kind = kind
    }

    mutating func add(_ changed: ChangedTarget, scheme: VersionScheme) {
        changes += 1
        diff += FieldDifference.between(changed.before, changed.after, of: changed.target)
        if let settings = changed.settings {
            diff += FieldDifference.between(settings.before, settings.after, of: changed.target)
        }
        if let rule = rule(shuttingOutBy: changed, scheme: scheme) {
            shutting.append((changed.target, rule))
        } else if kind == .apply,
            DangerTier.rule(shuttingOut: changed.after, changed.before, scheme: scheme) != nil
        {
            // Nobody says open who applies a file: that it lifts an incident's block must be seen.
            opened.append(changed.target)
        }
    }

    /// What a change shows on the phones of a target: one that takes a file over is as dangerous as what they meet then and did not before.
    /// - Parameter effects: nil when nobody looked, and then the worst is taken for true.
    mutating func add(_ effects: [Effect]?, of changed: ChangedTarget) {
        guard kind == .import, shutting.last?.target != changed.target else { return }
        let isShut = effects.map { $0.contains { $0.after.shutsOut && !$0.before.shutsOut } } ?? changed.after.shutsSomebodyOut
        if isShut { shutting.append((changed.target, .alert)) }
    }

    /// Targets whose phones are let in past a gate that goes on shutting them out.
    mutating func add(opening targets: [TargetKey]) {
        let counted = Set(shutting.map(\.target)).union(opened)
        opened += targets.filter { !counted.contains($0) }
    }

    /// A target that goes: the most dangerous thing there is, whatever its gate was.
    mutating func addRemoval(_ changed: ChangedTarget) {
        changes += 1
        removals += 1
        diff += FieldDifference.between(changed.before, changed.after, of: changed.target)
        diff += FieldDifference.between(changed.settings?.before, nil, of: changed.target)
    }

    /// An app without platforms that goes; it counts as a target does.
    mutating func addRemoval(of app: App) {
        changes += 1
        removals += 1
    }

    /// A feed of an own shape that goes; its address counts as a target does.
    mutating func addRemovalOfFeed() {
        changes += 1
        removals += 1
    }

    /// Names and aliases: they keep nobody out.
    mutating func add(_ differences: [AppDifference]) {
        changes += differences.count
        apps += differences
    }

    /// A wide one raises the tier by one. Who shuts out every version by the rule's nature has been told so by the tier already.
    /// - Parameters:
    ///   - radius: nil for a target of which nothing is to be told.
    ///   - share: above this share of the polls, 0 to 1, it is wide.
    mutating func add(_ radius: BlastRadius?, wideAbove share: Double) {
        guard let radius else { return }
        radii.append(radius)
        if !radius.isEverybody, let shut = radius.share, shut > share { isWide = true }
    }

    /// - Parameter herd: nil for a target of which nobody is known to ask.
    mutating func add(_ herd: ShutHerd?) {
        if let herd { herds.append((herd.herd, herd.interval)) }
    }

    var radiusWarnings: [Warning] { radii.map(\.warning) }

    func plan(effects: [Effect] = [], warnings: [Warning]) -> Plan {
        let plainTier: DangerTier =
            changes == 0
            ? .none : removals > 0 || shutting.count + opened.count > 1 ? .many : shutting.isEmpty && opened.isEmpty ? .notice : .block
        let tier = isWide && plainTier == .block ? .many : plainTier
        let confirm: String? =
            switch tier {
            case .none, .notice: nil
            case .block: environment.isProtected ? (shutting.first?.target ?? opened[0]).description : nil
            case .many: ConfirmationPhrase.many(verb, shutting.count + opened.count + removals)
            }
        return Plan(
            tier: tier,
            confirm: confirm,
            reasonRequired: environment.isProtected && tier >= .block,
            diff: diff,
            apps: apps,
            effects: effects,
            warnings: warnings,
            load: PollLoad(herds)
        )
    }

    private var verb: String {
        switch kind {
        case .import: "import"
        case .apply: "apply"
        case .revert: "revert"
        case _ where !opened.isEmpty: "open"
        case .set, .settings, .create, .delete, .restore:
            switch shutting.map(\.rule).min(by: { Rule.allCases.firstIndex(of: $0)! < Rule.allCases.firstIndex(of: $1)! }) {
            case .killSwitch: "kill"
            case .forceUpdate: "force"
            case .requiredUpdate: "require"
            case .alert, .optionalUpdate, nil: "alert"
            }
        }
    }

    private func rule(shuttingOutBy changed: ChangedTarget, scheme: VersionScheme) -> Rule? {
        if let rule = DangerTier.rule(shuttingOut: changed.before, changed.after, scheme: scheme) { return rule }
        guard let before = changed.settings?.before, let after = changed.settings?.after else { return nil }
        // A newer newest release raises what a forced update asks of everybody; the first one brings it into feeds that did not carry it.
        if changed.after.forceUpdate != nil, let newest = after.newestRelease,
            before.newestRelease.map({ scheme.isOlder($0, than: newest) }) ?? true
        {
            return .forceUpdate
        }
        // Feeds leave out what is not written in their library's scheme, so another scheme can publish a rule that nobody met so far.
        guard before.versionScheme != after.versionScheme else { return nil }
        return changed.after.forceUpdate != nil ? .forceUpdate : changed.after.requiredUpdate != nil ? .requiredUpdate : nil
    }
}
